import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { locmetricsV1 } from '@locmetrics/contract/grpc';
import { isStoredInteger } from '../domain/value.ts';
import type { AggregateValue, MetricAggregatesRow } from '../requests/metric-aggregates.ts';
import { encodeBoundedPage, writeEach } from './bounded-page.ts';
import { toPeriodMessage } from './lens-protobuf.ts';
import type { MetricAggregatesPage } from './metric-aggregates-json.ts';
import { toAppliedFiltersMessage } from './metric-values-protobuf.ts';
import { capTotalSize } from './page-members.ts';

const {
  AggregateValueSchema,
  MetricAggregatesRowSchema,
  MetricGroup_Kind: Kind,
  SearchMetricAggregatesResponseSchema: RESPONSE,
} = locmetricsV1;

/** The framed bytes of a SearchMetricAggregatesResponse, and how many of the groups are in it. */
export function encodeMetricAggregatesMessage(page: MetricAggregatesPage) {
  const { rows, totalSize, nextPageToken, version } = page;
  const appliedFilters = toAppliedFiltersMessage(page.appliedFilters);
  return encodeBoundedPage({
    rows: writeEach(rows, encodeRow),
    rowField: RESPONSE.field.rows.number,
    encodeRest: (sentRows) =>
      toBinary(
        RESPONSE,
        create(RESPONSE, {
          appliedFilters,
          totalSize: capTotalSize(totalSize),
          nextPageToken: nextPageToken(sentRows),
          version,
        }),
      ),
  });
}

function encodeRow({ groups, period, values, ...counts }: MetricAggregatesRow): Uint8Array {
  return toBinary(
    MetricAggregatesRowSchema,
    create(MetricAggregatesRowSchema, {
      groups: groups.map((group) => ({ ...group, kind: Kind[group.kind] })),
      ...(period === undefined ? {} : { period: toPeriodMessage(period) }),
      values: values.map(toValue),
      ...counts,
    }),
  );
}

/** A sum of counts of more than 64 bits is a number. */
function toValue({
  name,
  value,
  kind: _kind,
  ...compared
}: AggregateValue): MessageInitShape<typeof AggregateValueSchema> {
  const present = Object.entries(compared).filter(([, number]) => number !== undefined);
  const rest = { name, ...Object.fromEntries(present) };
  if (value === null) return rest;
  return typeof value === 'bigint' && isStoredInteger(value)
    ? { ...rest, count: value }
    : { ...rest, number: Number(value) };
}
