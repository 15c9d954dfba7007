import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClickhouseCluster } from '@locmetrics/cluster/clickhouse/clickhouse-cluster';
import type { ClickhouseDriver } from '@locmetrics/cluster/clickhouse/clickhouse-driver';
import { openClickhouseEngine } from '@locmetrics/cluster/clickhouse/engine/open-clickhouse-engine';
import { loadVersion } from '@locmetrics/cluster/clickhouse/publish/load-version';
import { openVersionTables } from '@locmetrics/cluster/clickhouse/publish/open-version-tables';
import { attachReadOnlySql } from '@locmetrics/column-store/attach-database';
import { openWatchedConnection } from '@locmetrics/column-store/publish/watched-connection';
import { recordTable } from '@locmetrics/column-store/record-table';
import type { ReadableVersion } from '@locmetrics/core/domain/predicate';
import { clickhouseDialect } from '@locmetrics/core/sql/clickhouse-dialect';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import { expect } from 'vitest';
import type { EngineUnderTest } from '../conformance/engines/engine-under-test.ts';
import { publishedEngine } from '../conformance/engines/published-engine.ts';
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
