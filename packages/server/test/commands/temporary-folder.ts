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
    // The workers of a service that was killed end a moment after it, and may write until then.
    await rm(folder, { recursive: true, maxRetries: 20, retryDelay: 100 });
  });
  return (name) => join(folder, name);
}
