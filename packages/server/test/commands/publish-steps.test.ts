// @module-tag sized

import { cp, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { dataDirectory } from '../../src/versions/data-directory.ts';
import { type CatalogSnapshot, openCatalog } from '../../src/versions/open-catalog.ts';
import { announceSeed } from '../conformance/test-seed.ts';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { atMost, testCount } from '../test-count.ts';
import { ENTRY_POINT, useCommands } from './run-command.ts';
import {
  collectAll,
  expectWhole,
  openShop,
  readCurrent,
  servedGenerations,
} from './shop-under-test.ts';

const inFolder = useTemporaryFolder();
const start = useCommands();

const KILL_AT_STEP = fileURLToPath(new URL('./kill-at-step.ts', import.meta.url));

/** A step of so many is tried, and other ones with another seed. Each takes more than a second of a core. */
const EVERY = testCount('PUBLISH_STEPS_EVERY', { few: 40, all: 1 });

test('a publish that is killed after a step changes nothing or everything, and nothing is left of it', {
  timeout: 900_000,
}, async () => {
  const folder = inFolder('steps');
  const { directory, write, publish } = await openShop(folder);
  await write(0);
  expect((await publish()).code).toBe(0);
  await write(1);
  const killedAt: string[] = [];
  let switched = 0;
  let step = 1 + (announceSeed('publish steps') % EVERY);
  for (let isKilled = true; isKilled; step += EVERY) {
    const root = inFolder(`data-${step}`);
    await cp(directory.root, root, { recursive: true });
    const killed = dataDirectory(root);
    const running = openCatalog(killed);
    running.snapshot();
    const before = await readCurrent(killed);
    const publishing = start(['publish', `${folder}/locmetrics.yaml`, '--data', root], {
      nodeParameters: ['--import', KILL_AT_STEP, ENTRY_POINT],
      environment: { LOCMETRICS_TEST_KILL_AT_STEP: String(step) },
    });
    const { code, messages } = await publishing.ended;
    isKilled = publishing.child.signalCode === 'SIGKILL';
    if (!isKilled) expect(code, messages).toBe(0);
    const killedStep = isKilled ? (messages.trimEnd().split('\n').at(-1) ?? '') : 'the end';
    killedAt.push(killedStep);
    const isSwitched = (await readCurrent(killed)) !== before;
    if (isKilled && isSwitched) switched += 1;
    try {
      expect(await servedGenerations(killed, inFolder('spills'))).toEqual([isSwitched ? 1 : 0]);
      await expectWhole(killed);
      expect(versionsOf(running.snapshot())).toEqual(versionsOf(openCatalog(killed).snapshot()));
      await collectAll(killed);
      const { publish: publishNext } = await openShop(folder, root);
      expect((await publishNext()).code).toBe(0);
      expect(await servedGenerations(killed, inFolder('spills'))).toEqual([1]);
      await collectAll(killed);
    } catch (cause) {
      throw new Error(`After a kill at step ${step}: ${killedStep}`, { cause });
    }
    await rm(root, { recursive: true });
  }
  // The last steps come after the switch.
  expect(switched).toBeLessThan(1 + step / EVERY / 2);
  const missed = KNOWN_STEPS.filter((known) => !killedAt.some((name) => known.test(name)));
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
