import { strict as assert } from 'node:assert';
import { link, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { columnWriter } from '@locmetrics/column-store/publish/column-writer';
import type { Value } from '@locmetrics/core/domain/value';
import { ACCEPT_ANY_CHANGE } from '@locmetrics/ingest/manifest/acceptance';
import { PLAIN_READING } from '@locmetrics/ingest/manifest/manifest';
import { importDataset } from '@locmetrics/ingest/rows/import-dataset';
import { openRowWriter } from '@locmetrics/row-store/publish/row-writer';
import { importInstance } from '../../importer/import-instance.ts';
import { templatesFolder } from '../../support/run-folder.ts';
import type { Table } from '../table.ts';

/** One thread, because with more DuckDB waits for the others in a loop, which costs more than so few rows. */
export const LIMITS = { memoryLimitBytes: 512 * 2 ** 20, threads: 1 };

/** The blocks are so small that most tables have many. */
const WRITERS = [
  columnWriter,
  openRowWriter({ series: 3, singles: 2, order: 4, points: 2, values: 3 }),
];

/** More than the tests of one file use again, and a few dozen megabytes. */
const KEPT_MAX = 40;

/** The folders of the tables that were published last, by their content. */
const kept = new Map<string, Promise<string>>();

/** Links the files that the importer writes from the CSV of a table into a folder. A table is imported once. */
export async function linkPublished(table: Table, folder: string): Promise<void> {
  const csv = toCsv(table);
  const content = JSON.stringify([table.version.dataset, csv]);
  const found = kept.get(content) ?? publish(table, csv);
  kept.delete(content);
  kept.set(content, found);
  const published = await found;
  await mkdir(folder, { recursive: true });
  for (const file of WRITERS.flatMap(({ files }) => files)) {
    await link(join(published, file), join(folder, file));
  }
  await removeOldest();
}

async function removeOldest(): Promise<void> {
  const [oldest] = kept;
  if (oldest === undefined || kept.size <= KEPT_MAX) return;
  const [content, published] = oldest;
  kept.delete(content);
  await rm(await published, { recursive: true });
}

async function publish({ version: { dataset } }: Table, csv: string): Promise<string> {
  const folder = await mkdtemp(join(templatesFolder(), 'conformance-'));
  const file = join(folder, 'rows.csv');
  await writeFile(file, csv);
  const { counts } = await importDataset({
    declared: {
      dataset,
      layers: [],
      metrics: [],
      accept: ACCEPT_ANY_CHANGE,
      source: {
        files: [file],
        format: 'csv',
        fields: new Map(dataset.fields.map(({ name }) => [name, { columns: [name] }])),
        reading: PLAIN_READING,
        areas: [],
        steps: [],
        lookups: [],
      },
    },
    writers: WRITERS,
    directory: folder,
    temporaryDirectory: folder,
    reused: importInstance(LIMITS),
    ...LIMITS,
  });
  assert.equal(counts.rejected, 0);
  return folder;
}

function toCsv({ version, rows }: Table): string {
  const names = version.dataset.fields.map(({ name }) => name);
  const lines = rows.map((row) => names.map((name) => toCsvText(row[name] ?? null)).join(','));
  return [names.join(','), ...lines, ''].join('\n');
}

function toCsvText(value: Value): string {
  if (Object.is(value, -0)) return '-0';
  return `"${String(value ?? '').replaceAll('"', '""')}"`;
}
