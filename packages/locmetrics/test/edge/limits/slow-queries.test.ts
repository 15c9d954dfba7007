import { expect, test } from 'vitest';
import { forgetExtents } from '../forget-extents.ts';
import { SHOPS } from '../shops.ts';
import { useTestServer } from '../test-server.ts';

/** Every query takes longer than this. */
const SLOW = { slowQueryMs: 0.001 };
const { log, logText, post, send } = useTestServer(async (to) => {
  await to.publishFiles(SHOPS);
  forgetExtents(to.directory);
}, SLOW);
const quick = useTestServer((to) => to.publishFiles(SHOPS), { slowQueryMs: 60_000 });
const off = useTestServer((to) => to.publishFiles(SHOPS), { slowQueryMs: 0 });

const dataReferenceName = 'shop.stores';
const withId = (id: string) => ({ 'x-request-id': id });
const slowOf = (id: string) =>
  log().filter(({ kind, requestId }) => kind === 'query_slow' && requestId === id);

test('a slow query is a log line with its plan: data, filters, order and duration', async () => {
  await post(
    'listRecords',
    {
      dataReferenceName,
      fields: ['city', 'count'],
      filters: [
        { fieldName: 'city', operator: 'contains', value: 'z' },
        { fieldName: 'count', operator: '>=', value: '-5' },
        { fieldName: 'store_id', operator: 'in', values: ['S1', 'S2', 'S3'] },
        { fieldName: 'rating', operator: 'is_not_empty' },
      ],
      options: {
        orderBy: { fieldName: 'rating', direction: 'DESC' },
        boundingBox: { minLng: 8, minLat: 47, maxLng: 9, maxLat: 48 },
        trimToPeriodOfExistence: 'IGNORE',
      },
      pageSize: 2,
    },
    withId('slow'),
  );
  expect(slowOf('slow')).toEqual([
    {
      level: 40,
      time: expect.any(String),
      kind: 'query_slow',
      requestId: 'slow',
      plan: 'records',
      dataset: 'shop.stores',
      version: expect.stringMatching(/^20240101T0{9}Z-/),
      filters: [
        'contains city',
        '>= count',
        'in store_id (3 values)',
        'is not empty rating',
        'box',
      ],
      rights: [],
      order: ['rating desc', 'key asc'],
      fields: 2,
      pageSize: 2,
      isLaterPage: false,
      store: 'rows',
      access: 'series (3 values)',
      boundUs: expect.any(Number),
      reason: 'An index finds the records.',
      outcome: 'answered',
      durationMs: expect.any(Number),
      rows: 2,
    },
  ]);
});

test('each kind of plan is logged, and whether it continues after a page', async () => {
  const { body } = await post('listRecords', { dataReferenceName, pageSize: 1 }, withId('first'));
  const pageToken = body.nextPageToken;
  await post('listRecords', { dataReferenceName, pageSize: 1, pageToken }, withId('later'));
  await post(
    'searchFieldValues',
    { dataReferenceName, field: 'city', term: 'z' },
    withId('values'),
  );
  const address = '/v1/catalogs/shop/metrics/customers/values?billingContext=acme&featureFilter=S1';
  await send(address, { headers: withId('metric') });
  expect(slowOf('first')).toMatchObject([
    { plan: 'records', isLaterPage: false, filters: ['existed'] },
    { plan: 'count', filters: ['existed'], order: [] },
  ]);
  expect(slowOf('later')).toMatchObject([{ plan: 'records', isLaterPage: true, rows: 1 }]);
  expect(slowOf('values')).toMatchObject([
    { plan: 'distinct', filters: ['existed', 'contains city'], order: ['city asc'] },
  ]);
  // The query of the extent may go on after the answer.
  await expect
    .poll(() => slowOf('metric').map(({ plan }) => plan))
    .toEqual(expect.arrayContaining(['extent', 'records']));
  expect(slowOf('metric')).toHaveLength(2);
});

test('the line contains no value of a filter, box, term or page token, and no token', async () => {
  const secret = 'Quetzalcoatl';
  for (const operator of ['==', '!=', 'contains', 'starts_with', '<', 'in', 'not_in']) {
    await post('listRecords', {
      dataReferenceName,
      filters: [{ fieldName: 'city', operator, ...toValue(operator, secret) }],
      options: { boundingBox: { minLng: -179.987654, minLat: -89, maxLng: 179, maxLat: 89 } },
    });
  }
  await post('searchFieldValues', { dataReferenceName, field: 'city', term: secret });
  await send(
    `/v1/catalogs/shop/metrics/customers/values?billingContext=acme&featureFilter=${secret}&addressComponentFilter=city:${secret}&valueFilter=customers%3E%3D987654`,
  );
  expect(log().filter(({ kind }) => kind === 'query_slow').length).toBeGreaterThan(9);
  for (const text of [secret, secret.toLowerCase(), '987654', 'Zürich']) {
    expect(logText()).not.toContain(text);
  }
});

test('a query below the threshold is not logged, and with 0 none is logged', async () => {
  for (const server of [quick, off]) {
    await server.post('listRecords', { dataReferenceName });
    expect(server.log().map(({ kind }) => kind)).toEqual(['request_completed']);
  }
});

function toValue(operator: string, value: string) {
  return operator.endsWith('in') ? { values: [value, `${value}2`] } : { value };
}

test('the query that writes a file is observed too', async () => {
  const { status } = await send(`/v3/catalog/${dataReferenceName}/records.parquet?fields=city`, {
    headers: withId('file'),
  });
  expect(status).toBe(200);
  expect(slowOf('file').map(({ plan, outcome, rows }) => [plan, outcome, rows])).toContainEqual([
    'records',
    'answered',
    undefined,
  ]);
});
