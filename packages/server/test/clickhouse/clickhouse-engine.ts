import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ReadableVersion } from '../../src/domain/predicate.ts';
import { clickhouseDialect } from '../../src/sql/clickhouse-dialect.ts';
import { quoteIdentifier } from '../../src/sql/quote-identifier.ts';
import type { ClickhouseCluster } from '../../src/storage/clickhouse/clickhouse-cluster.ts';
import type { ClickhouseDriver } from '../../src/storage/clickhouse/clickhouse-driver.ts';
import { openClickhouseEngine } from '../../src/storage/clickhouse/engine/open-clickhouse-engine.ts';
import { loadVersion } from '../../src/storage/clickhouse/publish/load-version.ts';
import { openVersionTables } from '../../src/storage/clickhouse/publish/open-version-tables.ts';
import { attachReadOnlySql } from '../../src/storage/duckdb/attach-database.ts';
import { openWatchedConnection } from '../../src/storage/duckdb/publish/watched-connection.ts';
import { recordTable } from '../../src/storage/duckdb/record-table.ts';
import type { EngineUnderTest } from '../conformance/engine-under-test.ts';
import { publishedEngine } from '../conformance/published-engine.ts';
import { templatesFolder } from '../support/run-folder.ts';

/** The ClickHouse engine over what the importer wrote and a publish loads, on one server or on a cluster. */
export const clickhouseEngineWith = ({
  openDriver,
  cluster,
  dialectOf = clickhouseDialect,
}: {
  readonly openDriver: () => ClickhouseDriver;
  readonly cluster?: ClickhouseCluster;
  readonly dialectOf?: typeof clickhouseDialect;
}): EngineUnderTest => ({
  name: cluster === undefined ? 'clickhouse' : 'clickhouse cluster',
  open: async () => {
    const driver = openDriver();
    const database = `test_${randomUUID()}`;
    const place =
      cluster === undefined
        ? quoteIdentifier(database)
        : `${quoteIdentifier(database)} ON CLUSTER ${quoteIdentifier(cluster.name)}`;
    await driver.command(`CREATE DATABASE ${place}`);
    const tables = openVersionTables({ driver, database, cluster });
    const temporaryDirectory = await mkdtemp(join(templatesFolder(), 'pieces-'));
    let directoryOf: ((version: ReadableVersion) => string) | undefined;
    const files = await publishedEngine({
      name: 'clickhouse',
      openEngine: async (options) => {
        directoryOf = options.directoryOf;
        return openClickhouseEngine({
          driver,
          database,
          cluster,
          dialectOf,
          connectionsMax: 2,
          waitingMax: 100,
        });
      },
    }).open();
    return {
      engine: files.engine,
      load: async (table) => {
        const directory = directoryOf?.(table.version) ?? '';
        // Another attempt to load a version has its column file.
        if (!existsSync(directory)) await files.load(table);
        const connection = await openWatchedConnection({
          temporaryDirectory: '',
          memoryLimitBytes: 2 ** 28,
          threads: 1,
          signal: undefined,
        });
        try {
          const name = 'loaded';
          await connection.run(attachReadOnlySql(directory, name));
          const records = { connection, table: recordTable(name) };
          const { version } = table;
          const options = { driver, tables, version, records, temporaryDirectory };
          expect(await loadVersion(options)).toBeUndefined();
          await tables.complete(version);
        } finally {
          await connection.close();
        }
      },
      remove: async (version) => {
        await files.remove(version);
        await tables.remove(version);
      },
      close: async () => {
        await driver.command(`DROP DATABASE ${place} SYNC`);
        await rm(temporaryDirectory, { recursive: true });
        await files.close();
      },
    };
  },
});
