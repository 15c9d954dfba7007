import { randomUUID } from 'node:crypto';
import { catalogV1 } from '@locmetrics/contract/grpc';
import { wholeGrant } from '@locmetrics/core/domain/grant';
import type { OrganisationLimits } from '@locmetrics/core/domain/rights';
import { withdrawVersion } from '@locmetrics/ingest/publish/roll-back';
import { openEmbeddedEngine } from '@locmetrics/row-store/routing/open-embedded-engine';
import type { NewExport } from '@locmetrics/server/exports/export-store';
import { openExportStore } from '@locmetrics/server/exports/open-export-store';
import { beforeEach, describe, expect, test } from 'vitest';
import { VALUES_TO_EXPORT } from '../../exports/values-to-export.ts';
import { until } from '../../support/until.ts';
import { openTestServer, type ServerOptions, useTestServer } from '../test-server.ts';

const DAYS = Array.from({ length: 28 }, (_, day) => `2024-01-${String(day + 1).padStart(2, '0')}`);
const PLACES = 100;
const ROWS = DAYS.length * PLACES;

/** A metric of 2,800 values, more than the first pages of a stream have. `state` is in each of them. */
function townOf(state: number) {
  const places = Array.from({ length: PLACES }, (_, place) => `p${place},Place ${place},${state}`);
  const visits = places.flatMap((_, place) => DAYS.map((day) => `p${place},${day},${state}`));
  return {
    'locmetrics.yaml': `format: 1
datasets:
  town.places:
    files: places.csv
    key: [id]
    licence: { name: ODbL-1.0 }
    fields: { id: { type: string }, label: { type: string }, state: { type: string } }
  town.visits:
    files: visits.csv
    key: [id, day]
    period: { start: day, end: day }
    fields: { id: { type: string }, day: { type: date }, count: { type: integer } }
layers:
  places:
    dataset: town.places
    feature_id: id
    name: label
    address_components: { state: { value: state, kind: map } }
metrics:
  town/visits:
    dataset: town.visits
    layer: places
    feature_id: id
    cadence: daily
    measure: { name: count, field: count, kind: count }
`,
    'places.csv': `id,label,state\n${places.join('\n')}\n`,
    'visits.csv': `id,day,count\n${visits.join('\n')}\n`,
  };
}

const tokens = { part: '', limited: '' };
let limits: OrganisationLimits = {};
/** Whether reads after the first page wait until they are stopped, or let go. */
let isHeld = false;
const held = new Set<() => void>();
function letGo(): void {
  isHeld = false;
  for (const go of held) go();
  held.clear();
}
beforeEach(() => {
  limits = {};
  letGo();
});

/** The engine, whose reads after the first page can be held. */
const openEngine: ServerOptions['openEngine'] = (stores) => {
  const engine = openEmbeddedEngine(stores);
  return {
    ...engine,
    run: async (plan, signal) => {
      if (plan.kind === 'batch' && isHeld) {
        await new Promise<void>((resolve) => {
          held.add(resolve);
          signal.addEventListener('abort', resolve, { once: true });
        });
        signal.throwIfAborted();
      }
      return engine.run(plan, signal);
    },
  };
};

const publish: Parameters<typeof useTestServer>[0] = async (to) => {
  await to.publishFiles(townOf(1), '2024-01-01T10:00:00.000Z');
};
const server = useTestServer(
  async (to) => {
    await publish(to);
    to.store.createOrganisation({ id: 'part', name: 'Part' });
    to.store.addGrant('part', {
      ...wholeGrant('', 'town/visits'),
      filters: [{ fieldName: 'id', operator: '==', value: 'p7', values: [] }],
    });
    tokens.part = to.store.createToken({ organisationId: 'part', name: 'part' }).tokenText;
    to.store.createOrganisation({ id: 'limited', name: 'Limited' });
    to.store.addGrant('limited', wholeGrant('', '*'));
    tokens.limited = to.store.createToken({ organisationId: 'limited', name: 'l' }).tokenText;
  },
  { openEngine, limitsOf: (id) => (id === 'limited' ? limits : {}) },
);
const changing = useTestServer(publish, { openEngine });
const hurried = useTestServer(publish, { openEngine, queryTimeoutMs: 1000 });

const { downloadMetric } = catalogV1.FileDownloadService.method;
const METRIC = '/v1/catalogs/town/metrics/visits';
const ACME = { billingContext: 'acme' };
const HOUR_MS = 3_600_000;
const OF_ANOTHER_PROCESS: NewExport = {
  ...{ id: '', organisationId: 'acme', tokenId: 'none', rights: '', createdMs: 0 },
  request: VALUES_TO_EXPORT,
  ...{ format: 'csv', filenamePrefix: '', limit: 0, keepMs: undefined, rows: 1 },
};

type Download = {
  readonly downloadId: string;
  readonly fileUrls: readonly string[];
  readonly expiresAt: string;
};
type Asking = { readonly to?: typeof server; readonly token?: string; readonly metric?: string };

async function ask(
  body: object,
  { to = server, token = to.data().token, metric = METRIC }: Asking = {},
) {
  const { status, text } = await to.send(`${metric}:download`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  return { status, body: JSON.parse(text) };
}

async function downloaded(body: object, asking?: Asking): Promise<Download> {
  const { status, body: download } = await ask({ ...ACME, ...body }, asking);
  expect(status, JSON.stringify(download)).toBe(200);
  return download;
}

async function textsOf({ fileUrls }: Download): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const url of fileUrls) {
    const response = await fetch(url);
    expect(response.status).toBe(200);
    texts.push(await response.text());
  }
  return texts;
}

async function streamed(
  { to = server, token = to.data().token }: Asking = {},
  organisation = 'acme',
) {
  const path = `${METRIC}/values.csv?billingContext=${organisation}`;
  return (await to.send(path, { headers: { authorization: `Bearer ${token}` } })).text;
}

async function call(operation: string, body: object, { to = server, token }: Asking = {}) {
  const { status, text } = await to.post(operation, body, {
    authorization: `Bearer ${token ?? to.data().token}`,
  });
  return { status, body: JSON.parse(text) };
}

/** The exports of a server, whoever created them. */
function exportsOf(to: typeof server) {
  const store = openExportStore(to.data().directory.exports.store);
  try {
    return store.list();
  } finally {
    store.close();
  }
}

describe('a download of a metric', () => {
  test('answers with links to complete files, with the bytes of a stream', async () => {
    const download = await downloaded({ fileName: 'visits-' });
    expect(download.downloadId).toMatch(/^[0-9a-v]{26}$/);
    expect(download.fileUrls.map((url) => new URL(url).pathname)).toEqual([
      `/v1/exports/${download.downloadId}/visits-0.csv`,
    ]);
    const text = await streamed();
    expect(text.split('\r\n')).toHaveLength(ROWS + 2);
    expect(await textsOf(download)).toEqual([text]);
    const { headers } = await fetch(download.fileUrls[0] ?? '');
    expect(headers.get('link')).toContain('LICENSE.txt');
  });

  test('is answered over gRPC too', async () => {
    const asked = { ...ACME, catalogId: 'town', metricId: 'visits', expiryInHours: 3n };
    const { message } = await server.ask(downloadMetric, asked);
    expect(await textsOf(message)).toEqual([await streamed()]);
    expect(new URL(message.fileUrls[0] ?? '').pathname).toMatch(/\/0\.csv$/);
    const kept = Date.parse(message.expiresAt) - Date.now();
    expect(kept).toBeGreaterThan(2 * HOUR_MS);
    expect(kept).toBeLessThanOrEqual(3 * HOUR_MS);
  });

  test('of a caller who sees a part has that part alone', async () => {
    const download = await downloaded({ billingContext: 'part' }, { token: tokens.part });
    const [text = ''] = await textsOf(download);
    expect(text).toBe(await streamed({ token: tokens.part }, 'part'));
    expect(text.split('\r\n')).toHaveLength(DAYS.length + 2);
  });

  test.each([
    ['is kept as long as the service keeps files', {}, 24],
    ['of 0 hours is kept as long as the service keeps files', { expiryInHours: 0 }, 24],
    ['is kept for the asked time', { expiryInHours: 2 }, 2],
    ['is not kept for longer than the service keeps files', { expiryInHours: 1e15 }, 24],
  ])('%s', async (_, body, hours) => {
    const beforeMs = Date.now();
    const { expiresAt, fileUrls } = await downloaded(body);
    const expiresMs = Date.parse(expiresAt);
    expect(expiresMs).toBeGreaterThanOrEqual(beforeMs + hours * HOUR_MS);
    expect(expiresMs).toBeLessThanOrEqual(Date.now() + hours * HOUR_MS);
    const expires = Number(new URL(fileUrls[0] ?? '').searchParams.get('expires'));
    expect(expires).toBe(Math.floor(expiresMs / 1000));
  });

  test.each([
    ['with a name that is not one of files', { fileName: '../x' }, 400, 'INVALID_EXPORT'],
    ['with negative hours', { expiryInHours: -1 }, 400, 'INVALID_EXPORT'],
    ['with parts of hours', { expiryInHours: 1.5 }, 400, 'INVALID_REQUEST'],
    ['with another member', { format: 'CSV' }, 400, 'UNKNOWN_REQUEST_FIELD'],
    ['with another metric in its body', { metricId: 'other' }, 400, 'INVALID_REQUEST'],
    ['without a billing context', { billingContext: '' }, 400, 'BILLING_CONTEXT_MISSING'],
    ['with a foreign billing context', { billingContext: 'part' }, 403, 'BILLING_CONTEXT_DENIED'],
  ])('%s is refused', async (_, body, status, reason) => {
    const refused = await ask({ ...ACME, ...body });
    expect([refused.status, refused.body.reason]).toEqual([status, reason]);
  });

  test.each([
    ['/v1/catalogs/towns/metrics/visits', 'CATALOG_NOT_FOUND', "Did you mean 'town'?"],
    ['/v1/catalogs/town/metrics/visit', 'METRIC_NOT_FOUND', "Did you mean 'visits'?"],
  ])('of %s is refused', async (metric, reason, hint) => {
    const refused = await ask(ACME, { metric });
    expect([refused.status, refused.body]).toEqual([
      404,
      expect.objectContaining({ reason, hint }),
    ]);
  });

  test('of a metric that the caller may not see is refused as unknown', async () => {
    const { store } = server.data();
    store.createOrganisation({ id: 'none', name: 'None' });
    const { tokenText: token } = store.createToken({ organisationId: 'none', name: 'n' });
    const refused = await ask({ billingContext: 'none' }, { token });
    expect([refused.status, refused.body.reason]).toEqual([404, 'CATALOG_NOT_FOUND']);
  });

  test('with negative hours is refused over gRPC', async () => {
    const asked = { ...ACME, catalogId: 'town', metricId: 'visits', expiryInHours: -1n };
    expect(await server.refusal(downloadMetric, asked)).toMatchObject({
      code: 'INVALID_ARGUMENT',
      reason: 'INVALID_EXPORT',
    });
  });

  test('needs the scope of metrics', async () => {
    const scopes = ['catalog'];
    const given = { organisationId: 'acme', name: 'c', scopes };
    const { tokenText: token } = server.data().store.createToken(given);
    const refused = await ask(ACME, { token });
    expect([refused.status, refused.body.reason]).toEqual([403, 'SCOPE_MISSING']);
  });

  test('beyond the rows that are left is refused, and leaves no export', async () => {
    limits = { rowsPerDay: ROWS - 1 };
    const refused = await ask({ billingContext: 'limited' }, { token: tokens.limited });
    expect([refused.status, refused.body.reason]).toEqual([429, 'LIMIT_EXCEEDED']);
    expect(exportsOf(server).filter((job) => job.organisationId === 'limited')).toEqual([]);
  });

  test('whose caller leaves is deleted', async () => {
    isHeld = true;
    const before = new Set(exportsOf(server).map(({ id }) => id));
    const caller = new AbortController();
    const left = fetch(`${server.url()}${METRIC}:download`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${server.data().token}`,
      },
      body: JSON.stringify(ACME),
      signal: caller.signal,
    });
    const added = () => exportsOf(server).filter(({ id }) => !before.has(id));
    await until(() => added().some(({ rowsWritten }) => rowsWritten > 0));
    caller.abort();
    await expect(left).rejects.toThrow();
    await expect.poll(added).toEqual([]);
  });

  test('that takes longer than a request may goes on, and can be asked for', async () => {
    const store = openExportStore(hurried.data().directory.exports.store);
    // As if another process wrote an export of the organisation, so that the next one waits.
    await until(() => {
      store.add({ ...OF_ANOTHER_PROCESS, id: randomUUID() }, 10);
      return store.claim('of another process', Date.now()) !== undefined;
    });
    // On a busy machine, the count of the values may take too long already.
    const { status, body } = await until(async () => {
      const refused = await ask(ACME, { to: hurried });
      return refused.body.hint.includes('getRecordsExport') && refused;
    });
    expect([status, body.reason]).toEqual([504, 'DEADLINE_EXCEEDED']);
    expect(body.hint).toContain('values.csv');
    const [, id = ''] = /'([0-9a-v]{26})'/.exec(body.hint) ?? [];
    const found = await call('getRecordsExport', { id }, { to: hurried });
    expect(found.body).toMatchObject({ id, status: 'RUNNING', dataReferenceName: '' });
    store.close();
  });
});

describe('the export of a download', () => {
  test('is listed and deleted as one of records, without a dataset', async () => {
    const { downloadId: id, fileUrls, expiresAt: expireTime } = await downloaded({});
    const found = (await call('getRecordsExport', { id })).body;
    expect(found).toMatchObject({
      ...{ id, status: 'COMPLETED', rowsWritten: ROWS },
      ...{ dataReferenceName: '', fields: [], filters: [] },
      fileExportInfo: { expireTime, files: [{ name: '0.csv', url: fileUrls[0] }] },
    });
    const { recordsExports } = (await call('listRecordsExports', {})).body;
    expect(recordsExports).toContainEqual(found);
    await call('deleteRecordsExport', { id });
    expect((await fetch(fileUrls[0] ?? '')).status).toBe(404);
  });

  test('is charged once, also when another process writes it again', async () => {
    const usedRows = async () => {
      const usage = await server.send('/v1/usage?groupBy=operation', {
        headers: { authorization: `Bearer ${tokens.limited}` },
      });
      return JSON.parse(usage.text).usage;
    };
    const text = await streamed();
    isHeld = true;
    const asked = downloaded({ billingContext: 'limited' }, { token: tokens.limited });
    const running = await until(() =>
      exportsOf(server).find(
        ({ organisationId, rowsWritten }) => organisationId === 'limited' && rowsWritten > 0,
      ),
    );
    const other = await openTestServer(server.data());
    try {
      const store = openExportStore(server.data().directory.exports.store);
      // As if the process that writes it were killed: nobody renews its claim.
      await until(() => {
        if (store.find(running.id)?.claim !== running.claim) return true;
        store.releaseAll();
        return false;
      });
      store.close();
      expect(await textsOf(await asked)).toEqual([text]);
      await expect
        .poll(usedRows)
        .toMatchObject([{ operation: 'downloadMetric', requests: 1, rows: ROWS }]);
    } finally {
      letGo();
      await other.close();
    }
  });

  test('has the version that was current when it was created, even if it had to wait', async () => {
    const text = await streamed({ to: changing });
    isHeld = true;
    const running = downloaded({}, { to: changing });
    await until(() => exportsOf(changing).some(({ rowsWritten }) => rowsWritten > 0));
    const waiting = downloaded({}, { to: changing });
    await until(() => exportsOf(changing).some(({ state }) => state === 'waiting'));
    await changing.data().publishFiles(townOf(2), '2024-02-01T10:00:00.000Z');
    // The server notices the new version with its next request.
    await changing.post('listRecords', { dataReferenceName: 'town.visits', pageSize: 1 });
    letGo();
    expect(await textsOf(await running)).toEqual([text]);
    expect(await textsOf(await waiting)).toEqual([text]);
    expect(await streamed({ to: changing })).not.toBe(text);
  });

  test('ends with the rights that it was created with', async () => {
    isHeld = true;
    const { store } = server.data();
    store.createOrganisation({ id: 'narrowed', name: 'Narrowed' });
    const { grant } = store.addGrant('narrowed', wholeGrant('', 'town/visits'));
    const { tokenText: token } = store.createToken({ organisationId: 'narrowed', name: 'c' });
    const asked = ask({ billingContext: 'narrowed' }, { token });
    await until(() =>
      exportsOf(server).some(
        ({ organisationId, rowsWritten }) => organisationId === 'narrowed' && rowsWritten > 0,
      ),
    );
    store.removeGrant(grant.grantId);
    const { status, body } = await asked;
    expect([status, body.reason]).toEqual([409, 'EXPORT_ENDED']);
  });

  test('ends with its token', async () => {
    const { store } = server.data();
    const { tokenText: token, tokenId } = store.createToken({ organisationId: 'acme', name: 'x' });
    const [url = ''] = (await downloaded({}, { token })).fileUrls;
    expect((await fetch(url)).status).toBe(200);
    store.revokeToken(tokenId);
    expect((await fetch(url)).status).toBe(404);
  });

  test.each(['town.visits', 'town.places'])('ends with the version of %s', async (dataset) => {
    const at = dataset === 'town.visits' ? '2024-03-01T10:00:00.000Z' : '2024-04-01T10:00:00.000Z';
    const { directory, publishFiles } = changing.data();
    await publishFiles(townOf(3), at, dataset);
    const { downloadId: id, fileUrls } = await downloaded({}, { to: changing });
    expect((await fetch(fileUrls[0] ?? '')).status).toBe(200);
    const asked = { dataReferenceName: dataset, pageSize: 1 };
    const { version } = (await changing.post('listRecords', asked)).body;
    await withdrawVersion({ directory, version, clock: Date.now });
    expect((await call('getRecordsExport', { id }, { to: changing })).body).toMatchObject({
      status: 'FAILED',
      errorReason: 'VERSION_NOT_FOUND',
      errorMessage: expect.stringMatching(/^The version \S+ of town\/visits was withdrawn\.$/),
    });
    expect((await fetch(fileUrls[0] ?? '')).status).toBe(404);
  });
});
