import type { ReadableVersion } from '@locmetrics/core/domain/predicate';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { openPool } from '@locmetrics/core/runtime/pool';
import { withinTime } from '@locmetrics/core/runtime/within-time';
import { clickhouseDialect } from '@locmetrics/core/sql/clickhouse-dialect';
import type { Engine } from '@locmetrics/core/storage/engine';
import { runCompiled } from '@locmetrics/core/storage/sql/run-compiled';
import type { ClickhouseCluster } from '../clickhouse-cluster.ts';
import type { ClickhouseDriver, ClickhouseSettings } from '../clickhouse-driver.ts';
import { CLUSTER_QUERY_SETTINGS, QUERY_SETTINGS } from '../query-settings.ts';
import { quoteText } from '../quote-text.ts';
import { foldColumn, ROW_COLUMN, recordTable, searchColumn } from '../record-table.ts';
import { toServiceError } from './clickhouse-error.ts';

/** Runs plans over the tables of versions in a ClickHouse: see `record-table.ts`. The driver is closed with it. */
export function openClickhouseEngine({
  driver,
  database,
  cluster,
  connectionsMax,
  waitingMax,
  limits = {},
  dialectOf = clickhouseDialect,
}: {
  readonly driver: ClickhouseDriver;
  /** The database of the tables. */
  readonly database: string;
  /** The cluster that has the tables; undefined for a single server. */
  readonly cluster?: ClickhouseCluster | undefined;
  /** The number of concurrent queries, and the length of the queue. */
  readonly connectionsMax: number;
  readonly waitingMax: number;
  readonly limits?: QueryLimits;
  /** The dialect of the server, if it is another than that of current ones. */
  readonly dialectOf?: typeof clickhouseDialect;
}): Engine {
  const pool = openPool({
    create: async () => driver,
    itemsMax: connectionsMax,
    waitingMax,
    full: () => ServiceError.overloaded('Too many queries are waiting for the database.'),
  });
  const dialect = dialectOf({
    recordTable: (version: ReadableVersion) => recordTable(database, version),
    rowColumn: ROW_COLUMN,
    foldColumn,
    searchColumn,
  });
  const settings = {
    ...QUERY_SETTINGS,
    ...(cluster === undefined ? {} : CLUSTER_QUERY_SETTINGS),
    ...limitSettings(limits),
  };

  return {
    run: runCompiled(async (_, signal, compile) => {
      const acquired = await pool.acquire(signal);
      try {
        return await acquired.query(compile(dialect), { settings, signal });
      } catch (error) {
        signal.throwIfAborted();
        throw toServiceError(error);
      } finally {
        pool.release(acquired);
      }
    }),
    status: {
      queries: pool.length,
      // Each ClickHouse has its own metrics of its memory.
      readMemory: async () => undefined,
      probe: () =>
        withinTime(driver.command(probeSql(cluster)), {
          timeoutMs: PROBE_TIMEOUT_MS,
          message: `The database did not answer within ${PROBE_TIMEOUT_MS} ms.`,
        }),
    },
    close: driver.close,
  };
}

const PROBE_TIMEOUT_MS = 5000;

/** On a cluster all shards answer it, because no plan is answered without one of them. */
function probeSql(cluster: ClickhouseCluster | undefined): string {
  return cluster === undefined
    ? 'SELECT 1'
    : `SELECT count() FROM cluster(${quoteText(cluster.name)}, system, one)`;
}

/** The limits of one query in the database, so that it ends even if its caller is lost. Absent: those of the database. */
export type QueryLimits = {
  readonly timeMaxMs?: number;
  readonly memoryMaxBytes?: number;
  readonly rowsReadMax?: number;
  readonly threadsMax?: number;
};

function limitSettings(limits: QueryLimits): ClickhouseSettings {
  const { timeMaxMs, memoryMaxBytes, rowsReadMax, threadsMax } = limits;
  return {
    ...(timeMaxMs === undefined ? {} : { max_execution_time: timeMaxMs / 1000 }),
    ...(memoryMaxBytes === undefined ? {} : { max_memory_usage: memoryMaxBytes }),
    ...(rowsReadMax === undefined ? {} : { max_rows_to_read: rowsReadMax }),
    ...(threadsMax === undefined ? {} : { max_threads: threadsMax }),
  };
}
