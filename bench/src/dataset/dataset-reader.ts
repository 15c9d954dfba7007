import { join } from 'node:path';
import { DuckDBInstance, type DuckDBValue } from '@duckdb/node-api';
import { DATASET_FILES } from './dataset-files.ts';

export type DatasetReader = AsyncDisposable & {
  /** Rows of a query over the tables, one for each file, as JSON values. */
  readonly rows: (
    query: string,
    parameters?: readonly DuckDBValue[],
  ) => Promise<readonly (readonly unknown[])[]>;
};

/** Queries the files of the dataset for the right answers, independently of every system under test. */
export async function openDatasetReader(folder: string): Promise<DatasetReader> {
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '1GB' });
  const connection = await instance.connect();
  for (const name of DATASET_FILES) {
    const path = join(folder, `${name}.parquet`).replaceAll("'", "''");
    await connection.run(`CREATE VIEW ${name} AS FROM read_parquet('${path}')`);
  }
  return {
    rows: async (query, parameters = []) => {
      const reader = await connection.runAndReadAll(query, [...parameters]);
      return reader.getRowsJson();
    },
    [Symbol.asyncDispose]: async () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
