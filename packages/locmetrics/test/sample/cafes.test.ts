// @module-tag slow

import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const CAFES = join(import.meta.dirname, '../../sample/cafes');

test('the files of the cafés are those that their script makes', () => {
  const made = temporaryFolder();
  execFileSync(process.execPath, [join(CAFES, 'build.ts'), '--to', made]);
  const read = (folder: string) =>
    globSync('**/*.csv', { cwd: folder })
      .toSorted()
      .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
  expect(read(made)).toEqual(read(CAFES));
  expect(read(made)).toHaveLength(7);
});
