import { hash } from 'node:crypto';
import { existsSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { catalogV3 } from '@locmetrics/contract/grpc';
import { wholeGrant } from '@locmetrics/core/domain/grant';
import type { OrganisationLimits } from '@locmetrics/core/domain/rights';
import { withdrawVersion } from '@locmetrics/ingest/publish/roll-back';
import { openEmbeddedEngine } from '@locmetrics/row-store/routing/open-embedded-engine';
import { openExportStore } from '@locmetrics/server/exports/open-export-store';
import { beforeEach, describe, expect, test } from 'vitest';
import { fillUp, mayMount, withSmallDisk } from '../../support/full-disk.ts';
import { readArrow } from '../../support/read-arrow.ts';
import { avroLines, readAvro } from '../../support/read-avro.ts';
import { parquetLines, readParquet } from '../../support/read-parquet.ts';
import { until } from '../../support/until.ts';
import { TILED_SHOPS } from '../map/tiled-shops.ts';
import { openTestServer, type ServerOptions, useTestServer } from '../test-server.ts';

/** Of an export, as JSON has it. */
type Export = {
  readonly id: string;
  readonly status: string;
  readonly rowsWritten: number;
  readonly errorReason?: string;
  readonly errorMessage?: string;
  readonly fileExportInfo?: {
    readonly expireTime: string;
    readonly files: readonly {
      readonly name: string;
      readonly sizeBytes: number;
      readonly contentType: string;
      readonly url: string;
    }[];
  };
};

const tokens = { part: '', limited: '' };
let limits: OrganisationLimits = {};
/** Whether reads after the first page wait until they are stopped. */
let isHeld = false;

/** The engine, whose reads after the first page can be held. */
const openEngine: ServerOptions['openEngine'] = (stores) => {
  const engine = openEmbeddedEngine(stores);
  return {
    ...engine,
    run: async (plan, signal) => {
      if (plan.kind === 'batch' && isHeld) {
        await new Promise<void>((resolve) => {
          signal.addEventListener('abort', resolve, { once: true });
        });
        signal.throwIfAborted();
      }
      return engine.run(plan, signal);
    },
  };
};

const server = useTestServer(
  async (to) => {
    await to.publishFiles(TILED_SHOPS, '2024-01-01T10:00:00.000Z');
    to.store.createOrganisation({ id: 'part', name: 'Part' });
    to.store.addGrant('part', {
      ...wholeGrant('', 'map.shops'),
      filters: [{ fieldName: 'city', operator: '!=', value: 'Bern', values: [] }],
      fields: ['id', 'latitude', 'longitude', 'city'],
    });
    tokens.part = to.store.createToken({ organisationId: 'part', name: 'part' }).tokenText;
    to.store.createOrganisation({ id: 'limited', name: 'Limited' });
    to.store.addGrant('limited', wholeGrant('', '*'));
    tokens.limited = to.store.createToken({ organisationId: 'limited', name: 'l' }).tokenText;
  },
  {
    limitsOf: (id) => (id === 'limited' ? limits : {}),
    exports: { unfinishedMax: 3, partMaxBytes: 60_000 },
    openEngine,
  },
);

beforeEach(() => {
  limits = {};
  isHeld = false;
});

async function call(operation: string, body: object, token = server.data().token) {
  const { status, text, headers } = await server.post(operation, body, {
    authorization: `Bearer ${token}`,
  });
  return { status, headers, body: JSON.parse(text) };
}

async function created(body: object, token?: string): Promise<Export> {
  const answer = await call(
    'createRecordsExport',
    { dataReferenceName: 'map.shops', ...body },
    token,
  );
  expect(answer.body).toMatchObject({ status: 'RUNNING' });
  return answer.body;
}

const get = async (id: string, token?: string): Promise<Export> =>
  (await call('getRecordsExport', { id }, token)).body;

const ended = ({ id }: Export, token?: string): Promise<Export> =>
  until(async () => {
    const now = await get(id, token);
    return now.status !== 'RUNNING' && now;
  });

/** The text of all files. */
async function textsOf({ fileExportInfo }: Export): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const { url } of fileExportInfo?.files ?? []) {
    const response = await fetch(url);
    expect(response.status).toBe(200);
    texts.push(await response.text());
  }
  return texts;
}

const exportFolder = (id: string): string => `${server.data().directory.exports.files}/${id}`;

describe('an export', () => {
  test('has the records of a stream in parts, each of which is whole', async () => {
    const done = await ended(await created({ fileConfig: { filenamePrefix: 'shops-' } }));
    expect(done).toMatchObject({
      status: 'COMPLETED',
      rowsWritten: 3002,
      format: 'CSV',
      fileConfig: { format: 'CSV', filenamePrefix: 'shops-' },
      options: { trimToPeriodOfExistence: 'TRIM' },
    });
    const files = done.fileExportInfo?.files ?? [];
    expect(files.length).toBeGreaterThan(1);
    expect(files.map(({ name }) => name)).toEqual(files.map((_, at) => `shops-${at}.csv`));
    expect(files.every(({ sizeBytes }) => sizeBytes <= 60_000)).toBe(true);
    const texts = await textsOf(done);
    expect(texts.map((text) => text.length)).toEqual(files.map(({ sizeBytes }) => sizeBytes));
    const [header = ''] = texts[0]?.split('\r\n') ?? [];
    const rows = texts.flatMap((text) => {
      const lines = text.split('\r\n');
      expect(lines[0]).toBe(header);
      return lines.slice(1, -1);
    });
    const stream = await server.send('/v3/catalog/map.shops/records.csv');
    expect([header, ...rows, ''].join('\r\n')).toBe(stream.text);
  });

  test.each([
    ['JSON', 'ndjson', 'application/x-ndjson'],
    ['GEOJSON', 'geojson', 'application/geo+json'],
  ])('of the format %s has the bytes of a stream', async (format, extension, mediaType) => {
    const limited = { format, filters: [{ fieldName: 'city', operator: '==', value: 'Biel' }] };
    const done = await ended(await created(limited));
    const [file] = done.fileExportInfo?.files ?? [];
    expect(file).toMatchObject({ name: `0.${extension}`, contentType: mediaType });
    const filters = encodeURIComponent(JSON.stringify(limited.filters));
    const stream = await server.send(
      `/v3/catalog/map.shops/records.${extension}?filters=${filters}`,
    );
    expect(await textsOf(done)).toEqual([stream.text]);
  });

  test('as Parquet has the rows of a stream, with their types, in parts', async () => {
    const done = await ended(await created({ format: 'PARQUET' }));
    const files = done.fileExportInfo?.files ?? [];
    expect(files.length).toBeGreaterThan(1);
    expect(files.map(({ name }) => name)).toEqual(files.map((_, at) => `${at}.parquet`));
    expect(files.every(({ sizeBytes }) => sizeBytes <= 60_000)).toBe(true);
    const lines: string[] = [];
    for (const { url, sizeBytes } of files) {
      const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
      expect(bytes.length).toBe(sizeBytes);
      const table = await readParquet(bytes);
      expect(table.metadata).toMatchObject({ dataset: 'map.shops', licence: 'ODbL-1.0' });
      lines.push(parquetLines(table));
    }
    const stream = await server.send('/v3/catalog/map.shops/records.ndjson');
    expect(lines.join('')).toBe(stream.text);
  });

  test.each([
    ['JSON', (bytes: Buffer) => bytes.toString()],
    ['PARQUET', async (bytes: Buffer) => parquetLines(await readParquet(bytes))],
    ['ARROW', (bytes: Buffer) => parquetLines(readArrow(bytes))],
  ])(
    'as %s has the records by their distance, which is their last value',
    async (format, linesOf) => {
      const near = { longitude: 7.44, latitude: 46.95 };
      const done = await ended(
        await created({ format, options: { near }, fields: ['id', 'city'] }),
      );
      expect(done).toMatchObject({ status: 'COMPLETED', options: { near } });
      const lines: string[] = [];
      for (const { url } of done.fileExportInfo?.files ?? []) {
        lines.push(await linesOf(Buffer.from(await (await fetch(url)).arrayBuffer())));
      }
      const stream = await server.send(
        '/v3/catalog/map.shops/records.ndjson?fields=id,city&near=7.44,46.95',
      );
      expect(lines.join('')).toBe(stream.text);
      const metres = stream.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).distance_metres ?? Number.POSITIVE_INFINITY);
      expect(metres).toHaveLength(3002);
      expect(metres).toEqual(metres.toSorted((left, right) => left - right));
    },
  );

  test('as Arrow has the rows of a stream, with their types, in parts that are complete', async () => {
    const done = await ended(await created({ format: 'ARROW' }));
    const files = done.fileExportInfo?.files ?? [];
    expect(files.length).toBeGreaterThan(1);
    expect(files.map(({ name }) => name)).toEqual(files.map((_, at) => `${at}.arrow`));
    const lines: string[] = [];
    for (const { url, sizeBytes, contentType } of files) {
      expect(contentType).toBe('application/vnd.apache.arrow.stream');
      const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
      expect(bytes.length).toBe(sizeBytes);
      const table = readArrow(bytes);
      expect(table.isComplete).toBe(true);
      expect(table.metadata).toMatchObject({ dataset: 'map.shops', licence: 'ODbL-1.0' });
      lines.push(parquetLines(table));
    }
    const stream = await server.send('/v3/catalog/map.shops/records.ndjson');
    expect(lines.join('')).toBe(stream.text);
  });

  test('has its licence beside its files, and not among them', async () => {
    const done = await ended(await created({ limit: 1 }));
    const files = done.fileExportInfo?.files ?? [];
    expect(files.map(({ name }) => name)).toEqual(['0.csv']);
    const file = await fetch(files[0]?.url ?? '', { method: 'HEAD' });
    const [, link = ''] = /^<(.*)>; rel="license"$/.exec(file.headers.get('link') ?? '') ?? [];
    expect(new URL(link).pathname).toBe(`/v1/exports/${done.id}/LICENSE.txt`);
    const licence = await fetch(link);
    expect(licence.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await licence.text()).toBe(
      'ODbL-1.0; https://opendatacommons.org/licenses/odbl/1-0/; © the "shops"; https://example.org/terms\n',
    );
  });

  test('has the first records of its order up to a limit', async () => {
    const options = { orderBy: { fieldName: 'visits', direction: 'DESC' } };
    const done = await ended(await created({ fields: ['id', 'visits'], options, limit: 3 }));
    expect(done.rowsWritten).toBe(3);
    expect(await textsOf(done)).toEqual(['id,visits\r\ns1019,19\r\ns1039,19\r\ns1059,19\r\n']);
  });

  test('has an order by several fields, and says so', async () => {
    const options = {
      orderBy: { fieldName: 'visits', direction: 'DESC' },
      thenBy: [{ fieldName: 'id', direction: 'DESC' }],
    };
    const done = await ended(await created({ fields: ['id', 'visits'], options, limit: 2 }));
    expect(done).toMatchObject({ options });
    const [text = ''] = await textsOf(done);
    expect(
      text
        .split('\r\n')
        .slice(1, 3)
        .map((row) => row.split(',')[1]),
    ).toEqual(['19', '19']);
    const body = { fields: ['id', 'visits'], options };
    const stream = await server.send('/v3/catalog/map.shops/records.csv', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(stream.text.startsWith(text)).toBe(true);
    const { message } = await server.ask(catalogV3.Export.method.getRecordsExport, { id: done.id });
    expect(message.options).toMatchObject({
      thenBy: [{ fieldName: 'id', direction: catalogV3.OrderDirection.DESC }],
    });
  });

  test('without records has one file with a header', async () => {
    const none = { filters: [{ fieldName: 'city', operator: '==', value: 'Rome' }] };
    const done = await ended(await created({ fields: ['id'], ...none }));
    expect(await textsOf(done)).toEqual(['id\r\n']);
  });

  test('of a caller who sees a part has that part alone, and only its token may ask for it', async () => {
    const done = await ended(await created({}, tokens.part), tokens.part);
    const [text = ''] = await textsOf(done);
    expect(text.split('\r\n').slice(0, 2)).toEqual([
      'id,city,latitude,longitude',
      'far,Quito,-0.18,-78.46',
    ]);
    expect(text).not.toContain('Bern');
    for (const operation of ['getRecordsExport', 'deleteRecordsExport']) {
      const refused = await call(operation, { id: done.id });
      expect([refused.status, refused.body.reason]).toEqual([404, 'EXPORT_NOT_FOUND']);
    }
    const { recordsExports } = (await call('listRecordsExports', {}, tokens.part)).body;
    expect(recordsExports.map(({ id }: Export) => id)).toEqual([done.id]);
  });

  test('is created, found and deleted over gRPC', async () => {
    const { Export } = catalogV3;
    const asked = {
      dataReferenceName: 'map.shops',
      fields: [{ name: 'id' }],
      fileConfig: { format: catalogV3.FileExportFormat.JSON, filenamePrefix: 'x' },
      filters: [{ fieldName: 'city', operator: 'in', values: ['Quito', 'Suva'] }],
    };
    const { message } = await server.ask(Export.method.createRecordsExport, asked);
    expect(message.status).toBe(catalogV3.RecordExportStatus.RUNNING);
    const { id } = message;
    const done = await until(async () => {
      const answer = await server.ask(Export.method.getRecordsExport, { id });
      return answer.message.status === catalogV3.RecordExportStatus.COMPLETED && answer.message;
    });
    expect(done).toMatchObject({
      rowsWritten: 2n,
      dataReferenceName: 'map.shops',
      filters: [{ fieldName: 'city', operator: 'in', values: ['Quito', 'Suva'] }],
      fileExportInfo: { files: [{ name: 'x0.ndjson', format: 'JSON' }] },
    });
    const [file] = done.fileExportInfo?.files ?? [];
    expect(await (await fetch(file?.url ?? '')).text()).toBe('{"id":"far"}\n{"id":"lone"}\n');
    const listed = await server.ask(Export.method.listRecordsExports, {});
    expect(listed.message.recordsExports.map((listedOne) => listedOne.id)).toContain(id);
    await server.ask(Export.method.deleteRecordsExport, { id });
    const refusal = await server.refusal(Export.method.getRecordsExport, { id });
    expect(refusal).toMatchObject({ code: 'NOT_FOUND', reason: 'EXPORT_NOT_FOUND' });
    expect((await fetch(file?.url ?? '')).status).toBe(404);
  });
});

describe('an export as Avro', () => {
  const small = useTestServer((to) => to.publishFiles(TILED_SHOPS, '2024-01-01T10:00:00.000Z'), {
    exports: { partMaxBytes: 5000 },
  });

  test.each([
    ['', {}],
    ['near=7.44,46.95', { near: { longitude: 7.44, latitude: 46.95 } }],
  ])(
    'has the rows of a stream, with their types, in parts that are whole: %s',
    async (query, options) => {
      const ask = async (operation: string, body: object) =>
        JSON.parse((await small.post(operation, body)).text);
      const { id } = await ask('createRecordsExport', {
        dataReferenceName: 'map.shops',
        fileConfig: { format: 'AVRO', filenamePrefix: 'shops-' },
        options,
      });
      const done: Export = await until(async () => {
        const now = await ask('getRecordsExport', { id });
        return now.status !== 'RUNNING' && now;
      });
      const files = done.fileExportInfo?.files ?? [];
      expect(files.length).toBeGreaterThan(1);
      expect(files.map(({ name }) => name)).toEqual(files.map((_, at) => `shops-${at}.avro`));
      const lines: string[] = [];
      for (const { url, sizeBytes } of files) {
        const response = await fetch(url);
        expect(response.headers.get('content-type')).toBe('application/avro');
        const bytes = Buffer.from(await response.arrayBuffer());
        expect(bytes.length).toBe(sizeBytes);
        const table = readAvro(bytes);
        expect(table.schema.name).toBe('map.shops');
        expect(table.metadata).toMatchObject({ dataset: 'map.shops', licence: 'ODbL-1.0' });
        lines.push(avroLines(table));
      }
      const stream = await small.send(`/v3/catalog/map.shops/records.ndjson?${query}`);
      expect(lines.join('')).toBe(stream.text);
    },
  );
});

test.each([
  [{ fileConfig: { filenamePrefix: '../x' } }, 400, 'INVALID_EXPORT'],
  [{ limit: -1 }, 400, 'INVALID_EXPORT'],
  [{ fields: ['citty'] }, 400, 'UNKNOWN_FIELD'],
  [{ format: 'XML' }, 400, 'INVALID_REQUEST'],
  [{ dataReferenceName: 'map.plain', format: 'GEOJSON' }, 400, 'UNAVAILABLE_OPTION'],
  [{ billingContext: 'other' }, 403, 'BILLING_CONTEXT_DENIED'],
  [{ dataReferenceName: 'map.shop' }, 404, 'DATA_REFERENCE_NOT_FOUND'],
])('%j is refused when an export is created', async (body, status, reason) => {
  const { body: problem, ...answer } = await call('createRecordsExport', {
    dataReferenceName: 'map.shops',
    ...body,
  });
  expect([answer.status, problem.reason]).toEqual([status, reason]);
});

test('BigQuery and formats that are not written are refused over gRPC', async () => {
  const { method } = catalogV3.Export;
  const name = { dataReferenceName: 'map.shops' };
  const bigquery = { ...name, bigqueryConfig: { projectId: 'p' } };
  expect(await server.refusal(method.createRecordsExport, bigquery)).toMatchObject({
    code: 'UNIMPLEMENTED',
    reason: 'EXPORT_DESTINATION_UNSUPPORTED',
  });
  const unknown = { ...name, format: 99 };
  expect(await server.refusal(method.createRecordsExport, unknown)).toMatchObject({
    code: 'INVALID_ARGUMENT',
  });
});

describe('a link', () => {
  test('serves ranges and HEAD, is private, and is not found once it is changed', async () => {
    const done = await ended(await created({ fields: ['id'], limit: 2 }));
    const url = done.fileExportInfo?.files[0]?.url ?? '';
    const head = await fetch(url, { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe('15');
    expect(head.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(head.headers.get('content-disposition')).toBe('attachment; filename="0.csv"');
    expect(head.headers.get('cache-control')).toBe('private, no-store');
    expect(head.headers.get('accept-ranges')).toBe('bytes');
    const range = await fetch(url, { headers: { range: 'bytes=4-6' } });
    expect([range.status, range.headers.get('content-range'), await range.text()]).toEqual([
      206,
      'bytes 4-6/15',
      'far',
    ]);
    const beyond = await fetch(url, { headers: { range: 'bytes=99-' } });
    expect(beyond.status).toBe(416);
    const { pathname, searchParams } = new URL(url);
    const signature = searchParams.get('signature') ?? '';
    const expires = Number(searchParams.get('expires'));
    const path = (file: string, until: number, signed: string) =>
      `${file}?expires=${until}&signature=${signed}`;
    for (const changed of [
      path(pathname, expires + 1, signature),
      path(pathname, expires, `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`),
      path(pathname, expires, ''),
      path(pathname.replace('0.csv', '1.csv'), expires, signature),
      path(`/v1/exports/${done.id}/..%2f..%2fcontrol.sqlite`, expires, signature),
    ]) {
      const { status, body } = await server.send(changed, { headers: { authorization: '' } });
      expect([status, body.reason]).toEqual([404, 'EXPORT_NOT_FOUND']);
    }
  });

  test('has a strong tag, which continues a download and saves another one', async () => {
    const done = await ended(await created({ fields: ['id'], limit: 2 }));
    const other = await ended(await created({ fields: ['id'], limit: 2 }));
    const [url = '', otherUrl = ''] = [done, other].map(
      ({ fileExportInfo }) => fileExportInfo?.files[0]?.url,
    );
    const tagOf = async (of: string) =>
      (await fetch(of, { method: 'HEAD' })).headers.get('etag') ?? '';
    const tag = await tagOf(url);
    expect(tag).toMatch(/^"[\w-]{22}"$/);
    expect(await tagOf(url)).toBe(tag);
    expect(await tagOf(otherUrl)).not.toBe(tag);
    const date = (await fetch(url)).headers.get('last-modified') ?? '';
    const ask = async (headers: Readonly<Record<string, string>>) => {
      const response = await fetch(url, { headers });
      return [response.status, await response.text()];
    };
    const whole = [200, 'id\r\nfar\r\nlone\r\n'];
    const range = 'bytes=4-6';
    expect(await ask({ range, 'if-range': tag })).toEqual([206, 'far']);
    expect(await ask({ range, 'if-range': date })).toEqual([206, 'far']);
    expect(await ask({ range, 'if-range': `W/${tag}` })).toEqual(whole);
    expect(await ask({ range, 'if-range': await tagOf(otherUrl) })).toEqual(whole);
    expect(await ask({ 'if-none-match': tag })).toEqual([304, '']);
    expect(await ask({ 'if-none-match': `"x", W/${tag}` })).toEqual([304, '']);
    expect(await ask({ 'if-none-match': '*', range })).toEqual([304, '']);
    expect(await ask({ 'if-none-match': '"x"', 'if-modified-since': date })).toEqual(whole);
    expect(await ask({ 'if-match': `"x", ${tag}`, range })).toEqual([206, 'far']);
    expect(await ask({ 'if-match': `W/${tag}` })).toEqual([412, '']);
    expect(await ask({ range: 'bytes=99-' })).toEqual([416, '']);
    const held = await fetch(url, { headers: { 'if-none-match': tag } });
    expect(held.headers.get('etag')).toBe(tag);
  });

  test('appears in no log', async () => {
    const done = await ended(await created({ fields: ['id'], limit: 2 }));
    const url = done.fileExportInfo?.files[0]?.url ?? '';
    await (await fetch(url)).text();
    const line = await until(() =>
      server.log().find(({ route }) => route === '/v1/exports/:exportId/:file'),
    );
    expect(line).toMatchObject({ status: expect.any(Number) });
    expect(server.logText()).not.toContain(new URL(url).searchParams.get('signature') ?? '?');
  });
});

describe('usage and limits', () => {
  test('records are charged once, as they are written', async () => {
    const done = await ended(await created({ fields: ['id'] }, tokens.limited), tokens.limited);
    const bytes = done.fileExportInfo?.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    await textsOf(done);
    const usage = await server.send('/v1/usage?groupBy=operation', {
      headers: { authorization: `Bearer ${tokens.limited}` },
    });
    const found: readonly Record<string, unknown>[] = JSON.parse(usage.text).usage;
    const row = found.find(({ operation }) => operation === 'createRecordsExport');
    expect(row).toMatchObject({ requests: 1, rows: 3002 });
    // The answer to the call is counted too.
    expect(Number(row?.['bytes'])).toBeGreaterThan(Number(bytes));
  });

  test('more records than are left are refused when the export is created', async () => {
    limits = { rowsPerDay: 100 };
    const refused = await call(
      'createRecordsExport',
      { dataReferenceName: 'map.shops' },
      tokens.limited,
    );
    expect([refused.status, refused.body.reason]).toEqual([429, 'LIMIT_EXCEEDED']);
  });

  test('an organisation has so many exports that have not ended, and no more', async () => {
    isHeld = true;
    const running = [await created({}), await created({}), await created({})];
    const refused = await call('createRecordsExport', { dataReferenceName: 'map.shops' });
    expect([refused.status, refused.body.reason]).toEqual([429, 'TOO_MANY_EXPORTS']);
    expect(refused.headers.get('retry-after')).toBe('5');
    for (const { id } of running) await call('deleteRecordsExport', { id });
    await expect.poll(() => running.filter(({ id }) => existsSync(exportFolder(id)))).toEqual([]);
    isHeld = false;
    expect((await ended(await created({ limit: 1 }))).status).toBe('COMPLETED');
  });
});

describe('an export ends', () => {
  test('with a token that is revoked: its files are not found any more', async () => {
    const { store } = server.data();
    const leaving = store.createToken({ organisationId: 'limited', name: 'leaving' });
    const done = await ended(await created({ limit: 1 }, leaving.tokenText), leaving.tokenText);
    const url = done.fileExportInfo?.files[0]?.url ?? '';
    expect((await fetch(url)).status).toBe(200);
    store.revokeToken(leaving.tokenId);
    expect((await fetch(url)).status).toBe(404);
    expect(existsSync(exportFolder(done.id))).toBe(false);
  });

  test('with other rights, while it is written and later', async () => {
    const { store } = server.data();
    store.createOrganisation({ id: 'changing', name: 'Changing' });
    const grant = store.addGrant('changing', wholeGrant('', 'map.shops'));
    const { tokenText } = store.createToken({ organisationId: 'changing', name: 'c' });
    const done = await ended(await created({ limit: 1 }, tokenText), tokenText);
    isHeld = true;
    const running = await created({}, tokenText);
    store.replaceGrant(grant.grant.grantId, {
      ...wholeGrant('', 'map.shops'),
      filters: [{ fieldName: 'city', operator: '!=', value: 'Suva', values: [] }],
    });
    for (const { id } of [done, running]) {
      const failed = await get(id, tokenText);
      expect(failed).toMatchObject({ status: 'FAILED', errorReason: 'EXPORT_ENDED' });
    }
    expect((await fetch(done.fileExportInfo?.files[0]?.url ?? '')).status).toBe(404);
    isHeld = false;
  });

  test('with a version that is withdrawn', async () => {
    const files = { ...TILED_SHOPS, 'plain.csv': 'id\nonce\n' };
    await server.data().publishFiles(files, '2024-02-01T10:00:00.000Z', 'map.plain');
    const done = await ended(await created({ dataReferenceName: 'map.plain' }));
    const [text] = await textsOf(done);
    expect(text).toBe('id\r\nonce\r\n');
    const { directory } = server.data();
    const { version } = (await server.post('listRecords', { dataReferenceName: 'map.plain' })).body;
    await withdrawVersion({ directory, version, clock: Date.now });
    expect(await get(done.id)).toMatchObject({
      status: 'FAILED',
      errorReason: 'VERSION_NOT_FOUND',
    });
    expect((await fetch(done.fileExportInfo?.files[0]?.url ?? '')).status).toBe(404);
  });
});

describe('the files of exports', () => {
  const small = useTestServer((to) => to.publishFiles(TILED_SHOPS, '2024-01-01T10:00:00.000Z'), {
    exports: { bytesMax: 1000, keepMs: 1000 },
  });
  const ask = async (operation: string, body: object) =>
    JSON.parse((await small.post(operation, body)).text);
  const files = (id: string): readonly string[] => {
    const folder = `${small.data().directory.exports.files}/${id}`;
    return existsSync(folder) ? readdirSync(folder) : [];
  };

  test('beyond their space end the export, and leave nothing', async () => {
    const { id } = await ask('createRecordsExport', { dataReferenceName: 'map.shops' });
    const failed: Export = await until(async () => {
      const now = await ask('getRecordsExport', { id });
      return now.status !== 'RUNNING' && now;
    });
    expect(failed).toMatchObject({ status: 'FAILED', errorReason: 'EXPORT_SPACE_EXHAUSTED' });
    expect(failed.fileExportInfo).toBeUndefined();
    expect(files(id)).toEqual([]);
  });

  test('are removed after their time', async () => {
    const { id } = await ask('createRecordsExport', { dataReferenceName: 'map.shops', limit: 1 });
    const reason = await until(async () => (await ask('getRecordsExport', { id })).reason);
    expect(reason).toBe('EXPORT_NOT_FOUND');
    await expect.poll(() => files(id)).toEqual([]);
  });
});

// A small disk of its own needs the right to mount.
describe.runIf(mayMount)('on a disk of 1 MB that becomes full', () => {
  // Nothing makes them much smaller.
  const ids = Array.from({ length: 5000 }, (_, row) => hash('sha256', String(row)));
  const full = useTestServer((to) =>
    to.publishFiles(
      { ...TILED_SHOPS, 'plain.csv': `id\n${ids.join('\n')}\n` },
      '2024-01-01T10:00:00.000Z',
    ),
  );
  const ask = async (operation: string, body: object) =>
    JSON.parse((await full.post(operation, body)).text);
  const endedOf = (exported: Export): Promise<Export> =>
    until(async () => {
      const now = await ask('getRecordsExport', { id: exported.id });
      return now.status !== 'RUNNING' && now;
    });
  const create = (format: string): Promise<Export> =>
    ask('createRecordsExport', { dataReferenceName: 'map.plain', format });
  const countOf = async (outcome: string): Promise<number> => {
    const line = new RegExp(
      `^locmetrics_exports_ended_total\\{outcome="${outcome}"\\} (\\d+)$`,
      'm',
    );
    return Number(line.exec(await full.scrape())?.[1] ?? 0);
  };

  test.each(['CSV', 'JSON', 'PARQUET', 'ARROW'])(
    'an export as %s fails, leaves no file, and another one succeeds once there is space',
    async (format) => {
      const { files } = full.data().directory.exports;
      await withSmallDisk(files, '1m', async () => {
        fillUp(`${files}/filling`);
        // More than the twentieth that is kept free, and less than the export.
        truncateSync(`${files}/filling`, statSync(`${files}/filling`).size - 60_000);
        const failedBefore = await countOf('failed');
        const exported = await create(format);
        const failed = await endedOf(exported);
        expect(failed).toMatchObject({ status: 'FAILED', errorReason: 'DISK_FULL' });
        expect(failed.errorMessage).toContain('full');
        expect(failed.fileExportInfo).toBeUndefined();
        expect(await countOf('failed')).toBe(failedBefore + 1);
        expect(readdirSync(files).filter((name) => name !== 'filling')).toEqual([exported.id]);
        expect(readdirSync(`${files}/${exported.id}`)).toEqual([]);
        rmSync(`${files}/filling`);
        expect(await endedOf(await create(format))).toMatchObject({ status: 'COMPLETED' });
      });
    },
  );
});

test('an export of a server that stops is written by another one, and charged once', async () => {
  const rowsUsed = async (): Promise<number> => {
    const usage = await server.send('/v1/usage', {
      headers: { authorization: `Bearer ${tokens.limited}` },
    });
    return JSON.parse(usage.text).usage.reduce(
      (sum: number, { rows }: { rows: number }) => sum + rows,
      0,
    );
  };
  const before = await rowsUsed();
  isHeld = true;
  const exported = await created({}, tokens.limited);
  await until(async () => (await get(exported.id, tokens.limited)).rowsWritten > 0);
  const other = await openTestServer(server.data(), { exports: { partMaxBytes: 60_000 } });
  try {
    // As if the process that writes it were killed: nobody renews its claim.
    const store = openExportStore(server.data().directory.exports.store);
    const [claimed] = readdirSync(exportFolder(exported.id));
    await until(() => {
      if (store.find(exported.id)?.claim !== claimed) return true;
      store.releaseAll();
      return false;
    });
    store.close();
    const done = await ended(exported, tokens.limited);
    expect(done).toMatchObject({ status: 'COMPLETED', rowsWritten: 3002 });
    const texts = await textsOf(done);
    const rows = texts.flatMap((text) => text.split('\r\n').slice(1, -1));
    expect(new Set(rows).size).toBe(3002);
    await expect.poll(async () => (await rowsUsed()) - before).toBe(3002);
    // What the first one has left is removed.
    expect(readdirSync(exportFolder(exported.id))).toHaveLength(1);
  } finally {
    isHeld = false;
    await other.close();
  }
});
