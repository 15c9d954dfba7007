import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { columnWriter } from '@locmetrics/column-store/publish/column-writer';
import { COLUMN_FILE, RECORD_TABLE, ROW_COLUMN } from '@locmetrics/column-store/record-table';
import { quoteLiteral } from '@locmetrics/core/sql/quote-identifier';
import type { FileFormat } from '@locmetrics/ingest/manifest/file-formats';
import { ImportError } from '@locmetrics/ingest/problems/import-error';
import { type ImportedDataset, importDataset } from '@locmetrics/ingest/rows/import-dataset';
import type { ImportOptions } from '@locmetrics/ingest/rows/import-options';
import { scopedFolder, withoutFolders } from '../support/temporary-folder.ts';
import { type DatasetShape, declareDataset } from './declare-dataset.ts';
import { importInstance } from './import-instance.ts';

/** A file for a test: its content, or a function that writes it to a path. */
export type FileContent = string | Uint8Array | ((path: string) => Promise<void>);

/** The rows of an imported dataset in order, all values as text, and the messages of the import. */
export type ImportedRows = Omit<ImportedDataset, 'files'> & {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
};

/** Writes the files into a new folder, imports them and reads the result back. */
export async function importFiles(
  format: FileFormat,
  files: Readonly<Record<string, FileContent>>,
  shape: DatasetShape,
  options: Partial<ImportOptions> = {},
): Promise<ImportedRows> {
  await using folder = scopedFolder();
  const directory = join(folder.path, 'version');
  const temporaryDirectory = join(folder.path, 'temporary');
  await mkdir(directory);
  await mkdir(temporaryDirectory);
  const paths: string[] = [];
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder.path, 'files', name);
    await mkdir(dirname(path), { recursive: true });
    await (typeof content === 'function' ? content(path) : writeFile(path, content));
    paths.push(path);
  }
  const limits = { memoryLimitBytes: 2 ** 29, threads: 2, ...options };
  try {
    const { files: _files, ...imported } = await importDataset({
      declared: declareDataset(shape, format, paths),
      writers: [columnWriter],
      directory,
      temporaryDirectory,
      ...limits,
      reused: importInstance(limits),
    });
    const left = await readdir(temporaryDirectory);
    if (left.length > 0) throw new Error(`The import left ${left.join(', ')}.`);
    return { ...imported, ...(await readRows(join(directory, COLUMN_FILE))) };
  } catch (error) {
    const left = [...(await readdir(directory)), ...(await readdir(temporaryDirectory))];
    if (left.length > 0) throw new Error(`The import left ${left.join(', ')}.`, { cause: error });
    throw error;
  }
}

/** The message of a refused import, without the folder of the test. */
export async function refusalOf(importing: Promise<ImportedRows>): Promise<string> {
  try {
    await importing;
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    return withoutFolders(error.message);
  }
  throw new Error('The import was not refused.');
}

/** The rows of a column file. */
export async function readRows(path: string): Promise<Pick<ImportedRows, 'columns' | 'rows'>> {
  instance ??= DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await (await instance).connect();
  attachedCount += 1;
  const name = `file_${attachedCount}`;
  await connection.run(`ATTACH ${quoteLiteral(path)} AS ${name} (READ_ONLY)`);
  try {
    return await readTable(connection, name);
  } finally {
    await connection.run(`DETACH ${name}`);
    connection.closeSync();
  }
}

/** One for all files, because opening an instance takes longer than reading a small file. */
let instance: Promise<DuckDBInstance> | undefined;
let attachedCount = 0;

async function readTable(
  connection: DuckDBConnection,
  database: string,
): Promise<Pick<ImportedRows, 'columns' | 'rows'>> {
  const reader = await connection.runAndReadAll(
    `SELECT COLUMNS(*)::VARCHAR FROM ${database}.${RECORD_TABLE}
      ORDER BY ${RECORD_TABLE}.${ROW_COLUMN}`,
  );
  return {
    columns: reader.columnNames(),
    rows: reader
      .getRowsJS()
      .map((row) => row.map((value) => (value === null ? null : String(value)))),
  };
}
