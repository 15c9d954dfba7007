import { mkdirSync } from 'node:fs';
import type { ClickhouseDriver } from '@locmetrics/cluster/clickhouse/clickhouse-driver';
import { loadVersion } from '@locmetrics/cluster/clickhouse/publish/load-version';
import { openVersionTables } from '@locmetrics/cluster/clickhouse/publish/open-version-tables';
import type { ColumnFileRecords } from '@locmetrics/cluster/clickhouse/publish/stored-columns';
import { QUERY_SETTINGS } from '@locmetrics/cluster/clickhouse/query-settings';
import { recordTable as clickhouseTable } from '@locmetrics/cluster/clickhouse/record-table';
import { attachReadOnlySql } from '@locmetrics/column-store/attach-database';
import { openWatchedConnection } from '@locmetrics/column-store/publish/watched-connection';
import { COLUMN_FILE, recordTable } from '@locmetrics/column-store/record-table';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import { dataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { readCurrentVersions } from '@locmetrics/data-directory/versions/read-current-versions';
import { readVersionFile } from '@locmetrics/data-directory/versions/version-file';
import { ROW_FILE } from '@locmetrics/row-store/row-file';
import { CHDB_FOLDER, openChdbDriver } from '../test/clickhouse/open-chdb.ts';
import { templatesFolder } from '../test/support/run-folder.ts';

/**
 * Measures the bytes on disk of the current versions of a data directory, for each dataset and row:
 * `node packages/locmetrics/scripts/measure-disk.ts DATA`. With a folder that has chDB in LOCMETRICS_TEST_CHDB it also loads
 * each version into a ClickHouse in this process, merges its parts, and measures its table.
 */
const DATABASE = 'measured';
const directory = dataDirectory(process.argv[2] ?? '.locmetrics');

for (const version of readCurrentVersions(directory)) {
  const folder = directory.version(version.dataset.name, version.version);
  const file = readVersionFile(folder);
  const connection = await openWatchedConnection({
    temporaryDirectory: '',
    memoryLimitBytes: 2 ** 28,
    threads: 1,
    signal: undefined,
  });
  try {
    await connection.run(attachReadOnlySql(folder, 'measured'));
    const records = { connection, table: recordTable('measured') };
    const [counted] = await connection.list(
      `SELECT CAST(count(*) AS DOUBLE) AS rows FROM ${records.table}`,
    );
    const rows = Number(counted?.['rows']);
    print(version.dataset.name, rows, 'column file', file?.files[COLUMN_FILE]?.bytes);
    print(version.dataset.name, rows, 'row file', file?.derived?.[ROW_FILE]?.bytes);
    if (CHDB_FOLDER !== undefined) {
      print(version.dataset.name, rows, 'ClickHouse', await measureTable(version, records));
    }
  } finally {
    await connection.close();
  }
}

function print(dataset: string, rows: number, part: string, bytes = 0): void {
  const perRow = (bytes / rows).toFixed(1);
  process.stdout.write(
    `${dataset}: ${rows} rows, ${part} ${bytes} bytes, ${perRow} for each row\n`,
  );
}

/** The bytes of the table of a version once its parts are merged. */
async function measureTable(
  version: Parameters<typeof loadVersion>[0]['version'],
  records: ColumnFileRecords,
): Promise<number> {
  const driver = openDriver();
  await driver.command(`CREATE DATABASE IF NOT EXISTS ${quoteIdentifier(DATABASE)}`);
  const tables = openVersionTables({ driver, database: DATABASE });
  const temporaryDirectory = templatesFolder();
  const problem = await loadVersion({ driver, tables, version, records, temporaryDirectory });
  if (problem !== undefined) throw new Error(`The table of ${version.dataset.name} ${problem}.`);
  await tables.complete(version);
  await driver.command(`OPTIMIZE TABLE ${clickhouseTable(DATABASE, version)} FINAL`);
  const table = `${version.dataset.name}/${version.version}`;
  const { signal } = new AbortController();
  const [row] = await driver.query(
    {
      text: 'SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = {p1:String} AND table = {p2:String}',
      parameters: [
        { type: 'string', value: DATABASE },
        { type: 'string', value: table },
      ],
    },
    { settings: QUERY_SETTINGS, signal },
  );
  return Number(row?.[0]);
}

function openDriver(): ClickhouseDriver {
  mkdirSync(templatesFolder(), { recursive: true });
  return openChdbDriver();
}
