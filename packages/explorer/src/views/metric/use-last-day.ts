import { useQuery } from '@tanstack/react-query';
import { aggregatesQuery } from '../../data/metric-aggregates.ts';
import { toDay } from '../../format/periods.ts';
import { useSession } from '../../session/session-context.tsx';
import { type Asked, toStretchesRequest } from './to-aggregates.ts';

/**
 * The last day up to which a measure has values: a measure whose values may be absent can end before the metric does. Undefined
 * while it is read.
 */
export function useLastDay({ parts, view }: Omit<Asked, 'aggregation'>): string | undefined {
  const { metric, measure, span } = parts;
  const isOpen = measure.valueIsNullable && view.at === undefined && span !== 'all';
  const { data, error } = useQuery({
    ...aggregatesQuery(useSession(), toStretchesRequest({ parts, view, aggregation: 'max' })),
    enabled: isOpen,
  });
  const { lastObservationDate: last } = metric;
  if (!isOpen || error !== null) return last;
  if (data === undefined) return undefined;
  // A stretch of which most periods have no value is not whole.
  const ends = data.rows.flatMap(({ period, periodsWithValues, periods }) =>
    period === undefined || periodsWithValues * 2 <= periods ? [] : [toDay(period.end)],
  );
  const latest = ends.toSorted().at(-1);
  return latest === undefined || latest > last ? last : latest;
}
