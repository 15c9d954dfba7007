import type { Metric, ValueSpec } from '@locmetrics/client';
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import type { MetricView } from '../../data/metric-view.ts';
import { CSV_TYPE } from '../../format/csv.ts';
import { Button } from '../../ui/button.tsx';
import { ChipList } from '../../ui/chip-list.tsx';
import { Notice } from '../../ui/notice.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { BarList } from './bar-list.tsx';
import { chartCsv } from './chart-csv.ts';
import type { ChartData } from './chart-data.ts';
import { ChartLegend } from './chart-legend.tsx';
import styles from './metric.module.css';
import { PeriodChooser } from './period-chooser.tsx';
import type { RankedRow } from './ranking.ts';
import { SavePicture } from './save-picture.tsx';
import { chartWords, showChart } from './show-chart.ts';
import type { Stretch } from './spans.ts';
import { toBarsChart } from './to-bars-chart.ts';
import type { Place } from './to-time-chart.ts';
import { ValuesTable } from './values-table.tsx';
import { ViewControls } from './view-controls.tsx';

const LineChart = lazy(async () => ({ default: (await import('./line-chart.tsx')).LineChart }));

/** What both charts have: that of places, and that of groups. */
export type ChartProps = {
  readonly metric: Metric;
  readonly measure: ValueSpec;
  readonly view: MetricView;
  /** The places or groups of the chart, in the order of their colours. */
  readonly places: readonly Place[];
  /** Chosen by the page, not by the reader. */
  readonly isSuggested: boolean;
  /** The period of the list. */
  readonly stretch: Stretch | undefined;
  /** The rows of the list, for bars. */
  readonly rows: readonly RankedRow[];
  /** Whether the values of several periods can be added up. */
  readonly isSum: boolean;
  readonly hovered: string | undefined;
  readonly onHover: (id: string | undefined) => void;
  /** A period was chosen in the chart, by its first day. */
  readonly onPeriod: (day: string) => void;
  readonly onRemove: (id: string) => void;
  readonly onChange: (next: Partial<MetricView>) => void;
  /** The map of the list; it is beside the chart, or below it. */
  readonly map: ReactNode;
};

/** So many bars are drawn until the reader has chosen some. */
const SUGGESTED_BARS = 12;

/** The values over time as a chart, in the way that the view asks for, and the table of its values. */
export function ChartView({
  overTime,
  isStale,
  save,
  map,
  ...props
}: ChartProps & {
  readonly overTime: ChartData;
  readonly isStale: boolean;
  /** A button that saves the values themselves. */
  readonly save?: ReactNode;
}) {
  const { metric, measure, view, places, isSuggested, stretch, rows, isSum } = props;
  const { compare, from, place } = view;
  const chart = useMemo(() => {
    if (compare === 'bars') {
      const ids = new Set(places.map(({ id }) => id));
      const barred = isSuggested
        ? rows.slice(0, SUGGESTED_BARS)
        : places.flatMap(({ id }) => rows.find((row) => row.id === id) ?? []);
      return toBarsChart({
        rows: barred,
        isChosen: !isSuggested && ids.size > 0,
        stretch,
        measure,
      });
    }
    return showChart(overTime, { metric, view: { compare, from, place }, stretch, isSum });
  }, [overTime, metric, measure, compare, from, place, stretch, isSum, isSuggested, places, rows]);
  return (
    <section
      className={styles.values}
      aria-label="Values"
      aria-busy={isStale}
      data-stale={isStale || undefined}
    >
      <ChartPanel {...props} chart={chart} save={save} />
      {map}
      <ValuesTable chart={chart} caption={`Values of ${metric.listing || metric.id}`} />
    </section>
  );
}

function ChartPanel({
  metric,
  measure,
  view,
  places,
  isSuggested,
  stretch,
  isSum,
  chart,
  hovered,
  save: saveValues,
  onHover,
  onPeriod,
  onRemove,
  onChange,
}: Omit<ChartProps, 'map'> & { readonly chart: ChartData; readonly save: ReactNode }) {
  const { compare } = view;
  const title = measure.displayName || measure.name;
  const words = chartWords(chart, { metric, view, stretch, isSum });
  const suggestion = 'The first of the list, until you choose some of its rows.';
  const hint = [isSuggested ? suggestion : '', words ?? ''].filter((one) => one !== '').join(' ');
  const unit = chart.unit === '' ? '' : `, ${chart.unit}`;
  const fileName = [metric.id, measure.name, compare].filter((one) => one !== undefined).join('-');
  const select = (first: number, last: number): void => {
    onChange({ from: chart.points[first]?.key, to: chart.points[last]?.last });
  };
  return (
    <figure className={styles.panel}>
      <figcaption className={styles.caption}>
        <h2>
          {title}
          <span className={styles.unit}>{unit}</span>
        </h2>
        <div className={styles.show}>
          <ViewControls metric={metric} view={view} places={places} onChange={onChange} />
        </div>
      </figcaption>
      <div className={styles.chosen}>
        <ChipList
          label="Places of the chart"
          chips={places.map(({ id, name }, index) => ({
            id,
            text: name,
            title: id,
            colour: `var(--series-${index + 1})`,
            removeLabel: `Remove ${name}`,
          }))}
          isSuggested={isSuggested}
          onRemove={({ id }) => onRemove(id)}
        />
        {hint !== '' && <p className={styles.hint}>{hint}</p>}
      </div>
      <ChartBody
        chart={chart}
        label={`Chart of ${title}${unit}`}
        empty={
          compare === 'change'
            ? 'None of these values has one from a year earlier to compare with. Choose a longer period, or another view.'
            : 'These places have no values in this period. Choose a longer period or other places.'
        }
        marked={
          compare === undefined || compare === 'average' || compare === 'index'
            ? stretch
            : undefined
        }
        hovered={hovered}
        onHover={onHover}
        onPeriod={chart.isByYear ? undefined : onPeriod}
        onSelect={chart.isByYear ? undefined : select}
      />
      <div className={styles.below}>
        <PeriodChooser metric={metric} view={view} onChange={onChange} />
        <div className={styles.saves}>
          <SavePicture
            chart={chart}
            metric={metric}
            title={`${title}${unit}`}
            words={words}
            fileName={fileName}
          />
          <Button
            size="small"
            onPress={() => saveFile(`${fileName}.csv`, chartCsv(chart), CSV_TYPE)}
          >
            Download CSV
          </Button>
          {saveValues}
        </div>
      </div>
    </figure>
  );
}

function ChartBody({
  chart,
  label,
  empty,
  marked,
  hovered,
  onHover,
  onPeriod,
  onSelect,
}: {
  readonly chart: ChartData;
  readonly label: string;
  /** Shown if there are no values: the action to take. */
  readonly empty: string;
  readonly marked: Stretch | undefined;
  readonly hovered: string | undefined;
  readonly onHover: (id: string | undefined) => void;
  readonly onPeriod: ((day: string) => void) | undefined;
  readonly onSelect: ((first: number, last: number) => void) | undefined;
}) {
  const [cursor, setCursor] = useState<number>();
  const isEmpty = chart.series.every(({ values }) =>
    values.every((value) => typeof value !== 'number'),
  );
  if (isEmpty) {
    return (
      <Notice kind="info" title="Nothing to draw.">
        {empty}
      </Notice>
    );
  }
  if (chart.points.length === 1)
    return <BarList chart={chart} hovered={hovered} onHover={onHover} />;
  return (
    <>
      <Suspense fallback={<div className={styles.chartPlace} />}>
        <LineChart
          data={chart}
          label={label}
          cursor={cursor}
          marked={marked}
          hovered={hovered}
          onCursor={setCursor}
          onHover={onHover}
          onPeriod={onPeriod}
          onSelect={onSelect}
        />
      </Suspense>
      <ChartLegend chart={chart} cursor={cursor} hovered={hovered} onHover={onHover} />
    </>
  );
}
