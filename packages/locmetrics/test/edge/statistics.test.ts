import type { MessageInitShape } from '@bufbuild/protobuf';
import { catalogV3, catalogV3alpha } from '@locmetrics/contract/grpc';
import { expect, test } from 'vitest';
import { schemaErrors } from './openapi/described-schema.ts';
import { type UsedServer, useTestServer } from './test-server.ts';
import { VISITS } from './visits.ts';

/** Statistics over both edges: the same counts, charges and refusals. */
const server: UsedServer = useTestServer((to) => to.publishFiles(VISITS), {
  limitsOf: () => ({ rowsPerDay: 1000 }),
});
const { listRecordsStatistics, getLayerStats } = catalogV3alpha.CatalogQuery.method;

const dataReferenceName = 'park.visits';
const ONE_NOTE = [{ fieldName: 'note', operator: '==', value: 'a' }];
const IGNORE = catalogV3.TrimToPeriodOfExistence.IGNORE;

const post = (call: string, body: object) =>
  server.send(`/v3alpha/catalog/${call}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const rowsLeft = async (call: string, body: object) =>
  Number(/r=([0-9]+)/.exec((await post(call, body)).headers.get('locmetrics-rows') ?? '')?.[1]);

type Statistics = MessageInitShape<typeof catalogV3.ListRecordsRequestSchema>;

test.each<Statistics>([
  { dataReferenceName },
  { dataReferenceName, filters: ONE_NOTE, billingContext: 'acme' },
  { dataReferenceName, filters: ONE_NOTE, filterLogic: 'NOT $0' },
  { dataReferenceName, options: { trimToPeriodOfExistence: IGNORE } },
])('the counts of each date are the same over HTTP and gRPC: %j', async (request) => {
  const { text } = await post('listRecordsStatistics', request);
  const { message } = await server.ask(listRecordsStatistics, request);
  const { statistics } = message;
  expect(
    statistics.map(({ observationDate, totalRows, uniqueLocationIds }) => ({
      observationDate,
      totalRows: Number(totalRows),
      uniqueLocationIds: Number(uniqueLocationIds),
    })),
  ).toEqual(JSON.parse(text).statistics);
  expect(statistics.length).toBeGreaterThan(0);
});

test('the counts of a date are exact', async () => {
  const { text } = await post('listRecordsStatistics', { data_reference_name: dataReferenceName });
  expect(text).toBe(
    '{"statistics":[{"observationDate":"2024-01-01","totalRows":4,"uniqueLocationIds":4},{"observationDate":"2024-01-02","totalRows":1,"uniqueLocationIds":1},{"observationDate":"2024-01-03","totalRows":1,"uniqueLocationIds":1}]}',
  );
  const request = {
    dataReferenceName,
    observationDate: '2024-01-01',
    dimensions: ['note', 'place'],
  };
  const answer = await post('getLayerStats', request);
  expect(answer.text).toBe(
    '{"locationCount":4,"stats":[{"name":"note","distinctCount":2},{"name":"place","distinctCount":4}]}',
  );
  const { message } = await server.ask(getLayerStats, request);
  expect([message.locationCount, message.stats]).toMatchObject([
    4n,
    [
      { name: 'note', distinctCount: 2n },
      { name: 'place', distinctCount: 4n },
    ],
  ]);
});

test.each([
  ['listRecordsStatistics', { dataReferenceName }],
  ['getLayerStats', { dataReferenceName, observationDate: '2024-01-01', dimensions: ['note'] }],
])('the answer of %s matches the document, with no other member', async (call, request) => {
  const document = JSON.parse((await server.send('/openapi.json')).text);
  const title = `${call.charAt(0).toUpperCase()}${call.slice(1)}Response`;
  const errors = schemaErrors(document, { $ref: `#/components/schemas/${title}` });
  expect(errors(JSON.parse((await post(call, request)).text))).toBe('');
  expect(errors({ other: 1 })).not.toBe('');
});

test('a date costs one row, and layer stats cost one', async () => {
  const layer = { dataReferenceName, observationDate: '2024-01-01', dimensions: ['note'] };
  const before = await rowsLeft('listRecordsStatistics', { dataReferenceName });
  expect(await rowsLeft('listRecordsStatistics', { dataReferenceName })).toBe(before - 3);
  expect(await rowsLeft('getLayerStats', layer)).toBe(before - 4);
  await server.ask(listRecordsStatistics, { dataReferenceName });
  await server.ask(getLayerStats, layer);
  expect(await rowsLeft('getLayerStats', layer)).toBe(before - 9);
});

test.each([
  ['fields', { fields: [{ name: 'note' }] }],
  ['groupBy', { groupBy: [{ fieldName: 'note' }] }],
  ['pageSize', { pageSize: 5 }],
  ['pageToken', { pageToken: 'x' }],
  ['asOf', { asOf: '2024-01-01' }],
  ['countOnly', { countOnly: true }],
  ['groupFilters', { groupFilters: ONE_NOTE }],
  ['recordCount', { recordCount: true }],
])('the member %s, which statistics do not use, is refused', async (name, more) => {
  const request = { dataReferenceName, ...more };
  const { status, body } = await post('listRecordsStatistics', request);
  expect([status, body]).toEqual([
    400,
    expect.objectContaining({
      reason: 'UNKNOWN_REQUEST_FIELD',
      errors: [{ pointer: `/${name}`, detail: expect.stringContaining(`'${name}'`) }],
    }),
  ]);
  expect(await server.refusal(listRecordsStatistics, request)).toMatchObject({
    code: 'INVALID_ARGUMENT',
    reason: 'UNKNOWN_REQUEST_FIELD',
    message: expect.stringContaining(`'${name}'`),
  });
});

test.each([
  ['an order', { orderBy: { fieldName: 'day' } }],
  ['a further key', { thenBy: [{ fieldName: 'day' }] }],
])('%s is refused over both edges', async (_, options) => {
  const request = { dataReferenceName, options };
  expect((await post('listRecordsStatistics', request)).body.reason).toBe('INVALID_OPTION');
  expect(await server.refusal(listRecordsStatistics, request)).toMatchObject({
    reason: 'INVALID_OPTION',
  });
});

test('a dataset without a period fails a precondition, over both edges', async () => {
  const request = { dataReferenceName: 'park.sizes' };
  const { status, body } = await post('listRecordsStatistics', request);
  expect([status, body]).toMatchObject([
    400,
    { code: 'FAILED_PRECONDITION', reason: 'STATISTICS_UNAVAILABLE' },
  ]);
  const ofDate = { ...request, observationDate: '2024-01-01' };
  expect((await post('getLayerStats', ofDate)).body.reason).toBe('STATISTICS_UNAVAILABLE');
  const refusal = { code: 'FAILED_PRECONDITION', reason: 'STATISTICS_UNAVAILABLE' };
  expect(await server.refusal(listRecordsStatistics, request)).toMatchObject(refusal);
  expect(await server.refusal(getLayerStats, request)).toMatchObject(refusal);
});

test('another billing context and an unknown dataset are refused', async () => {
  const other = { dataReferenceName, billingContext: 'globex' };
  const unknown = { dataReferenceName: 'park.visit' };
  for (const call of ['listRecordsStatistics', 'getLayerStats']) {
    const date = call === 'getLayerStats' ? { observationDate: '2024-01-01' } : {};
    expect((await post(call, { ...other, ...date })).body.reason).toBe('BILLING_CONTEXT_DENIED');
    expect((await post(call, { ...unknown, ...date })).body.reason).toBe(
      'DATA_REFERENCE_NOT_FOUND',
    );
  }
});
