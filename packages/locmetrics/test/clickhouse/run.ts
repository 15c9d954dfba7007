/**
 * Runs the conformance suite, the tests beside this file, and those of several nodes, on a ClickHouse: `npm run
 * test:clickhouse`. The database is chDB, a current ClickHouse as a library of 543 MB, which is installed from the npm
 * registry once. If it cannot be had, this is said and nothing is tested. A folder that has it in its
 * `node_modules` can be given in LOCMETRICS_TEST_CHDB. The driver over HTTP is tested on chDB behind HTTP
 * (`start-chdb-server.ts`), and also on a server of Debian, if it is unpacked in the folder LOCMETRICS_TEST_CLICKHOUSE.
 * Arguments are those of vitest. The last line of the output is `N passed, N failed`.
 */

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { prepareRun } from '../support/prepare-run.ts';
import { keepChdb } from '../tools/tools.ts';
import { startServer } from './start-server.ts';

const TESTS = ['conformance', 'clickhouse', 'nodes'].map(
  (name) => `packages/locmetrics/test/${name}`,
);
const { workspace, say, runVitest, end } = prepareRun();

const folder = process.env['LOCMETRICS_TEST_CHDB'] ?? keepChdb(say);
if (folder !== undefined && loads(folder)) {
  const unpacked = process.env['LOCMETRICS_TEST_CLICKHOUSE'] ?? '';
  const server = await startServer(unpacked, join(workspace, 'server'));
  const address = server === undefined ? {} : { LOCMETRICS_TEST_CLICKHOUSE_URL: server.url };
  runVitest(['--mode', 'all'], TESTS, {
    ...process.env,
    ...address,
    LOCMETRICS_TEST_CHDB: folder,
  });
  await server?.stop();
  say(
    server === undefined
      ? 'Not tested: the HTTP interface of a server itself, because there is none in LOCMETRICS_TEST_CLICKHOUSE.'
      : `Not tested: bound values over HTTP, which the server ${server.version} does not have.`,
  );
}
end();

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
