import { expect, test } from 'vitest';
import { importByManifest, refusalByManifest, valuesOf } from '../import-by-manifest.ts';

const WIDE = `Area,Kind,POP2019,POP2020,BIRTHS2019,BIRTHS2020
A,county,10,11,1,2
B,state,100,,3,4
C,county,20,21,5,x
`;

test('a column for each year becomes a row for each year', async () => {
  const declaration = `files: p.csv
rows:
  - unpivot: { name: year, values: { population: POP#### } }
key: [area, year]
fields:
  area: { type: string, column: Area }
  year: { type: date, format: YYYY }
  population: { type: integer }`;
  const { rowCount, notices } = await importByManifest(declaration, { 'p.csv': WIDE });
  expect(await valuesOf(declaration, { 'p.csv': WIDE })).toEqual([
    ['A', '2019-01-01', '10'],
    ['A', '2020-01-01', '11'],
    ['B', '2019-01-01', '100'],
    ['B', '2020-01-01', null],
    ['C', '2019-01-01', '20'],
    ['C', '2020-01-01', '21'],
  ]);
  expect([rowCount, ...notices]).toEqual([
    6,
    'These columns of the files are not used by any field: Kind, BIRTHS2019, BIRTHS2020.',
    'The steps made 6 rows from the 3 rows of the files.',
  ]);
});

test('several values are unpivoted together, and rows are chosen before and after', async () => {
  const declaration = `files: p.csv
rows:
  - where: Kind = 'county' AND Area <> 'C'
  - unpivot: { name: year, values: { population: POP*, births: BIRTHS* } }
  - where: year::INTEGER > 2019
key: [area]
fields:
  area: { type: string, column: Area }
  births: { type: integer }
  population: { type: integer }`;
  expect(await valuesOf(declaration, { 'p.csv': WIDE })).toEqual([['A', '2', '11']]);
});

test('columns are unpivoted by a list, and a value that a name lacks is absent', async () => {
  const declaration = `files: p.csv
rows:
  - unpivot:
      name: month
      values: { visits: [Jan, Feb], staff: [Feb] }
key: [id, month]
fields:
  id: { type: string }
  month: { type: string }
  visits: { type: integer }
  staff: { type: integer }`;
  expect(await valuesOf(declaration, { 'p.csv': 'id,Jan,Feb\na,1,2\n' })).toEqual([
    ['a', 'Feb', '2', '2'],
    ['a', 'Jan', '1', null],
  ]);
});

test('dates in the names of columns are read as values', async () => {
  const declaration = `files: p.csv
rows:
  - unpivot: { name: day, values: { index: '#*/#*/##*' } }
key: [id, day]
fields:
  id: { type: string }
  day: { type: date, format: M/D/YYYY }
  index: { type: float }`;
  expect(await valuesOf(declaration, { 'p.csv': 'id,1/5/2020,12/31/2020\na,1.5,2\n' })).toEqual([
    ['a', '2020-01-05', '1.5'],
    ['a', '2020-12-31', '2.0'],
  ]);
});

test('a wrong value after steps is reported with its line in the file', async () => {
  const declaration = `files: [p.csv, q.csv]
read: { skip_lines: 1 }
rows:
  - where: Kind = 'county'
  - unpivot: { name: year, values: { births: BIRTHS#### } }
key: [area, year]
fields:
  area: { type: string, column: Area }
  year: { type: integer }
  births: { type: integer }`;
  expect(
    await refusalByManifest(declaration, {
      'p.csv': `Title\n${WIDE}`,
      'q.csv': `Title\n${WIDE.replace('A,county', 'D,county').replace('C,county,20', '"E\n",county,"2\n0"').replace(',1,2', ',1,y')}`,
    }),
  ).toMatchInlineSnapshot(`
    "p.csv:5: births: 'x' is not a whole number, where year is '2020'.
    q.csv:3: births: 'y' is not a whole number, where year is '2020'.
    q.csv:5: births: 'x' is not a whole number, where year is '2020'."
  `);
});

test('repeated keys after steps are reported with both lines', async () => {
  const declaration = `files: p.csv
rows:
  - where: Kind IS NOT NULL
key: [kind]
fields:
  kind: { type: string, column: Kind }`;
  expect(await refusalByManifest(declaration, { 'p.csv': WIDE })).toMatchInlineSnapshot(
    `"p.csv:4: kind: 'county' is already in line 2."`,
  );
});

const COUNTS = `day,place,visits,share,note
2024-01-01,a,1,0.1,x
2024-01-01,a,2,0.2,x
2024-01-01,b,5,,y
2024-01-02,a,4,0.5,z
2024-01-01,a,4,,x
`;

const countsBy = (rule: string, note = '') => `files: p.csv
rows:
  - duplicates: ${rule}
key: [place, day]
fields:
  place: { type: string }
  day: { type: date }
  visits: { type: integer }
  share: { type: float }
${note}`;

test.each([
  ['sum', '7', '0.30000000000000004'],
  ['min', '1', '0.1'],
  ['max', '4', '0.2'],
  ['first', '1', '0.1'],
  ['last', '4', null],
])('rows with the same key: %s', async (rule, visits, share) => {
  const declaration = countsBy(rule, '  note: { type: string }');
  expect(await valuesOf(declaration, { 'p.csv': COUNTS })).toEqual([
    ['a', '2024-01-01', visits, share, 'x'],
    ['a', '2024-01-02', '4', '0.5', 'z'],
    ['b', '2024-01-01', '5', null, 'y'],
  ]);
});

test('combined rows are told, and counted', async () => {
  const { counts, notices } = await importByManifest(countsBy('sum'), { 'p.csv': COUNTS });
  expect(counts).toEqual({ read: 5, kept: 3, rejected: 0, carriedOver: 0, replaced: 0, total: 3 });
  expect(notices).toEqual([
    'These columns of the files are not used by any field: note.',
    '2 rows have the key of another row: their numbers are summed (rows: duplicates: sum).',
  ]);
});

test('a sum of more than 64 bits is refused', async () => {
  const text = 'day,place,visits,share\n2024-01-01,a,9223372036854775807,\n2024-01-01,a,1,\n';
  expect(await refusalByManifest(countsBy('sum'), { 'p.csv': text })).toMatchInlineSnapshot(
    `"us.places: the sum of the numbers of rows with the same key exceeds 64 bits (rows: duplicates: sum)."`,
  );
});

test('rows with the same key that differ in another field are refused', async () => {
  const text = COUNTS.replace('0.2,x', '0.2,other').replace(',4,,x', ',4,,');
  const declaration = countsBy('sum', '  note: { type: string }');
  expect(
    [
      await refusalByManifest(declaration, { 'p.csv': text }),
      await refusalByManifest(countsBy('same'), { 'p.csv': COUNTS }),
    ].join('\n'),
  ).toMatchInlineSnapshot(`
    "p.csv:3: note: 'other' is not the value of an earlier row with the same key 'x'.
    p.csv:6: note: is not the value of an earlier row with the same key 'x'.
    p.csv:3: visits: '2' is not the value of an earlier row with the same key '1'.
    p.csv:3: share: '0.2' is not the value of an earlier row with the same key '0.1'.
    p.csv:6: visits: '4' is not the value of an earlier row with the same key '1'.
    p.csv:6: share: is not the value of an earlier row with the same key '0.1'."
  `);
  const same = `${COUNTS.split('\n').slice(0, 2).join('\n')}\n2024-01-01,a,1,0.1,x\n`;
  expect(await valuesOf(countsBy('same'), { 'p.csv': same })).toEqual([
    ['a', '2024-01-01', '1', '0.1'],
  ]);
});

test('rows that differ can be left out, if so many are accepted', async () => {
  const text = COUNTS.replace('0.2,x', '0.2,other').replace('2024-01-02,a,4', '2024-01-02,a,many');
  const declaration = countsBy('sum', '  note: { type: string }\naccept: { rejected_rows: 2 }');
  const { rows, counts, rejected } = await importByManifest(declaration, { 'p.csv': text });
  expect(rows.map((row) => [row[1], row[3]])).toEqual([
    ['a', '5'],
    ['b', '5'],
  ]);
  expect(counts).toMatchObject({ read: 5, kept: 2, rejected: 2, total: 2 });
  expect(rejected.map(({ reason, count }) => [reason, count])).toEqual([
    ['is not a whole number', 1],
    ['is not the value of an earlier row with the same key', 1],
  ]);
});

test('a field is computed by an expression over the columns', async () => {
  const declaration = `files: p.csv
key: [id]
fields:
  id: { type: string, expression: "upper(Area) || '-' || lpad(rowno, 2, '0')" }
  total: { type: integer, expression: 'TRY_CAST(a AS BIGINT) + TRY_CAST("b c" AS BIGINT)' }
  day: { type: date, expression: "strptime(day, '%Y%j')::DATE", as: month }
  share: { type: float, expression: 1 / 4 }`;
  const text = 'Area,rowno,a,b c,day\nx,1,2,3,2024060\ny,2,,3,2024001\n';
  expect(await valuesOf(declaration, { 'p.csv': text })).toEqual([
    ['X-01', '5', '2024-02-01', '0.25'],
    ['Y-02', null, '2024-01-01', '0.25'],
  ]);
});

test('a step that fails names the row and its line', async () => {
  const declaration = (where: string, expression: string) => `files: p.csv
rows:
  - where: ${where}
key: [id]
fields:
  id: { type: string, column: Area }
  value: { type: integer, expression: '${expression}' }`;
  expect(
    [
      await refusalByManifest(declaration('BIRTHS2020::INTEGER > 0', '1'), { 'p.csv': WIDE }),
      await refusalByManifest(declaration('1 = 1', 'BIRTHS2020::INTEGER'), { 'p.csv': WIDE }),
      await refusalByManifest(declaration('1 = 1', 'BIRTHS2020'), { 'p.csv': WIDE }),
    ].join('\n'),
  ).toMatchInlineSnapshot(`
    "p.csv:4: rows[0].where: cannot be computed (Could not convert string 'x' to INT32 when casting from source column BIRTHS2020). TRY_CAST returns an absent value for a text that cannot be cast; TRY(…) does so for any expression.
    p.csv:4: fields.value.expression: cannot be computed (Could not convert string 'x' to INT32 when casting from source column BIRTHS2020). TRY_CAST returns an absent value for a text that cannot be cast; TRY(…) does so for any expression.
    p.csv:4: value: 'x' is not a whole number."
  `);
});

test.each([
  'where: "Kin = 1"',
  'where: "Kind ="',
  'where: "true) FROM x --"',
  'where: "true; DROP TABLE x"',
  'where: "Area IN (SELECT Area)"',
  'where: "row_number() OVER () = 1"',
  'where: "count(*) = 1"',
  'where: "Kind = read_text(\'p.csv\')"',
  'unpivot: { name: year, values: { population: PEP#### } }',
  'unpivot: { name: year, values: { population: [POP2019, POP2021] } }',
  'unpivot: { name: Area, values: { population: POP#### } }',
  'unpivot: { name: year, values: { people: POP#### } }',
])('a step is refused: %s', async (step) => {
  const declaration = `files: p.csv
rows:
  - ${step}
key: [id]
fields:
  id: { type: string, column: Area }
  population: { type: string }`;
  expect(await refusalByManifest(declaration, { 'p.csv': WIDE })).toMatchSnapshot();
});

test.each([
  ['- { where: a, duplicates: sum }', '{ type: string }', 'p.csv'],
  ['- { duplicates: sum }\n  - { where: a }', '{ type: string }', 'p.csv'],
  ['- { duplicates: add }', '{ type: string }', 'p.csv'],
  ['- { wher: a }', '{ type: string }', 'p.csv'],
  ['- {}', '{ type: string }', 'p.csv'],
  ['- { where: a }', '{ type: string, column: 3 }', 'p.csv'],
  ['- { where: a }', '{ type: string, column: x, expression: x }', 'p.csv'],
])('the manifest refuses the step %s of a field %s in %s', async (rows, field, file) => {
  const declaration = `files: ${file}
rows:
  ${rows}
key: [id]
fields:
  id: ${field}`;
  expect(await refusalByManifest(declaration, { [file]: 'id\n1\n' })).toMatchSnapshot();
});

test('files that go through steps have the same columns', async () => {
  const declaration = `files: [p.csv, q.csv]
rows:
  - where: id <> 'b'
key: [id]
fields:
  id: { type: string }
  name: { type: string, column: column 2 }`;
  expect(
    await valuesOf(declaration, { 'p.csv': 'id,\na,1\n', 'q.csv': 'id,\nb,2\nc,3\n' }),
  ).toEqual([
    ['a', '1'],
    ['c', '3'],
  ]);
  expect(
    await refusalByManifest(declaration, { 'p.csv': 'id,x\na,1\n', 'q.csv': 'y,id\n1,b\n' }),
  ).toMatchInlineSnapshot(
    `"q.csv: the column 'x' is missing, which is in p.csv. Files that go through steps must have the same columns. Declare another dataset for the other files."`,
  );
});

test('a column is read if a step or a field names it in any way, and only then', async () => {
  const declaration = `files: p.csv
rows:
  - where: KIND = 'x' AND "a""b" = 'quote' AND "größe" = '1' AND "column 5" = 'blank'
  - unpivot: { name: year, values: { n: Y* } }
key: [id, year]
fields:
  id: { type: string, expression: '"b\\c" || "tab\tbed"' }
  year: { type: string }
  n: { type: string }`;
  const text = 'kind,"a""b",größe,unused,,b\\c,tab\tbed,Y1,Y2\nx,quote,1,u,blank,p,q,7,8\n';
  expect(await valuesOf(declaration, { 'p.csv': text })).toEqual([
    ['pq', '1', '7'],
    ['pq', '2', '8'],
  ]);
  expect(
    await refusalByManifest(declaration.replace('KIND', 'unuse'), { 'p.csv': text }),
  ).toContain("there is no column 'unuse'. Did you mean 'unused'?");
});

test('fields without a column have the rows of the files', async () => {
  const declaration = `files: p.csv
key: [id]
fields:
  id: { type: integer, expression: 1 + 0 }`;
  expect(await valuesOf(declaration, { 'p.csv': 'a,b\nx,y\n' })).toEqual([['1']]);
});
