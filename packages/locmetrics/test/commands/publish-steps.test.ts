// @module-tag slow

import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import {
  type DataDirectory,
  dataDirectory,
} from '@locmetrics/data-directory/versions/data-directory';
import {
  type CatalogSnapshot,
  openCatalog,
} from '@locmetrics/data-directory/versions/open-catalog';
import { expect, test } from 'vitest';
import { atMost, testCount } from '../support/test-count.ts';
import { announceSeed } from '../support/test-seed.ts';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { ENTRY_POINT, startCommand } from './run-command.ts';
import {
  collectAll,
  expectWhole,
  listFiles,
  openShop,
  readCurrent,
  servedGenerations,
} from './shop-under-test.ts';

const inFolder = useTemporaryFolder();

const HOLD_AT_STEPS = fileURLToPath(new URL('./hold-at-steps.ts', import.meta.url));

/** A step of so many is tried, and other ones with another seed. */
const EVERY = testCount('PUBLISH_STEPS_EVERY', { few: 100, all: 1 });

test('a publish that ends after any step changes nothing or everything, and nothing is left of it', {
  timeout: 900_000,
}, async () => {
  const folder = inFolder('steps');
  const { directory, write, publish } = await openShop(folder);
  await write(0);
  expect((await publish()).code).toBe(0);
  await write(1);
  const before = inFolder('before');
  await cp(directory.root, before, { recursive: true });
  const unswitched = await readCurrent(directory);
  const publishing = startCommand(
    ['publish', `${folder}/locmetrics.yaml`, '--data', directory.root],
    {
      nodeParameters: ['--import', HOLD_AT_STEPS, ENTRY_POINT],
      hasChannel: true,
    },
  );
  const seen = new Set<string>();
  const tried: string[] = [];
  let switched = 0;

  /** Checks the state that the publish left behind, unless an earlier step left the same. */
  const tryState = async (step: string): Promise<void> => {
    tried.push(step);
    const isSwitched = (await readCurrent(directory)) !== unswitched;
    if (isSwitched) switched += 1;
    const state = digestOf(directory);
    if (seen.has(state)) return;
    seen.add(state);
    const ended = dataDirectory(inFolder(`data-${seen.size}`));
    await cp(before, ended.root, { recursive: true });
    const running = openCatalog(ended);
    running.snapshot();
    await rm(ended.root, { recursive: true });
    await cp(directory.root, ended.root, { recursive: true });
    expect(await servedGenerations(ended, inFolder('spills'))).toEqual([isSwitched ? 1 : 0]);
    await expectWhole(ended);
    expect(versionsOf(running.snapshot())).toEqual(versionsOf(openCatalog(ended).snapshot()));
    await collectAll(ended);
    const { publish: publishNext } = await openShop(folder, ended.root);
    expect((await publishNext()).code).toBe(0);
    expect(await servedGenerations(ended, inFolder('spills'))).toEqual([1]);
    await collectAll(ended);
    await rm(ended.root, { recursive: true });
  };

  const first = announceSeed('publish steps') % EVERY;
  let step = 0;
  const channel = publishing.child.stdio[3] as Duplex;
  for await (const name of createInterface({ input: channel })) {
    if (step % EVERY === first) {
      await tryState(name).catch((cause: unknown) => {
        throw new Error(`After the end at step ${step}: ${name}`, { cause });
      });
    }
    step += 1;
    channel.write('.');
  }
  const { code, messages } = await publishing.ended;
  expect(code, messages).toBe(0);
  await tryState('the end');
  // The last steps come after the switch.
  expect(switched).toBeLessThan(1 + tried.length / 2);
  const missed = KNOWN_STEPS.filter((known) => !tried.some((name) => known.test(name)));
  expect(missed.length, missed.join(', ')).toBeLessThanOrEqual(atMost(0));
});

/** Steps that a full run must have tried: a change of the code must not hide them from the test. */
const KNOWN_STEPS: readonly RegExp[] = [
  /^run ATTACH .*shop\.stores\/records\.duckdb/,
  /^run CHECKPOINT/,
  /^exec CREATE TABLE blocks /,
  /^run INSERT INTO blocks /,
  /^run INSERT INTO values_0 /,
  /^run INSERT INTO order_0 /,
  /^run INSERT INTO facts /,
  /^exec COMMIT/,
  /^close .*rows\.sqlite/,
  /^open .*rows\.sqlite/,
  /^open .*version\.json/,
  /^open .*switching\.json/,
  /^rename .*shop\.stores/,
  /^rename .*current\.json/,
  /^rm .*switching\.json/,
];

function versionsOf({ datasets }: CatalogSnapshot): readonly (readonly [string, string])[] {
  return [...datasets].map(([name, { version }]) => [name, version]);
}

/** The names and the content of all files. */
function digestOf(directory: DataDirectory): string {
  const digest = createHash('sha256');
  for (const path of listFiles(directory)) {
    const file = join(directory.root, path);
    const isFile = statSync(file).isFile();
    digest.update(`${path}\0${isFile ? statSync(file).size : ''}\0`);
    if (isFile) digest.update(readFileSync(file));
  }
  return digest.digest('hex');
}
