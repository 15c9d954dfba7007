import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { metricV1 } from '@locmetrics/contract/grpc';
import { dateParts } from '../dates/calendar-date.ts';
import type { PeriodFilter } from '../dates/period.ts';
import type { Grant } from '../domain/grant.ts';
import type { MetricVersion } from '../domain/version.ts';

/** The restriction of the caller on a metric; undefined if all of it is visible. */
export function toLensMessage({
  metric,
  layer,
  relatedLayer,
  grant,
}: MetricVersion): MessageInitShape<typeof metricV1.LensSchema> | undefined {
  if (grant === undefined || isWhole(grant)) return undefined;
  const { lens } = grant;
  const { start, end } = lens.period;
  const seen = <Filter extends { readonly component: string }>(
    filters: readonly Filter[],
    of: typeof layer | undefined,
  ) =>
    filters.filter(({ component }) =>
      of?.layer.addressComponents.some((known) => known.component === component),
    );
  return {
    id: grant.grantId,
    catalogId: metric.catalogId,
    metricId: metric.metricId,
    displayName: 'What your organisation may see of this metric',
    description: describeFilters(grant),
    lensFilters: {
      periodFilters: start === undefined && end === undefined ? [] : [toPeriodMessage(lens.period)],
      dimensionFilters: lens.dimensions
        .filter(({ dimensionId }) =>
          metric.dimensions.some((known) => known.dimensionId === dimensionId),
        )
        .map(({ dimensionId, values }) => ({ dimensionId, values: [...values] })),
      addressComponentFilters: seen(lens.addressComponents, layer).map(toFilterMessage),
      featureFilters: [...lens.features],
      relatedAddressComponentFilters: seen(lens.relatedAddressComponents, relatedLayer).map(
        toFilterMessage,
      ),
      relatedFeatureFilters: [...lens.relatedFeatures],
    },
  };
}

function isWhole({ filters, lens, fields }: Grant): boolean {
  const { period, ...lists } = lens;
  return (
    filters.length === 0 &&
    fields === undefined &&
    period.start === undefined &&
    period.end === undefined &&
    Object.values(lists).every((list) => list.length === 0)
  );
}

/** The message of a lens has no field for filters on records, so its description lists them. */
function describeFilters({ filters }: Grant): string {
  if (filters.length === 0) return '';
  const clauses = filters.map(({ fieldName, operator, value, values }) =>
    [fieldName, operator, values.length === 0 ? value : values.join(', ')].join(' ').trim(),
  );
  return `Only values of records with ${clauses.join(' and ')}.`;
}

function toFilterMessage({
  component,
  values,
}: {
  readonly component: string;
  readonly values: readonly string[];
}) {
  return { component, values: [...values] };
}

/** A Period whose open sides are not set. */
export function toPeriodMessage({ start, end }: PeriodFilter): metricV1.Period {
  return create(metricV1.PeriodSchema, {
    start: start === undefined ? undefined : dateParts(start),
    end: end === undefined ? undefined : dateParts(end),
  });
}
