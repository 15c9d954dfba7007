import { Stop } from '@locmetrics/core/runtime/stop';
import type { ClickhouseCluster } from '../clickhouse-cluster.ts';
import type { ClickhouseDriver } from '../clickhouse-driver.ts';
import { QUERY_SETTINGS, READ_SETTINGS } from '../query-settings.ts';
import { createTableSql, recordTable, type TableName } from '../record-table.ts';
import { clusterTables } from './cluster-tables.ts';
import { haveTextIndexes } from './have-text-indexes.ts';
import { readTableName } from './read-table-name.ts';
import { storedColumns } from './stored-columns.ts';
import type { VersionTables } from './version-tables.ts';

/** The tables in a database of one server, or of every server of a cluster. */
export function openVersionTables({
  driver,
  database,
  cluster,
}: {
  readonly driver: ClickhouseDriver;
  readonly database: string;
  readonly cluster?: ClickhouseCluster | undefined;
}): VersionTables {
  return cluster === undefined
    ? serverTables({ driver, database })
    : clusterTables({ driver, database, cluster });
}

/**
 * The tables of versions on one server: a table is filled under another name, and renamed when it is complete. The other
 * name has the digest of the content and not the time of the publish, so that a publish that runs again finds what an
 * earlier one has loaded.
 */
function serverTables({
  driver,
  database,
}: {
  readonly driver: ClickhouseDriver;
  readonly database: string;
}): VersionTables {
  const named = (version: TableName) => recordTable(database, version);
  const loading = ({ dataset, version }: TableName) =>
    named({ dataset, version: `${digestOf(version)}${LOADING}` });
  const drop = (table: string) => driver.command(`DROP TABLE IF EXISTS ${table} SYNC`);
  const list = (text: string, parameters: readonly string[]) =>
    driver.query(
      { text, parameters: parameters.map((value) => ({ type: 'string', value })) },
      { settings: QUERY_SETTINGS, signal: new Stop() },
    );
  const isThere = async (table: string): Promise<boolean> => {
    const [row] = await list(`EXISTS TABLE ${table}`, []);
    return Number(row?.[0]) === 1;
  };
  return {
    findLoading: async (version) => {
      const table = loading(version);
      if (!(await isThere(table))) return undefined;
      const rows = await list(`DESCRIBE TABLE ${table}`, []);
      const names = rows.map(([name]) => name);
      const expected = storedColumns(version.dataset).map(({ name }) => name);
      const isSame =
        names.length === expected.length && expected.every((one) => names.includes(one));
      return isSame ? { table, settings: READ_SETTINGS } : undefined;
    },
    create: async (version, content) => {
      const table = loading(version);
      await drop(table);
      const hasTextIndexes = await haveTextIndexes(driver);
      await driver.command(createTableSql(table, version.dataset, { content, hasTextIndexes }));
      return { table, settings: READ_SETTINGS };
    },
    settle: async () => {},
    complete: (version) => driver.command(`RENAME TABLE ${loading(version)} TO ${named(version)}`),
    remove: (version) => drop(named(version)),
    removeLoading: (version) => drop(loading(version)),
    list: async () => {
      const rows = await list(
        "SELECT name, ifNull(total_rows, 0), ifNull(total_bytes, 0) FROM system.tables WHERE database = {p1:String} AND engine LIKE '%MergeTree' ORDER BY name",
        [database],
      );
      return rows.flatMap(([name, rowCount, bytes]) => {
        const read = readTableName(String(name), LOADING);
        return read === undefined
          ? []
          : [{ ...read, rows: Number(rowCount), bytes: Number(bytes) }];
      });
    },
  };
}

const LOADING = '.loading';

/** The end of the name of a version. */
function digestOf(version: string): string {
  return version.slice(version.indexOf('-') + 1);
}
