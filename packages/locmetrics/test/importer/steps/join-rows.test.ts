import { expect, test } from 'vitest';
import { importByManifest, refusalByManifest, valuesOf } from '../import-by-manifest.ts';

const VISITS = `code,year,visits
AB,2020,1
XX,2020,2
 CD ,2020,3
,2020,4
AB,2021,5
`;
const BRANCHES = `code,Branch Name,city
AB,Albion,Toronto
CD,Cedar,
EF,Elm,Toronto
`;

const joined = (join: string, fields = 'name: { type: string, column: Branch Name }') =>
  `files: visits.csv
rows:
  - join: { ${join} }
key: [visits]
fields:
  visits: { type: integer }
  code: { type: string }
  ${fields}`;

test('columns of another file come to the rows with the same key', async () => {
  const files = { 'visits.csv': VISITS, 'branches.csv': BRANCHES };
  const declaration = joined('file: branches.csv, on: [code]');
  expect(await valuesOf(declaration, files)).toEqual([
    ['1', 'AB', 'Albion'],
    ['2', 'XX', null],
    ['3', ' CD ', 'Cedar'],
    ['4', null, null],
    ['5', 'AB', 'Albion'],
  ]);
  const { notices } = await importByManifest(declaration, files);
  expect(notices).toEqual([
    'These columns of the files are not used by any field: year, city.',
    "2 of 5 rows have no matching row in branches.csv (rows[0].join), for example 'XX', (blank).",
  ]);
});

test('rows without a row in the file can be left out', async () => {
  const declaration = joined('file: branches.csv, on: [code], unmatched: leave_out');
  const files = { 'visits.csv': VISITS, 'branches.csv': BRANCHES };
  const { rows, notices } = await importByManifest(declaration, files);
  expect(rows.map(([, visits]) => visits)).toEqual(['1', '3', '5']);
  expect(notices.at(-1)).toBe(
    "2 of 5 rows have no matching row in branches.csv (rows[0].join), for example 'XX', (blank). They are left out.",
  );
});

test('columns are renamed, and the file is read by its own declaration', async () => {
  const declaration = joined(
    'file: lookup/b.csv, read: { encoding: windows-1252, skip_lines: 1, nulls: [n/a] }, on: { code: Kürzel }, columns: { name: Bezeichnung }',
    'name: { type: string }',
  );
  const lookup = Buffer.from('Titel\nKürzel;Bezeichnung\nAB;Zürich\nCD;n/a\n', 'latin1');
  expect(await valuesOf(declaration, { 'visits.csv': VISITS, 'lookup/b.csv': lookup })).toEqual([
    ['1', 'AB', 'Zürich'],
    ['2', 'XX', null],
    ['3', ' CD ', null],
    ['4', null, null],
    ['5', 'AB', 'Zürich'],
  ]);
});

test('a key has several columns, filled up with zeros', async () => {
  const declaration = `files: p.csv
rows:
  - join: { file: places.tsv, on: { s: STATE, c: COUNTY }, pad: [2, 3], columns: [NAME] }
key: [s, c]
fields:
  s: { type: string }
  c: { type: string }
  name: { type: string, column: NAME }`;
  expect(
    await valuesOf(declaration, {
      'p.csv': 's,c\n6,1\n10,13\n6,0002\n',
      'places.tsv': 'STATE\tCOUNTY\tNAME\n06\t001\tAlameda\n10\t13\tX\n06\t2\tY\n',
    }),
  ).toEqual([
    ['10', '13', 'X'],
    ['6', '0002', null],
    ['6', '1', 'Alameda'],
  ]);
});

test('steps before and after a join see its columns, and messages name lines', async () => {
  const declaration = `files: visits.csv
rows:
  - where: visits <> '2'
  - join: { file: branches.csv, on: [code], columns: { name: Branch Name, town: city } }
  - where: town IS NOT NULL
  - join: { file: towns.csv, on: { town: town } }
key: [visits]
fields:
  visits: { type: integer }
  name: { type: string, expression: upper(name) }
  size: { type: integer }`;
  const files = {
    'visits.csv': VISITS,
    'branches.csv': BRANCHES,
    'towns.csv': 'town,size\nToronto,3\n',
  };
  expect(await valuesOf(declaration, files)).toEqual([
    ['1', 'ALBION', '3'],
    ['5', 'ALBION', '3'],
  ]);
  expect(
    await refusalByManifest(declaration, { ...files, 'towns.csv': 'town,size\nToronto,many\n' }),
  ).toMatchInlineSnapshot(`
    "visits.csv:2: size: 'many' is not a whole number.
    visits.csv:6: size: 'many' is not a whole number."
  `);
});

test('the order of the rows is kept', async () => {
  const count = 20_000;
  const ids = Array.from({ length: count }, (_, index) => String((index * 7919) % count));
  const declaration = `files: p.csv
rows:
  - join: { file: q.csv, on: [id] }
  - duplicates: first
key: [group]
fields:
  group: { type: integer, expression: id::INTEGER % 2 }
  name: { type: string }`;
  expect(
    await valuesOf(declaration, {
      'p.csv': `id\n${ids.join('\n')}\n`,
      'q.csv': `id,name\n${ids.map((id) => `${id},n${id}`).join('\n')}\n`,
    }),
  ).toEqual([
    ['0', 'n0'],
    ['1', 'n7919'],
  ]);
});

test.each([
  ['file: branches.csv, on: [code]', `${BRANCHES}AB,Second,\n EF,Third,\n`],
  ['file: branches.csv, on: [code], unmatched: refuse', BRANCHES],
  ['file: branches.csv, on: [code], unmatched: refuse', BRANCHES.replace('EF', 'xx')],
  ['file: branches.csv, on: { visits: code }, unmatched: refuse', BRANCHES.replace('EF', '002')],
  ['file: branches.csv, on: [cod]', BRANCHES],
  ['file: branches.csv, on: { code: Code }', BRANCHES],
  ['file: branches.csv, on: [code], columns: [Name]', BRANCHES],
  ['file: branches.csv, on: [code], columns: { visits: city }', BRANCHES],
  ['file: branches.csv, on: [code]', BRANCHES.replace('city', 'VISITS')],
  ['file: branches.csv, on: [code], pad: [2, 3]', BRANCHES],
  ['file: branches.csv, on: [code], unmatched: drop', BRANCHES],
  ['file: branche.csv, on: [code]', BRANCHES],
  ['file: branches.txt, on: [code]', BRANCHES],
  ['file: "http://example.org/branches.csv", on: [code]', BRANCHES],
  ['file: branches.csv, on: [code], read: { sheet: A }', BRANCHES],
  ['on: [code]', BRANCHES],
  ['file: branches.csv, on: [code]', `${BRANCHES}GH,"Open,\n`],
  ['file: branches.csv, on: [code]', `${BRANCHES}GH,Too,many,values\n`],
  ['file: branches.csv, on: [code]', Buffer.from(`${BRANCHES}GH,Zürich,\n`, 'latin1')],
  ['file: branches.csv, on: [code]', ''],
])('a join is refused: %s', async (join, branches) => {
  const files = { 'visits.csv': VISITS, 'branches.csv': branches };
  expect(await refusalByManifest(joined(join), files)).toMatchSnapshot();
});
