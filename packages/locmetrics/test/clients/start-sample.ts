import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, cpSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../support/until.ts';

const PACKAGE_ROOT = join(import.meta.dirname, '..', '..');
const ENTRY_POINT = join(PACKAGE_ROOT, 'bin', 'locmetrics.js');
const MANIFEST = join(PACKAGE_ROOT, 'sample', 'locmetrics.yaml');

/** A data directory with the sample, which services copy; without it each publishes the sample. */
const PUBLISHED = process.env['LOCMETRICS_TEST_SAMPLE'];

export type Sample = {
  /** The variables of the demo's environment file. */
  readonly environment: Readonly<Record<string, string>>;
  readonly dataDirectory: string;
  /** The log file. */
  readonly log: string;
  readonly process: ChildProcess;
};

/**
 * Serves the sample on free ports, with its files in the folder and with more variables of settings. The server is
 * killed when this process ends.
 */
export async function startSample(
  folder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Sample> {
  const dataDirectory = join(folder, 'data');
  const log = join(folder, 'server.log');
  const environmentFile = join(dataDirectory, 'demo.env');
  if (PUBLISHED !== undefined && !existsSync(dataDirectory)) {
    cpSync(PUBLISHED, dataDirectory, { recursive: true });
  }
  const output = openSync(log, 'w');
  const server = spawn(process.execPath, [ENTRY_POINT, 'demo', '--data', dataDirectory], {
    env: {
      ...process.env,
      LOCMETRICS_HTTP: '127.0.0.1:0',
      LOCMETRICS_GRPC: '127.0.0.1:0',
      LOCMETRICS_GRPC_PLAINTEXT: '127.0.0.1:0',
      ...settings,
    },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  process.once('exit', () => server.kill('SIGKILL'));
  await until(() => {
    if (server.exitCode !== null) {
      throw new Error(`No server started:\n${readFileSync(log, 'utf8')}`);
    }
    return existsSync(environmentFile);
  });
  const lines = readFileSync(environmentFile, 'utf8').matchAll(/^(\w+)=(.*)$/gm);
  return {
    environment: Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value])),
    dataDirectory,
    log,
    process: server,
  };
}

/** Publishes the sample into a data directory, and returns the variable with which `startSample` copies it. */
export function publishSample(dataDirectory: string): Readonly<Record<string, string>> {
  runOnSample({ dataDirectory }, ['publish', MANIFEST]);
  return { LOCMETRICS_TEST_SAMPLE: dataDirectory };
}

/** Runs a command on the data of the sample, and returns its output. */
export function runOnSample(
  { dataDirectory }: Pick<Sample, 'dataDirectory'>,
  args: readonly string[],
): string {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [ENTRY_POINT, ...args, '--data', dataDirectory],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`locmetrics ${args.join(' ')} failed:\n${stderr}`);
  return stdout;
}
