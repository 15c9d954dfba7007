import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { columnWriter } from '@locmetrics/column-store/publish/column-writer';
import { COLUMN_FILE } from '@locmetrics/column-store/record-table';
import { ManifestError } from '@locmetrics/ingest/manifest/manifest-error';
import { readManifest } from '@locmetrics/ingest/manifest/read-manifest';
import { importDataset } from '@locmetrics/ingest/rows/import-dataset';
import type { ImportOptions } from '@locmetrics/ingest/rows/import-options';
import { scopedFolder, withoutFolders } from '../support/temporary-folder.ts';
import { type ImportedRows, readRows } from './import-files.ts';
import { importInstance } from './import-instance.ts';
import { SMALL_IMPORT } from './whole-publish.ts';

/**
 * Imports a dataset as it is declared in a manifest. The declaration is the YAML below the name of the dataset;
 * its files are written beside the manifest. What else the manifest declares follows the datasets.
 */
export async function importByManifest(
  declaration: string,
  files: Readonly<Record<string, string | Uint8Array>>,
  { others = '', ...options }: Partial<ImportOptions> & { readonly others?: string } = {},
): Promise<ImportedRows> {
  await using folder = scopedFolder();
  const indented = declaration.replaceAll(/^(?=.)/gm, '    ');
  const manifest = join(folder.path, 'locmetrics.yaml');
  await writeFile(manifest, `format: 1\ndatasets:\n  us.places:\n${indented}\n${others}`);
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder.path, name)), { recursive: true });
    await writeFile(join(folder.path, name), content);
  }
  const directory = join(folder.path, 'version');
  const temporaryDirectory = join(folder.path, 'temporary');
  await mkdir(directory);
  await mkdir(temporaryDirectory);
  const { datasets } = await readManifest(manifest);
  const [declared] = datasets;
  if (declared === undefined) throw new Error('The manifest has no dataset.');
  const limits = { ...SMALL_IMPORT, ...options };
  const importing = importDataset({
    declared,
    writers: [columnWriter],
    directory,
    temporaryDirectory,
    ...limits,
    reused: importInstance(limits),
  });
  await importing.catch(() => undefined);
  const left = await readdir(temporaryDirectory);
  if (left.length > 0) throw new Error(`The import left ${left.join(', ')}.`);
  const { files: _files, ...imported } = await importing;
  return { ...imported, ...(await readRows(join(directory, COLUMN_FILE))) };
}

/** The values of the fields, in the order of the records. */
export async function valuesOf(
  declaration: string,
  files: Readonly<Record<string, string | Uint8Array>>,
  others = '',
): Promise<readonly (readonly (string | null)[])[]> {
  const { columns, rows } = await importByManifest(declaration, files, { others });
  const kept = columns.flatMap((name, index) => (name.startsWith('_') ? [] : [index]));
  return rows.map((row) => kept.map((index) => row[index] ?? null));
}

/** The message of a refused manifest or import, without the folder of the test. */
export async function refusalByManifest(
  declaration: string,
  files: Readonly<Record<string, string | Uint8Array>>,
  others = '',
): Promise<string> {
  try {
    await importByManifest(declaration, files, { others });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const message =
      error instanceof ManifestError
        ? error.message.replaceAll(/^\S*locmetrics\.yaml/gm, 'locmetrics.yaml')
        : error.message;
    return withoutFolders(message);
  }
  throw new Error('Nothing was refused.');
}
