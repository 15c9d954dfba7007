import { expect, test } from 'vitest';
import { ENGINES } from '../engines/engines.ts';
import { useService } from '../engines/service-under-test.ts';
import { describeOn } from '../engines/test-on.ts';
import { PARK_TABLES } from '../parks.ts';
import { refusalOf } from '../refusal.ts';
import { defineTable } from '../table.ts';
import type { ComponentValuesQuestion, DimensionValuesQuestion } from './ask-metrics.ts';
import { defineLayer } from './define-layer.ts';
import { defineMetric } from './define-metric.ts';

/** A component whose values match queries in every way, with names that differ between features. */
const TOWNS = defineTable({
  name: 'conformance.towns',
  fields: { id: 'string', name: 'string', code: 'string', short: 'string', long: 'string' },
  rows: [
    { id: '1', code: '30', short: 'BE', long: 'Bern' },
    { id: '2', code: '30', short: 'BN', long: 'Berne' },
    { id: '3', code: '30', short: null, long: 'bern' },
    { id: '4', code: '4', short: 'Ber', long: null },
    { id: '5', code: 'ber', short: null, long: null },
    { id: '6', code: 'Oberbern', short: null, long: 'Sankt Gallen' },
    { id: '7', code: '😀', short: 'ß', long: 'İstanbul' },
    { id: '8', code: '\uFFFD', short: 'ẞ', long: 'ıstanbul' },
    { id: '9', code: null, short: 'none', long: 'Bern' },
    { id: '10', code: 'Bx', short: ' ', long: 'x%_y' },
  ],
  layers: [
    defineLayer({
      id: 'towns',
      components: {
        town: {
          kind: 'map',
          fields: { value: 'code', shortName: 'short', displayName: 'long' },
        },
      },
    }),
  ],
  publishedTime: '2024-01-05T12:00:00.000Z',
});
const COUNTS = defineTable({
  name: 'conformance.counts',
  fields: { town: 'string', age: 'string', age_name: 'string', visits: 'integer' },
  key: ['town', 'age'],
  rows: [
    { town: '1', age: 'young', age_name: 'Jung', visits: 1n },
    { town: '1', age: 'z*', age_name: 'Stern', visits: 1n },
    { town: 'nowhere', age: 'lost', visits: 1n },
  ],
  metrics: [
    defineMetric({
      metricId: 'counts',
      layerId: 'towns',
      featureId: 'town',
      period: { start: { day: '2024-01-01' }, end: { day: '2024-01-01' } },
      dimensions: { age: { fields: { value: 'age', displayName: 'age_name' } } },
    }),
    defineMetric({
      catalogId: 'other',
      metricId: 'counts',
      layerId: 'towns',
      featureId: 'town',
      period: { start: { day: '2024-01-01' }, end: { day: '2024-01-01' } },
    }),
  ],
  publishedTime: '2024-01-06T12:00:00.000Z',
});

/** First the values that start with b in a text, then the values that contain one: the last two by their names. */
const BY_B = ['30', '4', 'Bx', 'ber', 'Oberbern', '\uFFFD', '😀'];

describeOn(ENGINES)('values of components and dimensions, $name engine', (engine) => {
  const service = useService(engine, ...PARK_TABLES, TOWNS, COUNTS);
  const components = async (component: string, question: ComponentValuesQuestion = {}) => {
    const pages = await service.componentValuePages({ component, ...question });
    const values = pages.flatMap((page) => page.values);
    expect(pages.map(({ totalSize }) => totalSize)).toEqual(pages.map(() => values.length));
    return values.map(({ value }) => value);
  };
  const dimensions = async (dimensionId: string, question: DimensionValuesQuestion = {}) => {
    const pages = await service.dimensionValuePages({ dimensionId, ...question });
    const values = pages.flatMap((page) => page.values);
    expect(pages.map(({ totalSize }) => totalSize)).toEqual(pages.map(() => values.length));
    return values.map(({ value }) => value);
  };

  test('without a query each present value is returned once, ordered by the bytes of UTF-8', async () => {
    expect(await components('town')).toEqual(['30', '4', 'Bx', 'Oberbern', 'ber', '\uFFFD', '😀']);
  });

  test('a value shows the smallest of its names, or none if it has none', async () => {
    const { values } = await service.searchAddressComponentValues({ component: 'town' });
    expect(values).toEqual([
      { component: 'town', value: '30', shortName: 'BE', displayName: 'Bern' },
      { component: 'town', value: '4', shortName: 'Ber', displayName: '' },
      { component: 'town', value: 'Bx', shortName: '', displayName: 'x%_y' },
      { component: 'town', value: 'Oberbern', shortName: '', displayName: 'Sankt Gallen' },
      { component: 'town', value: 'ber', shortName: '', displayName: '' },
      { component: 'town', value: '\uFFFD', shortName: 'ẞ', displayName: 'ıstanbul' },
      { component: 'town', value: '😀', shortName: 'ß', displayName: 'İstanbul' },
    ]);
  });

  test('exact matches come first, then prefixes, then the rest, each group ordered by value', async () => {
    const search = (query: string) => components('town', { query });
    // 4 matches by its short name, ber by its value, 30 by its names, Oberbern by its value.
    expect(await search('ber')).toEqual(['ber', '4', '30', 'Oberbern']);
    expect(await search('Ber')).toEqual(['4', 'ber', '30', 'Oberbern']);
    expect(await search('BER')).toEqual(['4', 'ber', '30', 'Oberbern']);
    expect(await search('b')).toEqual(BY_B);
    expect(await search('gallen')).toEqual(['Oberbern']);
    expect(await search('nowhere')).toEqual([]);
  });

  test('a name that is not shown cannot be found', async () => {
    expect(await components('town', { query: 'berne' })).toEqual([]);
    expect(await components('town', { query: 'bn' })).toEqual([]);
    expect(await components('town', { query: 'none' })).toEqual([]);
  });

  test('case and marks are ignored, and some letters are those that replace them', async () => {
    const search = (query: string) => components('town', { query });
    expect(await search('ß')).toEqual(['😀', '\uFFFD']);
    expect(await search('ẞ')).toEqual(['\uFFFD', '😀']);
    expect(await search('ss')).toEqual(['\uFFFD', '😀']);
    expect(await search('istan')).toEqual(['\uFFFD', '😀']);
    expect(await search('ıSTAN')).toEqual(['\uFFFD', '😀']);
    expect(await search('%')).toEqual(['Bx']);
    expect(await search('_')).toEqual(['Bx']);
  });

  test('values are selected by their ids, with or without a query', async () => {
    const pick = (valueIds: readonly string[], query = '') =>
      components('town', { valueIds, query });
    expect(await pick(['4', '30', '4', 'nothing'])).toEqual(['30', '4']);
    expect(await pick(['4', '30', 'ber'], 'be')).toEqual(['30', '4', 'ber']);
    expect(await pick(['30'], 'gallen')).toEqual([]);
    expect(await pick(['nothing', ''])).toEqual([]);
    expect(await pick(['BER'])).toEqual([]);
    const many = Array.from({ length: 9_999 }, (_, index) => `id ${index}`);
    expect(await pick([...many, '4'])).toEqual(['4']);
  });

  test('values of every type are text, and ordered as text', async () => {
    expect(await components('gates')).toEqual(['-9223372036854775808', '7']);
    expect(await components('is_obfuscated')).toEqual(['false', 'true']);
    expect(await components('since')).toEqual(['0001-01-01', '1848-09-12']);
    expect(await components('ratio')).toEqual(['1e+21']);
    expect(await components('ratio', { query: 'E+' })).toEqual(['1e+21']);
    expect(await components('is_obfuscated', { query: 'TRUE' })).toEqual(['true']);
    expect(await components('gates', { valueIds: ['7', '07'] })).toEqual(['7']);
    // A free-form component cannot be filtered on, but its values can be searched.
    expect(await components('note')).toEqual(['free']);
  });

  test('a component of several layers has the values of all, with the smallest names', async () => {
    const { values, totalSize } = await service.searchAddressComponentValues({
      component: 'state',
    });
    expect(
      values.map(({ value, shortName, displayName }) => [value, shortName, displayName]),
    ).toEqual([
      ['007', '', 'Zürich'],
      ['23', 'ME', 'Maine'],
      ['56', 'WY', 'Wyoming'],
      ['7', '', ''],
    ]);
    expect(totalSize).toBe(4);
    expect(await components('state', { query: 'me' })).toEqual(['23']);
  });

  test.each([1, 2, 3, 4, 5, 6, 7])(
    'pages of %d have each value once, in the same order',
    async (pageSize) => {
      for (const sentRowsMax of [1, 2, 7]) {
        const page = { pageSize, sentRowsMax };
        expect(await components('town', page)).toEqual(await components('town'));
        expect(await components('town', { ...page, query: 'b' })).toEqual(BY_B);
        expect(await dimensions('age', { ...page, query: 'l' })).toEqual(['lost', 'old']);
      }
    },
  );

  test('a dimension has the values of all metrics of the catalog, each with its name or the value as name', async () => {
    const { values } = await service.searchDimensionValues({ dimensionId: 'age' });
    expect(values).toEqual([
      { dimensionId: 'age', value: 'lost', displayName: 'lost' },
      { dimensionId: 'age', value: 'old', displayName: 'Älter' },
      { dimensionId: 'age', value: 'young', displayName: 'Jung' },
      { dimensionId: 'age', value: 'z*', displayName: 'Stern' },
    ]);
    expect(await dimensions('floor')).toEqual(['-1', '0', '2']);
  });

  test('values of a dimension are found by value and name; a star at the end of the query is ignored', async () => {
    const search = (query: string) => dimensions('age', { query });
    expect(await search('jung')).toEqual(['young']);
    expect(await search('ÄL')).toEqual(['old']);
    expect(await search('o')).toEqual(['old', 'lost', 'young']);
    expect(await search('o*')).toEqual(['old', 'lost', 'young']);
    expect(await search('*')).toEqual(['lost', 'old', 'young', 'z*']);
    expect(await search('**')).toEqual(['z*']);
    expect(await search('*o')).toEqual([]);
    expect(await dimensions('floor', { query: '-*' })).toEqual(['-1']);
  });

  test('a catalog has only its own components and dimensions', async () => {
    expect(await components('town', { catalogId: 'other' })).toHaveLength(7);
    const other = { catalogId: 'other', component: 'state' };
    expect(await refusalOf(service.searchAddressComponentValues(other))).toMatchInlineSnapshot(`
      "UNKNOWN_COMPONENT at /component
      The catalog 'other' has no component 'state'.
      Known: town."
    `);
    expect(
      await refusalOf(service.searchDimensionValues({ catalogId: 'other', dimensionId: 'age' })),
    ).toMatchInlineSnapshot(`
      "UNKNOWN_DIMENSION at /dimensionId
      The catalog 'other' has no dimension 'age'.
      You have access to none."
    `);
  });

  test('invalid requests are refused', async () => {
    const component = (question: ComponentValuesQuestion) =>
      refusalOf(service.searchAddressComponentValues({ component: 'town', ...question }));
    const dimension = (question: DimensionValuesQuestion) =>
      refusalOf(service.searchDimensionValues({ dimensionId: 'age', ...question }));
    expect(await component({ component: 'twon' })).toMatchInlineSnapshot(`
      "UNKNOWN_COMPONENT at /component
      The catalog 'conformance' has no component 'twon'.
      Did you mean 'town'?"
    `);
    expect(await component({ component: '' })).toContain(
      "No component of the catalog 'conformance' is named.",
    );
    expect(await component({ catalogId: 'othre' })).toMatchInlineSnapshot(`
      "CATALOG_NOT_FOUND at /catalogId
      There is no catalog 'othre'.
      Did you mean 'other'?"
    `);
    expect(await component({ freeFormTarget: 'x' })).toMatchInlineSnapshot(`
      "INVALID_OPTION at /freeFormTarget
      This service does not support free-form targets.
      Leave freeFormTarget out and send the search text as query."
    `);
    expect(await component({ query: '\udc00' })).toContain('INVALID_SEARCH_TERM at /query');
    expect(await component({ valueIds: Array(10_001).fill('x') })).toMatchInlineSnapshot(`
      "INVALID_REQUEST at /valueIds
      The request has 10001 values here.
      Send at most 10000 in one request."
    `);
    expect(await dimension({ dimensionId: 'ages' })).toMatchInlineSnapshot(`
      "UNKNOWN_DIMENSION at /dimensionId
      The catalog 'conformance' has no dimension 'ages'.
      Did you mean 'age'?"
    `);
    expect(await dimension({ dimensionId: '' })).toContain(
      "No dimension of the catalog 'conformance' is named.",
    );
    expect(await dimension({ query: 'x'.repeat(1001) })).toContain('INVALID_SEARCH_TERM at /query');
  });
});
