// @module-tag slow

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sealedProcess } from '@locmetrics/column-store/publish/sealed-process';
import { describe, expect, test } from 'vitest';
import { withoutFolders } from '../../support/temporary-folder.ts';
import { importByManifest, valuesOf } from '../import-by-manifest.ts';

const openSealed = sealedProcess(
  fileURLToPath(new URL('../../../src/sealed-engine.ts', import.meta.url)),
);
const FILES = { 'p.csv': `id,n\n${Array.from({ length: 3000 }, (_, id) => `${id},1`).join('\n')}` };

const declare = (steps: string, expression = 'n') => `files: p.csv
${steps}key: [id]
fields:
  id: { type: string }
  n: { type: string, expression: "${expression}" }`;
const sql = (query: string) => `rows:\n  - sql: ${query}\n`;

/** The message of the refusal, without the folder of the test. */
async function refusal(declaration: string, stepTimeMs = 30_000): Promise<string> {
  const limits = { memoryLimitBytes: 2 ** 28, openSealed, stepTimeMs };
  try {
    await importByManifest(declaration, FILES, limits);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return withoutFolders(error.message);
  }
  throw new Error('Nothing was refused.');
}

test('steps and expressions give the same rows in a process of their own, and the same messages', async () => {
  const declaration = declare(
    'rows:\n  - where: TRY_CAST(id AS INT) < 3\n',
    "'ä' || chr(65279) || id",
  );
  const expected = ['0', '1', '2'].map((id) => [id, `ä\ufeff${id}`]);
  expect(await valuesOf(declaration, FILES)).toEqual(expected);
  const { rows } = await importByManifest(declaration, FILES, { openSealed });
  expect(rows.map((row) => row.slice(1, 3))).toEqual(expected);
  // The time of a statement grows with the rows, so it is no whole number of milliseconds.
  const { rows: timed } = await importByManifest(declaration, FILES, {
    openSealed,
    stepTimeMs: 30_000.2,
  });
  expect(timed).toEqual(rows);
  expect(await refusal(declare('', "CAST(id || 'x' AS INT)"))).toContain(
    "p.csv:2: fields.n.expression: cannot be computed (Could not convert string '0x' to INT32).",
  );
});

test('an expression that needs too much memory is refused by its name, and its process ends', async () => {
  expect(await refusal(declare('', 'repeat(id, 2000000000)'))).toBe(
    '/locmetrics.yaml:8: datasets.us.places.fields.n.expression: needs more memory than a publish may use. Use shorter values or fewer rows, or allow more: --publish-memory SIZE.',
  );
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8');
  for (const pid of children.trim().split(' ').filter(Boolean)) {
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).not.toContain('sealed-engine');
  }
});

test('an expression that does not end within a row is stopped by its name', {
  tags: 'slow',
}, async () => {
  const endless = "levenshtein(repeat('ab', 400000), repeat('ba', 400000) || id)";
  expect(await refusal(declare('', endless), 2000)).toMatch(
    /^\/locmetrics\.yaml:8: datasets\.us\.places\.fields\.n\.expression: ran for more than 2 seconds, and was stopped\./,
  );
});

describe('so are others', { tags: 'slow' }, () => {
  const later = 'CASE WHEN id::INT > 200 THEN repeat(id, 1000000000) ELSE n END';
  const lists =
    'SELECT id, list(a.range::VARCHAR)::VARCHAR AS n FROM rows, range(100000000) a GROUP BY id';
  test.each([
    ['a constant', declare('', "repeat('x', 2000000000)")],
    ['many values', declare('', "repeat('x', 10000000 + id::INT)")],
    ['only later rows', declare('', later)],
    ['a list', declare('', 'len(range(1000000000 + id::BIGINT))')],
    ['a condition', declare('rows:\n  - where: length(repeat(id, 2000000000)) > 5\n')],
    ['a query', declare(sql(lists))],
  ])('%s that needs too much memory', async (_, declaration) => {
    expect(await refusal(declaration)).toMatch(
      /^\/locmetrics\.yaml:\d+: datasets\.us\.places\.(rows\[0\]\.(where|sql)|fields\.n\.expression): (needs more memory than a publish may use|has a value of more than 16 MiB)\./,
    );
  });

  test('a query that does not end', async () => {
    const query =
      "SELECT count(*)::VARCHAR AS id, '1' AS n FROM range(10000000) a, range(10000000) b, rows WHERE a.range * b.range % 7 = 3";
    expect(await refusal(declare(sql(query)), 2000)).toMatch(
      /^\/locmetrics\.yaml:\d+: datasets\.us\.places\.rows\[0\]\.sql: ran for more than 2 seconds, and was stopped\./,
    );
  });
});

test('a value of more than 16 MiB is refused with the name of its column', async () => {
  const step = sql("SELECT id, repeat('x', 16777217) AS n FROM rows WHERE id = '7'");
  const declaration = declare(step, "'1'").replace(
    'fields:',
    'fields:\n  m: { type: string, column: n }',
  );
  expect(await refusal(declaration)).toContain("the column 'n' has a value of more than 16 MiB.");
});
