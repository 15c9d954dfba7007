// @module-tag sized

import type { DescMessage, DescMethodUnary, MessageInitShape } from '@bufbuild/protobuf';
import { toJson } from '@bufbuild/protobuf';
import {
  catalogV1,
  catalogV3,
  catalogV3alpha,
  locmetricsV1,
  mapsV1,
} from '@locmetrics/contract/grpc';
import { type GrantTerms, WHOLE_LENS, wholeGrant } from '@locmetrics/core/domain/grant';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testCount } from '../support/test-count.ts';
import { announceSeed } from '../support/test-seed.ts';
import { square } from './map/districts.ts';
import { featuresOf } from './map/read-tile-of.ts';
import { createTestData, type TestData } from './test-data.ts';
import { openTestServer, type TestServer } from './test-server.ts';

/**
 * Two organisations see different, overlapping parts of the same data. Every operation on both interfaces must
 * have the same answer as in a service whose data are only that part.
 */

const REGIONS = ['CA', 'NV', 'OR', 'WA'] as const;
const DAYS = ['2024-01-01', '2024-01-02', '2024-01-03', '2024-01-04'] as const;
type Place = { readonly id: string; readonly name: string; readonly region: string };

/** Names and ids are unique texts, so that each can be searched in any answer. */
const PLACES: readonly Place[] = Array.from({ length: 24 }, (_, index) => ({
  id: `id-${(index * 7919 + 104_729).toString(36)}`,
  name: `Name ${(index * 6007 + 50_021).toString(36)}`,
  region: REGIONS[index % 4] ?? 'CA',
}));
const VISITS = PLACES.flatMap(({ id }, index) =>
  DAYS.map((day, ofDay) => ({
    id,
    day,
    visits: (index * 13 + ofDay * 7) % 23,
    staff: (index + ofDay) % 5,
    age: ofDay % 2 === 0 ? 'young' : 'old',
  })),
);
const SMALL = 4;

type Part = {
  readonly organisationId: string;
  readonly regions: readonly string[];
  readonly from: string;
  readonly fields: readonly string[] | undefined;
};
const WEST: Part = {
  organisationId: 'west',
  regions: ['CA', 'NV', 'OR'],
  from: '2024-01-02',
  fields: undefined,
};
const NORTH: Part = {
  organisationId: 'north',
  regions: ['OR', 'WA'],
  from: '2024-01-01',
  fields: ['id', 'name', 'region', 'size', 'latitude', 'longitude', 'outline'],
};

const isOf = ({ regions }: Part, { region }: Place): boolean => regions.includes(region);
const isVisitOf = (part: Part, { id, day }: (typeof VISITS)[number]): boolean =>
  day >= part.from && PLACES.some((place) => place.id === id && isOf(part, place));

/** The files of all data, or of only a part. */
function filesOf(part?: Part): Readonly<Record<string, string>> {
  const placeFields = [
    ...['id', 'name', 'region', 'size', 'latitude', 'longitude', 'owner', 'outline'],
  ].filter((name) => part?.fields?.includes(name) ?? true);
  const typeOf = (name: string): string =>
    name === 'size' ? 'integer' : /tude$/.test(name) ? 'float' : 'string';
  const places = PLACES.flatMap((place, index) => {
    if (part !== undefined && !isOf(part, place)) return [];
    const row: Readonly<Record<string, string | number>> = {
      ...place,
      size: index * 10,
      latitude: 30 + index,
      longitude: -120 + index,
      owner: `Owner ${index}`,
      outline: `"${JSON.stringify(square(-120 + index, 30 + index, 1)).replaceAll('"', '""')}"`,
    };
    return [placeFields.map((name) => row[name]).join(',')];
  });
  const visits = VISITS.flatMap((visit) => {
    if (part !== undefined && !isVisitOf(part, visit)) return [];
    const isWithheld = part !== undefined && visit.visits < SMALL;
    const shown = isWithheld ? '' : visit.visits;
    return [[visit.id, visit.day, shown, visit.staff, visit.age, regionOf(visit.id)].join(',')];
  });
  return {
    'locmetrics.yaml': `format: 1
datasets:
  shop.places:
    files: places.csv
    key: [id]
    point: { latitude: latitude, longitude: longitude }
    outline: outline
    fields:
${placeFields.map((name) => `      ${name}: { type: ${typeOf(name)} }`).join('\n')}
  shop.visits:
    files: visits.csv
    key: [id, day]
    period: { start: day, end: day }
    fields:
      id: { type: string }
      day: { type: date }
      visits: { type: integer${part === undefined ? `, suppress: { below: ${SMALL} }` : ''} }
      staff: { type: integer }
      age: { type: string }
      region: { type: string }
${part === undefined ? SECRET : ''}
layers:
  places:
    dataset: shop.places
    feature_id: id
    name: name
    address_components:
      region: { value: region, kind: map }
      size: { value: size, kind: count }
metrics:
  shop/visits:
    dataset: shop.visits
    layer: places
    feature_id: id
    cadence: daily
    measure: { name: visits, field: visits, kind: count }
    supporting_values:
      - { name: staff, field: staff, kind: count }
    dimensions:
      age: { value: age }
`,
    'places.csv': `${placeFields.join(',')}\n${places.join('\n')}\n`,
    'visits.csv': `id,day,visits,staff,age,region\n${visits.join('\n')}\n`,
    'secret.csv': 'code\nhush\n',
  };
}

/** A dataset without a grant for either organisation. */
const SECRET = `  shop.secrets:
    files: secret.csv
    key: [code]
    fields: { code: { type: string } }`;

const regionOf = (id: string): string => PLACES.find((place) => place.id === id)?.region ?? '';

function grantsOf({ regions, from, fields }: Part): readonly GrantTerms[] {
  const inRegions = { fieldName: 'region', operator: 'in', value: '', values: regions };
  const since = { fieldName: 'day', operator: '>=', value: from, values: [] };
  return [
    { ...wholeGrant('', 'shop.places'), filters: [inRegions], fields },
    { ...wholeGrant('', 'shop.visits'), filters: [inRegions, since] },
    {
      ...wholeGrant('', 'shop/*'),
      lens: {
        ...WHOLE_LENS,
        addressComponents: [{ component: 'region', values: regions }],
        period: { start: from },
      },
    },
  ];
}

type Served = { readonly data: TestData; readonly server: TestServer };
let all: Served;
const parts = new Map<Part, Served & { readonly token: string }>();

beforeAll(async () => {
  const data = await createTestData();
  await data.publishFiles(filesOf());
  all = { data, server: await openTestServer(data) };
  for (const part of [WEST, NORTH]) {
    const { organisationId } = part;
    data.store.createOrganisation({ id: organisationId, name: organisationId });
    for (const terms of grantsOf(part)) data.store.addGrant(organisationId, terms);
    const { tokenText: token } = data.store.createToken({ organisationId, name: 'test' });
    const partData = await createTestData();
    await partData.publishFiles(filesOf(part));
    parts.set(part, { data: partData, server: await openTestServer(partData), token });
  }
});

afterAll(async () => {
  for (const { server, data } of [all, ...parts.values()]) {
    await server.close();
    await data.remove();
  }
});

type Asked =
  | { readonly kind: 'http'; readonly operation: string; readonly body: object }
  | { readonly kind: 'get' | 'stream'; readonly path: string; readonly query: string }
  | {
      readonly kind: 'tile';
      /** The address of what the tiles are of. */
      readonly of: string;
      readonly path: string;
      readonly query: string;
    }
  | { readonly kind: 'grpc'; readonly call: string; readonly request: object };

const v1 = catalogV1.QueryService.method;
const METHODS: Readonly<Record<string, DescMethodUnary>> = {
  ...v1,
  ...catalogV1.CatalogService.method,
  ...mapsV1.MapService.method,
  v3ListRecordsStatistics: catalogV3alpha.CatalogQuery.method.listRecordsStatistics,
  v3GetLayerStats: catalogV3alpha.CatalogQuery.method.getLayerStats,
  ...locmetricsV1.Aggregates.method,
  v3ListRecords: catalogV3.CatalogQuery.method.listRecords,
  v3SearchFieldValues: catalogV3.CatalogQuery.method.searchFieldValues,
  v3GetDataReference: catalogV3.CatalogQuery.method.getDataReference,
  v3ListDataReferences: catalogV3.CatalogQuery.method.listDataReferences,
};

const id = fc.constantFrom(...PLACES.map((place) => place.id), 'id-none');
const region = fc.constantFrom(...REGIONS, 'XX');
const pageSize = fc.constantFrom(1, 2, 3, 7, 100);
const few = <Item>(item: fc.Arbitrary<Item>, minLength = 0) =>
  fc.array(item, { minLength, maxLength: 3 });
const clause = fc.oneof(
  region.map((value) => ({ fieldName: 'region', operator: '==', value })),
  few(id, 1).map((values) => ({ fieldName: 'id', operator: 'in', values })),
  fc.constantFrom('==', '!=', '<', '>=').chain((operator) =>
    fc.integer({ min: 0, max: 24 }).map((value) => ({
      fieldName: 'visits',
      operator,
      value: String(value),
    })),
  ),
  fc.constantFrom('staff', 'size', 'visits').map((fieldName) => ({
    fieldName,
    operator: 'is_empty',
  })),
  fc.constantFrom('Name', 'a', 'z', '1').map((value) => ({
    fieldName: 'name',
    operator: 'contains',
    value,
  })),
  fc.constant({ fieldName: 'owner', operator: 'contains', value: '1' }),
);
const dataset = fc.constantFrom('shop.places', 'shop.visits', 'shop.secrets', 'shop.nothing');
const field = fc.constantFrom('id', 'name', 'region', 'visits', 'size', 'owner', 'ownr');
const rows = fc.record(
  { dataReferenceName: dataset, filters: few(clause), pageSize },
  {
    requiredKeys: ['dataReferenceName', 'pageSize'],
  },
);
const orderBy = fc.record({ fieldName: field, direction: fc.constantFrom('ASC', 'DESC') });
const records = fc
  .tuple(rows, fc.option(orderBy), fc.option(orderBy), fc.constantFrom(false, false, true))
  .map(([row, order, next, countOnly]) => ({
    ...row,
    countOnly,
    ...(order === null
      ? {}
      : { options: { orderBy: order, ...(next === null ? {} : { thenBy: [next] }) } }),
  }));
const groups = fc
  .tuple(
    rows,
    fc.subarray(['id', 'region', 'day', 'age', 'size', 'name', 'owner'], { maxLength: 2 }),
    few(
      fc.record({
        name: field,
        aggregation: fc.constantFrom('SUM', 'MIN', 'MAX', 'COUNT', 'COUNT_DISTINCT', 'MEDIAN'),
      }),
    ),
    fc.constantFrom('ASC', 'DESC'),
    fc.boolean(),
  )
  .map(([row, names, fields, direction, isFiltered]) => ({
    ...row,
    groupBy: names.map((fieldName) => ({ fieldName })),
    fields: [...names.map((name) => ({ name })), ...fields.map(withAlias)],
    recordCount: true,
    options: { orderBy: { fieldName: fields.length > 0 ? 'value0' : 'record_count', direction } },
    ...(isFiltered
      ? { groupFilters: [{ fieldName: 'record_count', operator: '>', value: '1' }] }
      : {}),
  }));
const withAlias = <Field extends object>(selected: Field, index: number) => ({
  ...selected,
  alias: `value${index}`,
});
const distinct = fc
  .tuple(rows, field, fc.constantFrom('', 'a', 'N', '1', 'id'))
  .map(([row, name, term]) => ({ ...row, field: { name }, term }));
const statistics = fc.record(
  { dataReferenceName: dataset, filters: few(clause) },
  { requiredKeys: ['dataReferenceName'] },
);
const layerStats = fc
  .tuple(statistics, fc.constantFrom(...DAYS), few(field))
  .map(([asked, observationDate, dimensions]) => ({ ...asked, observationDate, dimensions }));
/** gRPC uses numbers for the directions. */
const toMessage = (body: object): object =>
  JSON.parse(JSON.stringify(body).replaceAll('"ASC"', '1').replaceAll('"DESC"', '2'));

const components = few(
  fc.oneof(
    few(region, 1).map((values) => ({ component: 'region', values })),
    fc.constantFrom('0', '10', '50').map((size) => ({ component: 'size', values: [size] })),
  ),
);
const metric = { catalogId: 'shop', metricId: 'visits', billingContext: '' };
const values = fc
  .record({
    featureFilter: few(id),
    addressComponentFilter: components,
    dimensionFilter: fc.constantFrom([], [], [{ dimensionId: 'age', values: ['old'] }]),
    valueFilter: fc.constantFrom([], [], [{ valueName: 'visits', operator: 1, numericValue: 2 }]),
    invertSortOrder: fc.boolean(),
    pageSize,
  })
  .map((given) => ({ ...metric, ...given, bestEffortQueryWhenNotAllowed: true }));
/** Enumerations as their numbers. A filter outside the grant is refused, so none is on features or components. */
const aggregates = fc
  .record({
    groupBy: fc.subarray(
      [{ kind: 1 }, { kind: 3, id: 'region' }, { kind: 5, id: 'age' }, { kind: 6 }, { id: 'size' }],
      { maxLength: 2 },
    ),
    aggregates: fc.subarray(
      [1, 2, 3, 4, 5, 6, 101].map((aggregation) => ({
        valueName: 'visits',
        aggregation,
        name: 'a',
      })),
      { minLength: 1, maxLength: 1 },
    ),
    compare: fc.constantFrom(0, 1, 2, 3),
    rankBy: fc.constantFrom('', 'a', 'a.percent'),
    orderBy: few(
      fc.record({ name: fc.constantFrom('a', 'a.change'), direction: fc.constantFrom(1, 2) }),
    ),
    dimensionFilter: fc.constantFrom([], [], [{ dimensionId: 'age', values: ['old'] }]),
    pageSize,
  })
  .map((given) => ({ ...metric, ...given }));
const query = fc.constantFrom('', 'a', 'N', 'Name', '1', 'CA', 'WA');
const grpc = (call: string, request: fc.Arbitrary<object>): fc.Arbitrary<Asked> =>
  request.map((given) => ({ kind: 'grpc', call, request: given }));
const http = (operation: string, body: fc.Arbitrary<object>): fc.Arbitrary<Asked> =>
  body.map((given) => ({ kind: 'http', operation, body: given }));

const get = (
  path: fc.Arbitrary<string>,
  parameters: fc.Arbitrary<string> = fc.constant(''),
): fc.Arbitrary<Asked> => fc.record({ kind: fc.constant('get' as const), path, query: parameters });
const METRIC_PATHS = ['', '?skipLayers=true', '/report'].map(
  (rest) => `/catalogs/shop/metrics/visits${rest}`,
);

const tileAddress = fc.integer({ min: 0, max: 7 }).chain((z) => {
  // The places lie on a line from (-120, 30) to (-97, 53), of which a deep tile has a few.
  const share = fc.integer({ min: 0, max: 23 }).map((index) => {
    const [lng, lat] = [-120 + index, ((30 + index) * Math.PI) / 180];
    const x = Math.floor(((lng + 180) / 360) * 2 ** z);
    const y = Math.floor((0.5 - Math.asinh(Math.tan(lat)) / (2 * Math.PI)) * 2 ** z);
    return `${z}/${x}/${y}.mvt`;
  });
  return share;
});
const tile: fc.Arbitrary<Asked> = fc.record({
  kind: fc.constant('tile' as const),
  of: dataset.map((name) => `/v3/catalog/${name}`),
  path: fc.oneof(
    { weight: 3, arbitrary: tileAddress },
    { weight: 1, arbitrary: fc.constant('tiles.json') },
  ),
  query: fc
    .tuple(
      few(clause),
      fc.subarray(['name', 'region', 'size', 'owner'], { maxLength: 2 }),
      fc.constantFrom(
        '',
        '',
        'aggregate=sum:size',
        'aggregate=mean:visits',
        'aggregate=sum:latitude',
      ),
    )
    .map(([filters, fields, aggregate]) =>
      [
        ...(filters.length === 0 ? [] : [`filters=${encodeURIComponent(JSON.stringify(filters))}`]),
        ...(fields.length === 0 ? [] : [`fields=${fields}`]),
        aggregate,
      ].join('&'),
    ),
});

const layerTile: fc.Arbitrary<Asked> = fc.record({
  kind: fc.constant('tile' as const),
  of: fc.constant('/v1/catalogs/shop/layers/places'),
  path: fc.oneof(
    { weight: 4, arbitrary: tileAddress },
    { weight: 1, arbitrary: fc.constant('tiles.json') },
  ),
  query: fc.constantFrom(
    '',
    'metric=visits&dimensionFilter=age:young',
    'metric=visits&dimensionFilter=age:old&period=2024-01-02',
    'metric=visits&dimensionFilter=age:young&period=2024-01-03',
  ),
});

const ending = fc.constantFrom('csv', 'ndjson');
const recordsStream: fc.Arbitrary<Asked> = fc
  .tuple(
    dataset,
    ending,
    few(clause),
    fc.subarray(['name', 'region', 'size', 'owner'], { maxLength: 2 }),
    fc.constantFrom('', 'orderBy=size:DESC,name', 'orderBy=name,owner', 'trackTotalHits=true'),
  )
  .map(([name, end, filters, fields, option]) => ({
    kind: 'stream',
    path: `/v3/catalog/${name}/records.${end}`,
    query: [
      ...(filters.length === 0 ? [] : [`filters=${encodeURIComponent(JSON.stringify(filters))}`]),
      ...(fields.length === 0 ? [] : [`fields=${fields}`]),
      option,
    ].join('&'),
  }));

const asked: fc.Arbitrary<Asked> = fc.oneof(
  { weight: 2, arbitrary: recordsStream },
  fc.tuple(values, ending).map(
    ([given, end]): Asked => ({
      kind: 'stream',
      path: `/v1/catalogs/shop/metrics/visits/values.${end}`,
      query: parametersOf(given).join('&'),
    }),
  ),
  { weight: 3, arbitrary: tile },
  { weight: 2, arbitrary: layerTile },
  http('listRecords', records),
  { weight: 2, arbitrary: http('listRecords', groups) },
  http('searchFieldValues', distinct),
  http('getDataReference', fc.record({ name: dataset })),
  http('listDataReferences', fc.constant({})),
  grpc('v3ListRecords', records.map(toMessage)),
  grpc('v3SearchFieldValues', distinct.map(toMessage)),
  grpc('v3ListRecordsStatistics', statistics),
  grpc('v3GetLayerStats', layerStats),
  grpc('v3GetDataReference', fc.record({ dataReferenceName: dataset })),
  grpc('v3ListDataReferences', fc.constant({})),
  grpc('searchMetricValues', values),
  { weight: 2, arbitrary: grpc('searchMetricAggregates', aggregates) },
  get(
    fc.constant('/catalogs/shop/metrics/visits/aggregates'),
    fc
      .tuple(
        fc.subarray(['feature', 'region', 'size', 'age', 'period', 'owner'], { maxLength: 2 }),
        fc.constantFrom('sum', 'max', 'median', 'count_distinct'),
        fc.constantFrom('', '&compare=PREVIOUS', '&compare=MEAN_OF_GROUPS'),
        pageSize,
      )
      .map(([names, aggregation, compare, size]) =>
        [
          ...names.map((name) => `groupBy=${name}`),
          `aggregate=${aggregation}:visits${compare}`,
          `rankBy=${aggregation}_visits&pageSize=${size}`,
        ].join('&'),
      ),
  ),
  values.map((given): Asked => {
    return {
      kind: 'get',
      path: '/catalogs/shop/metrics/visits/values',
      query: [...parametersOf(given), `pageSize=${given.pageSize}`].join('&'),
    };
  }),
  grpc(
    'searchLayerFeatures',
    fc.record({
      catalogId: fc.constant('shop'),
      layerId: fc.constantFrom('places', 'place'),
      featureFilter: few(id),
      addressComponentFilter: components,
      query,
      pageSize,
    }),
  ),
  grpc(
    'searchAddressComponentValues',
    fc.record({
      catalogId: fc.constant('shop'),
      component: fc.constantFrom('region', 'size', 'regin'),
      query,
      pageSize,
    }),
  ),
  grpc(
    'searchDimensionValues',
    fc.record({ catalogId: fc.constant('shop'), dimensionId: fc.constant('age'), pageSize }),
  ),
  grpc('searchMetricReport', fc.constant(metric)),
  grpc('getMetric', fc.constantFrom(metric, { ...metric, metricId: 'visit' })),
  grpc('listMetrics', fc.constant({ catalogId: 'shop', pageSize: 1 })),
  grpc('listCatalogs', fc.constant({})),
  grpc('getLayer', fc.constant({ catalogId: 'shop', layerId: 'places' })),
  grpc(
    'queryLayer',
    fc.record({
      catalogId: fc.constant('shop'),
      layerId: fc.constant('places'),
      addressComponentFilter: components,
      pageSize,
    }),
  ),
  grpc('listAddressComponents', fc.constant({})),
  get(fc.constantFrom('/catalogs', '/addressComponents', ...METRIC_PATHS)),
  get(
    fc.constantFrom('/catalogs/shop/metrics'),
    fc.constantFrom('pageSize=1', 'layerFilter=places'),
  ),
  get(fc.constantFrom('/catalogs/shop/layers/places', '/catalogs/shop/layers/place')),
  get(
    fc.constant('/catalogs/shop/layers/places/features'),
    fc
      .tuple(few(id), fc.option(region), query, pageSize)
      .map(([ids, of, text, size]) =>
        [
          ...ids.map((one) => `featureFilter=${one}`),
          ...(of === null ? [] : [`addressComponentFilter=region:${of}`]),
          `query=${text}&pageSize=${size}`,
        ].join('&'),
      ),
  ),
  get(
    fc
      .constantFrom('region', 'size')
      .map((one) => `/catalogs/shop/addressComponents/${one}/values`),
    fc.tuple(query, pageSize).map(([text, size]) => `query=${text}&pageSize=${size}`),
  ),
  get(fc.constant('/catalogs/shop/dimensions/age/values'), fc.constantFrom('', 'query=o')),
);

function parametersOf({
  featureFilter,
  addressComponentFilter,
}: {
  readonly featureFilter: readonly string[];
  readonly addressComponentFilter: readonly {
    readonly component: string;
    readonly values: readonly string[];
  }[];
}): readonly string[] {
  return [
    ...featureFilter.map((one) => `featureFilter=${one}`),
    ...addressComponentFilter.flatMap((one) =>
      one.values.map((value) => `addressComponentFilter=${one.component}:${value}`),
    ),
    'bestEffortQueryWhenNotAllowed=true',
  ];
}

const QUESTIONS = 20 * testCount('TABLES', { few: 1, all: 15 });

test.each([WEST, NORTH])(
  'the organisation $organisationId gets the answers of a service with only its part of the data',
  async (part) => {
    const seed = announceSeed(`rights of ${part.organisationId}`);
    const served = parts.get(part);
    if (served === undefined) throw new Error('The part is not served.');
    const hidden = PLACES.filter((place) => !isOf(part, place)).flatMap(
      ({ id: hiddenId, name }) => [hiddenId, name],
    );
    let rowsSeen = 0;
    const property = fc.asyncProperty(asked, async (one) => {
      const mine = await answersOf(all.server, one, served.token, part.organisationId);
      const theirs = await answersOf(served.server, one, served.data.token, 'acme');
      expect(mine).toStrictEqual(theirs);
      const text = JSON.stringify(mine);
      rowsSeen += text.length;
      const question = JSON.stringify(one);
      // The answer may repeat the caller's own texts.
      expect(hidden.filter((word) => text.includes(word) && !question.includes(word))).toEqual([]);
      expect(text).not.toContain('hush');
    });
    await fc.assert(property, { seed, numRuns: QUESTIONS });
    expect(rowsSeen).toBeGreaterThan(QUESTIONS * 200);
  },
  120_000,
);

/** All pages of an answer, or the refusal, without versions, times and rights. */
async function answersOf(
  server: TestServer,
  one: Asked,
  token: string,
  billingContext: string,
): Promise<readonly unknown[]> {
  const pages: unknown[] = [];
  let pageToken = '';
  do {
    const answer = await answerOf(server, one, { token, billingContext, pageToken });
    pages.push(strip(answer));
    pageToken = String(Reflect.get(answer, 'nextPageToken') ?? '');
  } while (pageToken !== '');
  return pages;
}

async function answerOf(
  server: TestServer,
  one: Asked,
  {
    token,
    billingContext,
    pageToken,
  }: Readonly<Record<'token' | 'billingContext' | 'pageToken', string>>,
): Promise<object> {
  const authorization = `Bearer ${token}`;
  const page = pageToken === '' ? {} : { pageToken };
  switch (one.kind) {
    case 'http': {
      const body = { ...one.body, ...page };
      const { text, status } = await server.post(one.operation, body, { authorization });
      return { status, ...JSON.parse(text) };
    }
    case 'get': {
      const next = pageToken === '' ? '' : `&pageToken=${pageToken}`;
      const sign = one.path.includes('?') ? '&' : '?';
      const path = `/v1${one.path}${sign}billingContext=${billingContext}&${one.query}${next}`;
      const { text, status } = await server.send(path, { headers: { authorization } });
      return { status, ...JSON.parse(text) };
    }
    case 'stream': {
      const path = `${one.path}?billingContext=${billingContext}&${one.query}`;
      const { text, status, headers } = await server.send(path, { headers: { authorization } });
      if (status !== 200) return { status, ...JSON.parse(text) };
      return { status, text, totalSize: headers.get('total-size') };
    }
    case 'tile': {
      const path = one.path.endsWith('.mvt') ? `tiles/${one.path}` : one.path;
      const query = `billingContext=${billingContext}&${one.query}`;
      const address = `${server.url}${one.of}/${path}?${query}`;
      const answer = await fetch(address, { headers: { authorization } });
      const { status, headers } = answer;
      if (!headers.get('content-type')?.includes('vector-tile')) {
        const text = await answer.text();
        return { status, ...JSON.parse(text === '' ? '{}' : text), instance: '', tiles: [] };
      }
      const bytes = Buffer.from(await answer.arrayBuffer());
      return { status, bytes: bytes.toString('base64'), features: featuresOf(bytes) };
    }
    case 'grpc': {
      const method = METHODS[one.call];
      if (method === undefined) throw new Error(`There is no call ${one.call}.`);
      // The message is only known at run time.
      const request = {
        ...one.request,
        ...page,
        ...('billingContext' in one.request ? { billingContext } : {}),
      } as MessageInitShape<DescMessage>;
      const options = { metadata: { authorization } };
      try {
        const { message } = await server.grpc.ask(method, request, options);
        return toJson(method.output, message) as object;
      } catch {
        return server.grpc.refusal(method, request, options);
      }
    }
  }
}

const STRIPPED = new Set([
  'version',
  'versionSpec',
  'nextPageToken',
  'publishedTime',
  'indexUpdateTime',
  'updateTime',
  'requestId',
  'appliedFilters',
  'yourLens',
  'instance',
  // The suppression of small cells decides whether a value may be absent.
  'valueIsNullable',
]);

function strip(answer: unknown): unknown {
  return JSON.parse(
    JSON.stringify(answer, (key, value) => (STRIPPED.has(key) ? undefined : value)),
  );
}
