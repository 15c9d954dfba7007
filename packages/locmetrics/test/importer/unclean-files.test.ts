import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { leaveOutFooter, leaveOutLines } from '@locmetrics/ingest/formats/leave-out-lines';
import { listSourceFiles } from '@locmetrics/ingest/formats/list-source-files';
import type { FileReading } from '@locmetrics/ingest/manifest/manifest';
import { expect, test } from 'vitest';
import { scopedFolder } from '../support/temporary-folder.ts';
import type { DatasetShape } from './declare-dataset.ts';
import { zipArchive } from './formats/zip-archive.ts';
import { importFiles, refusalOf } from './import-files.ts';

const PLACES: DatasetShape = { fields: { id: 'string', name: 'string' }, key: ['id'] };
const COUNTS: DatasetShape = { fields: { id: 'string', visits: 'integer' }, key: ['id'] };

const TEXT = 'id,name\r\n1,Doña Ana\r\n2,"Zürich\r\nSüd"\r\n';
const ROWS = [
  ['1', 'Doña Ana'],
  ['2', 'Zürich\r\nSüd'],
];

/** The fields of the rows, without the columns that the importer adds. */
async function rowsOf(
  content: string | Uint8Array,
  reading: Partial<FileReading>,
  shape: DatasetShape = PLACES,
): Promise<readonly (readonly (string | null)[])[]> {
  const { rows } = await importFiles('csv', { 'p.csv': content }, { ...shape, reading });
  return rows.map((row) => row.slice(1, 1 + Object.keys(shape.fields).length));
}

function refusal(
  content: string | Uint8Array,
  reading: Partial<FileReading>,
  shape: DatasetShape = PLACES,
): Promise<string> {
  return refusalOf(importFiles('csv', { 'p.csv': content }, { ...shape, reading }));
}

function utf16be(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16();
}

test('a declared encoding is decoded', async () => {
  expect(await rowsOf(Buffer.from(TEXT, 'latin1'), { encoding: 'iso-8859-1' })).toEqual(ROWS);
  expect(await rowsOf(Buffer.from(TEXT, 'latin1'), { encoding: 'windows-1252' })).toEqual(ROWS);
  expect(await rowsOf(Buffer.from(TEXT, 'utf16le'), { encoding: 'utf-16le' })).toEqual(ROWS);
  expect(await rowsOf(utf16be(TEXT), { encoding: 'utf-16be' })).toEqual(ROWS);
  expect(await rowsOf(Buffer.from(`\ufeff${TEXT}`), { encoding: 'utf-8' })).toEqual(ROWS);
  const packed = gzipSync(Buffer.from(TEXT, 'latin1'));
  expect(await rowsOf(packed, { encoding: 'iso-8859-1' })).toEqual(ROWS);
  const curly = Buffer.from('id,name\n1,\x93a\x94 \x80\n', 'latin1');
  expect(await rowsOf(curly, { encoding: 'windows-1252' })).toEqual([['1', '“a” €']]);
});

test('a byte order mark shows the encoding', async () => {
  expect(await rowsOf(Buffer.from(`\ufeff${TEXT}`, 'utf16le'), {})).toEqual(ROWS);
  expect(await rowsOf(utf16be(`\ufeff${TEXT}`), {})).toEqual(ROWS);
  expect(await rowsOf(gzipSync(utf16be(`\ufeff${TEXT}`)), {})).toEqual(ROWS);
  expect(
    await refusal(Buffer.from(`\ufeff${TEXT}`), { encoding: 'windows-1252' }),
  ).toMatchInlineSnapshot(
    `"p.csv: begins with the byte order mark of utf-8, but is declared as windows-1252. Declare read: { encoding: utf-8 }, or leave the encoding out."`,
  );
});

test('a byte that is no character of the encoding is refused with its line', async () => {
  const curly = Buffer.from('id,name\r\n1,a\r\n2,\x93b\x94\r\n', 'latin1');
  const open = Buffer.from('id,name\n1,a\n2,\x81\n', 'latin1');
  const half = Buffer.concat([Buffer.from('id,name\n1,a\n2,b', 'utf16le'), Buffer.of(0x00, 0xd8)]);
  expect(
    [
      await refusal(curly, { encoding: 'iso-8859-1' }),
      await refusal(open, { encoding: 'windows-1252' }),
      await refusal(half, { encoding: 'utf-16le' }),
      await refusal(Buffer.from('id,name\n1,\x93\xfd\n', 'latin1'), { encoding: 'shift_jis' }),
      await refusal(Buffer.from(TEXT, 'utf16le'), { encoding: 'windows-1252' }),
    ].join('\n'),
  ).toMatchInlineSnapshot(`
    "p.csv:3: the byte 0x93 is not a character in iso-8859-1. Declare read: { encoding: windows-1252 }, where it is “.
    p.csv:3: the byte 0x81 is not a character in windows-1252. The file has another encoding: save it as UTF-8.
    p.csv:3: the text is not utf-16le. Correct read: { encoding }, or save the file as UTF-8.
    p.csv:2: the text is not shift_jis. Correct read: { encoding }, or save the file as UTF-8.
    p.csv:1: the header contains the character U+0000. It may be UTF-16: declare read: { encoding: utf-16le }, or save the file as UTF-8."
  `);
});

test('the first byte that is not UTF-8 is found after two megabytes', async () => {
  const lines = Array.from({ length: 100_000 }, (_, index) => `${index},${'x'.repeat(20)}\n`);
  const text = `id,name\n${lines.join('')}last,Doña Ana\n`;
  expect(await refusal(Buffer.from(text, 'latin1'), {})).toMatchInlineSnapshot(
    `"p.csv:100002: name: the text is not UTF-8 (byte 0xF1 at offset 2,688,905 of the file). Declare the encoding: read: { encoding: windows-1252 }, where this byte is ñ, or save the file as UTF-8."`,
  );
});

test('wrong values in a decoded file are reported with their lines in the file', async () => {
  const text = 'Größe\nid,visits\r\n"a\r\nb",1\r\nc,many\r\n';
  expect(
    await refusal(Buffer.from(text, 'latin1'), { encoding: 'iso-8859-1', skipLines: 1 }, COUNTS),
  ).toMatchInlineSnapshot(`"p.csv:5: visits: 'many' is not a whole number."`);
});

test('a character across two chunks of the file is decoded', async () => {
  const name = 'ü'.repeat(2 ** 20);
  const text = `id,name\n1,${name}\n`;
  expect(await rowsOf(Buffer.from(text, 'utf16le'), { encoding: 'utf-16le' })).toEqual([
    ['1', name],
  ]);
});

test('the delimiter is the one with which the header has the columns', async () => {
  expect(await rowsOf('id;name\n1;a,b\n', {})).toEqual([['1', 'a,b']]);
  expect(await rowsOf('id\tname\n1\ta,b\n', {})).toEqual([['1', 'a,b']]);
  expect(await rowsOf('id|name,x\n1|a\n', {}, { ...PLACES, columns: { name: 'name,x' } })).toEqual([
    ['1', 'a'],
  ]);
  expect(
    await rowsOf('1;a;b\n', { hasHeader: false }, { ...PLACES, columns: { id: 1, name: 3 } }),
  ).toEqual([['1', 'b']]);
  expect(await refusal('id;name\n1;a\n', { delimiter: ',' })).toMatchInlineSnapshot(`
    "p.csv: id: the column 'id' is missing. There is only one column, 'id;name'. If ; separates the values, declare it: read: { delimiter: ';' }.
    p.csv: name: the column 'name' is missing. There is only one column, 'id;name'. If ; separates the values, declare it: read: { delimiter: ';' }."
  `);
});

test('a file without a header has columns by position', async () => {
  const shape = { ...COUNTS, columns: { id: 3, visits: 1 } };
  const reading = { hasHeader: false };
  expect(await rowsOf('7,x,a\n8,y,b\n', reading, shape)).toEqual([
    ['a', '7'],
    ['b', '8'],
  ]);
  expect(await refusal('7,x,a\nmany,y,b\n8,z\n', reading, shape)).toMatchInlineSnapshot(`
    "p.csv:2: visits: 'many' is not a whole number.
    p.csv:3: '8,z' has fewer values than the first row, which has 3 columns. Write every delimiter. For an absent value, write nothing between the delimiters."
  `);
  expect(await refusal('7,x\n', reading, shape)).toMatchInlineSnapshot(
    `"p.csv: id: the column 3 is missing. There are 2 columns. Check the delimiter too."`,
  );
  expect(await refusal('\n7,x\n', reading, shape)).toMatchInlineSnapshot(
    `"p.csv:1: the first line is blank. Start the file with a row, or declare skip_lines."`,
  );
});

test('a column with a repeated or blank name is read by its position', async () => {
  const text = 'id,name,,name\n1,a,b,c\n';
  expect(await rowsOf(text, {}, { ...PLACES, columns: { name: 4 } })).toEqual([['1', 'c']]);
  expect(await rowsOf(text, {}, { ...PLACES, columns: { name: 3 } })).toEqual([['1', 'b']]);
  expect(await refusal(text, {})).toMatchInlineSnapshot(
    `"p.csv: name: the column 'name' is in the header 2 times. Give the position of the correct one: column: 2 or column: 4. Or give each column a different name."`,
  );
});

test('lines above the header and below the rows are left out, and told', async () => {
  const text = 'Population "of 2019\n\r\nid,name\r\n1,a\r\n2,b\r\n\r\nSource: "us\r\nNote\r\n';
  const files = { 'p.csv': text };
  const byCount = { ...PLACES, reading: { skipLines: 2, footer: 3 } };
  const byText = { ...PLACES, reading: { skipLines: 2, footer: 'Source:' } };
  const counted = await importFiles('csv', files, byCount);
  const found = await importFiles('csv', files, byText);
  expect(counted.rows.map((row) => row.slice(1, 3))).toEqual([
    ['1', 'a'],
    ['2', 'b'],
  ]);
  expect(found.rows).toEqual(counted.rows);
  expect([counted.notices, found.notices]).toMatchInlineSnapshot(`
    [
      [
        "p.csv: 2 lines above the header are left out, the first is 'Population "of 2019'.",
        "p.csv: 3 lines below the rows are left out, the first is ''.",
      ],
      [
        "p.csv: 2 lines above the header are left out, the first is 'Population "of 2019'.",
        "p.csv: 2 lines below the rows are left out, the first is 'Source: "us'.",
      ],
    ]
  `);
  expect(
    await refusal('Title\n\nid,visits\na,1\nb,x\nSource\n', { skipLines: 2, footer: 1 }, COUNTS),
  ).toMatchInlineSnapshot(`"p.csv:5: visits: 'x' is not a whole number."`);
});

test('a footer that is not there is refused', async () => {
  expect(
    [
      await refusal('id,name\n1,a\n', { footer: 'Source' }),
      await refusal('id,name\n1,Source\n', { footer: 'Source' }),
      await refusal('id,name\n', { footer: 2 }),
      await refusal('id,name\n1,a\n', { skipLines: 3 }),
    ].join('\n'),
  ).toMatchInlineSnapshot(`
    "p.csv: has no line that begins with 'Source'. Correct read: { footer }, or leave it out.
    p.csv: has no line that begins with 'Source'. Correct read: { footer }, or leave it out.
    p.csv: has fewer than the 2 lines of the declared footer. Correct read: { footer }.
    p.csv:4: no line is left below the 3 of read: { skip_lines }. Write the number of lines above the header."
  `);
});

test('a footer is found wherever the chunks of a file end', async () => {
  const text = 'Source,1\nx Source\nSourc\r\nSource: us\r\nNote ü';
  for (let size = 1; size <= text.length; size += 1) {
    const bytes = Buffer.from(`\n${text}`);
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    );
    const above = leaveOutLines(Readable.from(chunks), 2);
    const { rest, leftOut } = leaveOutFooter(above.rest, 'Source');
    const parts: Buffer[] = [];
    for await (const part of rest) parts.push(part);
    const kept = Buffer.concat(parts).toString();
    expect([size, kept, above.leftOut(), leftOut()]).toEqual([
      size,
      'x Source\nSourc\r\n',
      { lines: 2, bytes: 10, first: '' },
      { lines: 2, bytes: 19, first: 'Source: us' },
    ]);
  }
});

test('declared texts mean that a value is absent', async () => {
  const text = 'id,visits\na,NaN\nb, - \nc,"<undefined>"\nd,7\n';
  const nulls = ['NaN', '-', '<undefined>'];
  expect(await rowsOf(text, { nulls }, COUNTS)).toEqual([
    ['a', null],
    ['b', null],
    ['c', null],
    ['d', '7'],
  ]);
  expect(await refusal(text, { nulls: ['-'] }, COUNTS)).toMatchInlineSnapshot(`
    "p.csv:2: visits: 'NaN' is not a whole number. Leave absent values empty. Or declare the text that means absent: read: { nulls: [...] }.
    p.csv:4: visits: '<undefined>' is not a whole number."
  `);
});

test('a delimiter too many at the end of each line is read', async () => {
  expect(await rowsOf('id,name,\n1,a,\n2,b,\n', {})).toEqual([
    ['1', 'a'],
    ['2', 'b'],
  ]);
  expect(await rowsOf('id,name\n1,a,\n2,b,\n', {})).toEqual([
    ['1', 'a'],
    ['2', 'b'],
  ]);
  const longerHeader = 'id,name,\n1,a\n2,b\n';
  expect(await refusal(longerHeader, {})).toMatchInlineSnapshot(`
    "p.csv:2: '1,a' has fewer values than the header, which has 3 columns. The header ends with a delimiter. If the rows do not, leave it out: read: { header: false, skip_lines: 1 }, and name columns by position: column: 1.
    p.csv:3: '2,b' has fewer values than the header, which has 3 columns. The header ends with a delimiter. If the rows do not, leave it out: read: { header: false, skip_lines: 1 }, and name columns by position: column: 1."
  `);
  expect(
    await rowsOf(
      longerHeader,
      { hasHeader: false, skipLines: 1 },
      { ...PLACES, columns: { id: 1, name: 2 } },
    ),
  ).toEqual([
    ['1', 'a'],
    ['2', 'b'],
  ]);
});

test('a quote that is never closed is refused with its line, also where the next one closes it', async () => {
  const rows = Array.from({ length: 1500 }, (_, index) => `${index},x\n`).join('');
  const swallowing = `id,name\n1,a\n2,"b\n${rows}3,"\n4,c\n`;
  expect(await refusal(swallowing, {})).toMatchInlineSnapshot(
    `"p.csv:3: '"b' opens a quote that spans more than 1,000 lines. Close the quote, and write a quote inside a quoted value twice. If the file has no quoted values, declare it: read: { quote: '' }."`,
  );
  expect(await refusal('id,name\n1,a\n"2\n",b\n3,"c\n4,d\n', {})).toMatchInlineSnapshot(
    `"p.csv:5: '3,"c\\n4,d' has a quote that is not closed, or text after a closing quote. Write a quote inside a quoted value twice."`,
  );
  const text = `first\n${'line\n'.repeat(900)}`;
  expect(await rowsOf(`id,name\n1,"${text}"\n`, {})).toEqual([['1', text]]);
});

test('the file of a zip archive is read', async () => {
  const one = zipArchive({ 'data/p.csv': 'id,name\n1,a\n', '__MACOSX/._p.csv': 'x' });
  const two = zipArchive({ 'readme.txt': 'x', 'p.csv': Buffer.from(TEXT, 'latin1') });
  expect(await rowsOf(one, {})).toEqual([['1', 'a']]);
  expect(await rowsOf(two, { member: 'p.csv', encoding: 'iso-8859-1' })).toEqual(ROWS);
  expect(
    [
      await refusal(two, {}),
      await refusal(two, { member: 'q.csv' }),
      await refusal(zipArchive({}), {}),
      await refusal(zipArchive({ '[Content_Types].xml': 'x', 'xl/workbook.xml': 'x' }), {}),
      await refusal('id,name\n1,a\n', { member: 'p.csv' }),
      await refusal(zipArchive({ 'p.csv': 'id,visits\na,x\n' }), {}, COUNTS),
    ].join('\n'),
  ).toMatchInlineSnapshot(`
    "p.csv: is a zip archive of 2 files. Choose one: read: { member: readme.txt }. The file has readme.txt, p.csv.
    p.csv: is a zip archive without the file q.csv. Did you mean 'p.csv'?
    p.csv: is an empty zip archive, not csv. Unpack it and name the files in it. A single file may be compressed with gzip or zip.
    p.csv: is an Excel workbook. Declare it in the manifest: format: xlsx.
    p.csv: is not a zip archive, so it does not contain p.csv. Leave out read: { member }.
    p.csv/p.csv:2: visits: 'x' is not a whole number."
  `);
});

test('a damaged zip archive, one with a wrong size, and one that is too large are refused', async () => {
  const whole = zipArchive({ 'p.csv': 'id,name\n1,a\n' });
  const damaged = Buffer.from(whole);
  damaged.writeUInt8(damaged.readUInt8(45) ^ 1, 45);
  const bomb = zipArchive({ 'p.csv': `id,name\n1,${'x'.repeat(2 ** 20)}\n` });
  const liar = zipArchive(
    { 'p.csv': `id,name\n1,${'x'.repeat(2 ** 20)}\n` },
    { declaredSize: 100 },
  );
  const limits = { unpackedBytesMax: 2 ** 16 };
  expect(
    [
      await refusal(damaged, {}),
      await refusal(whole.subarray(0, -30), {}),
      await refusalOf(importFiles('csv', { 'p.csv': bomb }, PLACES, limits)),
      await refusalOf(importFiles('csv', { 'p.csv': liar }, PLACES, limits)),
    ].join('\n'),
  ).toMatchInlineSnapshot(`
    "p.csv: cannot be read as a zip archive (wrong checksum of p.csv). It was cut short or damaged: download or compress it again.
    p.csv: cannot be read as a zip archive (End of central directory record signature not found. Either not a zip file, or file is truncated.). It was cut short or damaged: download or compress it again.
    p.csv: has p.csv with 1048587 bytes, but at most 64 KiB are read. Split the file, or raise the limit: --publish-unpacked SIZE.
    p.csv: cannot be read as a zip archive (too many bytes in the stream. expected 100. got at least 16384). It was cut short or damaged: download or compress it again."
  `);
});

test('other formats are read from a zip archive and in UTF-16 too', async () => {
  const line = '{"id":"1","name":"Zürich"}\n';
  const zipped = await importFiles('ndjson', { 'p.zip': zipArchive({ 'p.ndjson': line }) }, PLACES);
  const wide = await importFiles(
    'ndjson',
    { 'p.ndjson': Buffer.from(`\ufeff${line}`, 'utf16le') },
    PLACES,
  );
  expect(zipped.rows.map((row) => row[2])).toEqual(['Zürich']);
  expect(wide.rows).toEqual(zipped.rows);
});

test('a pattern stands for the files that match it, in the order of their names', async () => {
  await using folder = scopedFolder();
  for (const name of ['v-2.csv', 'v-10.csv', 'v-1.csv', 'w-1.csv', '.v-3.csv', 'v*.txt']) {
    await writeFile(join(folder.path, name), '');
  }
  const names = async (...patterns: readonly string[]) => {
    const files = await listSourceFiles(patterns.map((pattern) => join(folder.path, pattern)));
    return files.map((file) => basename(file));
  };
  expect(await names('v-*.csv')).toEqual(['v-1.csv', 'v-10.csv', 'v-2.csv']);
  expect(await names('v-2.csv', 'v-*.csv')).toEqual(['v-2.csv', 'v-1.csv', 'v-10.csv']);
  expect(await names('v*.txt', 'x*.csv')).toEqual(['v*.txt', 'x*.csv']);
  expect(
    await refusalOf(importFiles('csv', { 'v-*.csv': async () => {} }, PLACES)),
  ).toMatchInlineSnapshot(
    `"v-*.csv: matches no file. Correct the pattern under datasets.us.places.files of the manifest: /files/v-*.csv"`,
  );
});
