import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { columnWriter } from '@locmetrics/column-store/publish/column-writer';
import { COLUMN_FILE } from '@locmetrics/column-store/record-table';
import { dataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { type DraftManifest, draftManifest } from '@locmetrics/ingest/draft/draft-manifest';
import type { HourChoice } from '@locmetrics/ingest/draft/keys/find-hours';
import type { DeclaredDataset } from '@locmetrics/ingest/manifest/manifest';
import { readManifest } from '@locmetrics/ingest/manifest/read-manifest';
import { type Published, publish } from '@locmetrics/ingest/publish/publish-datasets';
import { importDataset } from '@locmetrics/ingest/rows/import-dataset';
import { scopedFolder } from '../../support/temporary-folder.ts';
import { readRows } from '../import-files.ts';
import { importInstance } from '../import-instance.ts';
import { SMALL_IMPORT, WHOLE_PUBLISH } from '../whole-publish.ts';

/** What the owner chose with flags. */
export type DraftChoices = { readonly sheet?: string; readonly hours?: HourChoice };

/** Drafts a manifest in a folder, as `locmetrics init` does. */
export function draftFor(
  folder: string,
  paths: readonly string[],
  { sheet, hours }: DraftChoices = {},
): Promise<DraftManifest> {
  return draftManifest(paths, {
    sheet,
    hours,
    ...SMALL_IMPORT,
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
  const { datasets } = await readManifest(manifestPath);
  const hasLayers = datasets.some(({ layers, metrics }) => layers.length + metrics.length > 0);
  const { folders, metrics } = hasLayers
    ? await publishWhole(folder, manifestPath)
    : await importEach(folder, datasets);
  const records = new Map<string, Records>();
  for (const [name, directory] of folders) {
    const { columns, rows } = await readRows(join(directory, COLUMN_FILE));
    records.set(
      name,
      rows.map((row) =>
        Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null])),
      ),
    );
  }
  return { records, metrics };
}

/** The folders of the new versions, by dataset, and the metrics over them. */
type PublishedFolders = Pick<Published, 'metrics'> & {
  readonly folders: ReadonlyMap<string, string>;
};

async function publishWhole(folder: string, manifestPath: string): Promise<PublishedFolders> {
  const directory = dataDirectory(join(folder, 'data'));
  const { datasets, metrics } = await publish({
    ...WHOLE_PUBLISH,
    manifestPath,
    datasetNames: [],
    directory,
    clock: () => Date.UTC(2026, 0, 1),
  });
  const folders = datasets.map(
    ({ version: { dataset, version } }) =>
      [dataset.name, directory.version(dataset.name, version)] as const,
  );
  return { folders: new Map(folders), metrics };
}

/** The first publish of datasets without layers and metrics has nothing else to check. */
async function importEach(
  folder: string,
  datasets: readonly DeclaredDataset[],
): Promise<PublishedFolders> {
  const folders = new Map<string, string>();
  for (const declared of datasets) {
    const directory = join(folder, 'data', declared.dataset.name);
    await mkdir(directory, { recursive: true });
    await importDataset({
      ...SMALL_IMPORT,
      declared,
      writers: [columnWriter],
      directory,
      temporaryDirectory: folder,
      reused: importInstance(SMALL_IMPORT),
    });
    folders.set(declared.dataset.name, directory);
  }
  return { folders, metrics: [] };
}

/** Drafts and publishes files of these contents. */
export async function drafted(
  files: Readonly<Record<string, string | Uint8Array>>,
  choices: DraftChoices = {},
) {
  await using folder = scopedFolder();
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(folder.path, name), content);
  }
  const paths = Object.keys(files).map((name) => join(folder.path, name));
  const draft = await draftFor(folder.path, paths, choices);
  const published = await publishDraft(folder.path, draft);
  const [rows = []] = published.records.values();
  const text = draft.text
    .replaceAll(/locmetrics_\w+\./g, 'town.')
    .replaceAll(/ locmetrics_\w+\//g, ' town/');
  return { text, rows, ...published };
}
