import { randomUUID } from 'node:crypto';
import type { ClickhouseDriver } from '@locmetrics/cluster/clickhouse/clickhouse-driver';
import { openHttpDriver } from '@locmetrics/cluster/clickhouse/http/open-http-driver';
import { openVersionTables } from '@locmetrics/cluster/clickhouse/publish/open-version-tables';
import type { VersionTables } from '@locmetrics/cluster/clickhouse/publish/version-tables';

export type CreatedDatabase = {
  readonly name: string;
  readonly driver: ClickhouseDriver;
  readonly tables: VersionTables;
};

/** Creates a database with a new name on a server. The driver is closed by the caller. */
export async function createDatabase(url: string): Promise<CreatedDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const driver = openHttpDriver({
    url,
    username: 'default',
    password: '',
    connectionsMax: 2,
    timeoutMs: 60_000,
  });
  await driver.command(`CREATE DATABASE ${name}`);
  return { name, driver, tables: openVersionTables({ driver, database: name }) };
}

/** The value of `--clickhouse` for a database. */
export function addressOf(url: string, { name }: Pick<CreatedDatabase, 'name'>): string {
  return `${url.replace('://', '://default@')}/${name}`;
}
