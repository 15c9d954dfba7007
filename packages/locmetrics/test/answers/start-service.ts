import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PARKS } from '../edge/parks.ts';
import { SHOPS } from '../edge/shops.ts';
import { until } from '../support/until.ts';

const ENTRY_POINT = join(import.meta.dirname, '..', '..', 'bin', 'locmetrics.js');

export type Organisation = { readonly id: string; readonly grants: readonly object[] };

export type RunningService = {
  /** Such as `http://127.0.0.1:40001`. */
  readonly url: string;
  /** The address of gRPC in plaintext. */
  readonly grpcAddress: string;
  /** The token of each organisation, and that of `admin`. */
  readonly tokens: ReadonlyMap<string, string>;
  readonly stop: () => Promise<void>;
};

/** Publishes the data of the tests, two versions of the shops, and serves them to the organisations. */
export async function startService(
  folder: string,
  organisations: readonly Organisation[],
): Promise<RunningService> {
  const data = join(folder, 'data');
  const locmetrics = runnerOf(data);
  const codes = `${SHOPS['codes.csv']}03,three\n`;
  for (const [name, files] of Object.entries({
    earlier: SHOPS,
    shops: { ...SHOPS, 'codes.csv': codes },
    parks: PARKS,
  })) {
    await mkdir(join(folder, name));
    for (const [file, text] of Object.entries(files)) {
      await writeFile(join(folder, name, file), text);
    }
    await locmetrics('publish', join(folder, name, 'locmetrics.yaml'));
  }
  await locmetrics('org', 'create', 'Admin', '--id', 'admin');
  const flags = ['--org', 'admin', '--name', 'test', '--scope', 'admin'];
  const adminToken = (await locmetrics('token', 'create', ...flags)).trim();

  const { url, grpcAddress, stop } = await serveData(data);
  const admin = async (path: string, body: object): Promise<unknown> => {
    const response = await fetch(`${url}/v1/admin/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (response.ok) return response.json();
    throw new Error(`${path} ${JSON.stringify(body)}: ${await response.text()}`);
  };
  const tokens = new Map([['admin', adminToken]]);
  for (const { id, grants } of organisations) {
    await admin('organisations', { id, name: id });
    const scopes = ['catalog', 'metrics', 'usage'];
    const created = await admin('tokens', { organisationId: id, name: 'test', scopes });
    tokens.set(id, String(Reflect.get(Object(created), 'token')));
    for (const grant of grants) await admin('grants', { organisationId: id, ...grant });
  }
  return { url, grpcAddress, tokens, stop };
}

/** Runs `locmetrics` with a data directory, and returns its output. */
export function runnerOf(data: string): (...parameters: readonly string[]) => Promise<string> {
  return async (...parameters) =>
    (await promisify(execFile)(process.execPath, [ENTRY_POINT, ...parameters, '--data', data]))
      .stdout;
}

/** Serves a data directory. */
export async function serveData(
  data: string,
  ...parameters: readonly string[]
): Promise<Omit<RunningService, 'tokens'>> {
  const log = `${data}.log`;
  const output = openSync(log, 'w');
  const listeners = ['--http', '127.0.0.1:0', '--grpc', 'off', '--grpc-plaintext', '127.0.0.1:0'];
  const service = spawn(
    process.execPath,
    [ENTRY_POINT, 'serve', '--data', data, '--workers', '2', ...listeners, ...parameters],
    { stdio: ['ignore', output, output] },
  );
  closeSync(output);
  const kill = () => service.kill('SIGKILL');
  process.once('exit', kill);
  const addresses = await addressesIn(log, service);
  return {
    ...addresses,
    stop: async () => {
      const ended = new Promise((resolve) => service.once('exit', resolve));
      service.kill('SIGTERM');
      await ended;
      process.off('exit', kill);
    },
  };
}

async function addressesIn(
  log: string,
  service: ChildProcess,
): Promise<Pick<RunningService, 'url' | 'grpcAddress'>> {
  return until(() => {
    const text = readFileSync(log, 'utf8');
    const url = /"(http:\/\/[^"]+)"/.exec(text)?.[1];
    const grpcAddress = /"grpc:\/\/([^"]+)"/.exec(text)?.[1];
    if (url !== undefined && grpcAddress !== undefined) return { url, grpcAddress };
    if (service.exitCode !== null) throw new Error(`No service started:\n${text}`);
    return undefined;
  });
}
