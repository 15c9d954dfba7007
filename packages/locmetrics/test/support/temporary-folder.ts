import { mkdtempSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { releaseLater } from './release.ts';

/**
 * A new folder with the name of the test file, removed after the test, or after the file if a hook makes it; in a
 * script, when it ends.
 */
export function temporaryFolder(): string {
  let path = '';
  releaseLater(() => remove(path));
  path = mkdtempSync(join(tmpdir(), `locmetrics-${name}-`));
  present.add(path);
  return path;
}

/** A new folder that is removed at the end of the scope, for many runs in a test: `await using folder = …`. */
export function scopedFolder(): AsyncDisposable & { readonly path: string } {
  const path = temporaryFolder();
  return { path, [Symbol.asyncDispose]: () => remove(path) };
}

/** A message without the paths of these folders, which differ from run to run. */
export function withoutFolders(message: string): string {
  return message.replaceAll(/\/\S*locmetrics-[\w.-]+-\w{6}(?!\w)/g, '');
}

/** A script is named by its folder: `soak/run.ts`. */
let name = basename(dirname(process.argv[1] ?? ''));

/** Names the folders that are made from now on after a file. */
export function nameFolders(testFile: string): void {
  name = basename(testFile).replace(/(\.test)?\.ts$/, '');
}

/** A script ends without a release. */
const present = new Set<string>();
process.once('exit', () => {
  for (const path of present) rmSync(path, { recursive: true, force: true });
});

async function remove(path: string): Promise<void> {
  // The workers of a service that was killed end a moment after it, and may write until then.
  await rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  present.delete(path);
}
