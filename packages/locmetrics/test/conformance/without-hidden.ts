import { findField } from '@locmetrics/core/domain/dataset';
import type { Field } from '@locmetrics/core/domain/field';
import type { Grant } from '@locmetrics/core/domain/grant';
import type { Metric } from '@locmetrics/core/domain/metric';
import type { Predicate } from '@locmetrics/core/domain/predicate';
import type { LayerVersion } from '@locmetrics/core/domain/version';
import { mergeComponents } from '@locmetrics/core/plan/merge-filters';
import { planComponentFilters } from '@locmetrics/core/plan/plan-feature-filters';
import { planFilters } from '@locmetrics/core/plan/plan-filters';
import { planExisted } from '@locmetrics/core/plan/plan-options';
import { type MemoryRecord, matches } from '@locmetrics/core/storage/reference/match-predicate';
import type { World } from './random/random-world.ts';
import type { SourceRow, Table } from './table.ts';

/** The table without all that the grant hides: rows, fields, roles and small values. */
export function tableWithoutHidden(table: Table, grant: Grant): Table {
  const { dataset } = table.version;
  const isSeen = (name: string): boolean => grant.fields?.includes(name) ?? true;
  const areSeen = (role: object): boolean => Object.values(role).every(isSeen);
  const { point, vectors, period, existence, ...rest } = dataset;
  const isTrimmed = !(areSeen(existence ?? {}) && areSeen(period ?? {}));
  return withRows(
    {
      ...table,
      version: {
        ...table.version,
        dataset: {
          ...rest,
          fields: dataset.fields.filter(({ name }) => isSeen(name)),
          ...(point !== undefined && areSeen(point) ? { point } : {}),
          ...(vectors !== undefined && areSeen(vectors) ? { vectors } : {}),
          ...(period !== undefined && areSeen(period) ? { period } : {}),
          ...(existence !== undefined && areSeen(existence) ? { existence } : {}),
        },
      },
    },
    rowsLike(withoutSmallCells(table, grant), [
      ...planFilters(grant.filters, dataset),
      ...(isTrimmed ? planExisted(dataset) : []),
    ]),
  );
}

/** The world with only the granted part of its one metric. */
export function worldWithoutHidden(world: World, grant: Grant, metricId: string): World {
  return metricId === 'visits' ? withVisits(world, grant) : withSize(world, grant);
}

function withVisits({ visits, places, areas }: World, grant: Grant): World {
  const { lens, filters } = grant;
  const [metric] = visits.version.metrics;
  const [layer] = places.version.layers;
  const [areaLayer] = areas.version.layers;
  if (metric === undefined || layer === undefined || areaLayer === undefined) throw new Error();
  const { related } = metric;
  const marked = withMarks(visits, grant);
  const placesLeft = rowsLike(withoutSmallCells(places, grant), [
    ...planComponentFilters(mergeComponents(lens.addressComponents), of(layer, places), ''),
  ]).filter(({ id }) => lens.features.length === 0 || lens.features.includes(String(id)));
  // A default filter removes values, not places.
  const placesWithValues = rowsLike(
    placesLeft,
    planComponentFilters(mergeComponents(hiddenDefaults(metric, grant)), of(layer, places), ''),
  );
  const areasLeft =
    related?.layerId !== 'areas'
      ? areas.rows
      : rowsLike(
          withoutSmallCells(areas, grant),
          planComponentFilters(
            mergeComponents(lens.relatedAddressComponents),
            of(areaLayer, areas),
            '',
          ),
        ).filter(
          ({ id }) =>
            lens.relatedFeatures.length === 0 || lens.relatedFeatures.includes(String(id)),
        );
  const matching = rowsLike(marked.rows, planFilters(filters, visits.version.dataset));
  const hasOne = (field: string) => (row: SourceRow) =>
    filters.length === 0 || matching.some((value) => value[field] === row['id']);
  // If features are filtered, values without a feature are hidden too.
  const isHiddenPlace = isLimited([
    ...lens.addressComponents,
    ...hiddenDefaults(metric, grant),
    ...lens.features,
  ])
    ? idsWithout(placesWithValues)
    : () => false;
  const isHiddenArea = isLimited([...lens.relatedAddressComponents, ...lens.relatedFeatures])
    ? idsWithout(areasLeft)
    : () => false;
  const left = matching
    .filter((row) => isInPeriod(row, metric, grant))
    .filter((row) => hasDimensions(row, metric, grant))
    .filter(({ place }) => !isHiddenPlace(place))
    .filter(({ other }) => related?.layerId !== 'areas' || !isHiddenArea(other));
  return {
    visits: withRows(marked, left),
    places: withMetrics(
      withComponents(withRows(places, placesLeft.filter(hasOne('place'))), grant),
      [],
    ),
    areas: withComponents(
      withRows(areas, related?.layerId === 'areas' ? areasLeft.filter(hasOne('other')) : areasLeft),
      grant,
    ),
  };
}

/** The values are the features, so filters hide both, except filters on the period and on dimensions. */
function withSize({ visits, places, areas }: World, grant: Grant): World {
  const { lens, filters } = grant;
  const [metric] = places.version.metrics;
  const [layer] = places.version.layers;
  if (metric === undefined || layer === undefined) throw new Error();
  const marked = withMarks(places, grant);
  const left = rowsLike(marked.rows, [
    ...planFilters(filters, places.version.dataset),
    ...planComponentFilters(mergeComponents(lens.addressComponents), of(layer, places), ''),
  ]).filter(({ id }) => lens.features.length === 0 || lens.features.includes(String(id)));
  return {
    visits: withMetrics(visits, []),
    places: withComponents(withRows(marked, left), grant),
    areas,
  };
}

function isInPeriod(row: SourceRow, { period }: Metric, { lens }: Grant): boolean {
  const dayOf = (day: Metric['period']['start']) => ('day' in day ? day.day : row[day.field]);
  const [start, end] = [dayOf(period.start), dayOf(period.end)];
  const { start: first, end: last } = lens.period;
  return (
    (first === undefined || (typeof start === 'string' && start >= first)) &&
    (last === undefined || (typeof end === 'string' && end <= last))
  );
}

function hasDimensions(row: SourceRow, metric: Metric, grant: Grant): boolean {
  return metric.dimensions.every(({ dimensionId, defaultValue, fields }) => {
    const value = row[fields.value] ?? null;
    const text = value === null || String(value).trim() === '' ? '' : String(value);
    const lists = grant.lens.dimensions.filter((filter) => filter.dimensionId === dimensionId);
    const isListed = lists.length === 0 || lists.some(({ values }) => values.includes(text));
    const isSeen = grant.fields?.includes(dimensionId) ?? true;
    const isReplaced =
      lists.length > 0 && !lists.some(({ values }) => values.includes(defaultValue));
    const isDefault = isReplaced || defaultValue === '' || text === defaultValue;
    return isListed && (isSeen || isDefault);
  });
}

function withNames(metric: Metric, { fields, lens }: Grant): Metric {
  const isSeen = (name: string): boolean => fields?.includes(name) ?? true;
  return {
    ...metric,
    measures: metric.measures.filter(({ name }) => isSeen(name)),
    dimensions: metric.dimensions
      .filter(({ dimensionId }) => isSeen(dimensionId))
      .map((dimension) => {
        const lists = lens.dimensions.filter(
          ({ dimensionId }) => dimensionId === dimension.dimensionId,
        );
        const isReplaced =
          lists.length > 0 && !lists.some(({ values }) => values.includes(dimension.defaultValue));
        return isReplaced ? { ...dimension, defaultValue: '' } : dimension;
      }),
    flags: metric.flags.filter(({ flag }) => isSeen(flag)),
    defaultFilters: metric.defaultFilters.filter(({ component }) => isSeen(component)),
  };
}

function hiddenDefaults({ defaultFilters }: Metric, { fields }: Grant) {
  return defaultFilters.filter(({ component }) => !(fields?.includes(component) ?? true));
}

function withComponents(table: Table, { fields }: Grant): Table {
  const layers = table.version.layers.map((layer) => ({
    ...layer,
    addressComponents: layer.addressComponents.filter(
      ({ component }) => fields?.includes(component) ?? true,
    ),
  }));
  return { ...table, version: { ...table.version, layers } };
}

function withMetrics(table: Table, metrics: readonly Metric[]): Table {
  return { ...table, version: { ...table.version, metrics } };
}

function withRows(table: Table, rows: readonly SourceRow[]): Table {
  return { version: { ...table.version, rowCount: rows.length }, rows };
}

function withoutSmallCells(table: Table, grant: Grant): readonly SourceRow[] {
  return table.rows.map((row) => {
    const withheld = withheldFields(row, table, grant).map(({ name }) => [name, null]);
    return { ...row, ...Object.fromEntries(withheld) };
  });
}

/** The fields of the row with a small value that the grant does not show. */
export function withheldFields(row: SourceRow, { version }: Table, grant: Grant): readonly Field[] {
  if (grant.showsSmallCells) return [];
  return version.dataset.fields.filter(({ name, suppressBelow }) => {
    const value = row[name] ?? null;
    return suppressBelow !== undefined && value !== null && Number(value) < suppressBelow;
  });
}

/** The table without small cells. The marks of its metric are flags like any other, over fields of their own. */
function withMarks(table: Table, grant: Grant): Table {
  const [metric] = table.version.metrics;
  if (metric === undefined) throw new Error();
  const { dataset } = table.version;
  const named = withNames(metric, grant);
  const marked = named.measures.filter(
    ({ field }) => findField(dataset, field)?.marksWithheld === true && !grant.showsSmallCells,
  );
  const marks = [
    ...(marked.length === 0 ? [] : [{ flag: 'withheld', of: marked }]),
    ...(named.measures.length === 1 ? [] : marked).map((measure) => ({
      flag: `withheld_${measure.name}`,
      of: [measure],
    })),
  ];
  const flags = marks.map(({ flag }) => ({ flag, field: `is_${flag}` }));
  const rows = withoutSmallCells(table, grant).map((row, index) => {
    const withheld = withheldFields(table.rows[index] ?? {}, table, grant);
    const isSet = (of: typeof marked): boolean =>
      of.some(({ field }) => withheld.some(({ name }) => name === field));
    return {
      ...row,
      ...Object.fromEntries(marks.map(({ flag, of }) => [`is_${flag}`, isSet(of)])),
    };
  });
  const fields = [
    ...dataset.fields,
    ...flags.map(({ field }): Field => ({ ...BOOLEAN, name: field, sourceColumn: field })),
  ];
  const metrics = [{ ...named, flags: [...named.flags, ...flags] }];
  return { version: { ...table.version, dataset: { ...dataset, fields }, metrics }, rows };
}

const BOOLEAN = {
  type: 'boolean',
  description: '',
  exampleValue: '',
  includedByDefault: false,
} as const;

const of = (layer: LayerVersion['layer'], { version }: Table): LayerVersion => ({
  layer,
  features: version,
});

function rowsLike(
  rows: readonly SourceRow[],
  predicates: readonly Predicate[],
): readonly SourceRow[] {
  return rows.filter((row) => predicates.every((one) => matches(toRecord(row), one, () => [])));
}

const isLimited = (filters: readonly unknown[]): boolean => filters.length > 0;

function idsWithout(left: readonly SourceRow[]) {
  const ids = new Set(left.map(({ id }) => id));
  return (id: unknown): boolean => typeof id !== 'string' || !ids.has(id);
}

function toRecord(row: SourceRow): MemoryRecord {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'string' && value.trim() === '' ? null : value,
    ]),
  );
}
