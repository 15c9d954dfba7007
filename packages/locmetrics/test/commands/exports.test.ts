import { existsSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { wholeGrant } from '@locmetrics/core/domain/grant';
import { dataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { openControlStore } from '@locmetrics/server/auth/control-store';
import { beforeAll, expect, test } from 'vitest';
import { fillUp, mayMount, withSmallDisk } from '../support/full-disk.ts';
import { until } from '../support/until.ts';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { runCommand } from './run-command.ts';
import { type Service, startService } from './start-service.ts';

const inFolder = useTemporaryFolder();
const ROWS = 60_000;
let token: string;

/** What a service that was killed left: an export, and the folder of its worker, with a file of a stream. */
let killed: { readonly exportId: string; readonly listed: unknown; readonly folders: string[] };
/** The service that was started after it. */
let service: Service;

beforeAll(async () => {
  token = await publishStores(inFolder('data'));
  expect(await list()).toEqual([]);
  const first = await startService(inFolder('data'));
  const stream = await fetch(`${first.url}/v3/catalog/shop.stores/records.parquet`, {
    headers: { authorization: `Bearer ${token}` },
  });
  await stream.bytes();
  const folders = readdirSync(TEMPORARY());
  await writeFile(join(TEMPORARY(), folders[0] ?? '', 'left.parquet.rows'), 'left');
  const { id } = await call(first, 'createRecordsExport', { dataReferenceName: 'shop.stores' });
  first.kill('SIGKILL');
  await first.ended;
  killed = { exportId: id, listed: await list(), folders };
  service = await startService(inFolder('data'), ['--public-url', 'https://data.example.org/maps']);
});

const TEMPORARY = (): string => join(inFolder('data'), 'tmp');

/** Publishes the stores into a data directory; returns a token of an organisation that may see them. */
async function publishStores(data: string): Promise<string> {
  await mkdir(inFolder('files'), { recursive: true });
  const manifest = `format: 1
datasets:
  shop.stores:
    files: stores.csv
    key: [id]
    fields: { id: { type: string }, name: { type: string } }
  shop.visits:
    files: visits.csv
    key: [store]
    fields: { store: { type: string }, count: { type: integer } }
layers:
  stores: { dataset: shop.stores, feature_id: id, name: name }
metrics:
  shop/visits:
    dataset: shop.visits
    layer: stores
    feature_id: store
    cadence: monthly
    period: { start: 2024-01-01, end: 2024-01-31 }
    measure: { name: count, field: count, kind: count }
`;
  await writeFile(inFolder('files/locmetrics.yaml'), manifest);
  const rows = Array.from({ length: ROWS }, (_, index) => `S${index},Store ${index}\n`);
  await writeFile(inFolder('files/stores.csv'), `id,name\n${rows.join('')}`);
  await writeFile(inFolder('files/visits.csv'), 'store,count\nS1,5\nS2,7\n');
  const published = await runCommand([
    'publish',
    inFolder('files/locmetrics.yaml'),
    '--data',
    data,
  ]);
  expect(published.code).toBe(0);
  const store = openControlStore(dataDirectory(data).control);
  store.createOrganisation({ id: 'acme', name: 'Acme' });
  store.addGrant('acme', wholeGrant('', '*'));
  const { tokenText } = store.createToken({ organisationId: 'acme', name: 'x' });
  store.close();
  return tokenText;
}

const DATA = (): readonly string[] => ['--data', inFolder('data')];
const list = async () =>
  JSON.parse((await runCommand(['exports', 'list', '--json', ...DATA()])).data).exports;

const listOfMetrics = async () =>
  (await list()).filter(({ metric }: { readonly metric?: string }) => metric !== undefined);

type Exported = {
  readonly id: string;
  readonly status: string;
  readonly rowsWritten: number;
  readonly fileExportInfo: {
    readonly files: readonly { readonly url: string; readonly sizeBytes: number }[];
  };
};

async function call(
  service: Service,
  operation: string,
  body: object,
  caller = token,
): Promise<Exported> {
  const answer = await fetch(`${service.url}/v3/catalog/${operation}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${caller}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  // The tests read what their answers have.
  return (await answer.json()) as Exported;
}

const completed = (service: Service, id: string) =>
  until(async () => {
    const now = await call(service, 'getRecordsExport', { id });
    return now.status === 'COMPLETED' && now;
  });

test('an export survives a service that is killed, and a command lists and removes it', async () => {
  const { exportId: id, listed } = killed;
  expect(listed).toMatchObject([{ id, organisationId: 'acme', dataset: 'shop.stores' }]);
  const done = await completed(service, id);
  expect(done.rowsWritten).toBe(ROWS);
  const [file] = done.fileExportInfo.files;
  expect(file?.url).toMatch(/^https:\/\/data\.example\.org\/maps\/v1\/exports\//);
  const { pathname, search } = new URL(file?.url ?? '');
  const link = `${service.url}${pathname.replace('/maps', '')}${search}`;
  const text = await (await fetch(link)).text();
  expect(text.split('\r\n')).toHaveLength(ROWS + 2);
  expect(text.length).toBe(file?.sizeBytes);

  const rotated = await runCommand(['exports', 'rotate-key', ...DATA()]);
  expect([rotated.code, rotated.messages]).toEqual([
    0,
    'All links to files of exports have ended. getRecordsExport returns new ones.\n',
  ]);
  expect((await fetch(link)).status).toBe(404);
  const [again] = (await call(service, 'getRecordsExport', { id })).fileExportInfo.files;
  const newLink = link.replace(search, new URL(again?.url ?? '').search);
  expect((await fetch(newLink)).status).toBe(200);
  const audit = await runCommand(['audit', '--limit', '1', '--json', ...DATA()]);
  expect(JSON.parse(audit.data).entries).toMatchObject([
    { action: 'secret.rotate', organisationId: '', subject: 'export-link', details: {} },
  ]);

  const table = await runCommand(['exports', 'list', ...DATA()]);
  expect(table.data).toContain(`${id}  acme          shop.stores  completed  60000/60000`);
  const mistyped = await runCommand(['exports', 'remove', `${id.slice(1)}x`, ...DATA()]);
  expect([mistyped.code, mistyped.messages]).toEqual([
    1,
    expect.stringContaining(`Did you mean '${id}'?`),
  ]);
  const removed = await runCommand(['exports', 'remove', id, ...DATA()]);
  expect(removed.data).toBe(`Removed the export ${id}.\n`);
  expect((await fetch(newLink)).status).toBe(404);
  expect(await list()).toEqual([]);
  expect(existsSync(join(inFolder('data'), 'exports', id))).toBe(false);
});

test('a command lists and removes an export of a metric by the name of the metric', async () => {
  const answer = await fetch(`${service.url}/v1/catalogs/shop/metrics/visits:download`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ billingContext: 'acme' }),
  });
  expect(answer.status).toBe(200);
  const [listed, ...others] = await listOfMetrics();
  expect(others).toEqual([]);
  expect(listed).toMatchObject({ metric: 'shop/visits', state: 'completed', rowsWritten: 2 });
  expect(listed).not.toHaveProperty('dataset');
  const table = await runCommand(['exports', 'list', ...DATA()]);
  expect(table.data).toContain(`${listed.id}  acme          shop/visits  completed  2/2`);
  await runCommand(['exports', 'remove', listed.id, ...DATA()]);
  expect(await listOfMetrics()).toEqual([]);
});

test('a service without space for exports refuses them', async () => {
  const caller = await publishStores(inFolder('without-space'));
  const another = await startService(inFolder('without-space'), ['--export-space', '0B']);
  const request = { dataReferenceName: 'shop.stores' };
  const refused = await call(another, 'createRecordsExport', request, caller);
  expect(refused).toMatchObject({ status: 501, reason: 'EXPORTS_OFF' });
  another.kill('SIGTERM');
  await another.ended;
});

test('what a killed service was writing for a stream is removed when the next one starts', () => {
  const [folder, ...others] = killed.folders;
  expect([folder, others]).toEqual([expect.stringMatching(/^worker-/), []]);
  expect(readdirSync(TEMPORARY())).not.toContain(folder);
  expect(service.written().messages).toContain('"kind":"garbage_removed"');
});

// A small disk of its own needs the right to mount.
test.runIf(mayMount)(
  'an export on a nearly full disk fails, the service continues, and the next one succeeds once there is space',
  { tags: 'slow' },
  () =>
    withSmallDisk(inFolder('disk'), '64m', async () => {
      const data = join(inFolder('disk'), 'data');
      const caller = await publishStores(data);
      const service = await startService(data, ['--metrics', '127.0.0.1:0']);
      const ask = (operation: string, body: object) => call(service, operation, body, caller);
      const request = { dataReferenceName: 'shop.stores', fileConfig: { format: 'PARQUET' } };
      const endOf = async (): Promise<Exported> => {
        const { id } = await ask('createRecordsExport', request);
        return until(async () => {
          const now = await ask('getRecordsExport', { id });
          return now.status !== 'RUNNING' && now;
        });
      };
      const filling = inFolder('disk/filling');
      fillUp(filling);
      // Enough to record the job, and less than an export leaves free.
      truncateSync(filling, statSync(filling).size - 2 ** 20);
      const failed = await endOf();
      expect(failed).toMatchObject({ status: 'FAILED', errorReason: 'DISK_FULL' });
      expect(failed.fileExportInfo).toBeUndefined();
      const counted = await until(async () => {
        const metrics = await (await fetch(`${service.metricsUrl}/metrics`)).text();
        return metrics.includes('locmetrics_exports_ended_total{outcome="failed"} 1') && metrics;
      });
      expect(counted).toContain('locmetrics_exports{state="failed"} 1');
      rmSync(filling);
      expect(await endOf()).toMatchObject({ status: 'COMPLETED', rowsWritten: ROWS });
      service.kill('SIGTERM');
      expect((await service.ended).code).toBe(0);
    }),
);
