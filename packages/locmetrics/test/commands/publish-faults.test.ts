import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { expect, test } from 'vitest';
import { fillUp, mayMount, withSmallDisk } from '../support/full-disk.ts';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { runCommand, runProcess, startCommand } from './run-command.ts';
import { expectWhole, listFiles, openShop, readCurrent } from './shop-under-test.ts';
import { startService } from './start-service.ts';

const inFolder = useTemporaryFolder();

// A small disk of its own needs the right to mount.
test.runIf(mayMount)(
  'a full disk ends a publish with a message, and the served data do not change',
  { tags: 'slow' },
  async () => {
    const root = inFolder('disk');
    await withSmallDisk(root, '12m', async () => {
      const { directory, write, publish } = await openShop(inFolder('full'), join(root, 'data'));
      await write(1);
      expect((await publish()).code).toBe(0);
      await write(2);
      expect((await publish()).code).toBe(0);
      const before = await readCurrent(directory);
      const files = listFiles(directory);
      await write(2, 60_000);
      const { code, messages } = await publish();
      expect([code, messages.split('\n').slice(-3)]).toEqual([
        1,
        [
          'The disk is full. Nothing was published. The current versions are unchanged.',
          'Free some space: locmetrics gc removes versions that are no longer needed. Or use another directory: --data DIRECTORY.',
          '',
        ],
      ]);
      expect(await readCurrent(directory)).toBe(before);
      expect(listFiles(directory)).toEqual(files);
      // The disk is full to the last byte, so that the lock and the switch have no space either.
      fillUp(join(root, 'filling'));
      await write(3);
      expect((await publish()).code).toBe(1);
      expect(await readCurrent(directory)).toBe(before);
      // A rollback and a removal of versions still work.
      const data = ['--data', directory.root];
      const back = await runCommand(['rollback', 'shop.stores', '--together', ...data]);
      expect([back.code, back.messages]).toEqual([0, '']);
      await mkdir(join(directory.temporary, 'publish-killed'));
      const gc = ['gc', '--versions-kept', '1', '--versions-kept-for', '0s', ...data];
      const collected = await runCommand(gc);
      expect([collected.code, collected.data.split('\n').length]).toEqual([0, 4]);
      await expectWhole(directory);
      execFileSync('rm', [join(root, 'filling')]);
      expect((await publish()).code).toBe(0);
      await expectWhole(directory);
    });
  },
);

test('a damaged current version is reported at the start, and the previous one is served', {
  tags: 'slow',
}, async () => {
  const { directory, write, publish } = await openShop(inFolder('damaged'));
  await write(1);
  await publish();
  const before = JSON.parse(await readCurrent(directory)).datasets['shop.stores'].version;
  await write(2);
  await publish();
  const version = JSON.parse(await readCurrent(directory)).datasets['shop.stores'].version;
  const file = join(directory.version('shop.stores', version), 'records.duckdb');
  const bytes = readFileSync(file);
  // One flipped bit in the middle of the file.
  bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1);
  writeFileSync(file, bytes);
  const token = await createToken(directory);
  const serving = await startService(directory.root);
  const { url } = serving;
  const { messages } = serving.written();
  const told = messages.split('\n').filter((line) => line.includes('"version_damaged"'));
  expect(told.map((line) => JSON.parse(line))).toMatchObject([
    { level: 50, dataset: 'shop.stores', version, served: before },
    // Datasets of the same publish are rolled back together.
    { level: 50, dataset: 'shop.visits', problem: expect.stringContaining('together with') },
  ]);
  const answer = await fetch(`${url}/v3/catalog/listRecords`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ dataReferenceName: 'shop.stores' }),
  });
  const { version: served, records } = Object(await answer.json());
  expect([served, records[0].fields.name]).toEqual([before, '1 xx']);
  // The next publish is served at once.
  await write(3);
  expect((await publish()).code).toBe(0);
  const next = await fetch(`${url}/v3/catalog/listRecords`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ dataReferenceName: 'shop.stores' }),
  });
  expect(Object(await next.json()).records[0].fields.name).toBe('3 xx');
});

async function createToken({ root }: DataDirectory): Promise<string> {
  await runCommand(['org', 'create', 'A', '--id', 'a', '--data', root]);
  await runCommand(['grant', 'add', 'a', '*', '--data', root]);
  const made = await runCommand(['token', 'create', '--org', 'a', '--name', 'x', '--data', root]);
  return made.data.trim();
}

test.each(['version.json', 'records.duckdb'])(
  'a current version with a truncated %s is not served; without an earlier version, the start fails',
  { tags: 'slow' },
  async (name) => {
    const { directory, write, publish } = await openShop(inFolder(`cut-${name}`));
    await write(1);
    await publish();
    const { version } = JSON.parse(await readCurrent(directory)).datasets['shop.stores'];
    await truncate(join(directory.version('shop.stores', version), name), 100);
    const serve = ['serve', '--data', directory.root, '--http', '127.0.0.1:0', '--grpc', 'off'];
    const { code, messages } = await runCommand(serve);
    expect([code, messages]).toEqual([
      1,
      expect.stringMatching(
        /^The current version of shop\.stores cannot be served, and no other is kept\. .*\nRestore its folder from a backup, or publish the dataset again\.\n$/m,
      ),
    ]);
    await write(2);
    expect((await publish()).code).toBe(0);
    await expectWhole(directory);
  },
);

test('a publish is refused if the current version was switched while it ran', {
  tags: 'slow',
}, async () => {
  const { directory, write, publish, parameters } = await openShop(inFolder('meanwhile'));
  for (const generation of [1, 2]) {
    await write(generation);
    await publish();
  }
  await write(3, 20_000);
  const publishing = startCommand(parameters);
  await publishing.untilItWrites('shop.visits: reading');
  const rollback = ['rollback', 'shop.stores', '--together', '--data', directory.root];
  expect((await runCommand(rollback)).code).toBe(0);
  const before = await readCurrent(directory);
  const { code, messages } = await publishing.ended;
  expect([code, messages.split('\n').slice(-3)]).toEqual([
    1,
    [
      expect.stringMatching(
        /^While shop\.(stores|visits) was being published, its current version was switched from /,
      ),
      'Nothing was published. Check the current versions, then publish again: locmetrics versions',
      '',
    ],
  ]);
  expect(await readCurrent(directory)).toBe(before);
});

test.each(['{"format":1}', '{"format":1,"version":{},"files":{}}', 'null'])(
  'a current version whose version.json is %s does not block the next publish',
  { tags: 'slow' },
  async (text) => {
    const { directory, write, publish } = await openShop(inFolder(`shape-${text.length}`));
    await write(1);
    await publish();
    const { version } = JSON.parse(await readCurrent(directory)).datasets['shop.stores'];
    await writeFile(join(directory.version('shop.stores', version), 'version.json'), text);
    expect((await runCommand(['versions', '--data', directory.root])).code).toBe(0);
    await write(2);
    expect((await publish()).code).toBe(0);
    await expectWhole(directory);
  },
);

test('of two simultaneous publishes one is refused, and the other is complete', {
  tags: 'slow',
}, async () => {
  const { directory, write, publish, parameters } = await openShop(inFolder('two'));
  await write(1);
  await publish();
  await write(2, 20_000);
  const results = await Promise.all(Array.from({ length: 3 }, () => runProcess(parameters)));
  const codes = results.map(({ code }) => code).sort();
  expect(codes[0]).toBe(0);
  for (const { code, messages } of results) {
    if (code !== 0)
      expect(messages).toContain('Another publish is running in this data directory.');
  }
  await expectWhole(directory);
});
