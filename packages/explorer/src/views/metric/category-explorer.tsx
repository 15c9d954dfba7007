import { type Metric, TooManyRowsError, type ValueSpec } from '@locmetrics/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import { CallPanel } from '../../calls/call-panel.tsx';
import {
  CATEGORY_VALUES_MAX,
  categoryCostQuery,
  categoryValuesQuery,
  type ReadCategories,
} from '../../data/category-queries.ts';
import { MAX_PLACES, type MetricView } from '../../data/metric-view.ts';
import { CSV_TYPE } from '../../format/csv.ts';
import { formatCount } from '../../format/numbers.ts';
import { periodsOf, toDay } from '../../format/periods.ts';
import { useSession } from '../../session/session-context.tsx';
import { useLook } from '../../session/use-look.tsx';
import { Button } from '../../ui/button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { useLastWhole } from '../../ui/use-last-whole.ts';
import { areaOfPlaces } from './area-of-places.ts';
import { CategoryList } from './category-list.tsx';
import {
  type CategoryRow,
  categoryOf,
  colouredCategories,
  toCategoryRows,
  toCountsChart,
} from './category-values.ts';
import { chartCsv } from './chart-csv.ts';
import type { ChartData } from './chart-data.ts';
import { FilterControls } from './filter-controls.tsx';
import { groupWord } from './list-controls.tsx';
import styles from './metric.module.css';
import { PeriodChooser } from './period-chooser.tsx';
import { PeriodPicker } from './period-picker.tsx';
import { RelatedPlaces } from './related-places.tsx';
import { SaveValues } from './save-values.tsx';
import { findStretch, stretchesOf } from './spans.ts';
import { StackedBars } from './stacked-bars.tsx';
import { toRequest } from './to-request.ts';
import { ValuesTable } from './values-table.tsx';
import { MeasureSelect } from './view-controls.tsx';

/** The map is large, and comes after the list. */
const CategoryMap = lazy(async () => ({
  default: (await import('./category-map.tsx')).CategoryMap,
}));

const NONE: readonly never[] = [];

/** A measure whose values are categories: each place with its category in a period, and how many have each over time. */
export function CategoryExplorer({
  metric,
  measure,
  view,
  onChange,
}: {
  readonly metric: Metric;
  readonly measure: ValueSpec;
  readonly view: MetricView;
  readonly onChange: (next: Partial<MetricView>) => void;
}) {
  const session = useSession();
  const [hovered, setHovered] = useState<string>();
  const span = metric.spec.cadence === 'UNSPECIFIED' ? 'year' : 'period';
  const stretches = useMemo(() => stretchesOf(metric, span), [metric, span]);
  const index = findStretch(stretches, view.at, metric.lastObservationDate);
  const stretch = stretches[index];
  const requestOf = (from: string | undefined, to: string | undefined) => {
    const { featureFilter: _all, ...request } = toRequest(metric, [], {
      ...view,
      ...{ compare: undefined, from, to },
    });
    return request;
  };
  const ofPeriod = requestOf(stretch?.start, stretch?.end);
  const askedOfPeriod = { request: ofPeriod, component: areaOfPlaces(metric)?.component };
  const isWhole = view.from === undefined && view.to === undefined;
  const askedOfAll = {
    request: requestOf(view.from, view.to),
    // A period that the reader chose is not cut.
    ...(isWhole && {
      shorter: {
        periods: stretches.length,
        lastOf: (periods: number) => requestOf(stretches.at(-periods)?.start, undefined),
      },
    }),
  };
  const look = useLook({
    what: 'the categories',
    most: Math.min(metric.rowCount, CATEGORY_VALUES_MAX) * 2,
    cost: categoryCostQuery(session, [askedOfPeriod, askedOfAll]),
  });
  const period = useQuery({
    ...categoryValuesQuery(session, askedOfPeriod),
    enabled: look.isOn,
    placeholderData: keepPreviousData,
  });
  const overTime = useQuery({
    ...categoryValuesQuery(session, askedOfAll),
    enabled: look.isOn,
    placeholderData: keepPreviousData,
  });
  const values = period.data?.values ?? NONE;
  const all = overTime.data?.values ?? values;
  const rows = useMemo(() => toCategoryRows(values, measure), [values, measure]);
  const coloured = useMemo(() => colouredCategories(all, measure), [all, measure]);
  const chart = useMemo(
    () => toCountsChart({ values: overTime.data?.values ?? NONE, coloured, metric, measure }),
    [overTime.data, coloured, metric, measure],
  );
  const ids = view.features ?? NONE;
  const chosen = useMemo(() => new Set<string>(ids), [ids]);
  const choose = (id: string): void => {
    const next = chosen.has(id) ? ids.filter((one) => one !== id) : [...ids, id];
    if (next.length > MAX_PLACES) return;
    onChange({ features: next.length === 0 ? undefined : next });
  };
  const name = measure.displayName || measure.name;
  const sentence = stretch === undefined ? name : `${name} in ${stretch.label}`;
  const mapped = useLastWhole({ title: sentence, rows, coloured }, period.isPlaceholderData);
  const picked = rows.filter(({ id }) => chosen.has(id));
  return (
    <>
      <section className={styles.controls} aria-label="What is shown">
        <div className={styles.row}>
          <MeasureSelect metric={metric} measure={measure} onChange={onChange} />
          <FilterControls metric={metric} view={view} onChange={onChange} />
        </div>
        {metric.relatedLayerId !== '' && (
          <RelatedPlaces metric={metric} view={view} onChange={onChange} />
        )}
        <PeriodPicker
          label="Period"
          metric={metric}
          span={span}
          stretches={stretches}
          index={index}
          onChange={(next) => onChange({ at: stretches[next]?.start })}
        />
      </section>
      <h2 className={styles.sentence} aria-live="polite">
        {sentence}
      </h2>
      {period.error !== null && <Failure error={period.error} onRetry={period.refetch} />}
      {look.question}
      {look.question === undefined && period.data === undefined && period.error === null && (
        <Loading what="the categories" isLarge />
      )}
      {period.data !== undefined && look.question === undefined && (
        <div className={styles.columns}>
          <CategoryList
            caption={`${sentence}: all rows`}
            placeWord={groupWord(metric, undefined)}
            categoryWord={name}
            rows={rows}
            coloured={coloured}
            chosen={chosen}
            isStale={period.isPlaceholderData}
            onHover={setHovered}
            onChoose={choose}
          />
          <div className={styles.side}>
            <section className={styles.values} aria-label="Values">
              <CountsPanel
                metric={metric}
                view={view}
                name={name}
                chart={chart}
                isRead={overTime.data !== undefined}
                cut={overTime.data?.cut}
                since={stretches.at(-(overTime.data?.cut?.periods ?? 0))?.label}
                error={overTime.error}
                marked={stretch?.start}
                save={
                  <SaveValues metric={metric} view={view} places={picked} answer={period.data} />
                }
                onRetry={overTime.refetch}
                onChange={onChange}
              />
              <Suspense
                fallback={
                  <div className={styles.mapPlace}>
                    <Loading what="the map" />
                  </div>
                }
              >
                <CategoryMap
                  metric={metric}
                  {...mapped}
                  hidden={view.hidden}
                  hovered={hovered}
                  chosen={chosen}
                  onHover={setHovered}
                  onChoose={choose}
                  onHidden={(hidden) => onChange({ hidden })}
                />
              </Suspense>
              {picked.length > 0 && overTime.data !== undefined ? (
                <PlacesTable
                  places={picked}
                  chart={chart}
                  categoryAt={(id, day) => {
                    const value = all.find(
                      ({ mapFeatureV2, observationPeriod }) =>
                        mapFeatureV2.featureId === id && toDay(observationPeriod.start) === day,
                    );
                    return value === undefined ? null : categoryOf(value, measure);
                  }}
                />
              ) : (
                overTime.data !== undefined && (
                  <ValuesTable chart={chart} caption={`Places by ${name}`} />
                )
              )}
            </section>
          </div>
        </div>
      )}
      <Disclosure title="The call of the list">
        <CallPanel
          call={{
            operation: 'searchMetricValues',
            request: { ...ofPeriod, billingContext: session.caller.organisationId },
          }}
          label="The call of the list"
        />
      </Disclosure>
    </>
  );
}

/** How many places have each category, over time. */
function CountsPanel({
  metric,
  view,
  name,
  chart,
  isRead,
  cut,
  since,
  error,
  marked,
  save,
  onRetry,
  onChange,
}: {
  readonly metric: Metric;
  readonly view: MetricView;
  readonly name: string;
  /** Without bars until it is read. */
  readonly chart: ChartData;
  readonly isRead: boolean;
  readonly cut: ReadCategories['cut'];
  /** The first period that is counted. */
  readonly since: string | undefined;
  readonly error: Error | null;
  readonly marked: string | undefined;
  /** A button that saves the values themselves. */
  readonly save: ReactNode;
  readonly onRetry: () => unknown;
  readonly onChange: (next: Partial<MetricView>) => void;
}) {
  return (
    <figure className={styles.panel}>
      <figcaption className={styles.caption}>
        <h2>Places by {name}</h2>
      </figcaption>
      {error !== null && <Failure error={error} onRetry={onRetry} />}
      <p role="status" className="visually-hidden">
        {!isRead && error === null && 'Reading the values of all periods…'}
      </p>
      {error === null && (
        <StackedBars
          chart={chart}
          label={`Numbers of places by ${name} over ${periodsOf(metric.spec.cadence)}`}
          marked={marked}
          onPeriod={(day) => onChange({ at: day })}
        />
      )}
      {cut !== undefined && (
        <p className={styles.hint}>
          Counted from {since} on: all {formatCount(cut.totalSize)} values are more than the{' '}
          {formatCount(CATEGORY_VALUES_MAX)} that can be counted here. To see earlier ones, choose
          other days, or only some places with a filter.
        </p>
      )}
      <div className={styles.below}>
        <PeriodChooser metric={metric} view={view} onChange={onChange} />
        <div className={styles.saves}>
          <Button
            size="small"
            isDisabled={!isRead}
            onPress={() => saveFile(`${metric.id}-counts.csv`, chartCsv(chart), CSV_TYPE)}
          >
            Download CSV
          </Button>
          {save}
        </div>
      </div>
    </figure>
  );
}

/** The categories of the chosen places over time, the newest first. */
function PlacesTable({
  places,
  chart: { points, pointWord },
  categoryAt,
}: {
  readonly places: readonly CategoryRow[];
  readonly chart: ChartData;
  readonly categoryAt: (id: string, day: string) => string | null;
}) {
  const columns: readonly Column<ChartData['points'][number]>[] = [
    { id: 'point', header: pointWord, cell: ({ label }) => label },
    ...places.map(({ id, name }) => ({
      id,
      header: <span title={id}>{name}</span>,
      cell: ({ key }: ChartData['points'][number]) => categoryAt(id, key) ?? 'no value',
    })),
  ];
  return (
    <DataTable
      caption="Categories of the chosen places"
      columns={columns}
      rows={points.toReversed()}
      rowKey={({ key }) => key}
      empty="There are no values."
      isTall
    />
  );
}

function Failure({ error, onRetry }: { readonly error: Error; readonly onRetry: () => unknown }) {
  if (!(error instanceof TooManyRowsError))
    return <Problem error={error} onRetry={() => void onRetry()} />;
  const count = error.totalSize === undefined ? 'More' : formatCount(error.totalSize);
  return (
    <Notice
      kind="warning"
      title={`${count} values are too many: up to ${formatCount(error.maxRows)} are counted here.`}
    >
      Choose a shorter period, or only some places with a filter.
    </Notice>
  );
}
