import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ENTRY_POINT, runCommand } from '../commands/run-command.ts';
import { BLOCK_END, readPageBlocks } from '../pages/read-page-blocks.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { addressOf, createDatabase } from './create-database.ts';
import { startChdbServer } from './start-chdb-server.ts';

const server = await startChdbServer();
let folder = '';
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(async () => {
  await server.stop();
});

const PLACES = join(import.meta.dirname, '../../sample/cafes/tutorial/places.csv');
const MANIFEST = `format: 1
datasets:
  cafes.places:
    files: places.csv
    key: [id]
    fields: { id: { type: string }, name: { type: string } }
`;

test('the commands of the page about ClickHouse do what it says', {
  timeout: 600_000,
}, async () => {
  const database = await createDatabase(server.url);
  await mkdir(join(folder, 'data'));
  await writeFile(join(folder, 'data', 'locmetrics.yaml'), MANIFEST);
  await copyFile(PLACES, join(folder, 'data', 'places.csv'));
  const published = await runCommand(['publish', 'data/locmetrics.yaml'], { directory: folder });
  expect(published.code).toBe(0);
  await symlink(ENTRY_POINT, join(folder, 'locmetrics'));
  // A service runs until it is stopped, and rsync is not on every machine.
  const blocks = readPageBlocks('docs/how-to/serve-from-clickhouse.md', 'sh').filter(
    ({ code }) => !code.includes('rsync'),
  );
  expect(blocks).toHaveLength(5);
  const script = blocks.map(({ code }) => `${code}\nprintf '${BLOCK_END}'\n`).join('');
  const { status, stdout, stderr } = spawnSync(
    'bash',
    ['--norc', '-euo', 'pipefail', '-c', script],
    {
      cwd: folder,
      encoding: 'utf8',
      env: {
        ...process.env,
        PATH: `${folder}:${dirname(process.execPath)}:${process.env['PATH']}`,
        LOCMETRICS_CLICKHOUSE: addressOf(server.url, database),
      },
    },
  );
  expect([status, stderr]).toEqual([0, expect.any(String)]);
  const [load, verify, publish, explain, fetched] = stdout.split(BLOCK_END);
  expect(load).toMatch(/^DATASET +VERSION +ROWS\ncafes\.places +\S+ +40\n$/);
  expect(verify).toContain('table with the same content');
  expect(publish).toContain('cafes.places');
  expect(explain).toContain('store    ');
  expect(fetched).toBe('');
  const tables = await database.tables.list();
  await database.driver.close();
  expect(tables).toMatchObject([{ rows: 40 }, { rows: 40 }]);
});
