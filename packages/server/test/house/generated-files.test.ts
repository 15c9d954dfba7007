import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { manifestSchemaText } from '../../src/catalog/manifest-schema.ts';
import { ERROR_TABLE } from '../../src/domain/service-error.ts';

test('locmetrics.schema.json is what `npm run generate` prints', () => {
  expect(read('../../locmetrics.schema.json')).toBe(manifestSchemaText());
});

test('the reference of errors lists every reason with its code, status and meaning, and no other', () => {
  const rows = [...read('../../../../docs/reference/errors.md').matchAll(ROW)].map((match) => ({
    reason: match[1],
    code: match[2],
    httpStatus: Number(match[3]),
    meaning: match[4],
  }));
  const table = Object.entries(ERROR_TABLE).map(([reason, { code, httpStatus, meaning }]) => ({
    reason,
    code,
    httpStatus,
    meaning,
  }));
  expect(rows).toStrictEqual(table);
});

const ROW = /^\| `([A-Z_]+)` \| `([A-Z_]+)` \| ([0-9]+) \| (.+) \|$/gm;

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8');
}
