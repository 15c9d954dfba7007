import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { DatasetShape } from '../declare-dataset.ts';
import { importFiles, refusalOf } from '../import-files.ts';

const PLACES: DatasetShape = { fields: { id: 'string', name: 'string' }, key: ['id'] };
const COUNTS: DatasetShape = { fields: { id: 'string', visits: 'integer' }, key: ['id'] };

test('text is kept exactly: leading zeros, NA, NAN and surrounding spaces', async () => {
  const imported = await importFiles(
    'csv',
    { 'places.csv': 'id,name\n04609,NA\nNAN, two  spaces \n007,"say ""hi"""\n' },
    PLACES,
  );
  expect(imported).toMatchInlineSnapshot(`
    {
      "columns": [
        "_row",
        "id",
        "name",
        "_fold_id",
        "_fold_name",
      ],
      "counts": {
        "carriedOver": 0,
        "kept": 3,
        "read": 3,
        "rejected": 0,
        "replaced": 0,
        "total": 3,
      },
      "notices": [],
      "rejected": [],
      "rowCount": 3,
      "rows": [
        [
          "0",
          "007",
          "say "hi"",
          "007",
          "say "hi"",
        ],
        [
          "1",
          "04609",
          "NA",
          "04609",
          "na",
        ],
        [
          "2",
          "NAN",
          " two  spaces ",
          "nan",
          " two  spaces ",
        ],
      ],
    }
  `);
});

test('records are ordered by the UTF-8 bytes of the key', async () => {
  const { rows } = await importFiles(
    'csv',
    { 'places.csv': 'id,name\n\u{10000},a\n\uffee,b\né,c\na,d\nB,e\n10,f\n9,g\n' },
    PLACES,
  );
  expect(rows.map((row) => row[1])).toEqual(['10', '9', 'B', 'a', 'é', '\uffee', '\u{10000}']);
});

test('numbers in a composite key are ordered by value, in the order of the manifest', async () => {
  const { rows } = await importFiles(
    'csv',
    { 'n.csv': 'area,number\nb,2\na,10\na,9\na,-1\n' },
    { fields: { area: 'string', number: 'integer' }, key: ['area', 'number'] },
  );
  expect(rows.map((row) => [row[0], row[1], row[2]])).toEqual([
    ['0', 'a', '-1'],
    ['1', 'a', '9'],
    ['2', 'a', '10'],
    ['3', 'b', '2'],
  ]);
});

test('a tab-separated file, a semicolon and another quote are read as declared', async () => {
  const tsv = await importFiles('tsv', { 'p.tsv': 'id\tname\n1\ta,b\n' }, PLACES);
  const other = await importFiles(
    'csv',
    { 'p.csv': "id;name\n1;'a;b'\n" },
    { ...PLACES, reading: { delimiter: ';', quote: "'" } },
  );
  const none = await importFiles(
    'csv',
    { 'p.csv': 'id,name\n1,"a\n' },
    { ...PLACES, reading: { quote: '' } },
  );
  expect([tsv.rows, other.rows, none.rows]).toEqual([
    [['0', '1', 'a,b', '1', 'a,b']],
    [['0', '1', 'a;b', '1', 'a;b']],
    [['0', '1', '"a', '1', '"a']],
  ]);
});

test('a byte order mark, CRLF and blank lines have no effect', async () => {
  const imported = await importFiles(
    'csv',
    { 'p.csv': '\ufeff"id",name\r\n\r\n1,"a\r\nb"\r\n\r\n2,c' },
    PLACES,
  );
  expect(imported.rows).toEqual([
    ['0', '1', 'a\r\nb', '1', 'a\r\nb'],
    ['1', '2', 'c', '2', 'c'],
  ]);
});

test('a gzip file is read, also with several gzip members', async () => {
  const packed = Buffer.concat([gzipSync('id,name\n1,a\n'), gzipSync('2,b\n')]);
  const { rows } = await importFiles('csv', { 'p.csv.gz': packed }, PLACES);
  const unnamed = await importFiles('csv', { 'p.csv': packed }, PLACES);
  expect(rows).toEqual([
    ['0', '1', 'a', '1', 'a'],
    ['1', '2', 'b', '2', 'b'],
  ]);
  expect(unnamed.rows).toEqual(rows);
});

test('a truncated gzip file is refused, and so is a file that is not gzip', async () => {
  const packed = gzipSync(`id,name\n${'x,y\n'.repeat(1000)}`);
  expect(
    await refusalOf(importFiles('csv', { 'p.csv.gz': packed.subarray(0, -6) }, PLACES)),
  ).toMatchInlineSnapshot(
    `"p.csv.gz: is not a complete gzip file (unexpected end of file). It was cut short or damaged: download or compress it again."`,
  );
  expect(
    await refusalOf(importFiles('csv', { 'p.csv.gz': packed.subarray(0, 40) }, PLACES)),
  ).toMatchInlineSnapshot(
    `"p.csv.gz: is not a complete gzip file (unexpected end of file). It was cut short or damaged: download or compress it again."`,
  );
  expect(
    await refusalOf(importFiles('csv', { 'p.csv.gz': 'id,name\n' }, PLACES)),
  ).toMatchInlineSnapshot(
    `"p.csv.gz: is not compressed with gzip, although its name ends with .gz. Remove .gz from the name, or compress the file."`,
  );
});

test('a file with only a header is an empty dataset', async () => {
  const imported = await importFiles('csv', { 'p.csv': 'id,name\n' }, PLACES);
  expect(imported).toMatchInlineSnapshot(`
    {
      "columns": [
        "_row",
        "id",
        "name",
        "_fold_id",
        "_fold_name",
      ],
      "counts": {
        "carriedOver": 0,
        "kept": 0,
        "read": 0,
        "rejected": 0,
        "replaced": 0,
        "total": 0,
      },
      "notices": [],
      "rejected": [],
      "rowCount": 0,
      "rows": [],
    }
  `);
});

test('a file without a header is refused', async () => {
  const refusals = [
    await refusalOf(importFiles('csv', { 'p.csv': '' }, PLACES)),
    await refusalOf(importFiles('csv', { 'p.csv': '\ufeff' }, PLACES)),
    await refusalOf(importFiles('csv', { 'p.csv': '\n\nid,name\n1,a\n' }, PLACES)),
    await refusalOf(importFiles('csv', { 'p.csv': 'id,"na\nme\n1,a\n' }, PLACES)),
  ];
  expect(refusals.join('\n')).toMatchInlineSnapshot(`
    "p.csv:1: the first line has no column names. Start the file with a line of column names, or declare how it starts under read: skip_lines, or header: false.
    p.csv:1: the first line has no column names. Start the file with a line of column names, or declare how it starts under read: skip_lines, or header: false.
    p.csv:1: the first line has no column names. Start the file with a line of column names, or declare how it starts under read: skip_lines, or header: false.
    p.csv:1: the header has a quote that is not closed in its line, or text next to a quoted name. Write each name on one line. Put quotes around a whole name, or none."
  `);
});

test('a file that does not exist is refused with its entry in the manifest', async () => {
  const missing = async () => {};
  expect(
    await refusalOf(importFiles('csv', { 'p.csv': missing, 'q.csv': 'id,nam\n' }, PLACES)),
  ).toMatchInlineSnapshot(`
    "p.csv: does not exist. Correct the name under datasets.us.places.files of the manifest: /files/p.csv
    q.csv: name: the column 'name' is missing. Did you mean 'nam'?"
  `);
});

test('UTF-16 without a mark and Latin-1 are refused until they are declared, UTF-8 is not', async () => {
  const text = 'id,name\n1,Montréal\n2,x\n';
  const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le');
  const refusals = [
    await refusalOf(importFiles('csv', { 'p.csv': utf16.subarray(2) }, PLACES)),
    await refusalOf(importFiles('csv', { 'p.csv': Buffer.from(text, 'latin1') }, PLACES)),
    await refusalOf(importFiles('csv', { 'p.csv': Buffer.from('id,né\n', 'latin1') }, PLACES)),
  ];
  expect(refusals.join('\n')).toMatchInlineSnapshot(`
    "p.csv:1: the header contains the character U+0000. It may be UTF-16: declare read: { encoding: utf-16le }, or save the file as UTF-8.
    p.csv:2: name: the text is not UTF-8 (byte 0xE9 at offset 15 of the file). Declare the encoding: read: { encoding: windows-1252 }, where this byte is é, or save the file as UTF-8.
    p.csv:1: the header is not UTF-8. Declare the encoding: read: { encoding: windows-1252 }, where this byte is é, or save the file as UTF-8."
  `);
  const { rows } = await importFiles('csv', { 'p.csv': text }, PLACES);
  expect(rows[0]).toEqual(['0', '1', 'Montréal', '1', 'montréal']);
});

test('a header that is one column names the character that probably separates its names', async () => {
  const refusals = await Promise.all(
    ['id~name\n1~a\n', 'id-key\n1\n', 'idname\n1\n'].map(async (text) =>
      refusalOf(importFiles('csv', { 'p.csv': text }, PLACES)),
    ),
  );
  expect(refusals.join('\n\n')).toMatchInlineSnapshot(`
    "p.csv: id: the column 'id' is missing. There is only one column, 'id~name'. If ~ separates the values, declare it: read: { delimiter: '~' }.
    p.csv: name: the column 'name' is missing. There is only one column, 'id~name'. If ~ separates the values, declare it: read: { delimiter: '~' }.

    p.csv: id: the column 'id' is missing. Known: id-key.
    p.csv: name: the column 'name' is missing. Known: id-key.

    p.csv: id: the column 'id' is missing. Known: idname.
    p.csv: name: the column 'name' is missing. Did you mean 'idname'?"
  `);
});

test('a missing column is refused with the nearest name, a repeated column with the count', async () => {
  expect(
    await refusalOf(importFiles('csv', { 'p.csv': 'id,Nmae,x\n1,a,\n' }, PLACES)),
  ).toMatchInlineSnapshot(`"p.csv: name: the column 'name' is missing. Did you mean 'Nmae'?"`);
  expect(
    await refusalOf(importFiles('csv', { 'p.csv': 'id,name,name\n1,a,b\n' }, PLACES)),
  ).toMatchInlineSnapshot(
    `"p.csv: name: the column 'name' is in the header 2 times. Give the position of the correct one: column: 2 or column: 3. Or give each column a different name."`,
  );
});

test('unused columns are reported, even repeated or blank ones', async () => {
  const { rows, notices } = await importFiles(
    'csv',
    { 'p.csv': 'x,id,,name,x\n1,2,3,4,5\n' },
    PLACES,
  );
  expect(rows).toEqual([['0', '2', '4', '2', '4']]);
  expect(notices).toEqual(['These columns of the files are not used by any field: x, (blank).']);
});

test('the line number of a bad value is correct after quoted line breaks, blank lines and CRLF', async () => {
  const text = 'id,visits\n"a\nb",1\n\nc,x1\n"d\n\n","x2"\ne,x3';
  const unix = await refusalOf(importFiles('csv', { 'p.csv': text }, COUNTS));
  const windows = await refusalOf(
    importFiles('csv', { 'p.csv': `\ufeff${text.replaceAll('\n', '\r\n')}` }, COUNTS),
  );
  expect(unix).toMatchInlineSnapshot(`
    "p.csv:5: visits: 'x1' is not a whole number.
    p.csv:6: visits: 'x2' is not a whole number.
    p.csv:9: visits: 'x3' is not a whole number."
  `);
  expect(windows).toBe(unix);
});

test('malformed lines are refused with their line numbers, and do not shift the others', async () => {
  const text = [
    'id,visits',
    '"a',
    'b",1',
    '',
    'c',
    'd,1,2',
    'e,bad',
    '"f"g,1',
    'h,worse',
    'i,"open',
    'j,1',
    '',
  ].join('\n');
  const unix = await refusalOf(importFiles('csv', { 'p.csv': text }, COUNTS));
  const windows = await refusalOf(
    importFiles('csv', { 'p.csv': `\ufeff${text.replaceAll('\n', '\r\n')}` }, COUNTS),
  );
  expect(unix).toMatchInlineSnapshot(`
    "p.csv:5: 'c' has fewer values than the header, which has 2 columns. Write every delimiter. For an absent value, write nothing between the delimiters.
    p.csv:6: 'd,1,2' has more values than the header, which has 2 columns. Put quotes around values that contain the delimiter.
    p.csv:7: visits: 'bad' is not a whole number.
    p.csv:8: '"f"g,1' has a quote that is not closed, or text after a closing quote. Write a quote inside a quoted value twice.
    p.csv:9: visits: 'worse' is not a whole number.
    p.csv:10: 'i,"open\\nj,1' has a quote that is not closed, or text after a closing quote. Write a quote inside a quoted value twice."
  `);
  expect(windows).toBe(unix.replace('\\nj,1', '\\r\\nj,1'));
});

test('rows that end with CRLF and with LF are read, and a notice tells where they begin to differ', async () => {
  const text =
    'id,visits\r\na,1\r\n"b\r\n\nx",2\n\r\n\nc,3\r\n"d\n",4\n"quoted \r\n ""too""\n",5\r\ne,6';
  for (const file of [text, text.replace('visits\r\n', 'visits\n')]) {
    const { rows, notices } = await importFiles('csv', { 'p.csv': file }, COUNTS);
    expect(rows.map(([, id, visits]) => [id, visits])).toEqual([
      ['a', '1'],
      ['b\r\n\nx', '2'],
      ['c', '3'],
      ['d\n', '4'],
      ['e', '6'],
      ['quoted \r\n "too"\n', '5'],
    ]);
    expect(notices).toEqual([
      file === text
        ? 'p.csv: rows end with CRLF, and from line 3 on some end with LF. Both are read as the end of a row.'
        : 'p.csv: rows end with LF, and from line 2 on some end with CRLF. Both are read as the end of a row.',
    ]);
  }
});

test('the lines of wrong values are those of the file, also where lines end in two ways', async () => {
  const text = 'id,visits\r\na,1\r\n"b\r\n\nx",2\n\r\n\nc,bad\r\nd\ne,"5\r\nf,6\n';
  expect(await refusalOf(importFiles('csv', { 'p.csv': text }, COUNTS))).toMatchInlineSnapshot(`
    "p.csv:8: visits: 'bad' is not a whole number.
    p.csv:9: 'd' has fewer values than the header, which has 2 columns. Write every delimiter. For an absent value, write nothing between the delimiters.
    p.csv:10: 'e,"5\\r\\nf,6' has a quote that is not closed, or text after a closing quote. Write a quote inside a quoted value twice."
  `);
});

test('a row that ends with CR among others is refused, because it may be a part of a value', async () => {
  expect(
    await refusalOf(importFiles('csv', { 'p.csv': 'id,visits\na,1\r\nb,2\rc,3\n' }, COUNTS)),
  ).toMatchInlineSnapshot(
    `"p.csv:3: the line ends with CR, but the header with LF. End all lines in the same way, and put quotes around values with line breaks."`,
  );
});

test('a file that cannot be read to its end does not hide the problems of other files', async () => {
  const files = {
    'a.csv': `id,visits\n${'x,1\n'.repeat(10)}`,
    'b.csv': `id,visits\r\n${'y,1\r\n'.repeat(1000)}z,1\r`,
    'c.csv': 'id,visits\nc,1\nd,bad\n',
  };
  const refusal = await refusalOf(importFiles('csv', files, COUNTS));
  expect(refusal.split('\n').filter((line) => !line.includes('already'))).toMatchInlineSnapshot(`
    [
      "c.csv:3: visits: 'bad' is not a whole number.",
    ]
  `);
});

test('a blank line in a file of one column is an absent value', async () => {
  const shape: DatasetShape = { fields: { id: 'string' }, key: ['id'] };
  expect(
    await refusalOf(importFiles('csv', { 'p.csv': 'id\na\n\nb\n' }, shape)),
  ).toMatchInlineSnapshot(`"p.csv:3: id: the key is absent."`);
});

test('a line that is too long is refused', async () => {
  const text = `id,name\na,b\nc,${'x'.repeat(17 * 2 ** 20)}\nd,e\n`;
  const refusal = await refusalOf(importFiles('csv', { 'p.csv': text }, PLACES));
  expect(refusal).toMatchInlineSnapshot(
    `"p.csv:3: the row is too long. A row has at most 16 MiB. The value may have an unclosed quote, which then includes the following lines."`,
  );
});

test.each(['p.csv', 'p.csv.gz'])(
  'a line longer than every buffer is refused too: %s',
  { tags: 'slow' },
  async (name) => {
    const text = `id,name\na,b\nc,${'x'.repeat(34 * 2 ** 20)}\nd,e\n`;
    const bytes = name.endsWith('.gz') ? gzipSync(text, { level: 1 }) : text;
    expect(await refusalOf(importFiles('csv', { [name]: bytes }, PLACES))).toContain(
      `${name}:3: the row is too long.`,
    );
  },
);

test('a line of a few megabytes is not too long', { tags: 'slow' }, async () => {
  const name = 'x'.repeat(9 * 2 ** 20);
  const text = `id,name\na,${name}\nb,e\n`;
  const { rows } = await importFiles('csv', { 'p.csv': text }, PLACES);
  expect(rows.map((row) => row[2]?.length)).toEqual([name.length, 1]);
});

test.each([
  ['377abcaf271c', 'a 7z archive', 'Unpack it'],
  ['526172211a0700', 'a RAR archive', 'Unpack it'],
  ['fd377a585a00', 'compressed with xz', 'Decompress it, or compress it with gzip instead.'],
  ['28b52ffd', 'compressed with zstd', 'Decompress it, or compress it with gzip instead.'],
  ['425a6839314159265359', 'compressed with bzip2', 'Decompress it'],
  [
    '53514c69746520666f726d6174203300',
    'a GeoPackage or another SQLite database',
    'Declare a GeoPackage in the manifest: format: geopackage.',
  ],
  ['255044462d312e37', 'a PDF document', 'Export its rows as CSV.'],
  ['d0cf11e0a1b11ae1', 'an old Excel workbook', 'Save it as .xlsx, or as CSV in UTF-8.'],
  ['4152524f5731', 'an Arrow file', 'Write it as Parquet.'],
  ['50415231', 'a Parquet file', 'Declare it in the manifest: format: parquet.'],
])('the kind of a wrong file is reported: %s, %s', async (start, kind, hint) => {
  const file = Buffer.concat([Buffer.from(start, 'hex'), Buffer.from('\nid,name\n1,a\n')]);
  const refusal = await refusalOf(importFiles('csv', { 'p.csv': file }, PLACES));
  expect(refusal).toContain(`p.csv: is ${kind}, not csv. ${hint}`);
});

test('text that starts like another kind of file is read', async () => {
  const { rows } = await importFiles('csv', { 'p.csv': 'BZhead,id,name\n1,a,b\n' }, PLACES);
  expect(rows.map((row) => row[1])).toEqual(['a']);
});

test('a delimiter that is not ASCII is refused', async () => {
  const shape = { ...PLACES, reading: { delimiter: '§' } };
  expect(
    await refusalOf(importFiles('csv', { 'p.csv': 'id§name\n' }, shape)),
  ).toMatchInlineSnapshot(
    `"p.csv: has a delimiter or a quote that is not an ASCII character. Use one such as , ; | or " in the manifest and in the file."`,
  );
});

test('a folder named like a partition and a file name like a glob pattern are taken literally', async () => {
  const { rows } = await importFiles(
    'csv',
    { 'name=7/a[1]*?.csv': 'id,name\n1,a\n', 'name=8/a1.csv': 'id,name\n2,b\n' },
    PLACES,
  );
  expect(rows.map((row) => row[2])).toEqual(['a', 'b']);
});

test('several files are one dataset, in any order of their columns', async () => {
  const files = {
    '2023/p.csv': 'id,name\n2,b\n',
    '2024/p.csv': 'name,extra,id\na,x,1\n',
  };
  const { rows, notices } = await importFiles('csv', files, PLACES);
  expect(rows.map((row) => [row[1], row[2]])).toEqual([
    ['1', 'a'],
    ['2', 'b'],
  ]);
  expect(notices).toEqual(['These columns of the files are not used by any field: extra.']);
});

test('the problems of several files are reported for each file', async () => {
  const files = {
    '2023/p.csv': 'id,visits\na,1\nb,x\n',
    '2024/p.csv': 'visits,id\n1,a\ny,c\n',
  };
  expect(await refusalOf(importFiles('csv', files, COUNTS))).toMatchInlineSnapshot(`
    "2023/p.csv:3: visits: 'x' is not a whole number.
    2024/p.csv:2: id: 'a' is already in line 2 of 2023/p.csv.
    2024/p.csv:3: visits: 'y' is not a whole number."
  `);
  const unlike = { ...files, '2025/p.csv': 'id\n1\n' };
  expect(await refusalOf(importFiles('csv', unlike, COUNTS))).toMatchInlineSnapshot(
    `"2025/p.csv: visits: the column 'visits' is missing. Known: id."`,
  );
});
