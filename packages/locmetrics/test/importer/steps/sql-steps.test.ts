import { expect, test } from 'vitest';
import { importByManifest, refusalByManifest, valuesOf } from '../import-by-manifest.ts';

const VISITS = `Code,Year,Visits
AB,2020,1
CD,2020,2
AB,2021,4
`;

const selected = (select: string, tables = '') => `files: visits.csv
rows:
  - where: Code <> 'XX'
  - sql:
      select: |
${select.replaceAll(/^/gm, '        ')}
      tables:
        branches: { file: branches.csv }
${tables.replaceAll(/^(?=.)/gm, '        ')}
key: [code]
fields:
  code: { type: string }
  visits: { type: integer }`;

const FILES = { 'visits.csv': VISITS, 'branches.csv': 'Code,Name\nAB,Albion\nCD,Cedar\n' };

test('the rows are the result of a SELECT over the rows and other files', async () => {
  const declaration = selected(`WITH sums AS (
  SELECT "Code", sum("Visits"::BIGINT) AS visits FROM rows GROUP BY ALL)
SELECT Name AS code, visits FROM sums JOIN branches USING ("Code")
ORDER BY visits DESC; -- the most first`);
  expect(await valuesOf(declaration, FILES)).toEqual([
    ['Albion', '5'],
    ['Cedar', '2'],
  ]);
  const { notices, counts } = await importByManifest(declaration, FILES);
  expect(notices).toEqual(['The steps made 2 rows from the 3 rows of the files.']);
  expect(counts).toMatchObject({ read: 2, kept: 2 });
});

test('a SELECT may be written alone, and steps follow it', async () => {
  const declaration = `files: visits.csv
rows:
  - sql: SELECT "Code" AS code, lag("Visits") OVER (ORDER BY "Year", "Code") AS visits FROM rows
  - where: visits IS NOT NULL
  - unpivot: { name: what, values: { value: [visits] } }
  - duplicates: last
key: [code]
fields:
  code: { type: string }
  what: { type: string }
  value: { type: integer }`;
  expect(await valuesOf(declaration, FILES)).toEqual([
    ['AB', 'visits', '2'],
    ['CD', 'visits', '1'],
  ]);
});

test('a wrong value after a SELECT is reported with the step and the row', async () => {
  const declaration = `files: visits.csv
rows:
  - sql: SELECT "Code" AS code, "Year" || 'x' AS visits, 'note' AS note FROM rows ORDER BY ALL
  - where: visits > '2020x'
key: [code]
fields:
  code: { type: string }
  visits: { type: integer }`;
  expect(
    [
      await refusalByManifest(declaration, FILES),
      await refusalByManifest(
        declaration.replace('integer', 'string').replace("> '2020x'", 'IS NOT NULL'),
        FILES,
      ),
      await refusalByManifest(declaration.replace('visits >', 'visits::INTEGER >'), FILES),
    ].join('\n'),
  ).toMatchInlineSnapshot(`
    "rows[0].sql, row 2: visits: '2021x' is not a whole number, where code is 'AB', visits is '2021x', note is 'note'.
    rows[0].sql, row 2: code: 'AB' is already in row 1, where code is 'AB', visits is '2021x', note is 'note'.
    rows[0].sql, row 1: rows[1].where: cannot be computed (Could not convert string '2020x' to INT32 when casting from source column visits). TRY_CAST returns an absent value for a text that cannot be cast; TRY(…) does so for any expression."
  `);
});

test('a step before a SELECT that fails names the line of the file', async () => {
  const declaration = `files: visits.csv
rows:
  - where: '"Visits"::INTEGER > 0'
  - sql: SELECT "Code" AS code FROM rows
key: [code]
fields:
  code: { type: string }`;
  expect(
    await refusalByManifest(declaration, { 'visits.csv': VISITS.replace(',4', ',four') }),
  ).toMatchInlineSnapshot(
    `"visits.csv:4: rows[0].where: cannot be computed (Could not convert string 'four' to INT32 when casting from source column Visits). TRY_CAST returns an absent value for a text that cannot be cast; TRY(…) does so for any expression."`,
  );
});

test.each([
  'SELECT code,, FROM rows',
  'SELECT "Code" AS code\n  FROM row',
  'SELECT "Code" AS code,\n  "Visit" AS visits FROM rows',
  'SELECT "Code" AS code,\n  visit("Code") AS visits FROM rows',
  'SELECT "Code" AS code,\n  count(*) FROM rows GROUP BY ALL',
  'SELECT "Code" AS code, "Year" AS CODE FROM rows',
  'SELECT * FROM rows JOIN branches USING ("Code") JOIN branches AS other USING ("Code")',
  'SELECT "Code" AS code, "Visits"::DATE AS visits FROM rows',
  'SELECT 1 AS code; SELECT 2 AS code',
  'SELECT 1 AS code) FROM rows --',
  'DELETE FROM rows',
  "COPY rows TO 'x.csv'",
  "ATTACH 'x.duckdb'",
  'INSTALL httpfs',
  'SET memory_limit = 1',
  '-- nothing',
  "SELECT content AS code FROM read_text('visits.csv')",
  "SELECT * FROM 'visits.csv'",
  "SELECT * FROM read_csv('https://example.org/x.csv')",
  "SELECT name AS code FROM glob('/etc/*')",
  "SELECT * FROM query('SELECT * FROM read_text(''visits.csv'')')",
])('a query is refused: %s', async (select) => {
  expect(await refusalByManifest(selected(select), FILES)).toMatchSnapshot();
});

test.each([
  ['rows: { file: branches.csv }', 'SELECT 1 AS code'],
  ['Other: { file: branches.csv }', 'SELECT 1 AS code'],
  ['other: { fil: branches.csv }', 'SELECT 1 AS code'],
  ['other: { file: other.csv }', 'SELECT 1 AS code'],
])('a table is refused: %s', async (table, select) => {
  expect(await refusalByManifest(selected(select, table), FILES)).toMatchSnapshot();
});

test('the tables of a SELECT are texts, read by their own declaration', async () => {
  const declaration = selected(
    'SELECT o.code, sum(visits::INTEGER) AS visits FROM other AS o GROUP BY ALL',
    "other: { file: other.csv, read: { delimiter: semicolon, nulls: ['-'] } }",
  );
  const other = 'code;visits\n01;2\n01;-\n02;-\n';
  expect(await valuesOf(declaration, { ...FILES, 'other.csv': other })).toEqual([
    ['01', '2'],
    ['02', null],
  ]);
});

test('a query that does not end is stopped', async () => {
  const declaration = selected(
    'SELECT count(*) AS code FROM range(1000000) a, range(1000000) b, rows WHERE a.range * b.range % 7 = 3',
  );
  await expect(importByManifest(declaration, FILES, { stepsTimeMaxMs: 600 })).rejects.toThrow(
    'us.places: the steps under rows ran for more than 0.01 minutes, and were stopped.',
  );
});
