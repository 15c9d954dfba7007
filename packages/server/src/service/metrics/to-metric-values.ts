import type { Feature } from '@locmetrics/core/domain/feature';
import type { Field } from '@locmetrics/core/domain/field';
import type { Metric, PeriodDay } from '@locmetrics/core/domain/metric';
import type { MetricValues } from '@locmetrics/core/domain/metric-value';
import { type Column, type Value, valueText } from '@locmetrics/core/domain/value';
import type { MetricVersion } from '@locmetrics/core/domain/version';
import { valueFields } from '@locmetrics/core/plan/metric-template';
import { isOwnLayer } from '@locmetrics/core/plan/plan-layer';
import { memoize } from '@locmetrics/core/runtime/memoize';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import { openTicks } from '@locmetrics/core/runtime/ticks';
import type { Engine, RecordsPage } from '@locmetrics/core/storage/engine';
import { featureReader, readFeatures } from '../read-features.ts';

type Rows = Pick<RecordsPage, 'size' | 'rows' | 'columns'>;

/** The metric values of a page of records, with their features. */
export async function toMetricValues(
  engine: Engine,
  page: {
    readonly version: MetricVersion;
    readonly found: Rows;
    /** Features that were queried together with the records. */
    readonly named: ReadonlyMap<string, Feature> | undefined;
  },
  signal: StopSignal,
): Promise<MetricValues> {
  const { version, found, named } = page;
  const { metric, layer, relatedLayer } = version;
  const { size } = found;
  const { fields, ownFeature } = readingOf(version);
  const columnOf = columnsOf(found, fields);
  const dayOf = (day: PeriodDay): Column =>
    'day' in day ? new Array<string>(size).fill(day.day) : columnOf(day.field);
  const reading =
    ownFeature === undefined
      ? findFeatures(columnOf(metric.featureId), size, (ids) =>
          named === undefined ? readFeatures(engine, layer, ids, signal) : named,
        )
      : readInTicks(found, ownFeature);
  const readingRelated =
    relatedLayer &&
    metric.related &&
    findFeatures(columnOf(metric.related.featureId), size, (ids) =>
      readFeatures(engine, relatedLayer, ids, signal),
    );
  const [features, relatedFeatures] =
    reading instanceof Promise || readingRelated instanceof Promise
      ? await Promise.all([reading, readingRelated])
      : [reading, readingRelated];
  return {
    size,
    features,
    relatedFeatures,
    period: { start: dayOf(metric.period.start), end: dayOf(metric.period.end) },
    measures: metric.measures.map(({ field }) => columnOf(field)),
    dimensions: metric.dimensions.map(({ dimensionId, fields: { value, displayName } }) => {
      const values = columnOf(value);
      const names = displayName === undefined ? values : columnOf(displayName);
      return { dimensionId, values, names };
    }),
    flags: flagColumns(metric.flags, columnOf),
  };
}

/** A column for each flag: it is set where any of its fields is true. */
function flagColumns(
  flags: Metric['flags'],
  columnOf: (name: string) => Column,
): MetricValues['flags'] {
  return [...Map.groupBy(flags, ({ flag }) => flag)].map(([flag, all]) => {
    const [first = [], ...others] = all.map(({ field }) => columnOf(field));
    const values =
      others.length === 0
        ? first
        : Array.from(
            first,
            (value, index) => value === true || others.some((one) => one[index] === true),
          );
    return { flag, values };
  });
}

const readingOf = memoize((version: MetricVersion) => {
  const fields = valueFields(version);
  return {
    /** Of the records, in their order. */
    fields,
    /** If the feature is in the same record. */
    ownFeature: isOwnLayer(version) ? featureReader(version.layer, fields) : undefined,
  };
});

/** Finds the columns of a page by the names of their fields. */
function columnsOf(found: Rows, fields: readonly Field[]): (name: string) => Column {
  return (name) => {
    const index = fields.findIndex((field) => field.name === name);
    if (index === -1) throw new Error(`The plan does not read the field ${name}.`);
    return found.columns?.[index] ?? found.rows.map((row) => row[index] ?? null);
  };
}

/** The feature of each id; a promise if `read` returns one. The plan leaves out values without a feature, so each value has one. */
function findFeatures(
  column: Column,
  size: number,
  read: (
    ids: ReadonlySet<string>,
  ) => Promise<ReadonlyMap<string, Feature>> | ReadonlyMap<string, Feature>,
): readonly Feature[] | Promise<readonly Feature[]> {
  const ids = new Set<string>();
  let previous: Value | undefined;
  for (let index = 0; index < size; index += 1) {
    const id = column[index] ?? null;
    if (id !== previous) ids.add(valueText(id));
    previous = id;
  }
  const found = read(ids);
  return found instanceof Promise
    ? found.then((later) => featuresOf(column, size, later))
    : featuresOf(column, size, found);
}

function featuresOf(
  column: Column,
  size: number,
  found: ReadonlyMap<string, Feature>,
): readonly Feature[] {
  const features: Feature[] = [];
  let last: Value | undefined;
  for (let index = 0; index < size; index += 1) {
    const id = column[index] ?? null;
    // Most values have the feature of the value before.
    const feature = id === last ? features[index - 1] : found.get(valueText(id));
    if (feature === undefined) throw new Error('A value was read that has no feature.');
    features.push(feature);
    last = id;
  }
  return features;
}

async function readInTicks(
  { size, rows, columns }: Rows,
  toFeature: ReturnType<typeof featureReader>,
): Promise<readonly Feature[]> {
  const features: Feature[] = [];
  const ticks = openTicks();
  for (let index = 0; index < size; index += 1) {
    if (ticks.isOver()) await ticks.next();
    features.push(toFeature(columns?.map((column) => column[index] ?? null) ?? rows[index] ?? []));
  }
  return features;
}
