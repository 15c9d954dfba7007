import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';

/** Writes results to the file, or into the folder under a name made of their time and commit. */
export async function writeResults(
  path: string,
  results: { readonly began: string; readonly commit: string },
): Promise<string> {
  const time = results.began.slice(0, 16).replaceAll(':', '');
  const file =
    extname(path) === '.json' ? path : join(path, `${time}-${results.commit.slice(0, 12)}.json`);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(results, null, 2)}\n`);
  return file;
}
