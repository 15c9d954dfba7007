import { fileURLToPath } from 'node:url';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { toJson } from '@bufbuild/protobuf';
import { SearchMetricAggregatesResponseSchema } from '@locmetrics/contract';
import { locmetricsV1 } from '@locmetrics/contract/grpc';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { grpcWords, problemWords } from './refusal-words.ts';
import { ORGANISATION_ID } from './test-data.ts';
import { useTestServer } from './test-server.ts';

/** A request for aggregates has the same answer as query parameters, as a body and over gRPC. */
const MANIFEST = fileURLToPath(new URL('../fixtures/trips/locmetrics.yaml', import.meta.url));
const { ask, refusal, send } = useTestServer((to) => to.publishManifest(MANIFEST));
const { searchMetricAggregates } = locmetricsV1.Aggregates.method;
const RESPONSE = locmetricsV1.SearchMetricAggregatesResponseSchema;
const PATH = '/v1/catalogs/trips/metrics/trips_daily/aggregates';
const METRIC = { catalogId: 'trips', metricId: 'trips_daily', billingContext: ORGANISATION_ID };

type Request = MessageInitShape<typeof locmetricsV1.SearchMetricAggregatesRequestSchema>;
type Asked = {
  readonly query: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly message: Request;
};

const isAsDescribed = new Ajv2020({ strict: false }).compile(SearchMetricAggregatesResponseSchema);
const { MetricGroup_Kind: Kind, Comparison } = locmetricsV1;
const [SUM, YEAR, DESC] = [1, 5, 2];

/** Around Zürich alone. */
const RING = [
  [7, 46.5],
  [9, 46.5],
  [9, 48],
  [7, 46.5],
] as const;
const GEOJSON = { type: 'Polygon', coordinates: [RING] };

const ASKED: Readonly<Record<string, Asked>> = {
  'one group of all values': { query: '', body: {}, message: {} },
  'groups by component': {
    query:
      'groupBy=canton&aggregate=sum:trip_count&rankBy=sum_trip_count&orderBy=sum_trip_count:DESC',
    body: {
      groupBy: [{ id: 'canton' }],
      aggregates: [{ valueName: 'trip_count', aggregation: 'SUM' }],
      rankBy: 'sum_trip_count',
      orderBy: [{ name: 'sum_trip_count', direction: 'DESC' }],
    },
    message: {
      groupBy: [{ id: 'canton' }],
      aggregates: [{ valueName: 'trip_count', aggregation: SUM }],
      rankBy: 'sum_trip_count',
      orderBy: [{ name: 'sum_trip_count', direction: DESC }],
    },
  },
  'groups of the features inside a polygon': {
    query: `groupBy=feature&aggregate=sum:trip_count&polygon=${encodeURIComponent(JSON.stringify(GEOJSON))}`,
    body: {
      groupBy: [{ kind: 'FEATURE' }],
      aggregates: [{ valueName: 'trip_count', aggregation: 'SUM' }],
      polygonFilter: GEOJSON,
    },
    message: {
      groupBy: [{ kind: Kind.FEATURE }],
      aggregates: [{ valueName: 'trip_count', aggregation: SUM }],
      polygonFilter: {
        coordinates: RING.map(([longitude, latitude]) => ({ longitude, latitude })),
      },
    },
  },
  'groups of the features inside a circle': {
    query: 'groupBy=feature&aggregate=sum:trip_count&circle=8.54,47.37,90000',
    body: {
      groupBy: [{ kind: 'FEATURE' }],
      aggregates: [{ valueName: 'trip_count', aggregation: 'SUM' }],
      circleFilter: { longitude: 8.54, latitude: 47.37, radiusMetres: 90_000 },
    },
    message: {
      groupBy: [{ kind: Kind.FEATURE }],
      aggregates: [{ valueName: 'trip_count', aggregation: SUM }],
      circleFilter: { longitude: 8.54, latitude: 47.37, radiusMetres: 90_000 },
    },
  },
  'groups by related feature and year, compared with their mean': {
    query:
      'groupBy=relatedFeature&groupBy=period:YEAR&aggregate=sum:trip_count&compare=MEAN_OF_GROUPS&pageSize=2',
    body: {
      groupBy: [{ kind: 'RELATED_FEATURE' }, { kind: 'PERIOD', bucket: 'YEAR' }],
      aggregates: [{ valueName: 'trip_count', aggregation: 1 }],
      compare: 'MEAN_OF_GROUPS',
      pageSize: 2,
    },
    message: {
      groupBy: [{ kind: Kind.RELATED_FEATURE }, { kind: Kind.PERIOD, bucket: YEAR }],
      aggregates: [{ valueName: 'trip_count', aggregation: SUM }],
      compare: Comparison.MEAN_OF_GROUPS,
      pageSize: 2,
    },
  },
};

/** The names of the message; a name of a list has no ending in it, and counts are texts. */
function likeMessage(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(likeMessage);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name.replace(/List$/, ''),
    name === 'kind' ? `KIND_${member}` : likeMessage(member),
  ]);
  // A message leaves out what is empty.
  const isEmpty = (member: unknown) =>
    member === '' || (Array.isArray(member) && member.length === 0);
  return Object.fromEntries(members.filter(([, member]) => !isEmpty(member)));
}

test.each(Object.entries(ASKED))('%s: each form has the same answer', async (_, asked) => {
  const address = `${PATH}?billingContext=${ORGANISATION_ID}&${asked.query}`;
  const got = await send(address, { method: 'GET' });
  const posted = await send(PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ billingContext: ORGANISATION_ID, ...asked.body }),
  });
  const { message } = await ask(searchMetricAggregates, { ...METRIC, ...asked.message });
  expect(JSON.parse(got.text)).toEqual(JSON.parse(posted.text));
  expect(isAsDescribed(JSON.parse(got.text)), got.text).toBe(true);
  // A count can have more digits than a number.
  const exact = got.text.replace(/"count":(-?[0-9]+)/g, '"count":"$1"');
  const { appliedFilters: _filters, nextPageToken: _next, ...answer } = JSON.parse(exact);
  const {
    appliedFilters: _ofGrpc,
    nextPageToken: _token,
    ...received
  } = toJson(RESPONSE, message) as Record<string, unknown>;
  expect(received).toEqual(likeMessage(answer));
  expect(received['rows']).toMatchSnapshot();
});

test.each([
  ['groupBy=county', { groupBy: [{ id: 'county' }] }],
  ['rankBy=sum_trip_count', { rankBy: 'sum_trip_count' }],
  ['compare=PREVIOUS', { compare: Comparison.PREVIOUS }],
])('%s is refused alike', async (query, message) => {
  const got = await send(`${PATH}?billingContext=${ORGANISATION_ID}&${query}`, { method: 'GET' });
  expect(problemWords(JSON.parse(got.text))).toEqual(
    grpcWords(await refusal(searchMetricAggregates, { ...METRIC, ...message })),
  );
});

test.each([
  'groupBy=period:DECADE',
  'aggregate=trips',
  'aggregate=total:trips',
  'aggregate=quantile:trips:most',
  'orderBy=sum_trip_count:DOWN',
  'circle=7,46',
  'circle=7,46,0',
  'polygon=7,46',
  'polygon={"coordinates":[[[7,46.5],[9,46.5],[7,46.5]]]}',
])('%s is not written as a parameter is', async (query) => {
  const { status, text } = await send(`${PATH}?billingContext=${ORGANISATION_ID}&${query}`, {
    method: 'GET',
  });
  expect(status).toBe(400);
  const { reason, detail, hint, errors } = JSON.parse(text);
  expect({ reason, detail, hint, errors }).toMatchSnapshot();
});
