import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The built explorer: in the installed package, or where the clone builds it. Undefined: it was not built. */
export function explorerFolder(): string | undefined {
  return ['../../explorer', '../../../explorer/dist']
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find((folder) => existsSync(`${folder}/index.html`));
}
