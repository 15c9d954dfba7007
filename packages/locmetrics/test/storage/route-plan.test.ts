import type { Field } from '@locmetrics/core/domain/field';
import type { Predicate, ReadableVersion } from '@locmetrics/core/domain/predicate';
import { unitVector } from '@locmetrics/core/geometry/unit-vector';
import { planFilters } from '@locmetrics/core/plan/plan-filters';
import { planTile } from '@locmetrics/core/plan/plan-tile';
import type { AggregateTerm, GroupsPlan, RecordsPlan } from '@locmetrics/core/plan/read-plan';
import type { ReadTileRequest } from '@locmetrics/core/requests/catalog-request';
import { type RowFileOf, routePlan } from '@locmetrics/row-store/routing/route-plan';
import { BLOCK_SIZES } from '@locmetrics/row-store/row-file';
import { expect, test } from 'vitest';
import { where } from '../conformance/filter-clause.ts';
import { defineTable } from '../conformance/table.ts';

const { version: PLACES } = defineTable({
  name: 'route.places',
  fields: { id: 'string', city: 'string' },
  rows: [],
});
const { version: VISITS } = defineTable({
  name: 'route.visits',
  fields: { id: 'string', day: 'date', count: { type: 'integer', suppressBelow: 5 } },
  key: ['id', 'day'],
  rows: [],
});

/** Row files in which the longest series has so many records, and that of `short` has 12. */
function files(longestSeries: number): RowFileOf {
  return ({ dataset }) => ({
    facts: {
      fields: dataset.fields,
      sizes: BLOCK_SIZES,
      isSparse: false,
      seriesField: 'id',
      records: 1_000_000,
      longestSeries: dataset === PLACES.dataset ? 1 : longestSeries,
      covered: [],
      orders: [],
      searches: [],
      counters: {},
    },
    boxes: () => new Float64Array(),
    findSeries: (value) =>
      value === 'unknown'
        ? undefined
        : { row: 100, end: 100 + (value === 'short' ? 12 : longestSeries) },
  });
}

function fieldOf({ dataset }: ReadableVersion, name: string): Field {
  const field = dataset.fields.find((one) => one.name === name);
  if (field === undefined) throw new Error(`No field ${name}.`);
  return field;
}

const plan = (changes: Partial<RecordsPlan>): RecordsPlan => ({
  kind: 'records',
  version: VISITS,
  fields: VISITS.dataset.fields,
  predicates: [],
  order: [],
  keyDescending: false,
  limit: 100,
  ...changes,
});

const ids = (...values: readonly string[]): Predicate => ({
  kind: 'in',
  field: fieldOf(VISITS, 'id'),
  negated: false,
  values,
});

const ofPlaces = (field: string): Predicate => ({
  kind: 'feature',
  field: fieldOf(VISITS, 'id'),
  features: { version: PLACES, id: fieldOf(PLACES, field), predicates: [] },
});

test('a short series is answered by the row store, within its bound', () => {
  const route = routePlan(plan({ predicates: [ids('a')] }), files(24));
  expect(route).toMatchObject({ store: 'rows', access: { kind: 'series' } });
  expect(route.boundUs).toBeLessThan(100);
});

test('an index finds the records of a condition that filter logic combines with AND', () => {
  const filters = [where('id', '==', 'a'), where('count', '>', '1'), where('day', 'is_empty')];
  const routeOfLogic = (filterLogic: string) =>
    routePlan(plan({ predicates: planFilters(filters, VISITS.dataset, filterLogic) }), files(24));
  expect(routeOfLogic('($1 OR NOT $2) AND $0')).toMatchObject({
    store: 'rows',
    access: { kind: 'series', values: ['a'] },
  });
  expect(routeOfLogic('$0 OR $1 OR $2')).toMatchObject({ store: 'columns' });
});

test('the bound decides, and short series count as they are', () => {
  const compared: Predicate = { kind: 'empty', field: fieldOf(VISITS, 'count'), negated: true };
  const long = routePlan(plan({ predicates: [ids('a'), compared] }), files(100_000));
  expect(long).toMatchObject({ store: 'columns', access: { kind: 'series' } });
  expect(long.boundUs).toBeGreaterThan(1000);
  for (const id of ['short', 'unknown']) {
    const predicates = [ids(id), compared];
    expect(routePlan(plan({ predicates }), files(100_000)).store).toBe('rows');
  }
  const many = Array.from({ length: 100 }, (_, index) => `place ${index}`);
  const predicates = [ids(...many), compared];
  expect(routePlan(plan({ predicates }), files(24)).store).toBe('columns');
});

test('what an index proves is read in turns, up to a time in all', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `place ${index}`);
  for (const changes of [
    { limit: 10_000 },
    { predicates: [ids('a')] },
    { predicates: [ids(...many(400))] },
  ]) {
    const route = routePlan(plan(changes), files(100_000));
    expect(route.store).toBe('rows');
    expect(route.boundUs).toBeLessThanOrEqual(1000);
  }
  const tooMany = routePlan(plan({ predicates: [ids(...many(10_000))] }), files(24));
  expect(tooMany.store).toBe('columns');
});

test('the records of series are counted without reading them, unless they are compared', () => {
  const counted = (...predicates: readonly Predicate[]) =>
    routePlan({ kind: 'count', version: VISITS, predicates }, files(100_000));
  expect(counted(ids('a', 'b'))).toMatchObject({ store: 'rows', boundUs: 30 });
  const compared: Predicate = { kind: 'empty', field: fieldOf(VISITS, 'count'), negated: true };
  // Only a page can be read in turns.
  expect(counted(ids('a', 'b'), compared).store).toBe('columns');
});

test('a day and a marked field are counted by their combinations, if the caller sees all records', () => {
  const equal = (name: string, value: string | bigint): Predicate => {
    const field = fieldOf(VISITS, name);
    return { kind: 'compare', field, operator: '==', value };
  };
  const narrowed = [equal('count', 1n)];
  const predicates = [equal('day', '2024-01-01'), ...narrowed];
  const counted = { fields: ['day', 'count'], values: [['2024-01-01'], ['2']], counts: [0, 0, 7] };
  const withGroups =
    (groups: typeof counted): RowFileOf =>
    (version) => {
      const file = files(24)(version);
      return file && { ...file, facts: { ...file.facts, groups: [groups] } };
    };
  const plan = { kind: 'count', version: VISITS, predicates } as const;
  expect(routePlan(plan, withGroups(counted))).toMatchObject({
    store: 'rows',
    access: { kind: 'groups' },
  });
  // A file of an earlier release has none.
  expect(routePlan(plan, files(24)).store).toBe('columns');
  const version = { ...VISITS, narrowing: { suppressed: [], predicates: narrowed } };
  expect(routePlan({ ...plan, version }, withGroups(counted)).store).toBe('columns');
  const tooMany = { ...counted, counts: new Array<number>(300_000).fill(0) };
  expect(routePlan(plan, withGroups(tooMany)).store).toBe('columns');
  const other = { ...plan, predicates: [...predicates, ids('a', 'b')] };
  expect(routePlan(other, withGroups(counted)).access.kind).toBe('series');
});

test('groups are answered by a short series, or by counters if they need only counts', () => {
  const field = (name: string) => fieldOf(VISITS, name);
  const term = (aggregation: AggregateTerm['aggregation'], name?: string): AggregateTerm => ({
    name: 'value',
    aggregation,
    field: name === undefined ? undefined : field(name),
    quantile: 0.5,
  });
  const byDay: GroupsPlan = {
    kind: 'groups',
    version: VISITS,
    predicates: [],
    groups: [{ name: 'day', field: field('day'), bucket: 'YEAR' }],
    aggregates: [term('SUM', 'count')],
    conditions: [],
    order: [],
    after: 0,
    limit: 100,
  };
  const ofOne = routePlan({ ...byDay, predicates: [ids('a')] }, files(24));
  expect(ofOne).toMatchObject({ store: 'rows', access: { kind: 'series' } });
  expect(ofOne.boundUs).toBeLessThan(200);
  const withCounter: RowFileOf = (version) => {
    const file = files(24)(version);
    const counters = { day: [['2024-01-01', 7] as const] };
    return file && { ...file, facts: { ...file.facts, counters } };
  };
  const counted = { ...byDay, aggregates: [term('COUNT'), term('MAX', 'day')] };
  expect(routePlan(counted, withCounter)).toMatchObject({
    store: 'rows',
    access: { kind: 'groups', groups: { fields: ['day'], counts: [0, 7, 1, 999_993] } },
  });
  expect(routePlan(byDay, withCounter).store).toBe('columns');
  expect(
    routePlan(
      { ...counted, predicates: [{ kind: 'empty', field: field('count'), negated: true }] },
      withCounter,
    ).store,
  ).toBe('columns');
  const narrowing = { suppressed: [], predicates: [ids('b')] };
  expect(
    routePlan({ ...counted, version: { ...VISITS, narrowing } }, withCounter).access.kind,
  ).toBe('series');
});

test('a page in the order of the key is a range, a filtered one is not', () => {
  expect(routePlan(plan({}), files(24))).toMatchObject({ store: 'rows', access: { kind: 'page' } });
  const filtered: Predicate = { kind: 'empty', field: fieldOf(VISITS, 'count'), negated: true };
  expect(routePlan(plan({ predicates: [filtered] }), files(24))).toEqual({
    store: 'columns',
    access: { kind: 'all' },
    reason: 'No index finds the records.',
  });
});

test('features are looked up only by the field by which their file finds them', () => {
  const predicates = [ids('a'), ofPlaces('id')];
  expect(routePlan(plan({ predicates }), files(24)).store).toBe('rows');
  const byCity = [ids('a'), ofPlaces('city')];
  const route = routePlan(plan({ predicates: byCity }), files(24));
  expect([route.store, route.boundUs]).toEqual(['columns', undefined]);
});

test('a version without a row file, or with a suppressed key, is answered by the column store', () => {
  expect(routePlan(plan({ predicates: [ids('a')] }), () => undefined)).toEqual({
    store: 'columns',
    access: { kind: 'all' },
    reason: 'The version has no row file.',
  });
  const suppressed = [{ ...fieldOf(VISITS, 'id'), suppressBelow: 3 }];
  const version = { ...VISITS, narrowing: { suppressed, predicates: [] } };
  expect(routePlan(plan({ version, predicates: [ids('a')] }), files(24)).store).toBe('columns');
});

const { version: POINTS } = defineTable({
  name: 'route.points',
  fields: {
    id: 'string',
    name: 'string',
    latitude: 'float',
    longitude: 'float',
    people: { type: 'integer', sorted: true },
    area: { type: 'float', additive: 'all' },
  },
  point: { latitude: 'latitude', longitude: 'longitude' },
  rows: [],
});

/** A row file with so many blocks of points, a thousandth of a degree apart from 1° in the north and east. */
function pointFiles(blocks: number): RowFileOf {
  const boxes = Array.from({ length: blocks }, (_, block) => 1 + block / 1000).flatMap((west) => [
    ...[west, 1],
    ...[west + 0.0005, 1.0005],
  ]);
  return (version) => {
    const file = files(1)(version);
    if (file === undefined) return undefined;
    const points = blocks * BLOCK_SIZES.points;
    const covered = ['latitude', 'longitude', 'people'];
    return {
      ...file,
      facts: { ...file.facts, seriesField: 'id', covered, points },
      boxes: () => Float64Array.from(boxes),
    };
  };
}

const routeOf = (
  blocks: number,
  asked: Partial<ReadTileRequest>,
  tile = { z: 0, x: 0, y: 0 },
): ReturnType<typeof routePlan> => {
  const request = {
    dataReferenceName: 'route.points',
    tile,
    filters: [],
    filterLogic: '',
    fields: [],
    aggregates: [],
    billingContext: '',
    asOf: '',
    ...asked,
  };
  return routePlan(planTile(request, POINTS), pointFiles(blocks));
};
const SUM_OF_AREA = [{ function: 'sum', fieldName: 'area' }];
const SUM_OF_PEOPLE = [{ function: 'sum', fieldName: 'people' }];
const NAMED = [where('name', '==', 'a')];

test('a tile of many points is answered by the row store if its blocks have all that is asked', () => {
  expect(routeOf(1000, {})).toMatchObject({
    store: 'rows',
    access: { kind: 'tile', counted: { length: 1000 }, inside: [], atEdges: [] },
  });
  expect(routeOf(1000, { aggregates: SUM_OF_PEOPLE }).store).toBe('rows');
  expect(routeOf(1000, { aggregates: SUM_OF_AREA }).store).toBe('columns');
  expect(routeOf(1000, { filters: [where('people', '>', '5')] }).store).toBe('rows');
  expect(routeOf(1000, { filters: NAMED }).store).toBe('rows');
});

test('a tile of few points is answered by the row store whatever is asked of them', () => {
  const asked = { aggregates: SUM_OF_AREA, filters: NAMED, fields: ['name', 'area'] };
  const route = routeOf(10, asked);
  expect(route.store).toBe('rows');
  expect(route.boundUs).toBeLessThan(1000);
});

test('a tile whose blocks take too long to read is answered by the column store', () => {
  expect(routeOf(50_000, { filters: [where('people', '>', '5')] }).store).toBe('columns');
});

test('the edges of a tile are compared with the points of the blocks on them', () => {
  // The blocks reach from 1° to 1.05°; the eastern edge of the tile is at 1.0327°.
  const route = routeOf(50, {}, { z: 14, x: 8238, y: 8146 });
  expect(route).toMatchObject({ store: 'rows', access: { kind: 'tile', counted: [] } });
});

test('the nearest records are answered by the row store, unless they are of many blocks of points', () => {
  const { version: points } = defineTable({
    name: 'route.points',
    fields: { id: 'string', latitude: 'float', longitude: 'float' },
    point: { latitude: 'latitude', longitude: 'longitude' },
    rows: [],
  });
  const [latitude, longitude] = [fieldOf(points, 'latitude'), fieldOf(points, 'longitude')];
  const target = unitVector(7.4474, 46.948);
  const nearest = { ...plan({}), version: points, fields: [fieldOf(points, 'id')], predicates: [] };
  const order = [{ kind: 'near', latitude, longitude, target }] as const;
  const routeOf = (boxes: number, changes: Partial<RecordsPlan> = {}) =>
    routePlan({ ...nearest, order, limit: 20, ...changes }, (version) => {
      const file = files(1)(version);
      return (
        file && {
          ...file,
          facts: { ...file.facts, points: 1000, covered: ['latitude', 'longitude'] },
          boxes: () => new Float64Array(boxes * 4),
        }
      );
    });
  expect(routeOf(800)).toMatchObject({ store: 'rows', access: { kind: 'near' } });
  expect(routeOf(800).boundUs).toBeLessThan(700);
  expect(routeOf(5000)).toMatchObject({ store: 'columns' });
  expect(routeOf(800, { limit: 5000 })).toMatchObject({ store: 'columns' });
  const filtered = routeOf(800, {
    predicates: [{ kind: 'empty', field: fieldOf(points, 'id'), negated: true }],
  });
  expect(filtered).toMatchObject({ store: 'columns', reason: 'No index finds the records.' });
});
