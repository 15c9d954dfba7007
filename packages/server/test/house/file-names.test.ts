import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { COLUMN_FILE } from '../../src/storage/duckdb/record-table.ts';

const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url));

test('only the column store names its file', () => {
  const named = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .filter((name) => {
      const text = readFileSync(`${SOURCE}${name}`, 'utf8');
      return text.includes(COLUMN_FILE) || text.includes('COLUMN_FILE');
    })
    .filter((name) => !name.startsWith('storage/duckdb/'));
  expect(named).toEqual([]);
});
