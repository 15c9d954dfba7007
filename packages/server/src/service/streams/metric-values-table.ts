import { findField } from '@locmetrics/core/domain/dataset';
import type { AddressComponentValue, Feature } from '@locmetrics/core/domain/feature';
import type { FieldType } from '@locmetrics/core/domain/field';
import type { Layer } from '@locmetrics/core/domain/layer';
import { dimensionAt, type MetricValues } from '@locmetrics/core/domain/metric-value';
import type { Value } from '@locmetrics/core/domain/value';
import {
  type TypedColumn,
  type VisitRecord,
  visitValue,
} from '@locmetrics/core/domain/value-visitor';
import type { MetricVersion } from '@locmetrics/core/domain/version';
import { memoize } from '@locmetrics/core/runtime/memoize';

/** A column of the table of metric values, and its value of the value with an index. */
export type MetricValuesColumn = TypedColumn & {
  readonly valueAt: (values: MetricValues, index: number) => Value;
  /** The feature whose value it has; absent: each metric value has its own. */
  readonly featureOf?: FeatureOf | undefined;
};

type FeatureOf = (values: MetricValues, index: number) => Feature | undefined;

/**
 * The columns of metric values as a table: the feature with its components, the related feature, the period, the
 * dimensions, the measures and the flags. Of the whole metric, only what `shown` has of features has a column.
 *
 * Ids of components, dimensions, measures and flags can be equal. Of the whole metric, the first column has the id as its
 * name, and a later one also its kind: `value_city`. So a name does not depend on what a request leaves out.
 */
export function metricValuesColumns(
  whole: MetricVersion,
  shown: MetricVersion,
): readonly MetricValuesColumn[] {
  const names = uniqueNames(columnsOf(whole));
  return columnsOf(shown).map((column) => {
    const { type, valueAt, featureOf } = column;
    return { name: names.get(keyOf(column)) ?? column.name, type, valueAt, featureOf };
  });
}

/** Visits the values of a row of the table. */
export function visitMetricValues(
  columns: readonly MetricValuesColumn[],
  values: MetricValues,
): VisitRecord {
  const runs = runsOf(columns);
  return (index, visitor) => {
    for (const { first, end, featureOf } of runs) {
      const visit = (): void => {
        for (let place = first; place < end; place += 1) {
          visitValue(place, columns[place]?.valueAt(values, index), visitor);
        }
      };
      const feature = featureOf?.(values, index);
      if (feature === undefined || visitor.shared === undefined) visit();
      else visitor.shared(first, feature, visit);
    }
  };
}

/** The columns in a row that have values of the same feature. */
type Run = { readonly first: number; end: number; readonly featureOf: FeatureOf | undefined };

function runsOf(columns: readonly MetricValuesColumn[]): readonly Run[] {
  const runs: Run[] = [];
  for (const [place, { featureOf }] of columns.entries()) {
    const last = runs.at(-1);
    if (last !== undefined && last.featureOf === featureOf) last.end = place + 1;
    else runs.push({ first: place, end: place + 1, featureOf });
  }
  return runs;
}

const columnsOf = memoize(
  ({
    metric,
    values: { dataset },
    layer,
    relatedLayer,
  }: MetricVersion): readonly KindOfColumn[] => {
    const related = relatedLayer?.layer;
    return [
      ...featureColumns(layer.layer, '', ({ features }, index) => features[index]),
      ...(related === undefined
        ? []
        : featureColumns(related, 'related_', (values, index) => values.relatedFeatures?.[index])),
      column('period', 'period_start', 'date', ({ period }, index) => period.start[index]),
      column('period', 'period_end', 'date', ({ period }, index) => period.end[index]),
      ...metric.dimensions.flatMap(({ dimensionId, fields }, place) => {
        const dimensionOf = (values: MetricValues, index: number) => {
          const one = values.dimensions[place];
          return one && dimensionAt(one, index);
        };
        return [
          column('dimension', dimensionId, 'string', (values, index) =>
            present(dimensionOf(values, index)?.value),
          ),
          ...(fields.displayName === undefined
            ? []
            : [
                column('dimension', `${dimensionId}_name`, 'string', (values, index) =>
                  present(dimensionOf(values, index)?.displayName),
                ),
              ]),
        ];
      }),
      ...metric.measures.map(({ name, field }, place) =>
        column(
          'value',
          name,
          findField(dataset, field)?.type ?? 'float',
          ({ measures }, index) => measures[place]?.[index],
        ),
      ),
      ...distinctFlags(metric).map((flag, place) =>
        column('flag', flag, 'boolean', ({ flags }, index) => flags[place]?.values[index] === true),
      ),
    ];
  },
);

/** Several fields can set one flag. */
function distinctFlags({ flags }: MetricVersion['metric']): readonly string[] {
  return [...new Set(flags.map(({ flag }) => flag))];
}

type KindOfColumn = MetricValuesColumn & { readonly kind: string };

function column(
  kind: string,
  name: string,
  type: FieldType,
  valueAt: (values: MetricValues, index: number) => Value | undefined,
): KindOfColumn {
  return { kind, name, type, valueAt: (values, index) => valueAt(values, index) ?? null };
}

function featureColumns(
  { point, addressComponents }: Layer,
  prefix: string,
  featureOf: FeatureOf,
): readonly KindOfColumn[] {
  const ofFeature = (
    name: string,
    ofOne: (feature: Feature) => Value | undefined,
    type: FieldType = 'string',
  ): KindOfColumn => ({
    ...column('feature', `${prefix}${name}`, type, (values, index) => {
      const feature = featureOf(values, index);
      return feature && ofOne(feature);
    }),
    featureOf,
  });
  const ofComponent = (
    place: number,
    name: string,
    textOf: (component: AddressComponentValue) => string,
  ): KindOfColumn => ({
    ...ofFeature(name, ({ addressComponents: components }) => {
      const found = components[place];
      return found && present(textOf(found));
    }),
    kind: 'component',
  });
  return [
    ofFeature('feature_id', ({ featureId }) => featureId),
    ofFeature('feature_name', ({ name }) => present(name)),
    ...(point === undefined
      ? []
      : [
          ofFeature('latitude', (feature) => feature.point?.latitude, 'float'),
          ofFeature('longitude', (feature) => feature.point?.longitude, 'float'),
        ]),
    ...addressComponents.flatMap(({ component, fields }, place) => [
      ofComponent(place, component, ({ value }) => value),
      ...(fields.shortName === undefined
        ? []
        : [ofComponent(place, `${component}_short_name`, ({ shortName }) => shortName)]),
      ...(fields.displayName === undefined
        ? []
        : [ofComponent(place, `${component}_name`, ({ displayName }) => displayName)]),
    ]),
  ];
}

/** Unknown texts of a feature are empty. */
function present(text: string | undefined): Value {
  return text === undefined || text === '' ? null : text;
}

/** The name of each column by its key. */
function uniqueNames(columns: readonly KindOfColumn[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const column of columns) {
    let { name } = column;
    while (taken.has(name)) name = `${column.kind}_${name}`;
    taken.add(name);
    names.set(keyOf(column), name);
  }
  return names;
}

function keyOf({ kind, name }: Pick<KindOfColumn, 'kind' | 'name'>): string {
  return `${kind} ${name}`;
}
