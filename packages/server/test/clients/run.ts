/**
 * Tests the service with clients that others have published, against a server of its own with the
 * sample: `npm run test:clients`. Needs Python 3 and the Python Package Index; where one of them is
 * missing it says so and tests nothing. Ends its output with `N passed, N failed`.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENTRY_POINT, startDemo } from '../start-demo.ts';

const FOLDER = import.meta.dirname;
/** The last release, with the pre-release that it needs, which pip takes only when it is named. */
const PACKAGES = ['unacatlib==0.0.87', 'betterproto[compiler]==2.0.0b7'];

const FIXTURE = join(FOLDER, '..', 'fixtures', 'trips', 'locmetrics.yaml');

const workspace = mkdtempSync(join(tmpdir(), 'locmetrics-clients-'));
const dataDirectory = join(workspace, 'data');
const serverLog = join(workspace, 'server.log');
const say = (line: string): boolean => process.stdout.write(`${line}\n`);

process.once('exit', () => rmSync(workspace, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const python = installClient();
if (python === undefined) {
  say('0 passed, 0 failed');
} else {
  const server = await startDemo({ dataDirectory, logFile: serverLog });
  publishFixture();
  process.exitCode = runTests(python, server.environment) ? 0 : 1;
  server.process.kill('SIGTERM');
}

/** The Python of a virtual environment with the client; undefined where it cannot be had. */
function installClient(): string | undefined {
  const environment = join(workspace, 'python');
  if (spawnSync('python3', ['-m', 'venv', environment]).status !== 0) {
    say('Not tested: there is no python3 that makes virtual environments here.');
    return undefined;
  }
  const found = join(environment, 'bin', 'python');
  const pip = ['-m', 'pip', '--disable-pip-version-check'];
  const [client = ''] = PACKAGES;
  // The release exists, so it can be fetched wherever the index is reached.
  const fetched = spawnSync(found, [
    ...pip,
    'download',
    '-q',
    '--no-deps',
    '-d',
    workspace,
    client,
  ]);
  if (fetched.status !== 0) {
    say(`Not tested: the Python Package Index is not reached here.\n${fetched.stderr}`);
    return undefined;
  }
  say(`Installing ${PACKAGES.join(' and ')}`);
  const installed = spawnSync(found, [...pip, 'install', '-q', ...PACKAGES], { stdio: 'inherit' });
  if (installed.status !== 0) throw new Error('The client could not be installed.');
  return found;
}

/** Beside the sample, which has no dimension and no related layer. */
function publishFixture(): void {
  const parameters = [ENTRY_POINT, 'publish', FIXTURE, '--data', dataDirectory];
  const { status, stderr } = spawnSync(process.execPath, parameters, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The fixture could not be published:\n${stderr}`);
}

/** Whether all tests passed. */
function runTests(found: string, environment: Readonly<Record<string, string>>): boolean {
  const { status, stderr } = spawnSync(
    found,
    ['-W', 'ignore', '-m', 'unittest', 'discover', '-v', '-s', FOLDER, '-p', '*_test.py'],
    {
      env: {
        ...process.env,
        ...environment,
        // Python's ssl trusts what this file holds.
        SSL_CERT_FILE: environment['LOCMETRICS_CA_FILE'],
        PYTHONDONTWRITEBYTECODE: '1',
      },
      // On its standard output the client turns a spinner.
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
    },
  );
  say(stderr);
  const ran = Number(/^Ran ([0-9]+) tests?/m.exec(stderr)?.[1] ?? 0);
  const failed = [...stderr.matchAll(/\.\.\. (FAIL|ERROR)$/gm)].length;
  const isGood = status === 0 && ran > 0;
  if (!isGood) say(`What the server logged of calls that failed:\n${failuresIn(serverLog)}`);
  say(`${ran - failed} passed, ${isGood ? 0 : Math.max(failed, 1)} failed`);
  return isGood;
}

function failuresIn(log: string): string {
  const lines = readFileSync(log, 'utf8').split('\n');
  return lines.filter((line) => line.startsWith('{') && !line.includes('"status":"OK"')).join('\n');
}
