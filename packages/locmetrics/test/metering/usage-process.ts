import { setImmediate as nextLoopTick } from 'node:timers/promises';
import { isAway } from '@locmetrics/cluster/postgres/postgres-error';
import { openUsageStore } from '../../src/compose/open-usage-store.ts';

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
process.stdout.write('begun\n');

while (!isOver) {
  // While PostgreSQL is away, the next attempt may succeed.
  const { records } = await usage.merge().catch((error: unknown) => {
    if (isAway(error)) return { records: 0 };
    throw error;
  });
  if (merged === 0 && records > 0) process.stdout.write('merged\n');
  merged += records;
  await nextLoopTick();
}
await usage.close();
process.stdout.write(`${merged}\n`);
