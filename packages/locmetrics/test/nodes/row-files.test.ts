import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Service } from '../commands/start-service.ts';
import { SHOPS } from '../edge/shops.ts';
import { type NodesUnderTest, openNodes } from './nodes-under-test.ts';

let nodes: NodesUnderTest;
let second: Service;
let token = '';

beforeAll(async () => {
  nodes = await openNodes({});
  await nodes.publish('first', SHOPS);
  await nodes.run('first', 'org', 'create', 'Shops', '--id', 'shops');
  await nodes.run('first', 'grant', 'add', 'shops', '*');
  token = (
    await nodes.run('first', 'token', 'create', '--org', 'shops', '--name', 'reader')
  ).trim();
  second = await nodes.serve('second');
}, 600_000);
afterAll(() => nodes.end(), 60_000);

/** By dataset, in the order of their names. */
function rowFilesOf(node: string): readonly string[] {
  const versions = join(nodes.directoryOf(node), 'versions');
  return readdirSync(versions)
    .sort()
    .flatMap((dataset) =>
      readdirSync(join(versions, dataset))
        .sort()
        .slice(-1)
        .map((version) => join(versions, dataset, version, 'rows.sqlite')),
    );
}

function bytesOf(paths: readonly string[]): readonly string[] {
  return paths.map((path) => {
    try {
      return readFileSync(path, 'base64');
    } catch {
      return 'absent';
    }
  });
}

async function list(dataset: string): Promise<unknown> {
  const response = await fetch(`${second.url}/v3/catalog/listRecords`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ dataReferenceName: dataset }),
  });
  return { status: response.status, body: await response.json() };
}

test('a node makes the row files of what another node has published, byte for byte', async () => {
  const published = bytesOf(rowFilesOf('first'));
  expect(published.length).toBeGreaterThan(1);
  expect(published).not.toContain('absent');
  await expect.poll(() => bytesOf(rowFilesOf('second'))).toEqual(published);
  expect(second.written().messages).toContain('"row_file_made"');
  expect(second.written().messages).not.toContain('"row_file_not_made"');
});

test('it makes those of a switch while it serves, also where none was published', async () => {
  const before = rowFilesOf('second');
  const more = { ...SHOPS, 'codes.csv': `${SHOPS['codes.csv']}03,three\n` };
  await nodes.publish('first', more, '--without-row-files');
  await expect
    .poll(() => {
      const now = rowFilesOf('second');
      return now.some((path) => !before.includes(path)) && !bytesOf(now).includes('absent');
    })
    .toBe(true);
  const verified = JSON.parse(await nodes.run('second', 'verify', '--json'));
  const current = verified.versions.filter((one: { readonly version: string }) =>
    rowFilesOf('second').some((path) => path.includes(one.version)),
  );
  expect(current.map((one: { readonly rowFile: string }) => one.rowFile)).toEqual(
    current.map(() => 'usable'),
  );
});

test('a damaged one is not used, is removed by a repair, and made again', async () => {
  const [path = ''] = rowFilesOf('second');
  const whole = bytesOf([path]);
  appendFileSync(path, 'x');
  await expect(nodes.run('second', 'verify')).rejects.toThrow(
    '1 of 4 versions has no row file that can be used',
  );
  await nodes.run('second', 'verify', '--repair');
  await expect.poll(() => bytesOf([path])).toEqual(whole);
});

test('requests are answered from them while ClickHouse is away', async () => {
  const before = await list('shop.codes');
  expect(before).toMatchObject({ status: 200 });
  await nodes.clickhouse.stop();
  // Workers look for a new row file each half minute.
  await expect.poll(() => list('shop.codes')).toEqual(before);
});
