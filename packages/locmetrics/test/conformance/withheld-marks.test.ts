import type { Caller } from '@locmetrics/core/domain/caller';
import { type Grant, wholeGrant } from '@locmetrics/core/domain/grant';
import { createRights } from '@locmetrics/core/domain/rights';
import { expect, test } from 'vitest';
import { createCaller } from '../support/test-caller.ts';
import { ENGINES } from './engines/engines.ts';
import { openService, useService } from './engines/service-under-test.ts';
import { describeOn } from './engines/test-on.ts';
import { where } from './filter-clause.ts';
import { defineLayer } from './metrics/define-layer.ts';
import { CATALOG_ID, defineMetric } from './metrics/define-metric.ts';
import { defineTable, type FieldDeclaration } from './table.ts';

const PLACES = defineTable({
  name: 'town.places',
  fields: { id: 'string', name: 'string' },
  layers: [defineLayer({ id: 'places' })],
  rows: ['a', 'b', 'c'].map((id) => ({ id, name: id.toUpperCase() })),
});

/** `visits` and `staff` have marks, `guests` has none. */
const VISITS = defineTable({
  name: 'town.visits',
  fields: {
    place: 'string',
    day: 'date',
    visits: { type: 'integer', suppressBelow: 5, marksWithheld: true },
    staff: { type: 'float', suppressBelow: 2, marksWithheld: true },
    guests: { type: 'integer', suppressBelow: 5 },
    is_rough: 'boolean',
  },
  key: ['place', 'day'],
  period: { start: 'day', end: 'day' },
  metrics: [
    defineMetric({
      metricId: 'visits',
      layerId: 'places',
      measures: { visits: 'count', staff: 'number', guests: 'count' },
      flags: [{ flag: 'rough', field: 'is_rough' }],
    }),
    defineMetric({ metricId: 'guests', layerId: 'places', measures: { guests: 'count' } }),
  ],
  rows: [
    { place: 'a', day: '2024-01-01', visits: 3n, staff: 9.5, guests: 9n, is_rough: true },
    { place: 'a', day: '2024-01-02', visits: null, staff: 3, guests: 1n, is_rough: false },
    { place: 'b', day: '2024-01-01', visits: 5n, staff: 1.5, guests: null, is_rough: null },
    { place: 'b', day: '2024-01-02', visits: -1n, staff: 0, guests: 7n, is_rough: null },
    { place: 'c', day: '2024-01-01', visits: 12n, staff: null, guests: 2n, is_rough: null },
  ],
});

const callerWith = (members: Partial<Grant>): Caller => ({
  ...createCaller({ organisationId: 'acme', tokenId: 'token' }),
  rights: createRights({
    organisationId: 'acme',
    grants: ['town.*', `${CATALOG_ID}/*`].map((pattern) => ({
      ...wholeGrant(`of ${pattern}`, pattern),
      ...members,
    })),
  }),
});

describeOn(ENGINES)('marks of withheld values, $name engine', (engine) => {
  const service = useService(engine, VISITS, PLACES);
  const billingContext = 'acme';
  const caller = callerWith({});
  const marksOf = async (question: object) => {
    const { rows, withheldAt } = await service.listRecords({
      caller,
      typedValues: true,
      ...question,
    });
    return rows.map((row, index) => [row[0], ...(withheldAt?.(index) ?? [])]);
  };

  test('a record names the fields whose values are withheld, and not those that are absent', async () => {
    const { rows, fields } = await service.listRecords({ caller, typedValues: true });
    expect(fields.map(({ name }) => name)).toEqual([
      ...['place', 'day', 'visits', 'staff', 'guests', 'is_rough'],
    ]);
    expect(rows[0]).toEqual(['a', '2024-01-01', null, 9.5, 9n, true]);
    expect(await marksOf({})).toEqual([
      ['a', 'visits'],
      ['a'],
      ['b', 'staff'],
      ['b', 'visits', 'staff'],
      ['c'],
    ]);
  });

  test('only selected fields have marks, in any order and on any page', async () => {
    const fields = ['place', 'staff'];
    expect(await marksOf({ fields })).toEqual([
      ['a'],
      ['a'],
      ['b', 'staff'],
      ['b', 'staff'],
      ['c'],
    ]);
    const orderBy = { fieldName: 'staff', descending: true };
    expect(await marksOf({ fields, orderBy, pageSize: 3 })).toEqual([['a'], ['a'], ['b', 'staff']]);
    expect(await marksOf({ filters: [where('place', '==', 'b')] })).toEqual([
      ['b', 'staff'],
      ['b', 'visits', 'staff'],
    ]);
  });

  test('a withheld value is as absent as before to filters', async () => {
    expect(await marksOf({ filters: [where('visits', '<', '5')] })).toEqual([]);
    expect(await marksOf({ filters: [{ ...where('visits', 'is_empty', ''), value: '' }] })).toEqual(
      [['a', 'visits'], ['a'], ['b', 'visits', 'staff']],
    );
  });

  test('a metric value with a withheld measure has the flag once, and a flag for each measure, beside its own flags', async () => {
    const { values } = await service.searchMetricValues({
      caller,
      billingContext,
      metricId: 'visits',
    });
    expect(values.map(({ measures, flags }) => [measures, flags])).toEqual([
      [
        [null, 9.5, 9n],
        ['rough', 'withheld', 'withheld_visits'],
      ],
      [[null, 3, null], []],
      [
        [5n, null, null],
        ['withheld', 'withheld_staff'],
      ],
      [
        [null, null, 7n],
        ['withheld', 'withheld_visits', 'withheld_staff'],
      ],
      [[12n, null, null], []],
    ]);
  });

  test('a measure that the grant hides sets no flag', async () => {
    const { values } = await service.searchMetricValues({
      caller: callerWith({ fields: ['visits'] }),
      billingContext,
      metricId: 'visits',
    });
    expect(values.map(({ flags }) => flags)).toEqual([['withheld'], [], [], ['withheld'], []]);
  });

  test('without marks in the manifest there are none', async () => {
    const { values } = await service.searchMetricValues({
      caller,
      billingContext,
      metricId: 'guests',
    });
    expect(values.flatMap(({ flags }) => flags)).toEqual([]);
  });

  test('a caller who sees small cells gets the values and no marks', async () => {
    const all = callerWith({ showsSmallCells: true });
    expect(await marksOf({ caller: all })).toEqual([['a'], ['a'], ['b'], ['b'], ['c']]);
    const { values } = await service.searchMetricValues({
      caller: all,
      billingContext,
      metricId: 'visits',
    });
    expect(values[0]?.measures).toEqual([3n, 9.5, 9n]);
    expect(values.flatMap(({ flags }) => flags)).toEqual(['rough']);
  });
});

const MARKED = { type: 'integer', suppressBelow: 3, marksWithheld: true } as const;
const UNMARKED = { type: 'integer', suppressBelow: 3 } as const;
const STRICTER = { ...MARKED, suppressBelow: 6 } as const;

describeOn(ENGINES)('marks in an earlier version, $name engine', (engine) => {
  const versionOf = (month: string, visits: FieldDeclaration | undefined) =>
    defineTable({
      name: 'town.visits',
      fields: { place: 'string', ...(visits === undefined ? {} : { visits }), guests: 'integer' },
      publishedTime: `2024-${month}-01T00:00:00.000Z`,
      metrics: [
        defineMetric({
          metricId: 'visits',
          layerId: 'places',
          period: { start: { day: '2024-01-01' }, end: { day: '2024-01-31' } },
          measures: { ...(visits === undefined ? {} : { visits: 'count' }), guests: 'count' },
        }),
      ],
      rows: [
        { place: 'a', visits: 2n },
        { place: 'b', visits: 4n },
        { place: 'c', visits: null },
      ],
    });

  test.each<
    [string, FieldDeclaration, FieldDeclaration | undefined, (bigint | null)[], readonly string[]]
  >([
    ['both versions have marks', MARKED, STRICTER, [null, null, null], ['a', 'b']],
    ['the earlier threshold is the stricter one', STRICTER, MARKED, [null, null, null], ['a', 'b']],
    ['only the earlier version has marks', MARKED, UNMARKED, [null, 4n, null], []],
    ['only the current version has marks', UNMARKED, STRICTER, [null, null, null], []],
    ['only the current version has a threshold', 'integer', MARKED, [null, 4n, null], ['a']],
    ['only the earlier version has a threshold', MARKED, 'integer', [null, 4n, null], ['a']],
    ['the current version no longer has the field', MARKED, undefined, [null, 4n, null], ['a']],
  ])('%s', async (_, before, now, values, marked) => {
    const earlier = versionOf('01', before);
    const service = await openService(engine, [PLACES, earlier, versionOf('02', now)]);
    try {
      const asked = { caller: callerWith({}), asOf: earlier.version.version };
      const records = { ...asked, dataset: 'town.visits', typedValues: true };
      const { rows, withheldAt } = await service.listRecords(records);
      expect(rows.map(([, visits]) => visits)).toEqual(values);
      expect(rows.flatMap(([place], at) => (withheldAt?.(at).length ? [place] : []))).toEqual(
        marked,
      );
      const found = await service.searchMetricValues({ ...asked, metricId: 'visits' });
      expect(found.values.map(({ measures }) => measures[0])).toEqual(values);
      expect(
        found.values.flatMap(({ feature, flags }) => (flags.length > 0 ? [feature.featureId] : [])),
      ).toEqual(marked);
    } finally {
      await service.close();
    }
  });
});
