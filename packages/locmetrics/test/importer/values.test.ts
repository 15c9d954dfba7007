import type { FieldType } from '@locmetrics/core/domain/field';
import { parseValue, valueText } from '@locmetrics/core/domain/value';
import { ImportError } from '@locmetrics/ingest/problems/import-error';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DatasetShape } from './declare-dataset.ts';
import { type ImportedRows, importFiles, refusalOf } from './import-files.ts';

test('every type is read in all its forms', async () => {
  const imported = await importValues([
    {
      text: 'a',
      integer: '-9223372036854775808',
      float: '-0',
      boolean: 'TRUE',
      date: '0001-01-01',
    },
    {
      text: 'b',
      integer: '9223372036854775807',
      float: '.5',
      boolean: 'false',
      date: '9999-12-31',
    },
    { text: 'c', integer: '+007', float: '+5.', boolean: 'False', date: '2024-02-29' },
    { text: 'd', integer: ' 12\t', float: ' 1e-400 ', boolean: ' true ', date: ' 2023-01-31 ' },
    { text: 'e', integer: '', float: ' ', boolean: '', date: '\u00a0' },
    { text: 'f', integer: '0', float: '1.7976931348623157e308', boolean: '', date: '' },
  ]);
  expect(imported.rows.map((row) => row.slice(1, 6))).toEqual([
    ['a', '-9223372036854775808', '0.0', 'true', '0001-01-01'],
    ['b', '9223372036854775807', '0.5', 'false', '9999-12-31'],
    ['c', '7', '5.0', 'false', '2024-02-29'],
    ['d', '12', '0.0', 'true', '2023-01-31'],
    ['e', null, null, null, null],
    ['f', '0', '1.7976931348623157e+308', null, null],
  ]);
});

test('the nearest invalid forms are refused, each with its reason and a hint', async () => {
  const refusal = await refusalOf(
    importValues([
      {
        text: 'a',
        integer: '9223372036854775808',
        float: '1e400',
        boolean: 'yes',
        date: '2023-02-29',
      },
      { text: 'b', integer: '12.0', float: '1,200.5', boolean: '1', date: '2023-1-31' },
      { text: 'c', integer: '1e5', float: '8,3', boolean: 'N/A', date: '0000-01-01' },
      { text: 'd', integer: '1,200', float: 'NaN', boolean: 't', date: '2023-01-31T00:00:00' },
      { text: 'e\u0000', integer: '1_000', float: 'Infinity', boolean: 'true', date: '01/31/2023' },
    ]),
  );
  expect(refusal).toMatchInlineSnapshot(`
    "p.csv:2: integer: '9223372036854775808' is not between -9223372036854775808 and 9223372036854775807. Declare the field as string if it is an identifier.
    p.csv:2: float: '1e400' is not a finite number.
    p.csv:2: boolean: 'yes' is not true or false. Declare how the files write true and false, such as format: yes/no.
    p.csv:2: date: '2023-02-29' is not a day of the calendar from 0001-01-01 to 9999-12-31.
    p.csv:3: integer: '12.0' is not a whole number. Write it without a fraction, or declare the field as float.
    p.csv:3: float: '1,200.5' is not a number. Write it without separators, or declare how the files write 1234: format: '1,234'.
    p.csv:3: boolean: '1' is not true or false. Declare it: format: 1/0. Or declare the field as integer.
    p.csv:3: date: '2023-1-31' is not a date YYYY-MM-DD. Write it like 2023-01-31, or declare how the files write dates, such as format: MM/DD/YYYY.
    p.csv:4: integer: '1e5' is not a whole number. Write it without a fraction, or declare the field as float.
    p.csv:4: float: '8,3' is not a number. Write a decimal point, or declare the comma: format: 1234,5.
    p.csv:4: boolean: 'N/A' is not true or false. Leave absent values empty. Or declare the text that means absent: read: { nulls: [...] }.
    p.csv:4: date: '0000-01-01' is not a day of the calendar from 0001-01-01 to 9999-12-31.
    p.csv:5: integer: '1,200' is not a whole number. Write it without separators, or declare how the files write 1234: format: '1,234'.
    p.csv:5: float: 'NaN' is not a number. Leave absent values empty. Or declare the text that means absent: read: { nulls: [...] }.
    p.csv:5: boolean: 't' is not true or false. Declare how the files write true and false, such as format: t/f.
    p.csv:5: date: '2023-01-31T00:00:00' is not a date YYYY-MM-DD. Write it like 2023-01-31, or declare how the files write dates, such as format: MM/DD/YYYY.
    p.csv:6: text: 'e\\u0000' contains the character U+0000.
    p.csv:6: integer: '1_000' is not a whole number. Write it without separators, or declare how the files write 1234: format: '1_234'.
    p.csv:6: float: 'Infinity' is not a number.
    p.csv:6: date: '01/31/2023' is not a date YYYY-MM-DD. Write it like 2023-01-31, or declare how the files write dates, such as format: MM/DD/YYYY."
  `);
});

test('a text of only white space is absent, for every kind of white space', async () => {
  const blanks = codePoints().filter((character) => character.trim() === '');
  expect(blanks).toHaveLength(25);
  const { rows } = await importValues(
    [...blanks, blanks.join('')].map((blank, index) => ({ integer: String(index), text: blank })),
    ['integer'],
  );
  expect(rows.filter((row) => row[1] !== null)).toEqual([]);
});

test('no other character counts as white space', { tags: 'slow' }, async () => {
  // No code point beyond U+FFFF is white space in ECMAScript, and their UTF-8 starts with other bytes.
  const visible = codePoints()
    .slice(1, 0xf800)
    .filter((character) => character.trim() !== '');
  const { rows } = await importFiles(
    'ndjson',
    {
      'p.ndjson': visible
        .map((text, id) => JSON.stringify({ id, text, padded: ` ${text}\u3000` }))
        .join('\n'),
    },
    { fields: { id: 'integer', text: 'string', padded: 'string' }, key: ['id'] },
  );
  expect(rows.map((row) => row[2])).toEqual(visible);
  expect(rows.map((row) => row[3])).toEqual(visible.map((text) => ` ${text}\u3000`));
});

test('the key must be present', async () => {
  const shape: DatasetShape = { fields: { id: 'string', n: 'integer' }, key: ['id', 'n'] };
  expect(
    await refusalOf(importFiles('csv', { 'p.csv': 'id,n\na,1\n ,2\nb,\nc,x\n' }, shape)),
  ).toMatchInlineSnapshot(`
    "p.csv:3: id: the key is absent.
    p.csv:4: n: the key is absent.
    p.csv:5: n: 'x' is not a whole number."
  `);
});

test('the key must be unique, and both places are reported', async () => {
  const shape: DatasetShape = {
    fields: { location_id: 'string', n: 'integer' },
    key: ['location_id'],
  };
  expect(
    await refusalOf(
      importFiles('csv', { 'p.csv': 'location_id,n\nACAD,1\nZION,2\nACAD,3\nACAD,4\n' }, shape),
    ),
  ).toMatchInlineSnapshot(`
    "p.csv:4: location_id: 'ACAD' is already in line 2.
    p.csv:5: location_id: 'ACAD' is already in line 2."
  `);
  const { rowCount } = await importFiles(
    'csv',
    { 'p.csv': 'location_id,n\nACAD,1\nZION,2\nacad,3\n"ACAD ",4\n' },
    shape,
  );
  expect(rowCount).toBe(4);
});

test('parts of a composite key may repeat, but not the whole key', async () => {
  const shape: DatasetShape = { fields: { id: 'string', day: 'date' }, key: ['id', 'day'] };
  expect(
    await refusalOf(
      importFiles(
        'csv',
        { 'p.csv': 'id,day\na,2023-01-01\na,2023-01-02\nb,2023-01-01\na,2023-01-01\n' },
        shape,
      ),
    ),
  ).toMatchInlineSnapshot(`"p.csv:5: id, day: 'a, 2023-01-01' is already in line 2."`);
});

test('a point has both degrees within their range, or neither', async () => {
  const shape: DatasetShape = {
    fields: { id: 'string', lat: 'float', lng: 'float' },
    key: ['id'],
    point: { latitude: 'lat', longitude: 'lng' },
  };
  const { rows } = await importFiles(
    'csv',
    { 'p.csv': 'id,lat,lng\na,90,180\nb,-90,-180\nc,,\n' },
    shape,
  );
  expect(rows.map((row) => row.slice(1, 4))).toEqual([
    ['a', '90.0', '180.0'],
    ['b', '-90.0', '-180.0'],
    ['c', null, null],
  ]);
  expect(
    await refusalOf(
      importFiles(
        'csv',
        { 'p.csv': 'id,lat,lng\na,95.2,180\nb,1,-180.5\nc,1,\nd,,2\ne,x,1\n' },
        shape,
      ),
    ),
  ).toMatchInlineSnapshot(`
    "p.csv:2: lat: '95.2' is not between -90 and 90.
    p.csv:3: lng: '-180.5' is not between -180 and 180.
    p.csv:4: lng: the value is absent, but that of lat is not.
    p.csv:5: lat: the value is absent, but that of lng is not.
    p.csv:6: lat: 'x' is not a number."
  `);
});

test('a period and an existence end on their first day or later', async () => {
  const shape: DatasetShape = {
    fields: { id: 'string', from: 'date', to: 'date', opened: 'date', closed: 'date' },
    key: ['id'],
    period: { start: 'from', end: 'to' },
    existence: { start: 'opened', end: 'closed' },
  };
  const imported = await importFiles(
    'csv',
    {
      'p.csv':
        'id,from,to,opened,closed\na,2023-01-01,2023-01-01,2000-01-01,\nb,2022-12-01,2022-12-31,,1999-01-01\n',
    },
    shape,
  );
  expect([imported.firstObservationDate, imported.lastObservationDate]).toEqual([
    '2022-12-01',
    '2023-01-01',
  ]);
  expect(
    await refusalOf(
      importFiles(
        'csv',
        { 'p.csv': 'id,from,to,opened,closed\na,2023-01-02,2023-01-01,2000-01-02,2000-01-01\n' },
        shape,
      ),
    ),
  ).toMatchInlineSnapshot(`
    "p.csv:2: to: '2023-01-01' is before from '2023-01-02'.
    p.csv:2: closed: '2000-01-01' is before opened '2000-01-02'."
  `);
});

test('of more than twenty problems two of each reason are shown, and all are counted', async () => {
  const rows = Array.from({ length: 200 }, (_, index) => ({
    integer: index === 150 ? '5000000000000000000000' : 'x'.repeat(index + 1),
    text: String(index).padStart(3, '0'),
  }));
  const error = await importValues(rows).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ImportError);
  expect(error).toMatchObject({ dataset: 'us.places', total: 200, problems: { length: 3 } });
  expect(error).toHaveProperty(
    'message',
    expect.stringMatching(/\n… and 197 more: integer is not a whole number\.$/),
  );
  expect(error).toMatchObject({
    counts: [
      { field: 'integer', reason: 'is not a whole number', count: 199 },
      {
        field: 'integer',
        reason: 'is not between -9223372036854775808 and 9223372036854775807',
        count: 1,
      },
    ],
  });
});

test('a long value is cut in the message and complete in the problem', async () => {
  const long = 'é'.repeat(5000);
  const error = await importValues([{ text: 'a', integer: `${long}` }]).catch(
    (caught: unknown) => caught,
  );
  expect(error).toHaveProperty(
    'message',
    `p.csv:2: integer: '${'é'.repeat(60)}…' (5,000 characters) is not a whole number.`,
  );
  expect(error).toMatchObject({ problems: [{ value: long }] });
});

test('random texts are parsed as in the rest of the service', async () => {
  const types: readonly FieldType[] = ['integer', 'float', 'boolean', 'date'];
  const text = fc.oneof(
    fc.stringMatching(/^[+-]?[0-9]{0,20}[.]?[0-9]{0,3}([eE][+-]?[0-9]{1,3})?$/),
    fc.stringMatching(/^[0-9]{4}-[0-3][0-9]-[0-3][0-9]$/),
    fc.string({ unit: fc.constantFrom(...'019.eE+-_ nainf') }),
    fc.constantFrom('true', 'false', '0x10', '１', 'falſe', '+-1'),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...types),
      fc.array(text, { minLength: 300 }),
      async (type, texts) => {
        const trimmed = texts.map((one) => one.trim()).filter((one) => one !== '');
        const expected = trimmed.map((one) => expectedText(type, one));
        const lines = trimmed.map((one, id) => JSON.stringify({ id, value: one }));
        const good = lines.filter((_, id) => expected[id] !== undefined);
        const shape: DatasetShape = { fields: { id: 'integer', value: type }, key: ['id'] };
        const imported = await importFiles('ndjson', { 'p.ndjson': good.join('\n') }, shape);
        expect(imported.rows.map((row) => normalText(type, row[2] ?? ''))).toEqual(
          expected.filter((one) => one !== undefined),
        );
        const error = await importFiles('ndjson', { 'p.ndjson': lines.join('\n') }, shape).catch(
          (caught: unknown) => caught,
        );
        const bad = expected.filter((one) => one === undefined).length;
        expect(error).toMatchObject(bad === 0 ? {} : { total: bad });
      },
    ),
    { numRuns: 12, seed: 20230101 },
  );
}, 600_000);

function expectedText(type: FieldType, text: string): string | undefined {
  const parsed = parseValue(type, text);
  if ('expected' in parsed) return undefined;
  const { value } = parsed;
  if (typeof value === 'bigint' && BigInt.asIntN(64, value) !== value) return undefined;
  return valueText(value);
}

function normalText(type: FieldType, text: string): string {
  return type === 'float' ? valueText(Number(text)) : text;
}

type Values = Partial<Record<'text' | 'integer' | 'float' | 'boolean' | 'date', string>>;

function importValues(
  rows: readonly Values[],
  key: readonly string[] = ['text'],
): Promise<ImportedRows> {
  const names = ['text', 'integer', 'float', 'boolean', 'date'] as const;
  const cell = (value = '') => `"${value}"`;
  return importFiles(
    'csv',
    {
      'p.csv': [
        names.join(','),
        ...rows.map((row) => names.map((name) => cell(row[name])).join(',')),
      ]
        .map((line) => `${line}\n`)
        .join(''),
    },
    {
      fields: {
        text: 'string',
        integer: 'integer',
        float: 'float',
        boolean: 'boolean',
        date: 'date',
      },
      key,
    },
  );
}

function codePoints(): readonly string[] {
  return Array.from({ length: 0x110000 }, (_, point) => point)
    .filter((point) => point < 0xd800 || point > 0xdfff)
    .map((point) => String.fromCodePoint(point));
}
