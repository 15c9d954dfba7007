import { dateParts } from '../dates/calendar-date.ts';
import type { Period } from '../dates/period.ts';
import type { AppliedFilters } from '../domain/metric-value.ts';
import type { AggregateValue, MetricAggregatesRow } from '../requests/metric-aggregates.ts';
import { openTicks } from '../runtime/ticks.ts';
import { toAppliedFilters } from './metric-values-json.ts';
import { capTotalSize, type PageMembers } from './page-members.ts';

export type MetricAggregatesPage = PageMembers & {
  readonly rows: readonly MetricAggregatesRow[];
  readonly appliedFilters: AppliedFilters;
};

/** The JSON of a page of groups of metric values. Counts keep all their digits. */
export async function encodeMetricAggregatesPage(page: MetricAggregatesPage): Promise<Buffer> {
  const { rows, totalSize, nextPageToken, version } = page;
  const written: string[] = [];
  const ticks = openTicks();
  const encodePeriod = openPeriods();
  for (const row of rows) {
    if (ticks.isOver()) await ticks.next();
    written.push(encodeRow(row, encodePeriod));
  }
  const rest = JSON.stringify({
    appliedFilters: toAppliedFilters(page.appliedFilters),
    totalSize: capTotalSize(totalSize),
    nextPageToken: nextPageToken(rows.length),
    version,
  });
  return Buffer.from(`{"rowsList":[${written.join(',')}],${rest.slice(1)}`);
}

type EncodePeriod = (period: Period) => string;

/** Many rows of a page have the same period. */
function openPeriods(): EncodePeriod {
  const encoded = new Map<string, string>();
  return ({ start, end }) => {
    const key = `${start}${end}`;
    const text =
      encoded.get(key) ?? JSON.stringify({ start: dateParts(start), end: dateParts(end) });
    encoded.set(key, text);
    return text;
  };
}

function encodeRow(
  { groups, period, values, periodsWithValues, periods }: MetricAggregatesRow,
  encodePeriod: EncodePeriod,
): string {
  const ofPeriod = period === undefined ? '' : `"period":${encodePeriod(period)},`;
  return `{"groupsList":${JSON.stringify(groups)},${ofPeriod}"valuesList":[${values.map(encodeValue).join(',')}],"periodsWithValues":${periodsWithValues},"periods":${periods}}`;
}

/** `JSON.stringify` refuses big integers. */
function encodeValue({ name, kind, value, ...compared }: AggregateValue): string {
  const rest = JSON.stringify(compared).slice(1);
  return `{"name":${JSON.stringify(name)},"${kind}":${String(value)}${rest === '}' ? '' : ','}${rest}`;
}
