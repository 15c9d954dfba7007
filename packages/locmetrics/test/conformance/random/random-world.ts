import type { Layer } from '@locmetrics/core/domain/layer';
import type { AddressComponentFilter, Dimension, Metric } from '@locmetrics/core/domain/metric';
import type { Value } from '@locmetrics/core/domain/value';
import fc from 'fast-check';
import { defineLayer } from '../metrics/define-layer.ts';
import { defineMetric } from '../metrics/define-metric.ts';
import { defineTable, type SourceRow, type Table } from '../table.ts';
import { DAYS, FLOATS, INTEGERS, LATITUDES, LONGITUDES, TEXTS } from './random-table.ts';

/**
 * A catalog of two metrics. The values of `visits` are a dataset. The values of `size` are the features of the
 * layer `places` themselves. The layer `areas` may be the related layer.
 */
export type World = { readonly visits: Table; readonly places: Table; readonly areas: Table };

export const tablesOf = ({ visits, places, areas }: World) => [visits, places, areas];

/** The possible ids of features. About half of them exist. */
export const IDS = TEXTS.slice(0, 10);
export const ZONES = TEXTS.slice(0, 5);
export const COUNTIES = [...TEXTS.slice(0, 5), '007', '7'] as const;
export const GRADES = [-1n, 0n, 7n, 2n ** 53n + 1n] as const;
export const RATIOS = [-1.5, 0, 1e-7, 1, 1e21] as const;
/** The days are close together, so that periods and existences often meet at their edges. */
export const NEAR_DAYS = [
  '2023-12-31',
  '2024-01-01',
  '2024-01-02',
  '2024-01-03',
  '2024-02-29',
] as const;

const FEATURES_MAX = 10;
const VALUES_MAX = 40;

const absentOr = <Item extends Value>(items: readonly Item[]) =>
  fc.option(fc.constantFrom(...items), { freq: 4, nil: null });
const day = fc.option(fc.constantFrom(...NEAR_DAYS), { freq: 15, nil: null });
/** Most existences are open, so that not too many values lie outside. */
const edge = fc.option(fc.constantFrom(...NEAR_DAYS), { freq: 2, nil: null });
const inOrder = ([one, other]: [string | null, string | null]): [string | null, string | null] =>
  one !== null && other !== null && one > other ? [other, one] : [one, other];

const PLACE_FIELDS = {
  id: 'string',
  name: 'string',
  latitude: 'float',
  longitude: 'float',
  opened: 'date',
  closed: 'date',
  county: 'string',
  county_short: 'string',
  county_name: 'string',
  is_hidden: 'boolean',
  grade: 'integer',
  ratio: 'float',
  since: 'date',
  note: 'string',
} as const;

const place = fc
  .record({
    name: absentOr(TEXTS),
    county: absentOr([...COUNTIES, ' ']),
    county_short: absentOr(TEXTS),
    county_name: absentOr(TEXTS),
    is_hidden: absentOr([true, false, false, false]),
    grade: absentOr(GRADES),
    ratio: absentOr(RATIOS),
    since: absentOr(DAYS),
    note: absentOr(TEXTS),
    existence: fc.tuple(edge, edge).map(inOrder),
    point: fc.option(fc.tuple(fc.constantFrom(...LATITUDES), fc.constantFrom(...LONGITUDES))),
  })
  .map(
    ({ existence: [opened, closed], point, ...row }): SourceRow => ({
      ...row,
      opened,
      closed,
      latitude: point?.[0] ?? null,
      longitude: point?.[1] ?? null,
    }),
  );

const places = fc
  .tuple(
    fc.oneof(fc.subarray([...IDS], { minLength: 5 }), fc.constant([...IDS])),
    fc.array(place, { minLength: FEATURES_MAX, maxLength: FEATURES_MAX }),
  )
  .map(([ids, rows]) => ids.map((id, index): SourceRow => ({ ...rows[index], id })));

const layerOf = (id: string) =>
  fc
    .constantFrom(
      {},
      {},
      {},
      { existence: { start: 'opened', end: 'closed' } },
      { existence: { end: 'closed' } },
      { existence: { start: 'opened' } },
    )
    .map(
      (existence): Layer =>
        defineLayer({
          id,
          point: { latitude: 'latitude', longitude: 'longitude' },
          ...existence,
          components: {
            note: 'free_form',
            county: {
              fields: { value: 'county', shortName: 'county_short', displayName: 'county_name' },
            },
            is_hidden: 'taxonomy',
            // One component with values of two types: numbers in one layer, text in the other.
            grade: { kind: 'count', fields: { value: id === 'places' ? 'grade' : 'county_short' } },
            ratio: { fields: { value: 'ratio', displayName: 'note' } },
            since: 'map',
            // A component that only the related layer has.
            ...(id === 'areas' ? { zone: { fields: { value: 'note' } } } : {}),
          },
        }),
    );

const defaultFilters: fc.Arbitrary<readonly AddressComponentFilter[]> = fc.constantFrom(
  [],
  [],
  [],
  [{ component: 'is_hidden', values: ['false'] }],
  [
    { component: 'is_hidden', values: ['false', 'true'] },
    { component: 'county', values: COUNTIES.slice(0, 5) },
  ],
);

const VALUE_FIELDS = {
  place: 'string',
  other: 'string',
  day: 'date',
  last_day: 'date',
  age: 'string',
  age_name: 'string',
  band: 'integer',
  visits: 'integer',
  share: 'float',
  kind: 'string',
  is_estimate: 'boolean',
  number: 'integer',
} as const;

const KEYS = [
  ['number'],
  ['place'],
  ['place', 'day'],
  ['day', 'place'],
  ['place', 'number'],
  ['place', 'day', 'other'],
  ['place', 'day', 'age'],
  ['place', 'day', 'age', 'band', 'number'],
  ['place', 'day', 'other', 'age', 'band'],
  ['day', 'other', 'place', 'age'],
] as const;

/** The replacement of an absent value in the fields of the key, and in some tables in all of these fields. */
const IN_PLACE: Readonly<Record<string, Value>> = {
  place: 'a',
  other: 'A',
  day: '2024-01-01',
  last_day: '2024-02-29',
  age: 'ab',
  band: 0n,
};

const value = fc
  .record({
    place: fc.option(fc.constantFrom(...IDS), { freq: 15, nil: null }),
    other: fc.option(fc.constantFrom(...IDS), { freq: 15, nil: null }),
    period: fc.tuple(day, day).map(inOrder),
    age: absentOr(TEXTS.slice(0, 3)),
    age_name: absentOr(TEXTS),
    band: absentOr(GRADES),
    visits: absentOr(INTEGERS),
    share: absentOr(FLOATS),
    kind: absentOr(TEXTS),
    is_estimate: absentOr([true, false]),
  })
  .map(({ period: [day, last_day], ...row }): SourceRow => ({ ...row, day, last_day }));

const values = fc
  .tuple(
    fc.constantFrom(...KEYS),
    fc.noBias(fc.array(value, { minLength: 5, maxLength: VALUES_MAX, size: 'max' })),
    fc.constantFrom([], Object.keys(IN_PLACE)),
  )
  .map(([key, found, filled]) => {
    const present = found.map((row, index): SourceRow => {
      const numbered: SourceRow = { ...row, number: BigInt((index * 17) % 41) };
      const names = [...key, ...filled];
      const filling = names.map((name) => [name, numbered[name] ?? IN_PLACE[name] ?? null]);
      return { ...numbered, ...Object.fromEntries(filling) };
    });
    const text = (row: SourceRow) => JSON.stringify(key.map((name) => String(row[name])));
    return { key, rows: [...new Map(present.map((row) => [text(row), row])).values()] };
  });

const dimensions = fc.constantFrom<Readonly<Record<string, Partial<Dimension>>>>(
  {},
  { age: { fields: { value: 'age', displayName: 'age_name' } } },
  { age: { defaultValue: 'a' } },
  { age: {}, band: {} },
  { band: {}, age: { fields: { value: 'age', displayName: 'age_name' }, defaultValue: 'A' } },
  { age: {}, band: { defaultValue: '7' } },
);

const visits = fc
  .record({
    related: fc.constantFrom(undefined, undefined, 'places', 'areas'),
    period: fc.constantFrom<Metric['period']>(
      { start: { field: 'day' }, end: { field: 'last_day' } },
      { start: { field: 'day' }, end: { field: 'day' } },
      { start: { day: '2024-01-01' }, end: { day: '2024-01-02' } },
      { start: { day: '2023-12-31' }, end: { field: 'last_day' } },
    ),
    dimensions,
    defaultFilters,
  })
  .map(({ related, ...declared }) =>
    defineMetric({
      metricId: 'visits',
      layerId: 'places',
      ...declared,
      ...(related === undefined
        ? {}
        : { related: { layerId: related, featureId: 'other', relationType: 'trip' } }),
      measures: {
        visits: 'count',
        share: 'number',
        kind: 'category',
        // Makes the records distinct.
        number: 'count',
      },
      flags: [{ flag: 'estimate', field: 'is_estimate' }],
    }),
  );

const size = fc
  .record({
    period: fc.constantFrom<Metric['period']>(
      { start: { day: '2024-01-01' }, end: { day: '2024-01-02' } },
      { start: { field: 'since' }, end: { day: '9999-12-31' } },
      { start: { field: 'opened' }, end: { field: 'closed' } },
    ),
    dimensions: fc.constantFrom(
      {},
      { age: { fields: { value: 'county', displayName: 'county_name' } } },
      { band: { fields: { value: 'grade' } } },
    ),
    defaultFilters,
  })
  .map((declared) =>
    defineMetric({
      metricId: 'size',
      layerId: 'places',
      featureId: 'id',
      measures: { grade: 'count', ratio: 'number' },
      ...declared,
    }),
  );

/** A random state of a catalog. It has few distinct values, so that ties, absent and unknown values are frequent. */
export const randomWorld: fc.Arbitrary<World> = fc
  .record({
    places: fc.tuple(places, layerOf('places'), size),
    areas: fc.tuple(places, layerOf('areas')),
    values: fc.tuple(values, visits),
  })
  .map((found): World => {
    const [{ key, rows }, visitsMetric] = found.values;
    const [placeRows, placeLayer, sizeMetric] = found.places;
    const [areaRows, areaLayer] = found.areas;
    return {
      visits: defineTable({
        name: 'conformance.visits',
        fields: VALUE_FIELDS,
        key,
        rows,
        metrics: [visitsMetric],
        publishedTime: '2024-01-03T00:00:00.000Z',
      }),
      places: defineTable({
        name: 'conformance.places',
        fields: PLACE_FIELDS,
        rows: placeRows,
        layers: [placeLayer],
        metrics: [sizeMetric],
        publishedTime: '2024-01-01T00:00:00.000Z',
      }),
      areas: defineTable({
        name: 'conformance.areas',
        fields: PLACE_FIELDS,
        rows: areaRows,
        layers: [areaLayer],
        publishedTime: '2024-01-02T00:00:00.000Z',
      }),
    };
  });
