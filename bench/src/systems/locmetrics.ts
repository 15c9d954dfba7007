import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Target } from '../driver/load-order.ts';
import { ORGANISATION } from '../workloads/organisation.ts';
import { PARTNER, PARTNER_FIELDS } from '../workloads/partner.ts';
import { list, member } from '../workloads/read-json.ts';
import { runProgram } from './run-program.ts';
import type { TlsFiles } from './start-floor.ts';
import { startProgram } from './start-program.ts';

/** Locmetrics as an operator runs it: with its command, on a data directory. */
export type Locmetrics = {
  readonly directory: string;
  readonly version: () => Promise<string>;
  /** Publishes all datasets of a manifest, or the named ones. Returns the number of rows. */
  readonly publish: (
    manifest: string,
    datasets?: readonly string[],
    flags?: readonly string[],
  ) => Promise<number>;
  /** A token of the organisation of the requests. */
  readonly createToken: (scopes?: readonly string[]) => Promise<string>;
  /** A token of an organisation that sees a part of the metric of the visits. */
  readonly createPartnerToken: () => Promise<string>;
  readonly revokeToken: (tokenId: string) => Promise<void>;
  /** The number of answers in the usage ledger to organisations with such ids. */
  readonly countAnswers: (organisations: RegExp) => Promise<number>;
  /** Copies the stores of SQLite into a folder. */
  readonly backUp: (folder: string) => Promise<void>;
  /** Loads the published versions into a database of ClickHouse, of which this is the address. */
  readonly loadClickhouse: (address: string) => Promise<void>;
  readonly serve: (given: {
    readonly token: string;
    readonly flags: readonly string[];
  }) => Promise<AsyncDisposable & Served>;
};

export type Served = {
  readonly pid: number;
  readonly http: Target;
  readonly grpc: Target;
  readonly grpcTls: Target;
  /** The certificate that the service made for this machine. */
  readonly tls: TlsFiles;
};

/** The commands of Locmetrics on one data directory. */
export function locmetricsAt(directory: string, signal: AbortSignal): Locmetrics {
  const run = async (...parameters: readonly string[]): Promise<unknown> =>
    JSON.parse(
      await runProgram(ENTRY_POINT, [...parameters, '--json', '--data', directory], {
        environment: ENVIRONMENT,
        signal,
      }),
    );
  /** An organisation with one grant. Returns a token of it. */
  const createOrganisation = async (
    id: string,
    grant: readonly string[],
    scopes: readonly string[] = [],
  ): Promise<string> => {
    await run('org', 'create', 'Benchmark', '--id', id);
    await run('grant', 'add', id, ...grant);
    const flags = scopes.flatMap((scope) => ['--scope', scope]);
    const created = await run('token', 'create', '--org', id, '--name', 'benchmark', ...flags);
    return String(member(created, 'token'));
  };
  const inTls = (name: string): string => join(directory, 'tls', name);
  const tls = {
    authority: inTls('ca.pem'),
    certificate: inTls('server.pem'),
    key: inTls('server.key'),
  };
  return {
    directory,
    version: async () =>
      (await runProgram(ENTRY_POINT, ['--version'], { environment: ENVIRONMENT })).trim(),
    publish: async (manifest, datasets = [], flags = []) => {
      const answer = await run('publish', manifest, ...datasets, ...flags);
      return list(member(answer, 'versions'))
        .map((version) => Number(member(version, 'rowCount')))
        .reduce((sum, count) => sum + count, 0);
    },
    createToken: (scopes = []) => createOrganisation(ORGANISATION, ['*'], scopes),
    createPartnerToken: () =>
      createOrganisation(PARTNER.id, [
        'bench/visits_monthly',
        ...PARTNER.states.flatMap((state) => ['--component', `us_state_2020:${state}`]),
        '--filter',
        PARTNER.records,
        '--field',
        PARTNER_FIELDS.join(','),
        // Of few records, not every state has one.
        '--yes',
      ]),
    revokeToken: async (tokenId) => {
      await run('token', 'revoke', tokenId);
    },
    countAnswers: async (organisations) =>
      list(member(await run('usage'), 'usage'))
        .filter((row) => organisations.test(String(member(row, 'organisation'))))
        .reduce<number>((sum, row) => sum + Number(member(row, 'requests')), 0),
    backUp: async (folder) => {
      await run('backup', folder);
    },
    loadClickhouse: async (address) => {
      await run('clickhouse', 'load', '--clickhouse', address);
    },
    serve: async ({ token, flags }) => {
      const program = startProgram({
        command: ENTRY_POINT,
        parameters: ['serve', '--data', directory, ...LISTENING, ...flags],
        environment: ENVIRONMENT,
        logFile: join(directory, 'serve.log'),
      });
      try {
        const http = await program.untilItLogs(/"http:\/\/([^":]+):(\d+)"/);
        const grpc = await program.untilItLogs(/"grpc:\/\/([^":]+):(\d+)"/);
        const grpcTls = await program.untilItLogs(/"grpcs:\/\/([^":]+):(\d+)"/);
        const headers = { authorization: `Bearer ${token}` };
        return {
          pid: program.pid,
          http: { ...addressOf(http), headers },
          grpc: { ...addressOf(grpc), headers },
          grpcTls: {
            ...addressOf(grpcTls),
            headers,
            authority: await readFile(tls.authority, 'utf8'),
          },
          tls,
          [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
        };
      } catch (error) {
        await program[Symbol.asyncDispose]();
        throw error;
      }
    },
  };
}

const SERVER = fileURLToPath(new URL('../../../packages/locmetrics', import.meta.url));
const ENTRY_POINT = join(SERVER, 'dist', 'locmetrics', 'bin', 'locmetrics.js');

/** Builds the measured server with `npm run build`. If any build is enough, an existing one is kept. */
export async function buildLocmetrics({ isAnyEnough }: { readonly isAnyEnough: boolean }) {
  if (isAnyEnough && existsSync(ENTRY_POINT)) return;
  await promisify(execFile)(process.execPath, [join(SERVER, 'scripts', 'build.ts')]);
}

/** Both interfaces use plaintext, like the peers and the floors; gRPC also TLS. */
const LISTENING = [
  ...['--http', '127.0.0.1:0'],
  ...['--grpc', '127.0.0.1:0', '--grpc-plaintext', '127.0.0.1:0'],
];

/** Settings of the machine's environment are removed, and the command runs on the same Node as this process. */
const ENVIRONMENT: NodeJS.ProcessEnv = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('LOCMETRICS_')),
  ),
  PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
};

function addressOf([, host = '', port]: RegExpExecArray): {
  readonly host: string;
  readonly port: number;
} {
  return { host, port: Number(port) };
}
