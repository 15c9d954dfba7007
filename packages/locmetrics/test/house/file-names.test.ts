import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { COLUMN_FILE } from '@locmetrics/column-store/record-table';
import { expect, test } from 'vitest';

const PACKAGES = fileURLToPath(new URL('../../../', import.meta.url));

test('only the column store names its file', () => {
  const files = globSync('*/src/**/*.ts', { cwd: PACKAGES });
  expect(files.length).toBeGreaterThan(500);
  const named = files
    .filter((name) => {
      const text = readFileSync(`${PACKAGES}${name}`, 'utf8');
      return text.includes(COLUMN_FILE) || text.includes('COLUMN_FILE');
    })
    .filter((name) => !name.startsWith('column-store/'));
  expect(named).toEqual([]);
});
