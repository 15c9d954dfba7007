import type { StoredTable } from './version-tables.ts';

/** The version of a table, by its name; undefined for a table of another name, which is not one of a version. */
export function readTableName(
  name: string,
  loadingSuffix: string,
): Pick<StoredTable, 'datasetName' | 'version' | 'isLoading'> | undefined {
  const [, datasetName, full] = /^([^/]+)\/([^/]+)$/.exec(name) ?? [];
  if (datasetName === undefined || full === undefined) return undefined;
  const isLoading = full.endsWith(loadingSuffix);
  return {
    datasetName,
    version: isLoading ? full.slice(0, -loadingSuffix.length) : full,
    isLoading,
  };
}
