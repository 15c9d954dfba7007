import { expect, test } from 'vitest';
import { TooManyRowsError } from '../src/index.ts';
import { useSample } from './open-sample.ts';

const { client } = useSample();

const PLACES = 'ml_visitation.places';
const IN_CALIFORNIA = { fieldName: 'region', operator: '==', value: 'CA' };
const METRIC = { catalogId: 'nps', metricId: 'foot_traffic_monthly' };

test('the records of all pages come one after the other, with typed values', async () => {
  const records = client().records(PLACES, {
    fields: ['location_id', 'latitude', 'city'],
    filters: [IN_CALIFORNIA],
    orderBy: { fieldName: 'latitude', direction: 'DESC' },
    thenBy: [{ fieldName: 'city' }],
    pageSize: 4,
  });
  const read = [];
  for await (const record of records) read.push(record);

  expect(read).toHaveLength(9);
  expect(read[0]).toEqual({
    location_id: 'REDW',
    latitude: expect.any(Number),
    city: expect.any(String),
  });
  const sizes = [];
  for await (const page of records.pages()) sizes.push(page.records.length);
  expect(sizes).toEqual([4, 4, 1]);
  expect(await records.count()).toEqual({ totalSize: 9, costRows: 9 });
  expect(await records.all()).toEqual(read);
});

test('an integer beyond 2^53 is rounded as a number, and exact as text', async () => {
  const filters = [{ fieldName: 'trips', operator: '>', value: '9007199254740992' }];
  const dataset = 'trips.town_day';
  const [typed] = await client().records(dataset, { filters }).all();
  const asText = await client().listRecords({ dataReferenceName: dataset, filters });
  expect(typed?.['trips']).toBe(9_007_199_254_740_992);
  expect(asText.records[0]?.fields['trips']).toBe('9007199254740993');
});

test('a box restricts records', async () => {
  const boundingBox = { minLng: -124.5, minLat: 40, maxLng: -114.1, maxLat: 42 };
  const ids = [];
  for await (const record of client().records(PLACES, { boundingBox })) {
    ids.push(record['location_id']);
  }
  expect(ids.toSorted()).toEqual(['LAVO', 'REDW']);
});

test('a whole answer with more rows than allowed is refused after one page of that size', async () => {
  const sizes: unknown[] = [];
  const watched = client({
    fetch: (address, init) => {
      sizes.push(JSON.parse(String(init?.body)).pageSize);
      return fetch(address, init);
    },
  });
  const records = watched.records(PLACES, { filters: [IN_CALIFORNIA] });

  await expect(records.all({ maxRows: 8 })).rejects.toMatchObject({
    name: 'TooManyRowsError',
    maxRows: 8,
    totalSize: 9,
    message:
      'The whole answer has 9 rows, and maxRows is 8. Narrow the request, raise maxRows, or iterate over the rows.',
  });
  expect(await records.all({ maxRows: 9 })).toHaveLength(9);
  expect(sizes).toEqual([8, 9]);
});

test('a whole answer without a total is refused as well', async () => {
  const values = client().fieldValues(PLACES, 'region', { filters: [IN_CALIFORNIA] });
  expect(await values.all({ maxRows: 1 })).toEqual(['CA']);
  const all = client().fieldValues(PLACES, 'region');
  await expect(all.all({ maxRows: 2 })).rejects.toBeInstanceOf(TooManyRowsError);
  expect(await client().fieldValues(PLACES, 'city', { term: 'spring' }).count()).toMatchObject({
    totalSize: 2,
  });
});

test('metric values come the same by GET and by POST', async () => {
  const request = {
    ...METRIC,
    featureFilter: ['ACAD'],
    observationPeriodFilter: { start: '2023-01-01', end: '2023-12-31' },
    addressComponentFilter: [{ component: 'us_state_2020', values: ['23', '06'] }],
    valueFilter: [
      { valueName: 'person_count', operator: 'GREATER_THAN_OR_EQUAL_TO', numericValue: 1000 },
    ],
    pageSize: 5,
  } as const;
  const methods = new Set<unknown>();
  const watched = client({
    fetch: (address, init) => {
      methods.add(init?.method);
      return fetch(address, init);
    },
  });
  const byGet = await watched.metricValues(request).all();
  expect([...methods]).toEqual(['GET']);
  const byPost = await watched.metricValues({ ...request, requestTags: { by: 'body' } }).all();
  expect([...methods]).toEqual(['GET', 'POST']);

  expect(byGet).toHaveLength(12);
  expect(byPost).toEqual(byGet);
  expect(await watched.metricValues(request).count()).toEqual({ totalSize: 12, costRows: 12 });
});

test('features, values of components and dimensions, metrics and usage are read page by page', async () => {
  const to = client();
  const layer = { catalogId: 'nps', layerId: 'nps_parks' };
  const [west, south, east, north] = [-125, 32, -114, 42];
  const box = { west, south, east, north };
  expect(await to.features({ ...layer, pageSize: 20 }).all()).toHaveLength(63);
  const inBox = await to.features({ ...layer, boundingBoxFilter: box, pageSize: 4 }).all();
  const corners = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  const polygonFilter = { type: 'Polygon' as const, coordinates: [corners] };
  expect(await to.features({ ...layer, polygonFilter, pageSize: 4 }).all()).toEqual(inBox);
  // The parameter of the address, not the member of a body.
  const circleFilter = { longitude: -68.2475, latitude: 44.4093, radiusMetres: 1000 };
  const near = await to.features({ ...layer, circleFilter }).all();
  expect(near.map(({ featureId }) => featureId)).toEqual(['ACAD']);
  const byBody = { ...layer, boundingBoxFilter: box, existedInDateRange: {} };
  expect(await to.features(byBody).all()).toEqual(inBox);
  const component = { catalogId: 'nps', component: 'us_state_2020', pageSize: 7 };
  expect((await to.componentValues(component).all()).length).toBeGreaterThan(7);
  const dimension = { catalogId: 'trips', dimensionId: 'purpose', pageSize: 1 };
  expect((await to.dimensionValues(dimension).all()).length).toBeGreaterThan(1);
  const metrics = await to.metrics({ catalogId: 'nps', pageSize: 1 }).all();
  expect(metrics.map(({ id }) => id)).toEqual(['foot_traffic_monthly']);
  const usage = await to.usage({ groupBy: ['operation'], pageSize: 1 }).all();
  expect(usage.map(({ operation }) => operation)).toContain('searchLayerFeatures');
});

test('records by distance have it, page by page and in a stream', async () => {
  const near = { longitude: -118.2437, latitude: 34.0522 };
  const selection = { near, fields: ['location_name'] as const };
  const byPages = await client()
    .records('ml_visitation.places', { ...selection, pageSize: 7 })
    .all();
  const metres = byPages.map(({ distance_metres }) => distance_metres ?? Number.NaN);
  expect(metres).toEqual(metres.toSorted((left, right) => left - right));
  const streamed = [];
  for await (const row of client().streamRecords('ml_visitation.places', selection)) {
    streamed.push(row);
  }
  expect(streamed).toEqual(byPages);
});
