import { openDuckdbEngine } from '@locmetrics/column-store/engine/open-duckdb-engine';
import type { ReadableVersion } from '@locmetrics/core/domain/predicate';
import type { Engine } from '@locmetrics/core/storage/engine';
import type { Config } from '../config/settings.ts';

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
  const { openClickhouseColumns } = await import('./open-clickhouse-columns.ts');
  return openClickhouseColumns(clickhouse, config, options.listServed);
}
