/**
 * Runs the conformance suite, the tests beside this file, and those of several nodes, on a ClickHouse: `npm run
 * test:clickhouse`. The database is chDB, a current ClickHouse as a library of 543 MB, which is installed from the npm
 * registry once. If it cannot be had, this is said and nothing is tested. A folder that has it in its
 * `node_modules` can be given in LOCMETRICS_TEST_CHDB. The driver over HTTP is tested on chDB behind HTTP
 * (`start-chdb-server.ts`), and also on a server of Debian, if it is unpacked in the folder LOCMETRICS_TEST_CLICKHOUSE.
 * Arguments are those of vitest. The last line of the output is `N passed, N failed`.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countReport } from '../count-report.ts';
import { keepChdb } from '../tools/tools.ts';
import { startServer } from './start-server.ts';

const TESTS = ['conformance', 'clickhouse', 'nodes'].map((name) => `packages/server/test/${name}`);
const root = join(import.meta.dirname, '..', '..', '..', '..');
const workspace = mkdtempSync(join(tmpdir(), 'locmetrics-clickhouse-'));
const say = (line: string): boolean => process.stdout.write(`${line}\n`);
process.once('exit', () => rmSync(workspace, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const folder = process.env['LOCMETRICS_TEST_CHDB'] ?? keepChdb(say);
if (folder !== undefined && loads(folder)) {
  const unpacked = process.env['LOCMETRICS_TEST_CLICKHOUSE'] ?? '';
  const server = await startServer(unpacked, join(workspace, 'server'));
  const status = runTests(folder, server?.url);
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
  say('0 passed, 0 failed');
}

/** Whether chDB can be loaded from the folder. It prints the version, or why not. */
function loads(chdb: string): boolean {
  const query = `process.stdout.write(require('chdb').query('SELECT version()'))`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=commonjs', '-e', query],
    { cwd: chdb, encoding: 'utf8' },
  );
  if (status === 0) say(`ClickHouse ${stdout.trim()} as a library`);
  else say(`Not tested: ClickHouse, because chDB cannot be loaded here.\n${stderr}`);
  return status === 0;
}

function runTests(chdb: string, url: string | undefined): number {
  const address = url === undefined ? {} : { LOCMETRICS_TEST_CLICKHOUSE_URL: url };
  const { status } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules', 'vitest', 'vitest.mjs'),
      // Another suite may run beside it.
      ...['run', '--mode', 'all', '--testTimeout=120000', '--hookTimeout=180000'],
      ...['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile()}`],
      ...(process.argv.length > 2 ? process.argv.slice(2) : TESTS),
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...address, LOCMETRICS_TEST_CHDB: chdb },
    },
  );
  return status ?? 1;
}

function reportFile(): string {
  return join(workspace, 'report.json');
}
