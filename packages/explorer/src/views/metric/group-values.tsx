import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { CallPanel } from '../../calls/call-panel.tsx';
import { allAggregatesQuery } from '../../data/metric-aggregates.ts';
import { useSession } from '../../session/session-context.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Problem } from '../../ui/problem.tsx';
import { useLastWhole } from '../../ui/use-last-whole.ts';
import { type ChartProps, ChartView } from './chart-view.tsx';
import { yearBefore } from './fill-periods.ts';
import { type Asked, toSeriesRequest } from './to-aggregates.ts';
import { toGroupChart } from './to-group-chart.ts';

const GROUP_VALUES_MAX = 20_000;

/** The values of the chosen groups over time: the chart, its table, and the call that gives them. */
export function GroupValues({ asked, ...props }: ChartProps & { readonly asked: Asked }) {
  const { metric, measure, view, places } = props;
  const session = useSession();
  const { from, compare } = view;
  // A change needs the values of the year before the period, too.
  const start = from !== undefined && compare === 'change' ? yearBefore(from, metric.spec) : from;
  const request = toSeriesRequest(
    { ...asked, view: { ...view, from: start } },
    places.map(({ id }) => id),
  );
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...allAggregatesQuery(session, request, { maxRows: GROUP_VALUES_MAX }),
    placeholderData: keepPreviousData,
  });
  const read = useMemo(
    () =>
      data === undefined
        ? undefined
        : toGroupChart({ rows: data, groups: places, metric, measure }),
    [data, places, metric, measure],
  );
  const chart = useLastWhole(read, isPlaceholderData);
  return (
    <>
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {chart === undefined && error === null && <Loading what="the values" isLarge />}
      {chart !== undefined && error === null && (
        <ChartView {...props} overTime={chart} isStale={isPlaceholderData} />
      )}
      <Disclosure title="The call">
        <CallPanel call={{ operation: 'searchMetricAggregates', request }} />
      </Disclosure>
    </>
  );
}
