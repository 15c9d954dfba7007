import { openClickhouseEngine } from '@locmetrics/cluster/clickhouse/engine/open-clickhouse-engine';
import { openVersionTables } from '@locmetrics/cluster/clickhouse/publish/open-version-tables';
import { openDuckdbEngine } from '@locmetrics/column-store/engine/open-duckdb-engine';
import type { ReadableVersion } from '@locmetrics/core/domain/predicate';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { Engine } from '@locmetrics/core/storage/engine';
import { findTableProblem } from '@locmetrics/data-directory/versions/version-database';
import type { Config } from '../config/settings.ts';
import { clusterOf, openConfiguredDriver } from './open-clickhouse.ts';

/** The column store of a service: DuckDB over the column files, or the ClickHouse of the settings. */
export async function openColumns(
  config: Config,
  options: {
    readonly directoryOf: (version: ReadableVersion) => string;
    /** A folder for what does not fit into memory. */
    readonly temporaryDirectory: string;
    /** The versions that are served, whose tables must be there. */
    readonly listServed: () => Iterable<ReadableVersion>;
  },
): Promise<Engine & { readonly returnMemory: () => void }> {
  const { queriesMax, queueMax, clickhouse } = config;
  const queues = { connectionsMax: queriesMax, waitingMax: queueMax };
  if (clickhouse === undefined) {
    return openDuckdbEngine({
      ...options,
      ...queues,
      memoryLimitBytes: Math.floor(config.memoryBytes / config.workers),
      threads: Math.max(1, Math.floor(config.threads / config.workers)),
    });
  }
  const driver = openConfiguredDriver(clickhouse, config, {
    // One more, for the check whether it is ready.
    connectionsMax: queriesMax + 1,
    timeoutMs: config.queryTimeoutMs + ANSWER_MARGIN_MS,
  });
  const place = { driver, database: clickhouse.database, cluster: clusterOf(config) };
  const tables = openVersionTables(place);
  const engine = openClickhouseEngine({
    ...place,
    ...queues,
    limits: {
      timeMaxMs: config.queryTimeoutMs,
      memoryMaxBytes: config.clickhouseMemoryBytes,
      rowsReadMax: config.clickhouseRowsMax,
    },
  });
  const { status } = engine;
  return {
    ...engine,
    ...(status === undefined
      ? {}
      : {
          status: {
            ...status,
            probe: async () => {
              await status.probe();
              const stored = await tables.list();
              for (const version of options.listServed()) {
                const named = { ...version, datasetName: version.dataset.name };
                const problem = findTableProblem(stored, named, CLICKHOUSE);
                if (problem !== undefined) throw missingTable(named, problem);
              }
            },
          },
        }),
    returnMemory: () => {},
  };
}

/** The database stops a query at its limit before the connection is given up. */
const ANSWER_MARGIN_MS = 5_000;

/** The place is not for everybody who may ask whether the service is ready. */
const CLICKHOUSE = { name: 'ClickHouse' };

function missingTable(
  { datasetName, version }: { readonly datasetName: string; readonly version: string },
  problem: string,
): ServiceError {
  return new ServiceError(
    'NOT_READY',
    `The version ${version} of ${datasetName} cannot be answered. ${problem}`,
    { hint: 'Load the table with the command.' },
  );
}
