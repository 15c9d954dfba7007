import { fileURLToPath } from 'node:url';
import {
  type DescMessage,
  type DescMethodUnary,
  type MessageInitShape,
  type MessageShape,
  toJson,
} from '@bufbuild/protobuf';
import * as contract from '@locmetrics/contract';
import { catalogV1, mapsV1 } from '@locmetrics/contract/grpc';
import { WHOLE_LENS, wholeGrant } from '@locmetrics/core/domain/grant';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { grpcWords, problemWords } from '../refusal-words.ts';
import { useTestServer } from '../test-server.ts';

/**
 * Each question about catalogs, metrics and layers has the same answer over HTTP and gRPC, for a caller who sees
 * all and for one who sees a part.
 */
const MANIFEST = fileURLToPath(new URL('../../fixtures/trips/locmetrics.yaml', import.meta.url));
const tokens = { all: '', part: '' };
const { ask, refusal, send } = useTestServer(async (to) => {
  await to.publishManifest(MANIFEST);
  tokens.all = to.token;
  to.store.createOrganisation({ id: 'part', name: 'Part' });
  to.store.addGrant('part', {
    ...wholeGrant('', 'trips/trips_daily'),
    lens: {
      ...WHOLE_LENS,
      period: { start: '2024-01-01' },
      addressComponents: [{ component: 'canton', values: ['ZH', 'GE'] }],
      dimensions: [{ dimensionId: 'purpose', values: ['work'] }],
    },
  });
  tokens.part = to.store.createToken({ organisationId: 'part', name: 'part' }).tokenText;
});

const { listMetrics, getMetric, getLayer, listCatalogs } = catalogV1.CatalogService.method;
const { searchLayerFeatures, searchAddressComponentValues, searchDimensionValues } =
  catalogV1.QueryService.method;

type Asked = {
  readonly path: string;
  readonly schema: object;
  /** Sends the same call over gRPC, and returns its answer as JSON of protobuf. */
  readonly call: (token: string) => Promise<unknown>;
};

function asked<Input extends DescMessage, Output extends DescMessage>(
  path: string,
  schema: object,
  method: DescMethodUnary<Input, Output>,
  request: MessageInitShape<Input>,
): Asked {
  return {
    path,
    schema,
    call: async (token) => {
      const { message } = await ask(method, request, bearer(token));
      return plain(method.output, message);
    },
  };
}

const METRIC = { catalogId: 'trips', metricId: 'trips_daily' };
const LAYER = { catalogId: 'trips', layerId: 'town' };
const FEATURES = '/v1/catalogs/trips/layers/town/features';
/** Around Zürich alone. */
const RING = [
  [7, 46.5],
  [9, 46.5],
  [9, 48],
  [7, 46.5],
] as const;
const POLYGON = { coordinates: RING.map(([longitude, latitude]) => ({ longitude, latitude })) };
const POLYGON_TEXT = encodeURIComponent(JSON.stringify({ type: 'Polygon', coordinates: [RING] }));

const ASKED: readonly Asked[] = [
  asked('/v1/catalogs', contract.ListCatalogsResponseSchema, listCatalogs, {}),
  asked('/v1/catalogs/trips/metrics', contract.ListMetricsResponseSchema, listMetrics, {
    catalogId: 'trips',
  }),
  ...['availabilityFilter=1', 'availability_filter=AVAILABILITY_KIND_DELIVERY_ONLY'].map((query) =>
    asked(
      `/v1/catalogs/trips/metrics?${query}&pageSize=5`,
      contract.ListMetricsResponseSchema,
      listMetrics,
      { catalogId: 'trips', availabilityFilter: [1], pageSize: 5 },
    ),
  ),
  asked(
    '/v1/catalogs/trips/metrics?layerFilter=town&layerFilter=city',
    contract.ListMetricsResponseSchema,
    listMetrics,
    { catalogId: 'trips', layerFilter: ['town', 'city'] },
  ),
  asked(
    '/v1/catalogs/trips/metrics/trips_daily',
    contract.GetMetricResponseSchema,
    getMetric,
    METRIC,
  ),
  asked(
    '/v1/catalogs/trips/metrics/trips_daily?skipLayers=true&skip_lens=true&skipDimensions=true&skipObservationPeriod=true',
    contract.GetMetricResponseSchema,
    getMetric,
    {
      ...METRIC,
      options: {
        skipLayers: true,
        skipLens: true,
        skipDimensions: true,
        skipObservationPeriod: true,
      },
    },
  ),
  asked('/v1/catalogs/trips/layers/town', contract.GetLayerResponseSchema, getLayer, LAYER),
  asked(FEATURES, contract.SearchLayerFeaturesResponseSchema, searchLayerFeatures, LAYER),
  asked(
    `${FEATURES}?query=z&pageSize=2&addressComponentWhitelist=canton`,
    contract.SearchLayerFeaturesResponseSchema,
    searchLayerFeatures,
    { ...LAYER, query: 'z', pageSize: 2, addressComponentWhitelist: ['canton'] },
  ),
  asked(
    `${FEATURES}?boundingBoxFilter=6,46,9,48&existedInDateRange=../2020-01-01&addressComponentFilter=canton:ZH&addressComponentFilter=canton:GE&featureFilter=ZH&featureFilter=GE`,
    contract.SearchLayerFeaturesResponseSchema,
    searchLayerFeatures,
    {
      ...LAYER,
      boundingBoxFilter: { west: 6, south: 46, east: 9, north: 48 },
      existedInDateRange: { endDate: '2020-01-01' },
      addressComponentFilter: [{ component: 'canton', values: ['ZH', 'GE'] }],
      featureFilter: ['ZH', 'GE'],
    },
  ),
  asked(
    `${FEATURES}?polygon=${POLYGON_TEXT}`,
    contract.SearchLayerFeaturesResponseSchema,
    searchLayerFeatures,
    { ...LAYER, polygonFilter: POLYGON },
  ),
  asked(
    `${FEATURES}?circle=8,47,90000`,
    contract.SearchLayerFeaturesResponseSchema,
    searchLayerFeatures,
    { ...LAYER, circleFilter: { longitude: 8, latitude: 47, radiusMetres: 90_000 } },
  ),
  asked(
    '/v1/addressComponents',
    contract.ListAddressComponentsResponseSchema,
    mapsV1.MapService.method.listAddressComponents,
    {},
  ),
  asked(
    '/v1/catalogs/trips/addressComponents/canton/values?query=z&pageSize=1',
    contract.SearchAddressComponentValuesResponseSchema,
    searchAddressComponentValues,
    { catalogId: 'trips', component: 'canton', query: 'z', pageSize: 1 },
  ),
  asked(
    '/v1/catalogs/trips/addressComponents/canton/values?value_ids=GE&value_ids=BE',
    contract.SearchAddressComponentValuesResponseSchema,
    searchAddressComponentValues,
    { catalogId: 'trips', component: 'canton', valueIds: ['GE', 'BE'] },
  ),
  asked(
    '/v1/catalogs/trips/dimensions/purpose/values?query=l',
    contract.SearchDimensionValuesResponseSchema,
    searchDimensionValues,
    { catalogId: 'trips', dimensionId: 'purpose', query: 'l' },
  ),
];

test.each(ASKED.map(({ path }) => path))('%s: the same answer over both edges', async (path) => {
  const one = ASKED.find((known) => known.path === path);
  if (one === undefined) throw new Error(path);
  const isAsDescribed = new Ajv2020({ strict: false }).compile(one.schema);
  for (const token of [tokens.all, tokens.part]) {
    const { status, text, body } = await send(path, { headers: header(token) });
    expect([status, text]).toEqual([200, expect.any(String)]);
    expect(isAsDescribed(body)).toBe(true);
    expect(comparable(body)).toEqual(comparable(await one.call(token)));
  }
});

test('a caller who sees a part finds its lens, its days and its dimension values', async () => {
  const headers = header(tokens.part);
  const { body } = await send('/v1/catalogs/trips/metrics/trips_daily', { headers });
  const { metric } = JSON.parse(JSON.stringify(body));
  expect(metric.yourLens.lensFilters.addressComponentFiltersList).toEqual([
    { component: 'canton', valuesList: ['ZH', 'GE'] },
  ]);
  expect(metric.firstObservationDate >= '2024-01-01').toBe(true);
  const values = await send('/v1/catalogs/trips/dimensions/purpose/values', { headers });
  expect(values.body).toMatchObject({ dimensionValuesList: [{ value: 'work' }], totalSize: 1 });
});

test('the report has the days of the values, and the filters that always apply', async () => {
  const method = catalogV1.QueryService.method.searchMetricReport;
  const { body, text } = await send('/v1/catalogs/trips/metrics/trips_daily/report');
  const { message } = await ask(method, METRIC);
  const isAsDescribed = new Ajv2020({ strict: false }).compile(
    contract.SearchMetricReportResponseSchema,
  );
  expect(isAsDescribed(body)).toBe(true);
  const { report, appliedFilters } = JSON.parse(text);
  expect(report).toEqual(Object(plain(method.output, message))['report']);
  expect(appliedFilters.addressComponentFiltersList).toEqual([
    { component: 'is_obfuscated', valuesList: ['false'] },
  ]);
});

test('features are searched by a body too, and a page token works on each way', async () => {
  const first = await send(`${FEATURES}?pageSize=2&query=z`);
  const second = await post({ query: 'z', pageSize: 1, pageToken: first.body.nextPageToken });
  const third = await ask(searchLayerFeatures, {
    ...LAYER,
    query: 'z',
    pageToken: second.body.nextPageToken,
  });
  const all = await post({ query: 'z', layerId: 'town', catalog_id: 'trips' });
  const idsOf = ({ text }: { readonly text: string }): readonly string[] =>
    JSON.parse(text).featuresList.map((one: { readonly featureId: string }) => one.featureId);
  expect([
    ...idsOf(first),
    ...idsOf(second),
    ...third.message.features.map(({ featureId }) => featureId),
  ]).toEqual(idsOf(all));
  expect(idsOf(all)).toHaveLength(all.body.totalSize);
  const box = { west: 6, north: 48, east: 9, south: 46 };
  const inside = await post({ polygonFilter: { type: 'Polygon', coordinates: [RING] } });
  expect(idsOf(inside)).toEqual(['ZH']);
  expect(inside.text).toBe((await post({ polygonFilter: POLYGON })).text);
  expect(inside.text).toBe((await send(`${FEATURES}?polygon=${POLYGON_TEXT}`)).text);
  const boxed = await post({
    boundingBoxFilter: box,
    existedInDateRange: { endDate: '2020-01-01' },
  });
  const address = 'boundingBoxFilter=6,46,9,48&existedInDateRange=/2020-01-01';
  expect(boxed.text).toBe((await send(`${FEATURES}?${address}`)).text);
});

function refused<Input extends DescMessage, Output extends DescMessage>(
  path: string,
  method: DescMethodUnary<Input, Output>,
  request: MessageInitShape<Input>,
) {
  return [path, () => refusal(method, request)] as const;
}

test.each([
  refused('/v1/catalogs/trip/metrics', listMetrics, { catalogId: 'trip' }),
  refused('/v1/catalogs/trips/metrics/trip_daily', getMetric, {
    ...METRIC,
    metricId: 'trip_daily',
  }),
  refused('/v1/catalogs/trips/layers/towns', getLayer, {
    ...LAYER,
    layerId: 'towns',
  }),
  refused('/v1/catalogs/trips/addressComponents/kanton/values', searchAddressComponentValues, {
    catalogId: 'trips',
    component: 'kanton',
  }),
  refused('/v1/catalogs/trips/dimensions/purposes/values', searchDimensionValues, {
    catalogId: 'trips',
    dimensionId: 'purposes',
  }),
  refused('/v1/catalogs/trips/metrics?pageSize=-1', listMetrics, {
    catalogId: 'trips',
    pageSize: -1,
  }),
  refused(`${FEATURES}?addressComponentFilter=kanton:ZH`, searchLayerFeatures, {
    ...LAYER,
    addressComponentFilter: [{ component: 'kanton', values: ['ZH'] }],
  }),
  refused(`${FEATURES}?boundingBoxFilter=6,46,9,48&polygon=${POLYGON_TEXT}`, searchLayerFeatures, {
    ...LAYER,
    boundingBoxFilter: { west: 6, south: 46, east: 9, north: 48 },
    polygonFilter: POLYGON,
  }),
  refused(`${FEATURES}?boundingBoxFilter=6,46,9,48&circle=8,47,1`, searchLayerFeatures, {
    ...LAYER,
    boundingBoxFilter: { west: 6, south: 46, east: 9, north: 48 },
    circleFilter: { longitude: 8, latitude: 47, radiusMetres: 1 },
  }),
  refused(`${FEATURES}?boundingBoxFilter=6,48,9,46`, searchLayerFeatures, {
    ...LAYER,
    boundingBoxFilter: { west: 6, south: 48, east: 9, north: 46 },
  }),
])('%s is refused as over gRPC', async (path, overGrpc) => {
  const { body } = await send(path);
  expect(problemWords(body)).toEqual(grpcWords(await overGrpc()));
});

test.each([
  ['/v1/catalogs?page_size=3', '/page_size', 'UNKNOWN_REQUEST_FIELD'],
  ['/v1/catalogs/trips/metrics?layers=town', '/layers', 'UNKNOWN_REQUEST_FIELD'],
  [
    '/v1/catalogs/trips/metrics?availabilityFilter=SOME',
    '/availabilityFilter/0',
    'INVALID_REQUEST',
  ],
  [`${FEATURES}?boundingBoxFilter=6,46,9`, '/boundingBoxFilter', 'INVALID_BOUNDING_BOX'],
  [`${FEATURES}?polygon=7,46`, '/polygon', 'INVALID_POLYGON'],
  [
    `${FEATURES}?polygon=${POLYGON_TEXT.replace('48', '91')}`,
    '/polygon/coordinates/0/2',
    'INVALID_POLYGON',
  ],
  [`${FEATURES}?circle=7,46`, '/circle', 'INVALID_CIRCLE'],
  [`${FEATURES}?circle=7,96,1`, '/circle', 'INVALID_CIRCLE'],
  [`${FEATURES}?existed_in_date_range=2020`, '/existed_in_date_range', 'INVALID_PERIOD'],
  [`${FEATURES}?addressComponentFilter=ZH`, '/addressComponentFilter/0', 'INVALID_FILTER_VALUE'],
])('%s is refused with the parameter', async (path, pointer, reason) => {
  const { status, body } = await send(path);
  expect([status, body.reason]).toEqual([400, reason]);
  expect(JSON.stringify(body)).toContain(JSON.stringify(pointer).slice(1, -1));
});

test('a foreign billing context is refused by every call, its own organisation is not', async () => {
  const paths = [
    ...new Set(ASKED.map(({ path }) => path.split('?')[0] ?? '')),
    '/v1/catalogs/trips/metrics/trips_daily/report',
  ];
  expect(paths).toHaveLength(9);
  for (const path of paths) {
    const foreign = await send(`${path}?billingContext=part`);
    expect([path, foreign.status, foreign.body.reason]).toEqual([
      path,
      403,
      'BILLING_CONTEXT_DENIED',
    ]);
    const own = await send(`${path}?billing_context=part`, { headers: header(tokens.part) });
    expect([path, own.status]).toEqual([path, 200]);
  }
});

function post(body: Readonly<Record<string, unknown>>) {
  return send(`${FEATURES}:search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

const header = (token: string) => ({ authorization: `Bearer ${token}` });
const bearer = (token: string) => ({ metadata: header(token) });

/** The JSON of protobuf, with the names of lists, enums and numbers as they are under `/v1`. */
function plain<Schema extends DescMessage>(schema: Schema, message: MessageShape<Schema>): unknown {
  // Dates have no time of the day over HTTP.
  const isTime = ({ typeName }: DescMessage, name: string): boolean =>
    typeName === 'unacast.unatype.Date' && ['hour', 'minute', 'second'].includes(name);
  const rename = (desc: DescMessage, json: unknown): unknown =>
    Object.fromEntries(
      Object.entries(Object(json)).flatMap(([name, value]) => {
        if (isTime(desc, name)) return [];
        const field = desc.fields.find(({ jsonName }) => jsonName === name);
        if (field === undefined) throw new Error(`${desc.typeName} has no ${name}.`);
        const itemOf = (one: unknown): unknown => {
          if (field.message !== undefined) return rename(field.message, one);
          if (field.enum !== undefined) return String(one).replace(prefixOf(field.enum), '');
          return field.jsonName === 'rowCount' ? Number(one) : one;
        };
        return Array.isArray(value)
          ? [[`${name}List`, value.map(itemOf)]]
          : [[name, itemOf(value)]];
      }),
    );
  return rename(schema, toJson(schema, message, { alwaysEmitImplicit: true }));
}

function prefixOf({ name }: { readonly name: string }): string {
  return `${name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}_`;
}

/** Two page tokens are never the same, and scores are floats over gRPC. */
function comparable(answer: unknown): unknown {
  return JSON.parse(
    JSON.stringify(answer, (name, value) => {
      if (name === 'nextPageToken') return value !== '';
      return name === 'queryScoresList' ? value.map(Math.fround) : value;
    }),
  );
}

test('a metric names its datasets only to a caller who may see them', async () => {
  const namesFor = async (token: string) => {
    const { message } = await ask(getMetric, METRIC, bearer(token));
    const { metric } = message;
    return [metric?.dataReferenceName, metric?.featureDataReferenceName];
  };
  expect(await namesFor(tokens.all)).toEqual(['trips.town_day', 'trips.towns']);
  expect(await namesFor(tokens.part)).toEqual(['', '']);
});
