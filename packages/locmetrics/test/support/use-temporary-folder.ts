import { join } from 'node:path';
import { beforeAll, beforeEach } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

/** A new folder for the tests of a file, or for each of them. Returns the path of a name inside it. */
export function useTemporaryFolder(per: 'file' | 'test' = 'file'): (name: string) => string {
  let folder = '';
  const before = per === 'file' ? beforeAll : beforeEach;
  before(() => {
    folder = temporaryFolder();
  });
  return (name) => join(folder, name);
}
