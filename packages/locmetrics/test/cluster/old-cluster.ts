import type { ClickhouseDriver } from '@locmetrics/cluster/clickhouse/clickhouse-driver';
import type { clickhouseDialect } from '@locmetrics/core/sql/clickhouse-dialect';
import { oldDialect } from './old-dialect.ts';
import { toCreatedTable } from './old-statement.ts';
import { openOldDriver } from './open-old-driver.ts';

/** The needs of an engine over the cluster of these servers. The dialect knows the tables that its drivers have made. */
export function oldCluster(urls: readonly string[]): {
  readonly openDriver: () => ClickhouseDriver;
  readonly dialectOf: typeof clickhouseDialect;
} {
  const columnsOf = new Map<string, readonly string[]>();
  return {
    openDriver: () => {
      const driver = openOldDriver(urls);
      return {
        ...driver,
        command: async (text) => {
          const created = toCreatedTable(text);
          if (created !== undefined) columnsOf.set(created.table, created.columns);
          await driver.command(text);
        },
      };
    },
    dialectOf: (layout) => oldDialect(layout, columnsOf),
  };
}
