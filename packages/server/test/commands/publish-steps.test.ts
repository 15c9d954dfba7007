// @module-tag sized

import { cp } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { dataDirectory } from '../../src/versions/data-directory.ts';
import { type CatalogSnapshot, openCatalog } from '../../src/versions/open-catalog.ts';
import { announceSeed } from '../conformance/test-seed.ts';
import { testCount } from '../test-count.ts';
import { ENTRY_POINT, useCommands } from './run-command.ts';
import { expectWhole, openShop, readCurrent } from './shop-under-test.ts';
import { useTemporaryFolder } from './temporary-folder.ts';

const inFolder = useTemporaryFolder();
const start = useCommands();

const KILL_AT_STEP = fileURLToPath(new URL('./kill-at-step.ts', import.meta.url));

/** A step of so many is tried, and other ones with another seed. Each takes more than a second of a core. */
const EVERY = testCount('PUBLISH_STEPS_EVERY', { few: 50, all: 3 });

/** A publish of two datasets has some hundred and fifty. */
const STEPS_MIN = 100;

test('a publish that is killed after a step changes nothing or everything, also for a service that runs', {
  timeout: 900_000,
}, async () => {
  const folder = inFolder('steps');
  const { directory, write, publish } = await openShop(folder);
  await write(0);
  expect((await publish()).code).toBe(0);
  await write(1);
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
    if (isKilled && (await readCurrent(killed)) !== before) switched += 1;
    await expectWhole(killed).catch((error: unknown) => {
      throw new Error(`After a kill at step ${step}.`, { cause: error });
    });
    expect(versionsOf(running.snapshot())).toEqual(versionsOf(openCatalog(killed).snapshot()));
  }
  expect(step).toBeGreaterThan(STEPS_MIN);
  // The last steps come after the switch.
  expect(switched).toBeLessThan(1 + step / EVERY / 2);
});

function versionsOf({ datasets }: CatalogSnapshot): readonly (readonly [string, string])[] {
  return [...datasets].map(([name, { version }]) => [name, version]);
}
