import { formatNumber, formatTable } from './format-table.ts';
import type { CostMeasurement, Measurement } from './measurement.ts';

/** The measurements by workload, then by system. */
export type Measurements = Readonly<Record<string, Readonly<Record<string, Measurement>>>>;

/** The results of a run as a table, for people. */
export function formatResults(workloads: Measurements): string {
  const rows = Object.entries(workloads).flatMap(([id, systems]) =>
    Object.entries(systems).map(([name, measured], index) => [
      index === 0 ? id : '',
      name,
      ...formatRate(measured),
      `${formatNumber(measured.spread.min)}–${formatNumber(measured.spread.max)}`,
      'p50Ms' in measured ? formatNumber(measured.p50Ms) : '',
      'p99Ms' in measured ? formatNumber(measured.p99Ms) : '',
      formatMore(measured),
    ]),
  );
  const columns = ['', '', 'median', '', 'min–max', 'p50 ms', 'p99 ms', ''];
  return formatTable(columns, rows, [
    'left',
    'left',
    'right',
    'left',
    'right',
    'right',
    'right',
    'left',
  ]);
}

function formatRate(measured: Measurement): readonly [string, string] {
  return 'rowsPerSecond' in measured
    ? [formatNumber(measured.rowsPerSecond), 'rows/s']
    : [formatNumber(measured.requestsPerSecond), 'requests/s'];
}

function formatMore(measured: Measurement): string {
  if ('cpuMicros' in measured) return formatCost(measured);
  if ('seconds' in measured) return `${formatNumber(measured.seconds)} s`;
  if (!('failures' in measured)) return '';
  const { failures, worstStallMs, longestRequestMs, publishSeconds } = measured;
  return `failures ${failures}, worst stall ${formatNumber(worstStallMs)} ms, longest request ${formatNumber(longestRequestMs)} ms, publish ${formatNumber(publishSeconds)} s`;
}

function formatCost({ cpuMicros, cpuSpread: { min, max }, timesFloor }: CostMeasurement): string {
  const cost = `CPU ${formatNumber(cpuMicros)} µs a request (${formatNumber(min)}–${formatNumber(max)})`;
  return timesFloor === undefined ? cost : `${cost}, ${formatNumber(timesFloor)} × the floor`;
}
