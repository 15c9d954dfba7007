// @module-tag slow

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { delay } from '../support/delay.ts';
import { randomNumbers } from '../support/random-numbers.ts';
import { atMost, testCount } from '../support/test-count.ts';
import { announceSeed } from '../support/test-seed.ts';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { startCommand } from './run-command.ts';
import { collectAll, expectWhole, openShop, readCurrent } from './shop-under-test.ts';

const inFolder = useTemporaryFolder();

/** The number of kills. Each takes a second of a core. */
const KILLS = testCount('PUBLISH_KILLS', { few: 1, all: 100 });

test('a publish that is killed at any instant changes nothing or everything, and gc removes all that it leaves', {
  timeout: 180_000 + KILLS * 20_000,
}, async () => {
  const { directory, write, publish, parameters } = await openShop(inFolder('killed'));
  await write(0);
  const began = performance.now();
  expect((await publish()).code).toBe(0);
  const wholeMs = performance.now() - began;
  const seed = announceSeed('killed publishes');
  const random = randomNumbers(seed);
  let switched = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    await write(kill + 1);
    const before = await readCurrent(directory);
    const publishing = startCommand(parameters);
    // Half of the instants are in the last part, when files are moved and the switch happens.
    const share = random() < 0.5 ? random() : 0.7 + 0.4 * random();
    await delay(wholeMs * share);
    publishing.kill('SIGKILL');
    await publishing.ended;
    if ((await readCurrent(directory)) !== before) switched += 1;
    await expectWhole(directory).catch((error: unknown) => {
      throw new Error(`After kill ${kill} at ${share} with the seed ${seed}.`, { cause: error });
    });
  }
  expect(switched).toBeLessThanOrEqual(atMost(KILLS - 1));
  await collectAll(directory);
  // The next publish works.
  await write(KILLS + 1);
  expect((await publish()).code).toBe(0);
  await expectWhole(directory);
});

test('an append that is killed at any instant changes nothing or everything, also one whose files are linked', {
  timeout: 180_000 + KILLS * 20_000,
  tags: 'slow',
}, async () => {
  const folder = inFolder('killed-append');
  const { directory, write, publish, parameters } = await openShop(folder);
  const writeRows = async (rows: string) => {
    await writeFile(join(folder, 'stores.csv'), `id,name\n${rows}`);
    await writeFile(join(folder, 'visits.csv'), `id,count\n${rows}`);
  };
  await write(0);
  expect((await publish()).code).toBe(0);
  await writeRows('T,1\n');
  const began = performance.now();
  expect((await publish('--append')).code).toBe(0);
  const appendMs = performance.now() - began;
  const random = randomNumbers(announceSeed('killed appends'));
  for (let kill = 0; kill < KILLS; kill += 1) {
    // Files without rows link those of the current version.
    await writeRows(kill % 2 === 0 ? '' : `U${kill},${kill}\n`);
    const publishing = startCommand([...parameters, '--append']);
    await delay(appendMs * (0.5 + 0.6 * random()));
    publishing.kill('SIGKILL');
    await publishing.ended;
    await expectWhole(directory);
  }
  await writeRows('V,1\n');
  expect((await publish('--append')).code).toBe(0);
  await expectWhole(directory);
});
