// @module-tag slow
import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { dataDirectory, VERSION_FILE } from '@locmetrics/data-directory/versions/data-directory';
import { readCurrentVersions } from '@locmetrics/data-directory/versions/read-current-versions';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { featuresOf } from '../edge/read-tile-of.ts';
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
  await demo.untilItWrites('Stop with Ctrl+C.');
  welcome = demo.written().data;
  url = /listens on (\S+)/.exec(welcome)?.[1] ?? '';
  grpc = /gRPC +(\S+)/.exec(welcome)?.[1] ?? '';
  token = /Token +(\S+)/.exec(welcome)?.[1] ?? '';
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

test('the first start publishes the sample, and prints its addresses and example requests', () => {
  const { messages } = demo.written();
  expect(messages).toContain('ml_visitation.neighborhoods: writing\n');
  expect(
    welcome
      .replace(/(?<=#sign-in=)\w{30}$/m, 'CODE')
      .replaceAll(url, 'URL')
      .replaceAll(grpc, 'GRPC')
      .replaceAll(token, 'TOKEN')
      .replaceAll(/in \d+\.\d s, version \S+/g, 'in TIME, version VERSION'),
  ).toMatchInlineSnapshot(`
    "Published cafes.places: 40 records in TIME, version VERSION
    Published cafes.visits: 944 records in TIME, version VERSION
    Published ml_visitation.places: 63 records in TIME, version VERSION
    Published ml_visitation.foot_traffic_month: 33,395 records in TIME, version VERSION
    Published ml_visitation.neighborhoods: 242,335 records in TIME, version VERSION
    Published mobility.state_day: 20,592 records in TIME, version VERSION
    Published mobility.states: 52 records in TIME, version VERSION
    Serving metric cafes/visits (layer cafes)
    Serving metric census/population_2020 (layer us_block_group_2020)
    Serving metric mobility/m50_daily (layer us_state)
    Serving metric mobility/m50_index_daily (layer us_state)
    Serving metric nps/foot_traffic_monthly (layer nps_parks)

    Locmetrics listens on URL

      Explorer       URL/#sign-in=CODE
                     It signs in once, from this machine, within an hour.
      Documentation  URL/docs
      gRPC           GRPC over TLS
      Token          TOKEN
      Organisation   demo
      Environment    source .locmetrics/demo.env

    The national parks of California:

      curl URL/v3/catalog/listRecords -H 'Authorization: Bearer TOKEN' -H 'Content-Type: application/json' -d '{"dataReferenceName": "ml_visitation.places", "fields": [{"name": "location_name"}, {"name": "city"}], "filters": [{"fieldName": "region", "operator": "==", "value": "CA"}]}'

    The visits of one of them, month by month in 2023:

      curl 'URL/v1/catalogs/nps/metrics/foot_traffic_monthly/values?billingContext=demo&featureFilter=YOSE&observationPeriodFilter=2023-01-01/2023-12-31' -H 'Authorization: Bearer TOKEN'

    Stop with Ctrl+C.
    "
  `);
});

test('the address of the explorer signs in once, with the data and the views of an administrator', async () => {
  const read = async (answer: Response) => JSON.parse(await answer.text());
  const code = /#sign-in=(\w+)$/m.exec(welcome)?.[1];
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

test('the curl lines work in a shell', async () => {
  const lines = [...welcome.matchAll(/^ {2}(curl .*)$/gm)].map(([, line = '']) => line);
  const [answer, values] = await Promise.all(
    lines.map(async (line) => JSON.parse(await shell(`${line} --silent --show-error`))),
  );
  expect(values.totalSize).toBe(12);
  expect(answer.totalSize).toBe(9);
  expect(answer.records[0]).toEqual({
    fields: { location_name: 'Channel Islands National Park', city: 'Ventura' },
  });
});

test('a shell can source the environment file, and only its owner can read it', async () => {
  const path = inFolder('clone/.locmetrics/demo.env');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(/source (\S+)/.exec(welcome)?.[1]).toBe('.locmetrics/demo.env');
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
  await startDemo();
  expect(ended.code).toBe(0);
  expect(welcome).not.toContain('Published');
  expect(demo.written().messages).not.toContain('reading');
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
  expect(welcome).toContain('Serving metric nps/foot_traffic_monthly (layer nps_parks)\n');
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
    `.locmetrics is served already, by the process ${demo.pid} on `,
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
