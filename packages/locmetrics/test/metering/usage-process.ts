import { flushCompileCache } from 'node:module';
import { isAway } from '@locmetrics/cluster/postgres/postgres-error';
import { openUsageStore } from '../../src/compose/open-usage-store.ts';
import { delay } from '../support/delay.ts';

/**
 * The second process of the tests. It merges repeatedly until its input ends, and prints the number of merged
 * records.
 */
const [store = '', segments = '', postgres] = process.argv.slice(2);
const usage = await openUsageStore({ store, segments, postgres });
let merged = 0;
let isOver = false;
process.stdin.once('end', () => {
  isOver = true;
});
process.stdin.resume();
// A killed process does not keep what it has compiled.
flushCompileCache();
process.stdout.write('begun\n');

/** Between merges, so that the processes that write have the processors too. */
const PAUSE_MS = 5;
while (!isOver) {
  // While PostgreSQL is away, the next attempt may succeed.
  const { records } = await usage.merge().catch((error: unknown) => {
    if (isAway(error)) return { records: 0 };
    throw error;
  });
  if (merged === 0 && records > 0) process.stdout.write('merged\n');
  merged += records;
  await delay(PAUSE_MS);
}
await usage.close();
process.stdout.write(`${merged}\n`);
