import type { Metric, ValueSpec } from '@locmetrics/client';
import { TooManyRowsError } from '@locmetrics/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { CallPanel } from '../../calls/call-panel.tsx';
import { metricValuesQuery } from '../../data/metric-queries.ts';
import type { MetricView } from '../../data/metric-view.ts';
import { CSV_TYPE } from '../../format/csv.ts';
import { formatCount } from '../../format/numbers.ts';
import { useSession } from '../../session/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { AppliedDefaults } from './applied-defaults.tsx';
import { BarList } from './bar-list.tsx';
import { chartCsv } from './chart-csv.ts';
import type { ChartData } from './chart-data.ts';
import { ChartLegend } from './chart-legend.tsx';
import { changeWords, MAX_YEARS, toChangeChart, toYearChart } from './compare-years.ts';
import styles from './metric.module.css';
import { SaveValues } from './save-values.tsx';
import { toRequest } from './to-request.ts';
import { type Place, toTimeChart } from './to-time-chart.ts';
import { ValuesTable } from './values-table.tsx';

const LineChart = lazy(async () => ({ default: (await import('./line-chart.tsx')).LineChart }));

/** The values of the chosen places: the chart, the table beside it, and the call that gives them. */
export function MetricValues({
  metric,
  measure,
  view,
  places,
  onChange,
}: {
  readonly metric: Metric;
  readonly measure: ValueSpec;
  readonly view: MetricView;
  readonly places: readonly Place[];
  readonly onChange: (next: Partial<MetricView>) => void;
}) {
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
  const { compare, from, place } = view;
  const read = useMemo(() => {
    if (data === undefined) return undefined;
    const overTime = toTimeChart({ values: data.values, places, metric, measure });
    if (compare === 'change') return toChangeChart(overTime, metric, from);
    if (compare === 'years') return toYearChart(overTime, place ?? '', metric.spec.cadence);
    return overTime;
  }, [data, places, metric, measure, compare, from, place]);
  // While other values are read, the chart before stays whole: its values do not fit the new places.
  const before = useRef<ChartData>(undefined);
  useEffect(() => {
    if (!isPlaceholderData) before.current = read;
  }, [isPlaceholderData, read]);
  const chart = isPlaceholderData ? (before.current ?? read) : read;

  return (
    <>
      {error instanceof TooManyRowsError && <TooManyValues error={error} />}
      {error !== null && !(error instanceof TooManyRowsError) && (
        <Problem error={error} onRetry={() => void refetch()} />
      )}
      {chart === undefined && error === null && <Loading what="the values" />}
      {chart !== undefined && error === null && (
        <section
          className={styles.values}
          aria-label="Values"
          aria-busy={isPlaceholderData}
          data-stale={isPlaceholderData || undefined}
        >
          <ChartPanel
            metric={metric}
            measure={measure}
            view={view}
            chart={chart}
            onChange={onChange}
            save={
              data !== undefined && (
                <SaveValues metric={metric} view={view} places={places} answer={data} />
              )
            }
          />
          <ValuesTable chart={chart} caption={`Values of ${metric.listing || metric.id}`} />
        </section>
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

function ChartPanel({
  metric,
  measure,
  view: { compare },
  chart,
  onChange,
  save: saveValues,
}: {
  readonly metric: Metric;
  readonly measure: ValueSpec;
  readonly view: MetricView;
  readonly chart: ChartData;
  readonly onChange: (next: Partial<MetricView>) => void;
  /** A button that saves the values themselves. */
  readonly save: ReactNode;
}) {
  const title = measure.displayName || measure.name;
  const words = comparisonWords({ compare, chart, metric });
  const unit = chart.unit === '' ? '' : `, ${chart.unit}`;
  const select = (first: number, last: number): void => {
    onChange({ from: chart.points[first]?.key, to: chart.points[last]?.last });
  };
  const save = (): void => {
    const name = [metric.id, measure.name, compare].filter((one) => one !== undefined).join('-');
    saveFile(`${name}.csv`, chartCsv(chart), CSV_TYPE);
  };
  return (
    <figure className={styles.panel}>
      <figcaption className={styles.caption}>
        <div>
          <h2>
            {title}
            <span className={styles.unit}>{unit}</span>
          </h2>
          {words !== undefined && <p className={styles.hint}>{words}</p>}
        </div>
        <div className={styles.saves}>
          <Button size="small" onPress={save}>
            Download CSV
          </Button>
          {saveValues}
        </div>
      </figcaption>
      <ChartBody
        chart={chart}
        label={`Chart of ${title}${unit}`}
        empty={
          compare === 'change'
            ? 'None of these values has one from a year earlier to compare with. Choose a longer period, or another view.'
            : 'These places have no values in this period. Choose a longer period or other places.'
        }
        isCategory={measure.valueKind === 'CATEGORY'}
        onSelect={chart.isByYear ? undefined : select}
      />
    </figure>
  );
}

function ChartBody({
  chart,
  label,
  empty,
  isCategory,
  onSelect,
}: {
  readonly chart: ChartData;
  readonly label: string;
  /** Shown if there are no values: the action to take. */
  readonly empty: string;
  readonly isCategory: boolean;
  readonly onSelect: ((first: number, last: number) => void) | undefined;
}) {
  const [cursor, setCursor] = useState<number>();
  const isEmpty = chart.series.every(({ values }) =>
    values.every((value) => typeof value !== 'number'),
  );
  if (isCategory) return <Notice kind="info" title="Categories have no chart." />;
  if (isEmpty) {
    return (
      <Notice kind="info" title="Nothing to draw.">
        {empty}
      </Notice>
    );
  }
  if (chart.points.length === 1) return <BarList chart={chart} />;
  return (
    <>
      <Suspense fallback={<div className={styles.chartPlace} />}>
        <LineChart
          data={chart}
          label={label}
          cursor={cursor}
          onCursor={setCursor}
          onSelect={onSelect}
        />
      </Suspense>
      <ChartLegend chart={chart} cursor={cursor} />
    </>
  );
}

function comparisonWords({
  compare,
  chart,
  metric,
}: {
  readonly compare: MetricView['compare'];
  readonly chart: ChartData;
  readonly metric: Metric;
}): string | undefined {
  const { series, hiddenSeries } = chart;
  const first = series[0];
  if (compare === 'change') return `${changeWords(metric.spec.cadence)}.`;
  if (compare === 'years' && first !== undefined) {
    const more =
      hiddenSeries === 0
        ? ''
        : ` The newest ${MAX_YEARS} of ${formatCount(MAX_YEARS + hiddenSeries)} years; choose an earlier last day for others.`;
    return `${first.title}, one line for each year; older years are lighter.${more}`;
  }
  if (hiddenSeries === 0) return undefined;
  return `${formatCount(hiddenSeries)} more series are not shown. Choose fewer places, related places or values of a dimension.`;
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
