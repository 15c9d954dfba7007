import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
/** Tools take minutes to download or build, so they are kept beside the packages of npm, which `npm ci` removes. */
const TOOLS = join(ROOT, 'node_modules', '.cache', 'locmetrics-tools');

export type Say = (line: string) => void;

/**
 * The folder of a tool. If it is not kept yet, `install` puts these releases into the folder, and returns whether it
 * could. Undefined if it could not.
 */
export function keepTool(
  name: string,
  releases: readonly string[],
  install: (folder: string) => boolean,
): string | undefined {
  const hash = createHash('sha256').update(releases.join('\n')).digest('hex').slice(0, 12);
  const folder = join(TOOLS, `${name}-${hash}`);
  const complete = join(folder, 'complete');
  if (existsSync(complete)) return folder;
  mkdirSync(TOOLS, { recursive: true });
  for (const old of readdirSync(TOOLS).filter((one) => one.replace(/-\w+$/, '') === name)) {
    rmSync(join(TOOLS, old), { recursive: true });
  }
  mkdirSync(folder);
  if (!install(folder)) return undefined;
  writeFileSync(complete, '');
  return folder;
}
