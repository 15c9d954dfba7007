import type { Acceptance } from '@locmetrics/ingest/manifest/acceptance';
import { expect, test } from 'vitest';
import type { DatasetShape } from './declare-dataset.ts';
import { importFiles, refusalOf } from './import-files.ts';

const SHAPE: DatasetShape = {
  fields: { id: 'string', day: 'date', visits: 'integer' },
  key: ['id', 'day'],
};
const accepting = (rejectedRows: Acceptance['rejectedRows']): DatasetShape => ({
  ...SHAPE,
  accept: { rejectedRows },
});

/** Four of eight rows are valid. Two have wrong values, one a repeated key, and one line is too short. */
const ROWS = `id,day,visits
b,2024-01-01,1
a,2024-01-01,many
a,2024-01-01,2
b,2024-01-01,3
c,2024-01-01,4
c,2024-01
d,2024-01-32,x
e,2024-01-01,
`;

test('wrong rows are left out if the manifest accepts their number, and each is reported with its place', async () => {
  const { rows, counts, rejected } = await importFiles(
    'csv',
    { 'p.csv': ROWS },
    accepting({ count: 4 }),
  );
  expect(rows.map((row) => row.slice(1, 4))).toEqual([
    ['a', '2024-01-01', '2'],
    ['b', '2024-01-01', '1'],
    ['c', '2024-01-01', '4'],
    ['e', '2024-01-01', null],
  ]);
  expect(counts).toMatchObject({ read: 8, kept: 4, rejected: 4, total: 4 });
  expect(rejected).toMatchInlineSnapshot(`
    [
      {
        "count": 1,
        "examples": [
          "p.csv:7: 'c,2024-01' has fewer values than the header, which has 3 columns. Write every delimiter. For an absent value, write nothing between the delimiters.",
        ],
        "field": null,
        "reason": "has fewer values than the header, which has 3 columns",
      },
      {
        "count": 1,
        "examples": [
          "p.csv:8: day: '2024-01-32' is not a day of the calendar from 0001-01-01 to 9999-12-31.",
        ],
        "field": "day",
        "reason": "is not a day of the calendar from 0001-01-01 to 9999-12-31",
      },
      {
        "count": 2,
        "examples": [
          "p.csv:3: visits: 'many' is not a whole number.",
          "p.csv:8: visits: 'x' is not a whole number.",
        ],
        "field": "visits",
        "reason": "is not a whole number",
      },
      {
        "count": 1,
        "examples": [
          "p.csv:5: id, day: 'b, 2024-01-01' is already in line 2.",
        ],
        "field": "id, day",
        "reason": "is already in another row",
      },
    ]
  `);
});

test('one rejected row more than accepted refuses the publish, and both numbers are reported', async () => {
  const refusal = await refusalOf(importFiles('csv', { 'p.csv': ROWS }, accepting({ count: 3 })));
  expect(refusal).toMatchInlineSnapshot(`
    "p.csv:3: visits: 'many' is not a whole number.
    p.csv:4: id, day: 'a, 2024-01-01' is already in line 3.
    p.csv:5: id, day: 'b, 2024-01-01' is already in line 2.
    p.csv:7: 'c,2024-01' has fewer values than the header, which has 3 columns. Write every delimiter. For an absent value, write nothing between the delimiters.
    p.csv:8: day: '2024-01-32' is not a day of the calendar from 0001-01-01 to 9999-12-31.
    p.csv:8: visits: 'x' is not a whole number.
    4 of 8 rows would be left out; the manifest accepts 3 (accept.rejected_rows)."
  `);
});

test('a percentage is of the rows that were read', { tags: 'slow' }, async () => {
  const importing = (percent: number) =>
    importFiles('csv', { 'p.csv': ROWS }, accepting({ percent }));
  expect((await importing(50)).rowCount).toBe(4);
  expect(await refusalOf(importing(49.9))).toContain(
    '4 of 8 rows would be left out; the manifest accepts 49.9% (accept.rejected_rows).',
  );
});

test('of rows with the same key the first one stays', async () => {
  const { rows, rejected } = await importFiles(
    'csv',
    {
      'p.csv': 'id,day,visits\na,2024-01-01,1\nb,2024-01-01,2\n',
      'q.csv': 'id,day,visits\na,2024-01-01,3\n',
    },
    accepting({ count: 1 }),
  );
  expect(rows.map((row) => row[3])).toEqual(['1', '2']);
  expect(rejected).toEqual([
    {
      field: 'id, day',
      reason: 'is already in another row',
      count: 1,
      examples: ["q.csv:2: id, day: 'a, 2024-01-01' is already in line 2 of p.csv."],
    },
  ]);
});

test('every format can leave out wrong rows', async () => {
  const json = [
    { id: 'a', day: '2024-01-01', visits: 1.5 },
    { id: 'b', day: '2024-01-01', visits: 2 },
  ];
  const lines = json.map((row) => JSON.stringify(row)).join('\n');
  const imported = await importFiles(
    'ndjson',
    { 'p.ndjson': `${lines}\n[]\n` },
    accepting({ count: 2 }),
  );
  expect(imported.rows.map((row) => row[1])).toEqual(['b']);
  expect(imported.rejected.map(({ examples }) => examples)).toEqual([
    ["p.ndjson:3: '[]' is not a JSON object."],
    [
      "p.ndjson:1: visits: '1.5' is not a whole number. Write it without a fraction, or declare the field as float.",
    ],
  ]);
});

test('a file that cannot be read to its end is refused, however many rows may be left out', async () => {
  const refusal = await refusalOf(
    importFiles('ndjson', { 'p.ndjson': '{"id":"a"}\n{"id"\n' }, accepting({ percent: 100 })),
  );
  expect(refusal).toContain('is not JSON');
});

test.each([
  ['the end', 'a,2024-01-01,"1\nb,2024-01-01,2\nc,2024-01-01,3\n'],
  ['another quote', 'a,2024-01-01,"1\nb,2024-01-01,2\n"c",2024-01-01,3\n'],
  ['a value', 'a,2024-01-01,"1\nb,2024-01-01,2\n"\nc,2024-01-01,3\n'],
])('rows inside a stray quote up to %s are not left out unnoticed', async (_, lines) => {
  const refusal = await refusalOf(
    importFiles('csv', { 'p.csv': `id,day,visits\n${lines}` }, accepting({ percent: 100 })),
  );
  expect(refusal).toMatch(
    /^p\.csv:2: .*\n.* a wrong row spans several lines, because the number of its rows is then unknown\.$/,
  );
});

test('the number of examples is limited, and every reason has one', async () => {
  const lines = Array.from({ length: 100 }, (_, index) => `a${index},2024-01-01,x`);
  const { rejected, counts } = await importFiles(
    'csv',
    { 'p.csv': `id,day,visits\n${lines.join('\n')}\nz,no,1\n` },
    accepting({ percent: 100 }),
  );
  expect(counts).toMatchObject({ read: 101, kept: 0, rejected: 101 });
  expect(rejected.map(({ field, count, examples }) => [field, count, examples.length])).toEqual([
    ['day', 1, 1],
    ['visits', 100, 19],
  ]);
});
