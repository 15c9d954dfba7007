import { TooManyRowsError } from '@locmetrics/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { CallPanel } from '../../calls/call-panel.tsx';
import { metricValuesQuery } from '../../data/metric-queries.ts';
import { formatCount } from '../../format/numbers.ts';
import { useSession } from '../../session/session-context.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { useLastWhole } from '../../ui/use-last-whole.ts';
import { AppliedDefaults } from './applied-defaults.tsx';
import { type ChartProps, ChartView } from './chart-view.tsx';
import { SaveValues } from './save-values.tsx';
import { toRequest } from './to-request.ts';
import { toTimeChart } from './to-time-chart.ts';

/** The values of the chosen places: the chart, its table, and the call that gives them. */
export function MetricValues(props: ChartProps) {
  const { metric, measure, view, places } = props;
  const session = useSession();
  const ids = places.map(({ id }) => id);
  // The organisation is sent too, because the call is copied from here.
  const request = {
    ...toRequest(metric, ids, view),
    billingContext: session.caller.organisationId,
  };
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...metricValuesQuery(session, request),
    placeholderData: keepPreviousData,
  });
  const read = useMemo(
    () =>
      data === undefined
        ? undefined
        : toTimeChart({ values: data.values, places, metric, measure }),
    [data, places, metric, measure],
  );
  const chart = useLastWhole(read, isPlaceholderData);
  return (
    <>
      {error instanceof TooManyRowsError && <TooManyValues error={error} />}
      {error !== null && !(error instanceof TooManyRowsError) && (
        <Problem error={error} onRetry={() => void refetch()} />
      )}
      {chart === undefined && error === null && <Loading what="the values" isLarge />}
      {chart !== undefined && error === null && (
        <ChartView
          {...props}
          overTime={chart}
          isStale={isPlaceholderData}
          save={
            data !== undefined && (
              <SaveValues metric={metric} view={view} places={places} answer={data} />
            )
          }
        />
      )}
      {data?.applied !== undefined && (
        <AppliedDefaults metric={metric} request={request} applied={data.applied} />
      )}
      <Disclosure title="The call">
        <CallPanel call={{ operation: 'searchMetricValues', request }} />
      </Disclosure>
    </>
  );
}

function TooManyValues({ error }: { readonly error: TooManyRowsError }) {
  const count = error.totalSize === undefined ? 'More' : formatCount(error.totalSize);
  return (
    <Notice
      kind="warning"
      title={`${count} values are too many: a chart has up to ${formatCount(error.maxRows)}.`}
    >
      Choose fewer places or a shorter period.
    </Notice>
  );
}
