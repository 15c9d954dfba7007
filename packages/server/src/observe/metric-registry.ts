import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { DURATION_BUCKETS, METRIC_TABLE, type MetricName, type MetricRow } from './metric-table.ts';

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
  readonly snapshot: (giveGauges: (set: SetGauge) => void) => Promise<MetricSnapshot>;
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
  readonly values: readonly {
    readonly value: number;
    readonly labels: Readonly<Record<string, string | number>>;
    readonly metricName?: string;
  }[];
};

export function openMetricRegistry(): MetricRegistry {
  const registry = new Registry();
  const counters = new Map<MetricName, Counter>();
  const gauges = new Map<MetricName, Gauge>();
  const histograms = new Map<MetricName, Histogram>();
  for (const name of metricNames()) {
    const { type, labels, merge, help }: MetricRow = METRIC_TABLE[name];
    const options = { name, help, labelNames: labels, aggregator: merge, registers: [registry] };
    if (type === 'counter') counters.set(name, new Counter(options));
    else if (type === 'gauge') gauges.set(name, new Gauge(options));
    else histograms.set(name, new Histogram({ ...options, buckets: [...DURATION_BUCKETS] }));
  }
  return {
    count: (name, labels, by = 1) => counters.get(name)?.inc(labels, by),
    time: (name, labels, durationMs) => histograms.get(name)?.observe(labels, durationMs / 1000),
    snapshot: async (giveGauges) => {
      const given = new Set<string>();
      for (const gauge of gauges.values()) gauge.reset();
      giveGauges((name, labels, value) => {
        given.add(name);
        gauges.get(name)?.set(labels, value);
      });
      const metrics = await registry.getMetricsAsJSON();
      // A gauge without a value is left out, because it would be exported as 0. The library types
      // its result as metrics without their values.
      const plain = metrics.filter(
        ({ name, type }) => String(type) !== 'gauge' || given.has(name),
      ) as unknown as MetricSnapshot;
      // The library keeps changing these objects.
      return structuredClone(plain);
    },
  };
}

function metricNames(): readonly MetricName[] {
  // The keys of the constant table are exactly the names.
  return Object.keys(METRIC_TABLE) as MetricName[];
}

type NameOf<Type> = {
  [Name in MetricName]: (typeof METRIC_TABLE)[Name]['type'] extends Type ? Name : never;
}[MetricName];

type LabelsOf<Name extends MetricName> = Readonly<
  Record<(typeof METRIC_TABLE)[Name]['labels'][number], string>
>;
