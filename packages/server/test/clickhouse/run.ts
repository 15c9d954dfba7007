/**
 * Runs the conformance suite, the tests beside this file, and those of several nodes, on a ClickHouse: `npm run
 * test:clickhouse`. The database is chDB, a current ClickHouse as a library of 543 MB, which is installed from the npm
 * registry into a temporary folder. If it cannot be had, this is said and nothing is tested. A folder that has it in its
 * `node_modules` can be given in LOCMETRICS_TEST_CHDB. The driver over HTTP is tested on chDB behind HTTP
 * (`start-chdb-server.ts`), and also on a server of Debian, if it is unpacked in the folder LOCMETRICS_TEST_CLICKHOUSE.
 * Arguments are those of vitest. The last line of the output is `N passed, N failed`.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countReport } from '../count-report.ts';
import { startServer } from './start-server.ts';

const CHDB = 'chdb@3.4.0';
const TESTS = ['conformance', 'clickhouse', 'nodes'].map((name) => `packages/server/test/${name}`);
const root = join(import.meta.dirname, '..', '..', '..', '..');
const workspace = mkdtempSync(join(tmpdir(), 'locmetrics-clickhouse-'));
const say = (line: string): boolean => process.stdout.write(`${line}\n`);
process.once('exit', () => rmSync(workspace, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const folder = process.env['LOCMETRICS_TEST_CHDB'] ?? workspace;
const reason = folder === workspace ? install() : undefined;
if (reason === undefined) {
  const unpacked = process.env['LOCMETRICS_TEST_CLICKHOUSE'] ?? '';
  const server = await startServer(unpacked, join(workspace, 'server'));
  const status = runTests(server?.url);
  await server?.stop();
  const { passed, failed } = countReport(reportFile());
  process.exitCode = status === 0 && failed === 0 ? 0 : 1;
  say(
    server === undefined
      ? 'Not tested: the HTTP interface of a server itself, because there is none in LOCMETRICS_TEST_CLICKHOUSE.'
      : `Not tested: bound values over HTTP, which the server ${server.version} does not have.`,
  );
  say(`${passed} passed, ${status === 0 ? failed : Math.max(failed, 1)} failed`);
} else {
  say(`Not tested: ClickHouse, because ${CHDB} cannot be used here.\n${reason}`);
  say('0 passed, 0 failed');
}

/** Installs chDB and loads it once. Returns why that is not possible. */
function install(): string | undefined {
  writeFileSync(join(workspace, 'package.json'), '{ "private": true }');
  const options = { cwd: workspace, encoding: 'utf8' } as const;
  const installed = spawnSync('npm', ['install', CHDB, '--no-audit', '--no-fund'], options);
  if (installed.status !== 0) return installed.stderr;
  const query = `process.stdout.write(require('chdb').query('SELECT version()'))`;
  const loaded = spawnSync(process.execPath, ['-e', query], options);
  say(`ClickHouse ${loaded.stdout.trim()} of ${CHDB}`);
  return loaded.status === 0 ? undefined : loaded.stderr;
}

function runTests(url: string | undefined): number {
  const address = url === undefined ? {} : { LOCMETRICS_TEST_CLICKHOUSE_URL: url };
  const { status } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules', 'vitest', 'vitest.mjs'),
      ...['run', '--mode', 'all'],
      ...['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile()}`],
      ...(process.argv.length > 2 ? process.argv.slice(2) : TESTS),
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...address, LOCMETRICS_TEST_CHDB: folder },
    },
  );
  return status ?? 1;
}

function reportFile(): string {
  return join(workspace, 'report.json');
}
