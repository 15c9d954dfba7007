import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { jsonMemberText } from '@locmetrics/ingest/formats/json-member';
import { expect, test } from 'vitest';
import type { DatasetShape } from '../declare-dataset.ts';
import { refusalByManifest, valuesOf } from '../import-by-manifest.ts';
import { importFiles, refusalOf } from '../import-files.ts';

const SHAPE: DatasetShape = {
  fields: { id: 'string', count: 'integer', share: 'float', open: 'boolean', day: 'date' },
  key: ['id'],
};

test('values are read exactly from JSON texts and numbers', async () => {
  const lines = [
    '{"id":"007","count":9007199254740993,"share":0.1,"open":true,"day":"2023-01-31"}',
    '{"id":12345678901234567890123,"count":"-9223372036854775808","share":"8.331","open":"False"}',
    '',
    '  {"id":"\\u00e9\\ud83d\\ude00","count":12.0,"share":-0.0,"open":null,"extra":{"a":1}}\r',
    '{"id":"z","count":null,"share":1E+2}',
  ];
  const imported = await importFiles('ndjson', { 'p.ndjson': lines.join('\n') }, SHAPE);
  expect(imported).toMatchInlineSnapshot(`
    {
      "columns": [
        "_row",
        "id",
        "count",
        "share",
        "open",
        "day",
        "_fold_id",
      ],
      "counts": {
        "carriedOver": 0,
        "kept": 4,
        "read": 4,
        "rejected": 0,
        "replaced": 0,
        "total": 4,
      },
      "notices": [
        "These columns of the files are not used by any field: extra.",
      ],
      "rejected": [],
      "rowCount": 4,
      "rows": [
        [
          "0",
          "007",
          "9007199254740993",
          "0.1",
          "true",
          "2023-01-31",
          "007",
        ],
        [
          "1",
          "12345678901234567890123",
          "-9223372036854775808",
          "8.331",
          "false",
          null,
          "12345678901234567890123",
        ],
        [
          "2",
          "z",
          null,
          "100.0",
          null,
          null,
          "z",
        ],
        [
          "3",
          "é😀",
          "12",
          "0.0",
          null,
          null,
          "é😀",
        ],
      ],
    }
  `);
});

test('the same lines are read from a gzip file', async () => {
  const packed = gzipSync('{"id":"a","count":1,"share":1,"open":true,"day":null}\n');
  const { rowCount } = await importFiles('ndjson', { 'p.ndjson.gz': packed }, SHAPE);
  expect(rowCount).toBe(1);
});

test('values of a wrong kind are refused', async () => {
  const lines = [
    '{"id":true,"count":1.5,"share":"x","open":1,"day":20230131}',
    '',
    '{"id":1.0,"count":[1],"share":{"a":1},"open":"yes","day":"31.1.2023"}',
    '{"id":"a\\u0000","count":9223372036854775808,"share":NaN,"open":[true],"day":true}',
    '{"id":["x"],"count":9007199254740993.0,"share":1e400,"open":{},"day":["2023-01-31"]}',
  ];
  expect(
    await refusalOf(importFiles('ndjson', { 'p.ndjson': lines.join('\n') }, SHAPE)),
  ).toMatchInlineSnapshot(`
    "p.ndjson:1: id: 'true' is a boolean, not a text.
    p.ndjson:1: count: '1.5' is not a whole number. Write it without a fraction, or declare the field as float.
    p.ndjson:1: share: 'x' is not a number.
    p.ndjson:1: open: '1' is not true or false. Declare it: format: 1/0. Or declare the field as integer.
    p.ndjson:1: day: '20230131' is not a date YYYY-MM-DD. Write it like 2023-01-31, or declare how the files write dates, such as format: MM/DD/YYYY.
    p.ndjson:3: id: '1.0' is a number with a fraction or an exponent, not a text.
    p.ndjson:3: count: '[1]' is an array.
    p.ndjson:3: share: '{"a":1}' is an object.
    p.ndjson:3: open: 'yes' is not true or false. Declare how the files write true and false, such as format: yes/no.
    p.ndjson:3: day: '31.1.2023' is not a date YYYY-MM-DD. Write it like 2023-01-31, or declare how the files write dates, such as format: MM/DD/YYYY.
    p.ndjson:4: id: 'a\\u0000' contains the character U+0000.
    p.ndjson:4: count: '9223372036854775808' is not between -9223372036854775808 and 9223372036854775807. Declare the field as string if it is an identifier.
    p.ndjson:4: share: 'NaN' is not a number. Leave absent values empty. Or declare the text that means absent: read: { nulls: [...] }.
    p.ndjson:4: open: '[true]' is an array.
    p.ndjson:4: day: 'true' is not a date YYYY-MM-DD. Write it like 2023-01-31, or declare how the files write dates, such as format: MM/DD/YYYY.
    p.ndjson:5: id: '["x"]' is an array.
    p.ndjson:5: count: '9007199254740992.0' is not a whole number. Write it without a fraction, or declare the field as float.
    p.ndjson:5: share: '1e400' is not a finite number.
    p.ndjson:5: open: '{}' is an object.
    p.ndjson:5: day: '["2023-01-31"]' is an array."
  `);
});

test('every line that is not a JSON object is refused with its number', async () => {
  const shape: DatasetShape = { fields: { id: 'string' }, key: ['id'] };
  const broken = ['{"id":"a"}', '', '{"id":', '{"id":"b"}', 'id,name', '{"id":"\\ud800"}'];
  expect(
    await refusalOf(importFiles('ndjson', { 'p.ndjson': broken.join('\r\n') }, shape)),
  ).toMatchInlineSnapshot(`
    "p.ndjson:3: '{"id":' is not JSON. Write one JSON object on each line.
    p.ndjson:5: 'id,name' is not JSON. Write one JSON object on each line.
    p.ndjson:6: '{"id":"\\ud800"}' has half of a surrogate pair. Write both halves of a character above U+FFFF, or the character itself."
  `);
  const unlike = ['{"id":"a"}', '', '["b"]', '"c"', '5', 'null'];
  expect(
    await refusalOf(importFiles('ndjson', { 'p.ndjson': unlike.join('\n') }, shape)),
  ).toMatchInlineSnapshot(`
    "p.ndjson:3: '["b"]' is not a JSON object.
    p.ndjson:4: '"c"' is not a JSON object.
    p.ndjson:5: '5' is not a JSON object.
    p.ndjson:6: 'null' is not a JSON object."
  `);
});

test('Latin-1 is refused, with the line and column also after a byte order mark', async () => {
  const shape: DatasetShape = { fields: { id: 'string' }, key: ['id'] };
  const latin1 = Buffer.from('{"id":"a"}\n{"id":"é"}\n', 'latin1');
  const marked = Buffer.concat([Buffer.from('\ufeff'), latin1]);
  const refusals = [
    await refusalOf(importFiles('ndjson', { 'p.ndjson': latin1 }, shape)),
    await refusalOf(importFiles('ndjson', { 'p.ndjson': marked }, shape)),
  ];
  expect(new Set(refusals).size).toBe(1);
  expect(refusals[0]).toMatchInlineSnapshot(`
    "p.ndjson:2: '{"id":"�"}' is not UTF-8 (byte 0xE9 in column 8 of the line). Declare the encoding: read: { encoding: windows-1252 }, where this byte is é, or save the file as UTF-8."
  `);
});

test('a JSON key may be missing in some lines, but not in all', async () => {
  const shape: DatasetShape = { fields: { id: 'string', name: 'string' }, key: ['id'] };
  const files = { 'a.ndjson': '{"id":"a"}\n', 'b.ndjson': '{"id":"b","name":"B","n":1}\n' };
  const { rows, notices } = await importFiles('ndjson', files, shape);
  expect(rows.map((row) => row[2])).toEqual([null, 'B']);
  expect(notices).toEqual(['These columns of the files are not used by any field: n.']);
  expect(
    await refusalOf(importFiles('ndjson', { 'a.ndjson': '{"id":"a","Name":"B"}\n' }, shape)),
  ).toMatchInlineSnapshot(`"a.ndjson: name: the column 'name' is missing. Did you mean 'Name'?"`);
});

test('a JSON key may be any text, and its case counts', async () => {
  const shape: DatasetShape = {
    fields: { id: 'string', name: 'string' },
    key: ['id'],
    columns: { id: 'a~/"b', name: 'NAME' },
  };
  const { rows } = await importFiles(
    'ndjson',
    { 'p.ndjson': '{"name":"no","a~/\\"b":"x","NAME":"yes"}' },
    shape,
  );
  expect(rows).toEqual([['0', 'x', 'yes', 'x', 'yes']]);
});

test('an empty file is an empty dataset', async () => {
  const { rowCount } = await importFiles('ndjson', { 'p.ndjson': '' }, SHAPE);
  expect(rowCount).toBe(0);
});

const ARRAY = `[
  { "id": "1", "count": 1, "name": "a [b, {c}] \\"d\\"" },
  {
    "id": "2",
    "count": 2
  }, {"id":"3","count":"x"},
  { "id": "4", "tags": [1, 2], "count": 4 }
]
`;

test('an array of objects is read as the objects on lines are, and messages name the element', async () => {
  const shape: DatasetShape = {
    fields: { id: 'string', count: 'integer', name: 'string' },
    key: ['id'],
  };
  expect(await refusalOf(importFiles('ndjson', { 'a.json': ARRAY }, shape))).toMatchInlineSnapshot(
    `"a.json, row 3: count: 'x' is not a whole number."`,
  );
  const right = ARRAY.replace('"x"', '3');
  for (const content of [right, gzipSync(right), `\uFEFF${right}`, Buffer.from(right, 'utf8')]) {
    const name = Buffer.isBuffer(content) && content[0] === 0x1f ? 'a.json.gz' : 'a.json';
    const { rows } = await importFiles('ndjson', { [name]: content }, shape);
    expect(rows.map(([, id, count, name]) => [id, count, name])).toEqual([
      ['1', '1', 'a [b, {c}] "d"'],
      ['2', '2', null],
      ['3', '3', null],
      ['4', '4', null],
    ]);
  }
});

test('an array that is cut short, or followed by something, is refused', async () => {
  const shape: DatasetShape = { fields: { id: 'string' }, key: ['id'] };
  const cut = ARRAY.slice(0, ARRAY.indexOf('"tags"'));
  expect(await refusalOf(importFiles('ndjson', { 'a.json': cut }, shape))).toMatchInlineSnapshot(
    `"a.json: ends in the middle of element 4 of its JSON array. It may be cut short: export it again."`,
  );
  expect(
    await refusalOf(importFiles('ndjson', { 'a.json': `${ARRAY}{}` }, shape)),
  ).toMatchInlineSnapshot(
    `"a.json: has text after the end of its JSON array. Write one array of objects, or an object on each line."`,
  );
});

const WRAPPED = (read: string) => `files: a.json
format: ndjson
read: ${read}
key: [id]
fields:
  id: { type: string }
  n: { type: integer }`;

test('the rows of an array within an object are read, and messages name the element', async () => {
  const text = `\ufeff{"n": [{"id": "no"}], "a\\"b": 1, "x": {"records": 5}, "r": {"m": {"records": []}, "list": [[{"records": [1]}]],
    "records": [{"id": "A", "n": 1, "records": [{"id": "B"}]}, {"id": "]}", "n": 2}], "after": [{"id": "no"}]}}`;
  const rows = await valuesOf(WRAPPED('{ member: r.records }'), { 'a.json': text });
  expect(rows).toEqual([
    ['A', '1'],
    [']}', '2'],
  ]);
  const wrong = text.replace('"n": 2', '"n": "two"');
  expect(
    [
      await refusalByManifest(WRAPPED('{ member: r.records }'), { 'a.json': wrong }),
      await refusalByManifest(WRAPPED('{ member: r.rows }'), { 'a.json': text }),
      await refusalByManifest(WRAPPED('{ member: x.records }'), { 'a.json': text }),
      await refusalByManifest(WRAPPED('{ member: r.records }'), { 'a.json': text.slice(0, 170) }),
    ].join('\n'),
  ).toMatchInlineSnapshot(`
    "a.json, row 2: n: 'two' is not a whole number.
    a.json: has no array 'r.rows' in a JSON object. Correct read: { member }, which has a name for each level, such as result.records; or leave it out.
    a.json: has no array 'x.records' in a JSON object. Correct read: { member }, which has a name for each level, such as result.records; or leave it out.
    a.json: ends in the middle of element 1 of its JSON array. It may be cut short: export it again."
  `);
});

test('an array within an object is found wherever the text is divided into chunks', async () => {
  const text = Buffer.from('{"a": {"b": "\\\\"}, "\\u0062": {"c": [1, "]", [2]], "d": [3]}}');
  for (let size = 1; size < text.length; size += 1) {
    const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
      text.subarray(index * size, (index + 1) * size),
    );
    const found: Buffer[] = [];
    for await (const part of jsonMemberText(Readable.from(chunks), ['b', 'c'])) found.push(part);
    expect(Buffer.concat(found).toString()).toBe('[1, "]", [2]]');
  }
});
