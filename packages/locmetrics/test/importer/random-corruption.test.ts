// @module-tag sized

import { readFile, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import type { FileFormat } from '@locmetrics/ingest/manifest/file-formats';
import { ImportError } from '@locmetrics/ingest/problems/import-error';
import { PublishError } from '@locmetrics/ingest/problems/publish-error';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { evenly } from '../support/evenly.ts';
import { scopedFolder } from '../support/temporary-folder.ts';
import { testCount } from '../support/test-count.ts';
import { announceSeed } from '../support/test-seed.ts';
import type { DatasetShape } from './declare-dataset.ts';
import { importFiles } from './import-files.ts';

/** The number of corrupted files of each format. */
const RUNS = testCount('CORRUPTIONS', { few: 2, all: 60 });

const COLUMNS = ['id', 'b', 'c', 'd', 'e', 'f', 'name', 'h', 'visits', 'j'];
const ROWS = Array.from({ length: 60 }, (_, row) =>
  Object.fromEntries(
    COLUMNS.map((column) => [column, column === 'visits' ? row : `${column} "ñ", ${row}`]),
  ),
);
const SHAPE: DatasetShape = {
  fields: { id: 'string', name: 'string', visits: 'integer' },
  key: ['id'],
};

const quoted = (value: unknown): string => `"${String(value).replaceAll('"', '""')}"`;
const csv = [
  COLUMNS.join(','),
  ...ROWS.map((row) => COLUMNS.map((column) => quoted(row[column])).join(',')),
].join('\n');
const features = ROWS.map((properties) => ({ type: 'Feature', properties, geometry: null }));
const TEXTS = {
  csv,
  // A file without quotes, like most files.
  tsv: csv.replaceAll('"', '').replaceAll(', ', ' ').replaceAll(',', '\t'),
  ndjson: ROWS.map((row) => JSON.stringify(row)).join('\n'),
  geojson: JSON.stringify({ type: 'FeatureCollection', features }),
} as const;
let parquet = Buffer.alloc(0);

beforeAll(async () => {
  await using folder = scopedFolder();
  const source = `${folder.path}/p.csv`;
  const target = `${folder.path}/p.parquet`;
  await writeFile(source, csv);
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(`COPY (FROM read_csv('${source}')) TO '${target}'`);
  connection.closeSync();
  instance.closeSync();
  parquet = await readFile(target);
});

type Corruption = {
  /** The position in the file, from 0 to 1. */
  readonly at: number;
  readonly how: 'replace' | 'insert' | 'remove' | 'cut';
  readonly bytes: Uint8Array;
};

const corruptions: fc.Arbitrary<readonly Corruption[]> = fc.array(
  fc.record({
    at: evenly(0, 1),
    how: fc.constantFrom('replace', 'replace', 'replace', 'insert', 'remove', 'cut'),
    bytes: fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 8 }),
      fc
        .constantFrom('"', '\r', '\n', '\0', '{', ']', '\ufeff', ',')
        .map((text) => Buffer.from(text)),
      fc.constantFrom(0xf1, 0xc3, 0xed, 0xff).map((byte) => Uint8Array.of(byte)),
    ),
  }),
  { minLength: 1, maxLength: 3 },
);

function corrupt(content: Buffer, changes: readonly Corruption[]): Buffer {
  return changes.reduce((changed, { at, how, bytes }) => {
    const offset = Math.floor(at * changed.length);
    const before = changed.subarray(0, offset);
    if (how === 'cut') return before;
    const inserted = how === 'remove' ? Buffer.alloc(0) : bytes;
    const skipped = how === 'insert' ? 0 : bytes.length;
    return Buffer.concat([before, inserted, changed.subarray(offset + skipped)]);
  }, content);
}

test.each(['csv', 'tsv', 'ndjson', 'geojson', 'parquet', 'csv.gz', 'ndjson.gz'] as const)(
  'a corrupted file is imported or refused with its name: %s',
  { timeout: 180_000 + RUNS * 2000 },
  async (name) => {
    const seed = announceSeed(`corrupted ${name}`);
    const file = `p.${name}`;
    const format: FileFormat = name === 'csv.gz' ? 'csv' : name === 'ndjson.gz' ? 'ndjson' : name;
    const text = format === 'parquet' ? parquet : Buffer.from(TEXTS[format]);
    const content = name.endsWith('.gz') ? gzipSync(text) : text;
    await fc.assert(
      fc.asyncProperty(corruptions, async (changes) => {
        const importing = importFiles(format, { [file]: corrupt(content, changes) }, SHAPE);
        const error = await importing.then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        if (error === undefined) return;
        expect(error instanceof ImportError || error instanceof PublishError, String(error)).toBe(
          true,
        );
        const message = error instanceof Error ? error.message : '';
        expect(message).toContain(file);
        expect(message).not.toMatch(/INTERNAL|FATAL|Stack Trace|libduckdb|\bat .*:\d+:\d+\)/);
      }),
      { seed, numRuns: RUNS },
    );
  },
);
