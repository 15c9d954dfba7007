import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip, gzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { ACCEPT_ANY_CHANGE } from '@locmetrics/ingest/manifest/acceptance';
import { describe, expect, test } from 'vitest';
import type { DatasetShape } from './declare-dataset.ts';
import { text as cellText, shared, workbook } from './formats/workbook.ts';
import { importFiles, refusalOf } from './import-files.ts';

const SHAPE: DatasetShape = { fields: { id: 'string' }, key: ['id'] };
const MIB = 2 ** 20;

/** A gzip file with a start, a long run of one letter, and an end. */
function gzipOfLongRun({
  start,
  runBytes,
  end,
}: {
  readonly start: string;
  readonly runBytes: number;
  readonly end: string;
}): (path: string) => Promise<void> {
  return async (path) => {
    const chunks = function* (): Generator<string | Buffer> {
      yield start;
      const run = Buffer.alloc(MIB, 'x');
      for (let written = 0; written < runBytes; written += run.length) yield run;
      yield end;
    };
    await pipeline(
      Readable.from(chunks(), { objectMode: false }),
      createGzip({ level: 1 }),
      createWriteStream(path),
    );
  };
}

const TOO_LONG =
  'the row is too long. A row has at most 16 MiB. The value may have an unclosed quote, which then includes the following lines.';

/** The peak of additional memory of the process while something runs. */
async function memoryOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage().rss;
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 5);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return peak - before;
}

test.each([
  ['csv', 'p.csv.gz', 'id\na\n', '\n', 3],
  ['csv', 'p.csv.gz', 'id\n"a\nb"\n"c', '"\n', 4],
  ['ndjson', 'p.ndjson.gz', '{"id":"a"}\n{"id":"', '"}\n', 2],
  ['geojson', 'p.geojson.gz', '{"type":"Feature"}\n{"id":"', '"}\n', 2],
] as const)('a %s row of a gzip file is refused once it is too long: %s %j', async (...given) => {
  const [format, name, start, end, line] = given;
  const file = gzipOfLongRun({ start, runBytes: 256 * MIB, end });
  let refusal = '';
  const bytes = await memoryOf(async () => {
    refusal = await refusalOf(importFiles(format, { [name]: file }, SHAPE));
  });
  expect(refusal).toBe(`${name}:${line}: ${TOO_LONG}`);
  expect(bytes).toBeLessThan(150 * MIB);
});

test('a file is not read further after a row that is too long', async () => {
  const whole = gzipSync(`id\n${'x'.repeat(64 * MIB)}\n`, { level: 1 });
  // The file is truncated after 32 MiB: a reader that reads so far would report that it is incomplete.
  const cut = whole.subarray(0, whole.length / 2);
  expect(await refusalOf(importFiles('csv', { 'p.csv.gz': cut }, SHAPE))).toBe(
    `p.csv.gz:2: ${TOO_LONG}`,
  );
});

test('a row of many lines is refused once it is too long, even if wrong rows are accepted', {
  tags: 'slow',
}, async () => {
  const line = `b,${'c'.repeat(2 ** 15)}\n`;
  const text = `id,name\na,"${line.repeat(900)}d,e\n`;
  const shape: DatasetShape = { fields: { id: 'string', name: 'string' }, key: ['id'] };
  const refusal = await refusalOf(importFiles('csv', { 'p.csv': text }, shape));
  expect(refusal).toBe(`p.csv:2: ${TOO_LONG}`);
});

test('a quote inside an unquoted value does not turn the rest of the file into one row', async () => {
  const rows = Array.from({ length: 2_000 }, (_, index) => `${index}5",${'n'.repeat(9000)}\n`);
  const shape: DatasetShape = { fields: { id: 'string' }, key: ['id'] };
  const { rowCount } = await importFiles('csv', { 'p.csv': `id,n\n${rows.join('')}` }, shape);
  expect(rowCount).toBe(2_000);
});

test('a JSON line of exactly 16 MiB is read, and one byte more is refused', async () => {
  const line = (bytes: number): string => `{"id":"a","n":"${'x'.repeat(bytes - 17)}"}`;
  const most = 16 * MIB - 1;
  const { rowCount } = await importFiles('ndjson', { 'p.ndjson': `${line(most)}\n` }, SHAPE);
  expect(rowCount).toBe(1);
  expect(await refusalOf(importFiles('ndjson', { 'p.ndjson': `${line(most + 1)}\n` }, SHAPE))).toBe(
    `p.ndjson:1: ${TOO_LONG}`,
  );
});

test.each(['csv', 'ndjson', 'geojson'] as const)(
  'a gzip file that becomes too large is refused: %s',
  async (format) => {
    const text = { csv: 'id\na\n', ndjson: '{"id":"a"}\n', geojson: '{"type":"Feature"}\n' }[
      format
    ];
    const name = `p.${format}.gz`;
    const packed = gzipSync(text.repeat(MIB), { level: 1 });
    const limit = { unpackedBytesMax: 3 * MIB };
    expect(await refusalOf(importFiles(format, { [name]: packed }, SHAPE, limit))).toBe(
      `${name}: is larger than 3 MiB when it is decompressed. Split the file, or raise the limit: --publish-unpacked SIZE.`,
    );
  },
);

test('a document that does not fit into memory is refused before the engine reads it', {
  tags: 'slow',
}, async () => {
  const start = '{"type":"FeatureCollection","features":[{"type":"Feature","id":"';
  const file = gzipOfLongRun({ start, runBytes: 256 * MIB, end: '"}]}' });
  const memoryLimitBytes = 256 * MIB;
  let refusal = '';
  const bytes = await memoryOf(async () => {
    const importing = importFiles('geojson', { 'p.geojson.gz': file }, SHAPE, { memoryLimitBytes });
    refusal = await refusalOf(importing);
  });
  expect(refusal).toBe(
    'p.geojson.gz: is one JSON document that is too large for the memory of the publish. Write a Feature on each line instead, or allow more memory: --publish-memory SIZE.',
  );
  expect(bytes).toBeLessThan(150 * MIB);
});

test('a value of Parquet that does not fit into memory is refused with its file', {
  tags: 'slow',
}, async () => {
  const write = async (path: string): Promise<void> => {
    const instance = await DuckDBInstance.create();
    const connection = await instance.connect();
    await connection.run(
      `COPY (SELECT repeat('x', 200000000) AS id) TO '${path}' (FORMAT parquet)`,
    );
    connection.closeSync();
    instance.closeSync();
  };
  const importing = importFiles('parquet', { 'p.parquet': write }, SHAPE, {
    memoryLimitBytes: 128 * MIB,
  });
  await expect(importing).rejects.toThrow(
    /: memory ran out while reading \S*p\.parquet\. Nothing was published\./,
  );
});

test('a last row with an open quote is never left out, even after a stray quote', async () => {
  const shape: DatasetShape = {
    fields: { id: 'string', name: 'string' },
    key: ['id'],
    accept: { ...ACCEPT_ANY_CHANGE, rejectedRows: { count: 1000 } },
  };
  for (const text of [
    'id,name\na5",b\nc,"d\ne,f\n',
    'id,name\na,b\nc,"d\ne,f\n',
    'id,name\n1"2,b\nc,"d',
  ]) {
    const refusal = await refusalOf(importFiles('csv', { 'p.csv': text }, shape));
    expect(refusal).toContain('p.csv:3: ');
    expect(refusal).toContain('has a quote that is not closed');
  }
});

test('invalid UTF-8 in one of many columns is reported with its line, field and byte', async () => {
  const row = (seventh: string): string => `1,b,c,d,e,f,${seventh},h,i,j\n`;
  const shape: DatasetShape = {
    fields: { a: 'string', b: 'string', g: 'string' },
    key: ['a'],
  };
  const text = `a,b,c,d,e,f,g,h,i,j\n${row('g').repeat(3)}${row('Espa\xf1a')}`;
  const files = { 'p.csv': Buffer.from(text, 'latin1') };
  const refusal = await refusalOf(importFiles('csv', files, shape));
  expect(refusal).toContain(
    'p.csv:5: g: the text is not UTF-8 (byte 0xF1 at offset 96 of the file). Declare the encoding: read: { encoding: windows-1252 }, where this byte is ñ, or save the file as UTF-8.',
  );
});

describe('a workbook with a part that unpacks to far more than a cell has', () => {
  const long = 'x'.repeat(2 ** 20 + 1);
  const shape = { fields: { id: 'string', name: 'string' }, key: ['id'] } as const;
  const header = { A: cellText('id'), B: cellText('name') };
  const refusal = (book: Buffer) => refusalOf(importFiles('xlsx', { 'p.xlsx': book }, shape));

  test('is refused with its row, if it is a cell', async () => {
    const rows = { 1: header, 3: { A: cellText('a'), B: cellText(long) } };
    expect(await refusal(workbook({ sheets: { S: rows } }))).toBe(
      'p.xlsx, row 3: has a cell of more than 1,048,576 characters. Excel writes at most 32,767: the workbook is damaged or malicious. Save it again.',
    );
  });

  test('is refused, if it is a shared text', async () => {
    const rows = { 1: header, 2: { A: cellText('a'), B: shared(0) } };
    expect(await refusal(workbook({ sheets: { S: rows }, strings: [`<t>${long}</t>`] }))).toBe(
      'p.xlsx: is a workbook with a text of more than 1,048,576 characters. Excel writes at most 32,767: the workbook is damaged or malicious. Save it again.',
    );
  });

  test('is refused with its row, if the row is too long', async () => {
    const cell = cellText('x'.repeat(2 ** 20));
    const names = 'ABCDEFGHIJKLMNOPQ'.split('');
    const rows = { 1: header, 2: Object.fromEntries(names.map((name) => [name, cell])) };
    expect(await refusal(workbook({ sheets: { S: rows } }))).toBe(
      'p.xlsx, row 2: the row is too long. A row has at most 16 MiB.',
    );
  });
});
