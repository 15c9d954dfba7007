import { existsSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { wholeGrant } from '@locmetrics/core/domain/grant';
import type { OrganisationLimits } from '@locmetrics/core/domain/rights';
import { openEmbeddedEngine } from '@locmetrics/row-store/routing/open-embedded-engine';
import { describe, expect, test } from 'vitest';
import { parquetLines, readParquet } from '../../support/read-parquet.ts';
import { until } from '../../support/until.ts';
import { TILED_SHOPS } from '../map/tiled-shops.ts';
import { useTestServer } from '../test-server.ts';

const tokens = { part: '', limited: '' };
let limits: OrganisationLimits = {};
let copies: 'made' | 'failing' | 'waiting' = 'made';
let started = 0;
let stopped = 0;

const server = useTestServer(
  async (to) => {
    await to.publishFiles(TILED_SHOPS, '2024-01-01T10:00:00.000Z');
    to.store.createOrganisation({ id: 'part', name: 'Part' });
    to.store.addGrant('part', {
      ...wholeGrant('', 'map.shops'),
      filters: [{ fieldName: 'city', operator: '!=', value: 'Bern', values: [] }],
    });
    tokens.part = to.store.createToken({ organisationId: 'part', name: 'part' }).tokenText;
    to.store.createOrganisation({ id: 'limited', name: 'Limited' });
    to.store.addGrant('limited', wholeGrant('', '*'));
    tokens.limited = to.store.createToken({ organisationId: 'limited', name: 'l' }).tokenText;
  },
  {
    limitsOf: (id) => (id === 'limited' ? limits : {}),
    openEngine: (stores) => {
      const engine = openEmbeddedEngine(stores);
      const { copyRecords } = engine;
      if (copyRecords === undefined) throw new Error('The column store copies records.');
      return {
        ...engine,
        copyRecords: async (plan, file, signal) => {
          started += 1;
          if (copies === 'failing') throw new Error('The disk is broken.');
          if (copies === 'waiting') {
            await new Promise<void>((resolve) => {
              signal.addEventListener('abort', resolve, { once: true });
            });
            stopped += 1;
            signal.throwIfAborted();
          }
          return copyRecords(plan, file, signal);
        },
      };
    },
  },
);

const SHOPS = '/v3/catalog/map.shops/records';

const fetchFile = (rest = '', token = server.data().token, headers = {}) =>
  fetch(`${server.url()}${SHOPS}.parquet${rest}`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());
const ndjson = async (rest = '', token = server.data().token) =>
  (await server.send(`${SHOPS}.ndjson${rest}`, { headers: { authorization: `Bearer ${token}` } }))
    .text;
/** The files of tables that exist. */
const filesLeft = () => {
  const folder = join(server.data().directory.temporary, 'serve-test');
  return existsSync(folder) ? readdirSync(folder) : [];
};

describe('a Parquet file of records', () => {
  test('has the rows of the stream, with their types, the licence and the version', async () => {
    const response = await fetchFile();
    const bytes = await bytesOf(response);
    const { headers } = response;
    expect(response.status).toBe(200);
    expect(headers.get('content-type')).toBe('application/vnd.apache.parquet');
    expect(headers.get('content-disposition')).toBe('attachment; filename="map.shops.parquet"');
    expect(headers.get('content-length')).toBe(String(bytes.length));
    expect(headers.get('total-size')).toBe('3002');
    expect(headers.get('link')).toContain('rel="license"');
    const { types, rows, metadata } = await readParquet(bytes);
    expect(types).toEqual([
      ['id', 'VARCHAR'],
      ['city', 'VARCHAR'],
      ['latitude', 'DOUBLE'],
      ['longitude', 'DOUBLE'],
      ['visits', 'BIGINT'],
      ['area', 'DOUBLE'],
    ]);
    expect(parquetLines({ types, rows })).toBe(await ndjson());
    expect(metadata).toEqual({
      dataset: 'map.shops',
      version: headers.get('data-version'),
      licence: 'ODbL-1.0',
      licence_url: 'https://opendatacommons.org/licenses/odbl/1-0/',
      attribution: '© the "shops"',
      terms_url: 'https://example.org/terms',
    });
    expect(filesLeft()).toEqual([]);
  });

  test('has the visible part of the records, in the asked order, without hidden values', async () => {
    const asked = '?orderBy=visits:DESC&fields=id,visits';
    const file = await readParquet(await bytesOf(await fetchFile(asked, tokens.part)));
    expect(file.rows.length).toBe(302);
    expect(parquetLines(file)).toBe(await ndjson(asked, tokens.part));
  });

  test('has a tag, for which a caller who has it gets 304, and headers without a body', async () => {
    const tag = (await fetchFile()).headers.get('etag') ?? '';
    expect((await fetchFile('', undefined, { 'if-none-match': tag })).status).toBe(304);
    const before = started;
    const head = await server.send(`${SHOPS}.parquet`, { method: 'HEAD' });
    expect([head.status, head.headers.get('total-size'), started - before]).toEqual([
      200,
      '3002',
      0,
    ]);
  });

  test('is compressed again only for a caller who accepts nothing else', async () => {
    const plain = await fetchFile('', undefined, { 'accept-encoding': 'gzip, identity' });
    expect(plain.headers.has('content-encoding')).toBe(false);
    const coded = await fetchFile('', undefined, { 'accept-encoding': 'gzip, identity;q=0' });
    const { headers } = coded;
    expect([headers.get('content-encoding'), headers.has('content-length')]).toEqual([
      'gzip',
      false,
    ]);
    expect(headers.get('etag')).toMatch(/-gzip"$/);
    // `fetch` decodes it.
    expect(await bytesOf(coded)).toEqual(await bytesOf(plain));
  });

  test('counts as one request with its rows and bytes', async () => {
    limits = {};
    const bytes = await bytesOf(await fetchFile('', tokens.limited));
    const usage = await server.send('/v1/usage?groupBy=operation', {
      headers: { authorization: `Bearer ${tokens.limited}` },
    });
    expect(JSON.parse(usage.text).usage).toMatchObject([
      { operation: 'streamRecords', requests: 1, rows: 3002, bytes: bytes.length },
    ]);
  });

  test('is refused before it is written if no rows are left for it', async () => {
    limits = { rowsPerDay: 2000 };
    const before = started;
    expect((await fetchFile('', tokens.limited)).status).toBe(429);
    expect(started).toBe(before);
    limits = {};
  });

  test('that cannot be written is a problem, costs nothing and leaves nothing', async () => {
    limits = { rowsPerDay: 7000 };
    copies = 'failing';
    expect((await fetchFile('', tokens.limited)).status).toBe(500);
    expect((await fetchFile('', tokens.limited)).status).toBe(500);
    copies = 'made';
    expect((await fetchFile('', tokens.limited)).status).toBe(200);
    expect(filesLeft()).toEqual([]);
    limits = {};
  });

  test('is no longer written once its caller has gone', async () => {
    copies = 'waiting';
    const before = started;
    const { hostname, port } = new URL(server.url());
    const socket = connect(Number(port), hostname);
    socket.write(
      `GET ${SHOPS}.parquet HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${server.data().token}\r\n\r\n`,
    );
    await until(() => started === before + 1);
    socket.destroy();
    await until(() => stopped === 1);
    copies = 'made';
    await until(() => filesLeft().length === 0);
  });
});

test.each([
  ['/v3/catalog/map.shops/records.xlsx', 'csv, ndjson, geojson, parquet, arrow'],
  ['/v1/catalogs/shop/metrics/visits/values.geojson', 'csv, ndjson, parquet, arrow'],
])('%s is not found, and the hint lists the formats', async (path, formats) => {
  const { status, body, text } = await server.send(path);
  expect([status, body.reason, JSON.parse(text).hint]).toEqual([
    404,
    'ROUTE_NOT_FOUND',
    `The formats are ${formats}.`,
  ]);
});
