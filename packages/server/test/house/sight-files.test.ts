import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LOG_TABLE } from '../../src/observe/log-table.ts';

test('the reference of the log lists every kind of observation with its level and meaning, and no other', () => {
  const rows = [...read('docs/reference/logs.md').matchAll(LOG_ROW)].map(
    ([, kind, level, meaning]) => ({ kind, level, meaning }),
  );
  const table = Object.entries(LOG_TABLE).map(([kind, { level, meaning }]) => ({
    kind,
    level,
    meaning,
  }));
  expect(rows).toStrictEqual(table);
});

const LOG_ROW = /^\| `(\w+)` \| (error|warn|info|none) \| (.+) \|$/gm;

function read(path: string): string {
  return readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
}
