import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { wholeGrant } from '@locmetrics/core/domain/grant';
import { dataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { openControlStore } from '@locmetrics/server/auth/control-store';
import { beforeAll, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { runCommand } from './run-command.ts';
import { type Service, startService } from './start-service.ts';

const inFolder = useTemporaryFolder();
const ROWS = 60_000;
let token: string;

beforeAll(async () => {
  await mkdir(inFolder('files'), { recursive: true });
  const manifest = `format: 1
datasets:
  shop.stores:
    files: stores.csv
    key: [id]
    fields: { id: { type: string }, name: { type: string } }
`;
  await writeFile(inFolder('files/locmetrics.yaml'), manifest);
  const rows = Array.from({ length: ROWS }, (_, index) => `S${index},Store ${index}\n`);
  await writeFile(inFolder('files/stores.csv'), `id,name\n${rows.join('')}`);
  const published = await runCommand(['publish', inFolder('files/locmetrics.yaml'), ...DATA()]);
  expect(published.code).toBe(0);
  const store = openControlStore(dataDirectory(inFolder('data')).control);
  store.createOrganisation({ id: 'acme', name: 'Acme' });
  store.addGrant('acme', wholeGrant('', '*'));
  token = store.createToken({ organisationId: 'acme', name: 'x' }).tokenText;
  store.close();
});

const DATA = (): readonly string[] => ['--data', inFolder('data')];
const list = async () =>
  JSON.parse((await runCommand(['exports', 'list', '--json', ...DATA()])).data).exports;

type Exported = {
  readonly id: string;
  readonly status: string;
  readonly rowsWritten: number;
  readonly fileExportInfo: {
    readonly files: readonly { readonly url: string; readonly sizeBytes: number }[];
  };
};

async function call(service: Service, operation: string, body: object): Promise<Exported> {
  const answer = await fetch(`${service.url}/v3/catalog/${operation}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
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
  expect(await list()).toEqual([]);
  const first = await startService(inFolder('data'));
  const { id } = await call(first, 'createRecordsExport', { dataReferenceName: 'shop.stores' });
  first.kill('SIGKILL');
  await first.ended;
  expect(await list()).toMatchObject([{ id, organisationId: 'acme', dataset: 'shop.stores' }]);

  const second = await startService(inFolder('data'), [
    '--public-url',
    'https://data.example.org/maps',
  ]);
  const done = await completed(second, id);
  expect(done.rowsWritten).toBe(ROWS);
  const [file] = done.fileExportInfo.files;
  expect(file?.url).toMatch(/^https:\/\/data\.example\.org\/maps\/v1\/exports\//);
  const { pathname, search } = new URL(file?.url ?? '');
  const link = `${second.url}${pathname.replace('/maps', '')}${search}`;
  const text = await (await fetch(link)).text();
  expect(text.split('\r\n')).toHaveLength(ROWS + 2);
  expect(text.length).toBe(file?.sizeBytes);

  const table = await runCommand(['exports', 'list', ...DATA()]);
  expect(table.data).toContain(`${id}  acme          shop.stores  completed  60000/60000`);
  const mistyped = await runCommand(['exports', 'remove', `${id.slice(1)}x`, ...DATA()]);
  expect([mistyped.code, mistyped.messages]).toEqual([
    1,
    expect.stringContaining(`Did you mean '${id}'?`),
  ]);
  const removed = await runCommand(['exports', 'remove', id, ...DATA()]);
  expect(removed.data).toBe(`Removed the export ${id}.\n`);
  expect((await fetch(link)).status).toBe(404);
  expect(existsSync(join(inFolder('data'), 'exports', id))).toBe(false);
  expect(await list()).toEqual([]);
  second.kill('SIGTERM');
  await second.ended;
});

test('a service without space for exports refuses them', async () => {
  const service = await startService(inFolder('data'), ['--export-space', '0B']);
  const refused = await call(service, 'createRecordsExport', { dataReferenceName: 'shop.stores' });
  expect(refused).toMatchObject({ status: 501, reason: 'EXPORTS_OFF' });
  service.kill('SIGTERM');
  await service.ended;
});
