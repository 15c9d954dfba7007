import { randomUUID } from 'node:crypto';
import type { ReadableVersion } from '../../src/domain/predicate.ts';
import { quoteIdentifier } from '../../src/sql/quote-identifier.ts';
import type { ClickhouseDriver } from '../../src/storage/clickhouse/clickhouse-driver.ts';
import { openClickhouseEngine } from '../../src/storage/clickhouse/engine/open-clickhouse-engine.ts';
import { loadVersion, removeVersion } from '../../src/storage/clickhouse/publish/load-version.ts';
import { attachReadOnlySql } from '../../src/storage/duckdb/attach-database.ts';
import { columnWriter } from '../../src/storage/duckdb/publish/column-writer.ts';
import { openWatchedConnection } from '../../src/storage/duckdb/publish/watched-connection.ts';
import { recordTable } from '../../src/storage/duckdb/record-table.ts';
import type { EngineUnderTest } from '../conformance/engine-under-test.ts';
import { publishedEngine } from '../conformance/published-engine.ts';

/** The ClickHouse engine over what the importer wrote and a publish loads. */
export const clickhouseEngineWith = (openDriver: () => ClickhouseDriver): EngineUnderTest => ({
  name: 'clickhouse',
  open: async () => {
    const driver = openDriver();
    const database = `test_${randomUUID()}`;
    await driver.command(`CREATE DATABASE ${quoteIdentifier(database)}`);
    let directoryOf: ((version: ReadableVersion) => string) | undefined;
    const files = await publishedEngine({
      name: 'clickhouse',
      writers: [columnWriter],
      openEngine: async (options) => {
        directoryOf = options.directoryOf;
        return openClickhouseEngine({ driver, database, connectionsMax: 2, waitingMax: 100 });
      },
    }).open();
    return {
      engine: files.engine,
      load: async (table) => {
        await files.load(table);
        const connection = await openWatchedConnection({
          temporaryDirectory: '',
          memoryLimitBytes: 2 ** 28,
          threads: 1,
          signal: undefined,
        });
        try {
          const name = 'loaded';
          await connection.run(attachReadOnlySql(directoryOf?.(table.version) ?? '', name));
          const records = { connection, table: recordTable(name) };
          await loadVersion({ driver, database, version: table.version, records });
        } finally {
          connection.close();
        }
      },
      remove: async (version) => {
        await files.remove(version);
        await removeVersion({ driver, database, version });
      },
      close: async () => {
        await driver.command(`DROP DATABASE ${quoteIdentifier(database)} SYNC`);
        await files.close();
      },
    };
  },
});
