import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

/** A folder for the tests of a file, removed after them. Returns the path of a name inside it. */
export function useTemporaryFolder(): (name: string) => string {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'locmetrics-commands-'));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
  });
  return (name) => join(folder, name);
}
