import { catalogV3 } from '@locmetrics/contract/grpc';
import { METRIC_TABLE } from '@locmetrics/server/observe/metric-table';
import { expect, test } from 'vitest';
import { readExposition, sampleOf } from '../observe/read-exposition.ts';
import { SHOPS } from './shops.ts';
import { useTestServer } from './test-server.ts';
import { sendRaw } from './transport/raw-request.ts';

const { ask, data, post, scrape, send, url } = useTestServer((to) => to.publishFiles(SHOPS));

const dataReferenceName = 'shop.stores';
const { listRecords } = catalogV3.CatalogQuery.method;

test('requests over both edges are in the metrics, with their rows, bytes and queries', async () => {
  const { text } = await post('listRecords', { dataReferenceName });
  const { bytes } = await ask(listRecords, { dataReferenceName });
  const route = '/v3/catalog/listRecords';
  const path = '/unacast.catalog.v3.CatalogQuery/ListRecords';
  const scraped = await scrape();
  expect(
    sampleOf(scraped, 'http_server_request_duration_seconds_count', {
      http_request_method: 'POST',
      http_route: route,
      http_response_status_code: '200',
      error_type: '',
    }),
  ).toBe(1);
  expect(
    sampleOf(scraped, 'rpc_server_call_duration_seconds_count', {
      rpc_system_name: 'grpc',
      rpc_method: path.slice(1),
      rpc_response_status_code: 'OK',
      error_type: '',
    }),
  ).toBe(1);
  expect(sampleOf(scraped, 'locmetrics_rows_returned_total', { route })).toBe(3);
  expect(sampleOf(scraped, 'locmetrics_rows_returned_total', { route: path })).toBe(3);
  const sentBytes = Buffer.byteLength(text);
  expect(sampleOf(scraped, 'locmetrics_answer_bytes_total', { route })).toBe(sentBytes);
  expect(sampleOf(scraped, 'locmetrics_answer_bytes_total', { route: path })).toBe(bytes);
  expect(sampleOf(scraped, 'locmetrics_query_rows_total', { dataset: dataReferenceName })).toBe(6);
  const query = { plan: 'records', outcome: 'answered' };
  expect(sampleOf(scraped, 'locmetrics_query_duration_seconds_count', query)).toBe(2);
});

test('refusals are counted by reason, and refused tokens by cause', async () => {
  await post('listRecords', { dataReferenceName, pageSize: -1 });
  const { tokenId, tokenText } = data().store.createToken({ organisationId: 'acme', name: 'old' });
  data().store.revokeToken(tokenId);
  await post('listRecords', {}, { authorization: `Bearer ${tokenText}` });
  const scraped = await scrape();
  const refused = 'locmetrics_requests_refused_total';
  expect(sampleOf(scraped, refused, { reason: 'INVALID_PAGE_SIZE' })).toBe(1);
  expect(sampleOf(scraped, refused, { reason: 'TOKEN_INVALID' })).toBe(1);
  expect(sampleOf(scraped, 'locmetrics_tokens_refused_total', { refusal: 'revoked' })).toBe(1);
});

test('no request is active after all kinds of requests have ended', async () => {
  await post('listRecords', '{"');
  await send('/nothing/here');
  await send('/%zz');
  await sendRaw(url(), 'GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  await sendRaw(url(), 'nonsense\r\n\r\n');
  const active = async () =>
    readExposition(await scrape()).samples.filter(
      ({ name }) =>
        name === 'http_server_active_requests' || name === 'locmetrics_rpc_active_calls',
    );
  await expect.poll(async () => (await active()).map(({ value }) => value)).toEqual([0, 0, 0]);
});

test('the current data, the queue and the memory of the engine are in a scrape', async () => {
  const scraped = await scrape();
  const { samples } = readExposition(scraped);
  const published = samples.filter(
    ({ name }) => name === 'locmetrics_dataset_published_timestamp_seconds',
  );
  expect(published.map(({ labels }) => labels)).toEqual([
    { dataset: 'shop.codes' },
    { dataset: 'shop.stores' },
  ]);
  expect(sampleOf(scraped, 'locmetrics_dataset_rows', { dataset: 'shop.codes' })).toBe(2);
  for (const queue of ['answers', 'queries']) {
    expect(sampleOf(scraped, 'locmetrics_queue_running', { queue })).toBe(0);
    expect(sampleOf(scraped, 'locmetrics_queue_waiting', { queue })).toBe(0);
  }
  expect(sampleOf(scraped, 'locmetrics_engine_memory_bytes', {})).toBeGreaterThan(0);
  expect(sampleOf(scraped, 'locmetrics_engine_memory_limit_bytes', {})).toBe(2 ** 30);
  expect(sampleOf(scraped, 'locmetrics_ready', {})).toBe(1);
});

test('no series contains an organisation, a token, a version or a text of a caller', async () => {
  const secret = 'Quetzalcoatl';
  await post('listRecords', { dataReferenceName: secret });
  await send(`/v3/${secret}?${secret}=${secret}`);
  await post('listRecords', {
    dataReferenceName,
    filters: [{ fieldName: 'city', operator: '==', value: secret }],
  });
  const scraped = await scrape();
  const { text } = await post('getDataReference', { name: dataReferenceName });
  const { version } = JSON.parse(text).dataReference;
  expect(version).toMatch(/^\d{8}T/);
  expect(scraped).not.toContain(version);
  expect(scraped).not.toContain(secret);
  expect(scraped).not.toContain('acme');
});

test('a scrape follows the rules of promtool', async () => {
  const { samples, types, helps } = readExposition(await scrape());
  expect(new Set(types.keys())).toEqual(new Set(helps.keys()));
  expect([...types.keys()].filter((name) => !(name in METRIC_TABLE))).toEqual([]);
  for (const [name, type] of types) {
    expect(name).toMatch(/^[a-z][a-z0-9_]*$/);
    expect(helps.get(name)).toMatch(/^(gRPC|[A-Z]).+\.$/);
    expect(name.endsWith('_total'), name).toBe(type === 'counter');
    expect(name).not.toMatch(
      /_(?:milliseconds|ms|kilobytes|minutes|hours|percent|gauge|counter|histogram)(?:_|$)/,
    );
  }
  expect(samples.length).toBeGreaterThan(50);
  for (const { name, labels, value } of samples) {
    const family = types.has(name) ? name : name.replace(/_(?:bucket|sum|count)$/, '');
    expect(types.get(family), name).toBeDefined();
    expect(Number.isFinite(value), name).toBe(true);
    for (const label of Object.keys(labels)) expect(label).toMatch(/^[a-z][a-z_]*$/);
  }
});
