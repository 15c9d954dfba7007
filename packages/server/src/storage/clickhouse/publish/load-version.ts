import type { ReadableVersion } from '../../../domain/predicate.ts';
import { Stop } from '../../../domain/stop.ts';
import type { ClickhouseDriver } from '../clickhouse-driver.ts';
import { READ_SETTINGS } from '../query-settings.ts';
import { createTableSql, recordTable } from '../record-table.ts';
import { fieldsOfFewTexts } from './fields-of-few-texts.ts';
import { type ColumnFileRecords, readLines, storedColumns } from './read-lines.ts';

/**
 * Copies the records of a version from its column file to ClickHouse. Its table gets its name when it is complete, so no
 * query ever sees a part of a version. A table that an earlier attempt left is replaced; one that is complete is kept.
 */
export async function loadVersion({
  driver,
  database,
  version,
  records,
}: {
  readonly driver: ClickhouseDriver;
  readonly database: string;
  readonly version: Pick<ReadableVersion, 'dataset' | 'version'>;
  readonly records: ColumnFileRecords;
}): Promise<void> {
  const { dataset } = version;
  const table = recordTable(database, version);
  const loading = recordTable(database, { ...version, version: `${version.version}.loading` });
  if (await isComplete(driver, table)) return;
  const few = await fieldsOfFewTexts(records, dataset);
  await driver.command(`DROP TABLE IF EXISTS ${loading} SYNC`);
  await driver.command(createTableSql(loading, dataset, (field) => few.has(field.name)));
  const columns = storedColumns(dataset);
  const target = { table: loading, columns: columns.map(({ name }) => name) };
  for await (const lines of readLines(records, columns)) {
    await driver.insert(target, lines, { settings: READ_SETTINGS });
  }
  await driver.command(`RENAME TABLE ${loading} TO ${table}`);
}

async function isComplete(driver: ClickhouseDriver, table: string): Promise<boolean> {
  const statement = { text: `EXISTS TABLE ${table}`, parameters: [] };
  const [row] = await driver.query(statement, { settings: READ_SETTINGS, signal: new Stop() });
  return Number(row?.[0]) === 1;
}

/** Removes the table of a version, also one that is not complete. */
export async function removeVersion({
  driver,
  database,
  version,
}: {
  readonly driver: ClickhouseDriver;
  readonly database: string;
  readonly version: Pick<ReadableVersion, 'dataset' | 'version'>;
}): Promise<void> {
  const loading = { ...version, version: `${version.version}.loading` };
  for (const one of [version, loading]) {
    await driver.command(`DROP TABLE IF EXISTS ${recordTable(database, one)} SYNC`);
  }
}
