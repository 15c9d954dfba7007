import { catalogV3alpha } from '@locmetrics/contract/grpc';
import { wholeGrant } from '@locmetrics/core/domain/grant';
import { openEmbeddedEngine } from '@locmetrics/row-store/routing/open-embedded-engine';
import { openExportStore } from '@locmetrics/server/exports/open-export-store';
import { beforeEach, describe, expect, test } from 'vitest';
import { avroLines, readAvro } from '../../support/read-avro.ts';
import { parquetLines, readParquet } from '../../support/read-parquet.ts';
import { until } from '../../support/until.ts';
import { TILED_SHOPS } from '../map/tiled-shops.ts';
import { type ServerOptions, useTestServer } from '../test-server.ts';

/** Whether reads after the first page wait until they are stopped. */
let isHeld = false;
beforeEach(() => {
  isHeld = false;
});

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

const { fileDownload } = catalogV3alpha.CatalogQuery.method;
const PATH = '/v3alpha/catalog/fileDownload';
const SHOPS = { dataReferenceName: 'map.shops' };
const RECORDS = '/v3/catalog/map.shops/records';

const publish: Parameters<typeof useTestServer>[0] = async (to) => {
  await to.publishFiles(TILED_SHOPS, '2024-01-01T10:00:00.000Z');
};
const server = useTestServer(publish, { openEngine });
const hurried = useTestServer(publish, { openEngine, queryTimeoutMs: 1000 });

type Download = {
  readonly downloadId: string;
  readonly fileUrls: readonly string[];
  readonly expiresAt: string;
};

async function ask(body: object, to = server, token = to.data().token) {
  const { status, text } = await to.send(PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  return { status, body: JSON.parse(text) };
}

async function downloaded(body: object): Promise<Download> {
  const { status, body: download } = await ask({ ...SHOPS, ...body });
  expect(status).toBe(200);
  return download;
}

async function filesOf({ fileUrls }: Download): Promise<readonly Buffer[]> {
  const files: Buffer[] = [];
  for (const url of fileUrls) {
    const response = await fetch(url);
    expect(response.status).toBe(200);
    files.push(Buffer.from(await response.arrayBuffer()));
  }
  return files;
}

/** The exports of all tokens of a server. */
function exportsOf(to: typeof server) {
  const store = openExportStore(to.data().directory.exports.store);
  try {
    return store.list();
  } finally {
    store.close();
  }
}

describe('a file download', () => {
  test('answers with links to complete files, which need no token', async () => {
    const download = await downloaded({});
    expect(download.downloadId).toMatch(/^[0-9a-v]{26}$/);
    expect(Date.parse(download.expiresAt)).toBeGreaterThan(Date.now());
    const [file] = await filesOf(download);
    const stream = await server.send(`${RECORDS}.csv`);
    expect(file?.toString()).toBe(stream.text);
  });

  test('has the fields, filters and options of its request', async () => {
    const download = await downloaded({
      fields: ['id', { name: 'city' }],
      filters: [{ fieldName: 'visits', operator: '>', value: '18' }],
      options: { orderBy: { fieldName: 'id', direction: 'DESC' } },
      format: 'JSON',
    });
    const [file] = await filesOf(download);
    const filters = encodeURIComponent(
      JSON.stringify([{ fieldName: 'visits', operator: '>', value: '18' }]),
    );
    const query = `filters=${filters}&fields=id,city&orderBy=id:DESC`;
    const stream = await server.send(`${RECORDS}.ndjson?${query}`);
    expect(file?.toString()).toBe(stream.text);
  });

  test('has the records as Avro and as Parquet too, also over gRPC', async () => {
    const stream = await server.send(`${RECORDS}.ndjson`);
    const avro = await downloaded({ format: 'AVRO' });
    const lines = (await filesOf(avro)).map((file) => avroLines(readAvro(file)));
    expect(lines.join('')).toBe(stream.text);
    const { message } = await server.ask(fileDownload, {
      ...SHOPS,
      format: catalogV3alpha.FileDownloadFormat.PARQUET,
    });
    const [parquet = Buffer.alloc(0)] = await filesOf(message);
    expect(parquetLines(await readParquet(parquet))).toBe(stream.text);
  });

  test('counts as a request of its own, and its rows as those of its export', async () => {
    const { store } = server.data();
    store.createOrganisation({ id: 'counted', name: 'Counted' });
    store.addGrant('counted', wholeGrant('', '*'));
    const scopes = ['catalog', 'usage'] as const;
    const { tokenText } = store.createToken({ organisationId: 'counted', name: 'x', scopes });
    expect((await ask(SHOPS, server, tokenText)).status).toBe(200);
    const { text } = await server.send('/v1/usage?groupBy=operation', {
      headers: { authorization: `Bearer ${tokenText}` },
    });
    const rows = (await server.send(`${RECORDS}.ndjson`)).text.trimEnd().split('\n').length;
    expect(JSON.parse(text).usage).toMatchObject([
      { operation: 'createRecordsExport', requests: 0, rows },
      { operation: 'fileDownload', requests: 1, rows: 0 },
    ]);
  });

  test.each([
    [{ fields: ['citty'] }, 400, 'UNKNOWN_FIELD'],
    [{ format: 'GEOJSON' }, 400, 'INVALID_REQUEST'],
    [{ limit: 1 }, 400, 'UNKNOWN_REQUEST_FIELD'],
    [{ billingContext: 'other' }, 403, 'BILLING_CONTEXT_DENIED'],
    [{ dataReferenceName: 'map.shop' }, 404, 'DATA_REFERENCE_NOT_FOUND'],
  ])('with %j is refused', async (body, status, reason) => {
    const refused = await ask({ ...SHOPS, ...body });
    expect([refused.status, refused.body.reason]).toEqual([status, reason]);
  });

  test('of an unknown format is refused over gRPC', async () => {
    const format: number = 9;
    const refusal = await server.refusal(fileDownload, { ...SHOPS, format });
    expect(refusal).toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  test('whose caller leaves is deleted', async () => {
    isHeld = true;
    const before = new Set(exportsOf(server).map(({ id }) => id));
    const caller = new AbortController();
    const left = fetch(`${server.url()}${PATH}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${server.data().token}`,
      },
      body: JSON.stringify(SHOPS),
      signal: caller.signal,
    });
    const added = () => exportsOf(server).filter(({ id }) => !before.has(id));
    await until(() => added().some(({ rowsWritten }) => rowsWritten > 0));
    caller.abort();
    await expect(left).rejects.toThrow();
    await expect.poll(added).toEqual([]);
  });

  test('fails for the reason of its export', async () => {
    isHeld = true;
    const { store } = server.data();
    store.createOrganisation({ id: 'changing', name: 'Changing' });
    const { grant } = store.addGrant('changing', wholeGrant('', 'map.shops'));
    const { tokenText } = store.createToken({ organisationId: 'changing', name: 'c' });
    const asked = ask(SHOPS, server, tokenText);
    await until(() =>
      exportsOf(server).some(
        ({ organisationId, rowsWritten }) => organisationId === 'changing' && rowsWritten > 0,
      ),
    );
    store.replaceGrant(grant.grantId, { ...wholeGrant('', 'map.shops'), fields: ['id'] });
    const { status, body } = await asked;
    expect([status, body.reason]).toEqual([409, 'EXPORT_ENDED']);
  });

  test('that takes longer than a request may goes on', async () => {
    const small = await ask({ ...SHOPS, fields: ['id'] }, hurried);
    const store = openExportStore(hurried.data().directory.exports.store);
    const done = store.find(small.body.downloadId);
    if (done === undefined) throw new Error('The export is not stored.');
    // As if another process wrote an export of the organisation, so that the next one waits.
    store.add({ ...done, id: 'other' }, 10);
    store.claim('of another process', Date.now());
    // On a busy machine, the count of the records may take too long already.
    const { status, body } = await until(async () => {
      const refused = await ask(SHOPS, hurried);
      return refused.body.hint.includes('getRecordsExport') && refused;
    });
    expect([status, body.reason]).toEqual([504, 'DEADLINE_EXCEEDED']);
    const waiting = store.list().filter(({ state }) => state === 'waiting');
    expect(waiting.map(({ id }) => body.hint.includes(`'${id}'`))).toContain(true);
    store.close();
  });
});
