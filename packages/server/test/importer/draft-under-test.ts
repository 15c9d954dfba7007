import { writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { type DraftManifest, draftManifest } from '../../src/importer/draft/draft-manifest.ts';
import { publish } from '../../src/importer/publish/publish.ts';
import { COLUMN_FILE } from '../../src/storage/duckdb/record-table.ts';
import { dataDirectory } from '../../src/versions/data-directory.ts';
import { readRows } from './import-files.ts';
import { WHOLE_PUBLISH } from './whole-publish.ts';

const LIMITS = { memoryLimitBytes: 2 ** 29, threads: 2 };

/** Drafts a manifest in a folder, as `locmetrics init` does. */
export function draftFor(folder: string, paths: readonly string[]): Promise<DraftManifest> {
  return draftManifest(paths, {
    ...LIMITS,
    schema: 'locmetrics.schema.json',
    pathOf: (path) => relative(folder, path),
    temporaryDirectory: folder,
    unpackedBytesMax: 2 ** 30,
    environment: {},
    onProgress: () => {},
    signal: undefined,
  });
}

export type Records = readonly Readonly<Record<string, string | null>>[];

/** Publishes a drafted manifest as it is, and returns the records of its datasets and the served metrics. */
export async function publishDraft(folder: string, { text }: DraftManifest) {
  const manifestPath = join(folder, 'drafted.yaml');
  await writeFile(manifestPath, text);
  const directory = dataDirectory(join(folder, 'data'));
  const { datasets, metrics } = await publish({
    ...WHOLE_PUBLISH,
    ...LIMITS,
    manifestPath,
    datasetNames: [],
    directory,
    clock: () => Date.UTC(2026, 0, 1),
  });
  const records = new Map<string, Records>();
  for (const { version } of datasets) {
    const file = join(directory.version(version.dataset.name, version.version), COLUMN_FILE);
    const { columns, rows } = await readRows(file);
    records.set(
      version.dataset.name,
      rows.map((row) =>
        Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null])),
      ),
    );
  }
  return { records, metrics };
}
