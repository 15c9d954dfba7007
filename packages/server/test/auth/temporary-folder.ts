import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';

/** A new folder for each test of the file, removed after it. Returns the path of a file inside it. */
export function useTemporaryFolder(): (fileName: string) => string {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'locmetrics-auth-'));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true });
  });
  return (fileName) => join(folder, fileName);
}
