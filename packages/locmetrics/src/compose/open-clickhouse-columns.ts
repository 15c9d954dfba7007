import { openClickhouseEngine } from '@locmetrics/cluster/clickhouse/engine/open-clickhouse-engine';
import { openVersionTables } from '@locmetrics/cluster/clickhouse/publish/open-version-tables';
import type { ReadableVersion } from '@locmetrics/core/domain/predicate';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { Engine } from '@locmetrics/core/storage/engine';
import { findTableProblem } from '@locmetrics/data-directory/versions/version-database';
import type { ClickhouseAddress } from '../config/setting-types.ts';
import type { Config } from '../config/settings.ts';
import { clusterOf, openConfiguredDriver } from './open-clickhouse.ts';

/** The ClickHouse of the settings as the column store of a service. `listServed`: the versions whose tables must be there. */
export function openClickhouseColumns(
  clickhouse: ClickhouseAddress,
  config: Config,
  listServed: () => Iterable<ReadableVersion>,
): Engine & { readonly returnMemory: () => void } {
  const { queriesMax, queueMax } = config;
  const driver = openConfiguredDriver(clickhouse, config, {
    // One more, for the check whether it is ready.
    connectionsMax: queriesMax + 1,
    timeoutMs: config.queryTimeoutMs + ANSWER_MARGIN_MS,
  });
  const place = { driver, database: clickhouse.database, cluster: clusterOf(config) };
  const tables = openVersionTables(place);
  const engine = openClickhouseEngine({
    ...place,
    connectionsMax: queriesMax,
    waitingMax: queueMax,
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
              for (const version of listServed()) {
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
    { hint: 'Load the table with this command.' },
  );
}
