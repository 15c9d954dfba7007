import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildClient } from './build-client.ts';

/** Builds the client in a folder and packs it as `npm pack` does. Returns the path of the packed file. */
export function packClient(folder: string): string {
  const built = join(folder, 'client');
  mkdirSync(built, { recursive: true });
  buildClient(built);
  const packed = spawnSync('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: built,
    encoding: 'utf8',
    // Otherwise npm keeps compiled code in the temporary folder.
    env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' },
  });
  if (packed.status !== 0) throw new Error(`npm pack failed:\n${packed.stderr}`);
  const [{ filename }] = JSON.parse(packed.stdout);
  return join(folder, filename);
}
