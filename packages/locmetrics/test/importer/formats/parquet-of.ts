import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { scopedFolder } from '../../support/temporary-folder.ts';

/** A Parquet file of the rows of a query. */
export async function parquetOf(query: string): Promise<Uint8Array> {
  await using folder = scopedFolder();
  const path = join(folder.path, 'a.parquet');
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  await connection.run(`COPY (${query}) TO '${path}' (FORMAT parquet)`);
  connection.closeSync();
  instance.closeSync();
  return await readFile(path);
}
