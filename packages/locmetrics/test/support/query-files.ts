import { openInstance } from '@locmetrics/column-store/open-instance';
import { scopedFolder } from './temporary-folder.ts';

/** The rows of a statement over files, such as `SELECT * FROM 'places.csv'`, as DuckDB itself reads them. */
export async function queryFiles(
  sql: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  await using folder = scopedFolder();
  const instance = await openInstance({
    temporaryDirectory: folder.path,
    memoryLimitBytes: 2 ** 27,
    threads: 1,
  });
  const connection = await instance.connect();
  try {
    const result = await connection.runAndReadAll(sql);
    return result.getRowObjectsJson();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
