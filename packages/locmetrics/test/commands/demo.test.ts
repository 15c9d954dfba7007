// @module-tag slow
import { execFile } from 'node:child_process';
import { watch } from 'node:fs';
import { chmod, cp, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { dataDirectory, VERSION_FILE } from '@locmetrics/data-directory/versions/data-directory';
import { readCurrentVersions } from '@locmetrics/data-directory/versions/read-current-versions';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { featuresOf } from '../edge/map/read-tile-of.ts';
import { memoryOf, workersOf } from '../soak/process-tree.ts';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { type RunningCommand, startCommand } from './run-command.ts';

const inFolder = useTemporaryFolder();
let demo: RunningCommand;
let welcome: string;
let url: string;
let token: string;
let grpc: string;

/** Starts the demo as in a fresh clone of the repository, on a free port. */
async function startDemo(): Promise<void> {
  demo = startCommand(
    ['demo', '--http', '127.0.0.1:0', '--grpc', '127.0.0.1:0', '--workers', '2'],
    {
      directory: inFolder('clone'),
    },
  );
  await demo.untilItWrites('Ctrl+C stops.');
  welcome = demo.written().data;
  url = /^Explorer +(http\S+)\/#/m.exec(welcome)?.[1] ?? '';
  token = /^Token +(\S+)/m.exec(welcome)?.[1] ?? '';
  const variables = await readFile(inFolder('clone/.locmetrics/demo.env'), 'utf8');
  grpc = /^LOCMETRICS_GRPC_ADDRESS=(.*)$/m.exec(variables)?.[1] ?? '';
}

beforeAll(async () => {
  await mkdir(inFolder('clone'));
  await startDemo();
});

afterAll(async () => {
  demo.kill('SIGKILL');
  await demo.ended;
});

const shell = async (command: string): Promise<string> =>
  (await promisify(execFile)('sh', ['-c', command], { cwd: inFolder('clone') })).stdout;

test('the first start publishes the sample, and prints four lines', () => {
  expect(demo.written().messages).toContain(
    'Publishing the sample. This happens only once and takes about ten seconds.\n',
  );
  expect(
    welcome
      .replace(/(?<=#sign-in=)\w{30}/, 'CODE')
      .replaceAll(url, 'URL')
      .replaceAll(token, 'TOKEN')
      .replace(/(?<=^Next +).* init/m, 'locmetrics init'),
  ).toMatchInlineSnapshot(`
    "
    Explorer  URL/#sign-in=CODE  (signs you in; works once, within an hour)
    Token     TOKEN  (and addresses, as variables: source .locmetrics/demo.env)
    Try       curl -s URL/v3/catalog/listRecords -H 'Authorization: Bearer TOKEN' -H 'Content-Type: application/json' -d '{"dataReferenceName": "cafes.places", "fields": [{"name": "name"}, {"name": "city"}], "pageSize": 3}' | grep -o '"records":[^]]*]'
    Next locmetrics init FILE, in another terminal: it writes a manifest to publish your own file. Ctrl+C stops.
    "
  `);
});

test('the address of the explorer signs in once, with the data and the views of an administrator', async () => {
  const read = async (answer: Response) => JSON.parse(await answer.text());
  const code = /#sign-in=(\w+)/.exec(welcome)?.[1];
  const signIn = async (): Promise<Record<string, unknown>> =>
    read(
      await fetch(`${url}/v1/sign-in`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ code }),
      }),
    );
  const signedIn = await signIn();
  const headers = { authorization: `Bearer ${signedIn['token']}` };
  const caller = await read(await fetch(`${url}/v1/caller`, { headers }));
  expect(caller).toMatchObject({
    organisationId: 'demo',
    tokenName: 'explorer',
    scopes: ['catalog', 'metrics', 'usage', 'admin'],
    expires: signedIn['expires'],
  });
  expect((await signIn())['reason']).toBe('SIGN_IN_CODE_INVALID');
});

test('the request to try prints three cafés', async () => {
  const request = /^Try +(curl .*)$/m.exec(welcome)?.[1] ?? '';
  expect(await shell(request)).toMatchInlineSnapshot(`
    ""records":[{"fields":{"name":"Rosewater","city":"Portland"}},{"fields":{"name":"The Tin Roof","city":"Portland"}},{"fields":{"name":"Fern Street Café","city":"Beaverton"}}]
    "
  `);
});

test('a shell can source the environment file, and only its owner can read it', async () => {
  const path = inFolder('clone/.locmetrics/demo.env');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(welcome).toContain('source .locmetrics/demo.env)');
  expect(
    await shell(
      '. ./.locmetrics/demo.env && sh -c \'echo "$LOCMETRICS_URL $LOCMETRICS_TOKEN $LOCMETRICS_ORG"\'',
    ),
  ).toBe(`${url} ${token} demo\n`);
  expect(
    await shell(
      '. ./.locmetrics/demo.env && sh -c \'echo "$LOCMETRICS_GRPC_ADDRESS [$LOCMETRICS_GRPC_PLAINTEXT_ADDRESS] $LOCMETRICS_CA_FILE"\'',
    ),
  ).toBe(`${grpc} [] ${inFolder('clone/.locmetrics/tls/ca.pem')}\n`);
});

test('the documented request for a map tile returns the cafés of Gresham', async () => {
  const page = await readFile(
    new URL('../../../../docs/reference/tiles.md', import.meta.url),
    'utf8',
  );
  const request = /```sh\n(curl [^`]+)```/.exec(page)?.[1] ?? '';
  await shell(`. ./.locmetrics/demo.env && ${request}`);
  const points = featuresOf(await readFile(inFolder('clone/tile.mvt')));
  expect(points).toMatchInlineSnapshot(`
    [
      {
        "layer": "records",
        "properties": {
          "cafe_id": "GRE1",
          "city": "Gresham",
          "name": "The Quiet Mill",
        },
      },
      {
        "layer": "records",
        "properties": {
          "cafe_id": "GRE2",
          "city": "Gresham",
          "name": "Grey Heron Coffee Gresham",
        },
      },
      {
        "layer": "records",
        "properties": {
          "cafe_id": "GRE3",
          "city": "Gresham",
          "name": "Bluebird Beans",
        },
      },
    ]
  `);
});

test('the data directory is closed to other users', async () => {
  expect((await stat(inFolder('clone/.locmetrics'))).mode & 0o077).toBe(0);
});

test('an idle server with a worker for each of two cores takes less than 500 MB', async () => {
  // It is idle once the row files of the sample are made.
  await expect.poll(() => workersOf(demo.pid)).toHaveLength(2);
  // Memory shared by its processes counts once.
  expect(memoryOf(demo.pid)).toBeLessThan(500e6);
});

test('the second start has the data and the token of the first', async () => {
  const first = { url, token };
  await chmod(inFolder('clone/.locmetrics/demo.env'), 0o644);
  demo.kill('SIGTERM');
  const ended = await demo.ended;
  await expect(fetch(`${first.url}/livez`)).rejects.toThrow('fetch failed');
  const events: string[] = [];
  const watcher = watch(inFolder('clone/.locmetrics'), (event, name) => {
    if (name === 'demo.env') events.push(event);
  });
  await startDemo();
  watcher.close();
  expect(ended.code).toBe(0);
  // It is moved there, and not written there.
  expect(new Set(events)).toEqual(new Set(['rename']));
  expect(demo.written().messages).not.toContain('Publishing');
  expect(token).toBe(first.token);
  expect((await stat(inFolder('clone/.locmetrics/demo.env'))).mode & 0o777).toBe(0o600);
  const answer = await fetch(`${url}/v3/catalog/listDataReferences`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.status).toBe(200);
});

test('a start over the data of an earlier release, without metrics, publishes the sample again', async () => {
  demo.kill('SIGTERM');
  await demo.ended;
  const directory = dataDirectory(inFolder('clone/.locmetrics'));
  for (const { dataset, version } of readCurrentVersions(directory)) {
    const path = join(directory.version(dataset.name, version), VERSION_FILE);
    const { sha256: _, ...file } = JSON.parse(await readFile(path, 'utf8'));
    delete file.version.layers;
    delete file.version.metrics;
    await writeFile(path, JSON.stringify(file));
  }
  await startDemo();
  expect(demo.written().messages).toContain('Publishing the sample');
  const answer = await fetch(`${url}/v1/catalogs/nps/metrics/foot_traffic_monthly`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.status).toBe(200);
});

test('a second demo is refused on the same data directory, and on a port in use', async () => {
  // The one of the test before has ended with it.
  await startDemo();
  const environment = inFolder('clone/.locmetrics/demo.env');
  const before = await readFile(environment, 'utf8');
  const { host, port } = new URL(url);
  const beside = ['demo', '--http', '127.0.0.1:0', '--grpc', 'off'];
  const second = await startCommand(beside, { directory: inFolder('clone') }).ended;
  expect([second.code, second.data]).toEqual([1, '']);
  expect(second.messages).toContain(
    `.locmetrics is already being served, by the process ${demo.pid} on `,
  );
  expect(await readFile(environment, 'utf8')).toBe(before);
  await cp(inFolder('clone/.locmetrics'), inFolder('copy'), { recursive: true });
  const copied = ['demo', '--http', host, '--data', inFolder('copy')];
  const third = await startCommand(copied).ended;
  expect([third.code, third.data]).toEqual([1, '']);
  // The log has the workers, which start before the ports are opened.
  expect(third.messages.replaceAll(/^\{.*\}\n/gm, '')).toBe(
    `--http: listen EADDRINUSE: address already in use ${host}\nAnother program already listens on this address. Choose another address, such as --http 127.0.0.1:${Number(port) + 1}, or port 0 for a free one.\n`,
  );
  expect(await readFile(inFolder('copy/demo.env'), 'utf8')).toBe(before);
});
