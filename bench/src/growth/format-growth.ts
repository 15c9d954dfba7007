import { formatNumber, formatTable } from '../results/format-table.ts';
import type { GrowthMeasurement } from './measure-growth.ts';

/** The sizes as a table, for people. */
export function formatGrowth(sizes: readonly GrowthMeasurement[]): string {
  const first = sizes[0];
  const rows = sizes.map((size) => [
    size.rows.toLocaleString('en-US'),
    `${formatNumber(size.publishSeconds)} s`,
    formatNumber(size.requestsPerSecond),
    formatNumber(size.p50Ms),
    formatNumber(size.p50Ms / (first?.p50Ms ?? Number.NaN)),
    formatNumber(size.p99Ms),
    `${formatNumber(size.cpuMicros)} µs`,
    `${formatNumber(size.residentBytes / 2 ** 20)} MiB`,
  ]);
  return formatTable(
    ['rows', 'publish', 'requests/s', 'p50 ms', '× first', 'p99 ms', 'CPU a request', 'resident'],
    rows,
    rows[0]?.map(() => 'right' as const) ?? [],
  );
}
