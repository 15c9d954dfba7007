import { leaveOutHeaders } from '@locmetrics/ingest/formats/leave-out-headers';
import { expect, test } from 'vitest';
import { importByManifest, refusalByManifest } from '../import-by-manifest.ts';
import { sheetOf, workbook } from './workbook.ts';

const manifest = (file: string, read: string) => `files: ${file}
read: { ${read} }
key: [id]
fields:
  id: { type: string }
  visits: { type: integer }`;

test('lines that repeat the header are left out and counted, and other lines keep their numbers', async () => {
  const text =
    'id,visits\r\nA,1\r\nid,visits \r\nB,2\r\n\ufeffid,visits\r\nC,3\r\nid,visit\r\nid,visits';
  const { rows, notices } = await importByManifest(
    `${manifest('p.csv', 'repeated_headers: true').replace('integer', 'string')}`,
    { 'p.csv': text },
  );
  expect(rows.map((row) => row.slice(1, 3))).toEqual([
    ['A', '1'],
    ['B', '2'],
    ['C', '3'],
    ['id', 'visit'],
  ]);
  expect(notices).toEqual([
    'p.csv: 3 lines repeat the header and are left out, the first is line 3.',
  ]);
  expect(
    await refusalByManifest(manifest('p.csv', 'repeated_headers: true'), { 'p.csv': text }),
  ).toBe("p.csv:7: visits: 'visit' is not a whole number.");
});

test('lines below the header are left out and told', async () => {
  const { rows, notices } = await importByManifest(
    manifest('p.csv', 'skip_lines: 1, skip_below_header: 2, repeated_headers: true'),
    { 'p.csv': 'Title\nid,visits\n,People\n---,---\nA,1\nid,visits\nB,2\n' },
  );
  expect(rows.map((row) => row.slice(1, 3))).toEqual([
    ['A', '1'],
    ['B', '2'],
  ]);
  expect(notices).toEqual([
    "p.csv: 1 line above the header is left out: 'Title'.",
    "p.csv: 2 lines below the header are left out, the first is ',People'.",
    'p.csv: 1 line repeats the header and is left out: line 6.',
  ]);
});

test('rows of a sheet are left out in the same way', async () => {
  const rows = [['id', 'visits'], ['', 'People'], ['A', '1'], ['id', 'visits'], [], ['B', 'x']];
  const read = 'skip_below_header: 1, repeated_headers: true';
  const file = { 'p.xlsx': workbook({ sheets: { Data: sheetOf(rows) } }) };
  const { notices } = await importByManifest(
    manifest('p.xlsx', read).replace('integer', 'string'),
    file,
  );
  expect(notices).toEqual([
    "p.xlsx: 1 row below the header is left out: ', People'.",
    'p.xlsx: 1 row repeats the header and is left out: row 4.',
  ]);
  expect(await refusalByManifest(manifest('p.xlsx', read), file)).toBe(
    "p.xlsx, row 6: visits: 'x' is not a whole number.",
  );
});

test('a file without a header has none that is repeated', async () => {
  const read = 'header: false, repeated_headers: true, skip_below_header: 1';
  const fields = manifest('p.csv', read)
    .replace('{ type: string }', '{ type: string, column: 1 }')
    .replace('{ type: integer }', '{ type: integer, column: 2 }');
  const refusal = await refusalByManifest(fields, { 'p.csv': 'A,1\n' });
  expect(refusal).toContain(
    'read.repeated_headers: The files have no header. Leave this out, or leave header: false out.',
  );
  expect(refusal).toContain('read.skip_below_header: The files have no header.');
});

test.each(['\n', '\r\n', '\r'])(
  'headers are found wherever the chunks of a text end: %j',
  async (end) => {
    const text = ['id;ü', 'unit', 'a;1', 'id;ü', 'id;üx', 'b;2', 'id;ü', ''].join(end);
    for (let size = 1; size <= text.length; size += 1) {
      const bytes = Buffer.from(text);
      const chunks = async function* () {
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
      };
      const reading = { skipBelowHeader: 1, repeatedHeaders: true };
      const { rest, leftOut } = leaveOutHeaders(chunks(), reading);
      const kept: Buffer[] = [];
      for await (const chunk of rest) kept.push(chunk);
      expect(Buffer.concat(kept).toString()).toBe(
        ['id;ü', '', 'a;1', '', 'id;üx', 'b;2', '', ''].join(end),
      );
      expect(leftOut()).toEqual({
        below: { lines: 1, first: 'unit' },
        repeated: { lines: 2, firstLine: 4 },
      });
    }
  },
);

test.each([
  ['LF', '\n'],
  ['CRLF', '\r\n'],
  ['CR', '\r'],
])(
  'names with a line break (%s) have a space instead, and rows keep their lines',
  async (_, end) => {
    const text = ['Title', 'id,"Number of', 'all visits",name', 'A,1,"x', 'y"', 'B,bad,z', ''].join(
      end,
    );
    const declared = `files: p.csv
read: { skip_lines: 1 }
key: [id]
fields:
  id: { type: string }
  visits: { type: string, column: Number of all visits }
  name: { type: string }`;
    const { rows } = await importByManifest(declared, { 'p.csv': text });
    expect(rows.map((row) => row.slice(1, 4))).toEqual([
      ['A', '1', `x${end}y`],
      ['B', 'bad', 'z'],
    ]);
    expect(
      await refusalByManifest(
        declared.replace('visits: { type: string', 'visits: { type: integer'),
        {
          'p.csv': text,
        },
      ),
    ).toBe("p.csv:6: visits: 'bad' is not a whole number.");
  },
);

const ESCAPED = `files: p.csv
read: { escape: '\\' }
key: [id]
fields:
  id: { type: string }
  name: { type: string }
  visits: { type: integer }`;

test('a character before a quote escapes it, and itself', async () => {
  const { rows } = await importByManifest(ESCAPED, {
    'p.csv':
      'id,name,visits\n1,"The \\"Big\\", ""Old"" Shop",10\n2,"C:\\\\dir\\\\",20\n3,a \\n b,30\n4,"\\"",40\n5,"two\n\\"lines\\"",50\n',
  });
  expect(rows.map((row) => row.slice(1, 4))).toEqual([
    ['1', 'The "Big", "Old" Shop', '10'],
    ['2', 'C:\\dir\\', '20'],
    ['3', 'a \\n b', '30'],
    ['4', '"', '40'],
    ['5', 'two\n"lines"', '50'],
  ]);
  expect(
    await refusalByManifest(ESCAPED, {
      'p.csv': 'id,name,visits\n1,"a \\"b\\"\nc",10\n2,x,bad\n',
    }),
  ).toBe("p.csv:4: visits: 'bad' is not a whole number.");
});

test('an escape is refused where it means nothing', async () => {
  const file = { 'p.csv': 'id,name,visits\n1,a,10\n' };
  const refusal = (read: string) =>
    refusalByManifest(ESCAPED.replace("{ escape: '\\' }", read), file);
  expect(await refusal("{ escape: '\"' }")).toContain('The escape is the quote itself.');
  expect(await refusal("{ escape: '\\', quote: '' }")).toContain('The files have no quotes.');
  expect(await refusal("{ escape: 'é' }")).toContain("'é' is not an ASCII character.");
});
