import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Target } from '../driver/load-order.ts';
import { ORGANISATION } from '../workloads/organisation.ts';
import { list, member } from '../workloads/read-json.ts';
import { runProgram } from './run-program.ts';
import { startProgram } from './start-program.ts';

/** Locmetrics as an operator runs it: by its command, on a data directory. */
export type Locmetrics = {
  readonly version: () => Promise<string>;
  /** Publishes the datasets of a manifest, all or the named ones; gives the number of rows. */
  readonly publish: (manifest: string, datasets?: readonly string[]) => Promise<number>;
  /** A token of the organisation that the requests are made for. */
  readonly createToken: () => Promise<string>;
  readonly serve: (given: {
    readonly token: string;
    readonly flags: readonly string[];
  }) => Promise<AsyncDisposable & { readonly http: Target; readonly grpc: Target }>;
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
  return {
    version: async () =>
      (await runProgram(ENTRY_POINT, ['--version'], { environment: ENVIRONMENT })).trim(),
    publish: async (manifest, datasets = []) => {
      const answer = await run('publish', manifest, ...datasets);
      return list(member(answer, 'versions'))
        .map((version) => Number(member(version, 'rowCount')))
        .reduce((sum, count) => sum + count, 0);
    },
    createToken: async () => {
      await run('org', 'create', 'Benchmark', '--id', ORGANISATION);
      await run('grant', 'add', ORGANISATION, '*');
      const created = await run('token', 'create', '--org', ORGANISATION, '--name', 'benchmark');
      return String(member(created, 'token'));
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
        const headers = { authorization: `Bearer ${token}` };
        return {
          http: { ...addressOf(http), headers },
          grpc: { ...addressOf(grpc), headers },
          [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
        };
      } catch (error) {
        await program[Symbol.asyncDispose]();
        throw error;
      }
    },
  };
}

const SERVER = fileURLToPath(new URL('../../../packages/server', import.meta.url));
const ENTRY_POINT = join(SERVER, 'dist', 'locmetrics', 'bin', 'locmetrics.js');

/** Builds the server that is measured, as `npm run build` does; where one is enough, only if there is none. */
export async function buildLocmetrics({ isAnyEnough }: { readonly isAnyEnough: boolean }) {
  if (isAnyEnough && existsSync(ENTRY_POINT)) return;
  await promisify(execFile)(process.execPath, [join(SERVER, 'scripts', 'build.ts')]);
}

/** Both in plaintext, as the peers and the floors are. */
const LISTENING = ['--http', '127.0.0.1:0', '--grpc', 'off', '--grpc-plaintext', '127.0.0.1:0'];

/** No setting of the machine changes a run, and the command finds the Node that runs this. */
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
