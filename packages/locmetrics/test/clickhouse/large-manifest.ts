import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { STORES_MANIFEST } from '../commands/publish-stores.ts';

/** A dataset with so many rows, in a manifest in a folder. Returns the path of the manifest. */
export async function writeManifest(folder: string, rows: number, mark = 'a'): Promise<string> {
  await mkdir(folder, { recursive: true });
  const lines = Array.from(
    { length: rows },
    (_, index) => `S${index},${mark}${index % 7},${index}\n`,
  );
  await writeFile(join(folder, 'stores.csv'), `id,city,visits\n${lines.join('')}`);
  const manifest = join(folder, 'locmetrics.yaml');
  await writeFile(manifest, STORES_MANIFEST);
  return manifest;
}
