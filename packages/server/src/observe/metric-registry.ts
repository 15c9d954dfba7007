import { DURATION_BUCKETS, METRIC_TABLE, type MetricName, type MetricRow } from './metric-table.ts';
import { type Labels, openSeriesByLabels, type SeriesByLabels } from './series-by-labels.ts';

/** The metrics of the table, grouped by type; the compiler checks the labels. */
export type MetricRegistry = {
  readonly count: <Name extends NameOf<'counter'>>(
    name: Name,
    labels: LabelsOf<Name>,
    by?: number,
  ) => void;
  readonly time: <Name extends NameOf<'histogram'>>(
    name: Name,
    labels: LabelsOf<Name>,
    durationMs: number,
  ) => void;
  /** The counters and histograms, with the gauges that `giveGauges` sets for this snapshot. */
  readonly snapshot: (giveGauges: (set: SetGauge) => void) => MetricSnapshot;
};

export type SetGauge = <Name extends NameOf<'gauge'>>(
  name: Name,
  labels: LabelsOf<Name>,
  value: number,
) => void;

/** The values of metrics at one time, as plain data that can be sent to another process. */
export type MetricSnapshot = readonly MetricValues[];

export type MetricValues = {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly aggregator: string;
  readonly values: readonly MetricValue[];
};

type MetricValue = {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly metricName?: string;
};

/** The values are plain data, which `prom-client` adds up over the processes: see `metric-totals.ts`. */
export function openMetricRegistry(): MetricRegistry {
  const counters = new Map<MetricName, SeriesByLabels<Counted>>();
  const histograms = new Map<MetricName, SeriesByLabels<Timed>>();
  for (const name of METRIC_NAMES) {
    const { type, labels }: MetricRow = METRIC_TABLE[name];
    if (type === 'counter') counters.set(name, openCounter(labels));
    if (type === 'histogram') histograms.set(name, openSeriesByLabels(labels, startTimed));
  }
  return {
    count: (name, labels, by = 1) => {
      const counted = counters.get(name)?.find(labels);
      if (counted !== undefined) counted.value += by;
    },
    time: (name, labels, durationMs) => {
      const timed = histograms.get(name)?.find(labels);
      if (timed !== undefined) addDuration(timed, durationMs / 1000);
    },
    snapshot: (giveGauges) => {
      const given = new Map<MetricName, MetricValue[]>();
      giveGauges((name, labels, value) => {
        const values = given.get(name) ?? [];
        given.set(name, [...values, { value, labels }]);
      });
      // A gauge without a value is left out, because it would be exported as 0.
      return METRIC_NAMES.filter(
        (name) => METRIC_TABLE[name].type !== 'gauge' || given.has(name),
      ).map((name) => {
        const { type, merge, help }: MetricRow = METRIC_TABLE[name];
        const values =
          given.get(name) ??
          counters.get(name)?.all.map(({ value, labels }) => ({ value, labels })) ??
          histograms.get(name)?.all.flatMap((timed) => valuesOfTimed(name, timed)) ??
          [];
        return { name, help, type, aggregator: merge, values };
      });
    },
  };
}

type Counted = { readonly labels: Labels; value: number };

/** Without labels it starts at 0; with labels, with the first count of their values. */
function openCounter(labelNames: readonly string[]): SeriesByLabels<Counted> {
  const series = openSeriesByLabels<Counted>(labelNames, (labels) => ({ labels, value: 0 }));
  if (labelNames.length === 0) series.find({});
  return series;
}

type Timed = {
  readonly labels: Labels;
  /** The durations up to each bound and beyond the one before; the last number is of those beyond all. */
  readonly numbers: number[];
  sum: number;
};

function startTimed(labels: Labels): Timed {
  return { labels, numbers: new Array<number>(DURATION_BUCKETS.length + 1).fill(0), sum: 0 };
}

function addDuration(timed: Timed, seconds: number): void {
  let place = 0;
  while (place < DURATION_BUCKETS.length && seconds > (DURATION_BUCKETS[place] ?? 0)) place += 1;
  timed.numbers[place] = (timed.numbers[place] ?? 0) + 1;
  timed.sum += seconds;
}

/** The values in the form of Prometheus: the number of durations up to each bound, and their sum. */
function valuesOfTimed(name: MetricName, { labels, numbers, sum }: Timed): readonly MetricValue[] {
  let count = 0;
  const buckets = numbers.map((number, place) => {
    count += number;
    const le = DURATION_BUCKETS[place] ?? '+Inf';
    return { labels: { le, ...labels }, value: count, metricName: `${name}_bucket` };
  });
  return [
    ...buckets,
    { labels, value: sum, metricName: `${name}_sum` },
    { labels, value: count, metricName: `${name}_count` },
  ];
}

// The keys of the constant table are exactly the names.
const METRIC_NAMES = Object.keys(METRIC_TABLE) as readonly MetricName[];

type NameOf<Type> = {
  [Name in MetricName]: (typeof METRIC_TABLE)[Name]['type'] extends Type ? Name : never;
}[MetricName];

type LabelsOf<Name extends MetricName> = Readonly<
  Record<(typeof METRIC_TABLE)[Name]['labels'][number], string>
>;
