import { openUsageStore } from '../../src/metering/open-usage-store.ts';

/**
 * The second process of the tests. It merges repeatedly until its input ends, and prints the number of merged
 * records.
 */
const [store = '', segments = ''] = process.argv.slice(2);
const usage = openUsageStore({ store, segments });
let merged = 0;
let isOver = false;
process.stdin.once('end', () => {
  isOver = true;
});
process.stdin.resume();
process.stdout.write('begun\n');

function merge(): void {
  const { records } = usage.merge();
  if (merged === 0 && records > 0) process.stdout.write('merged\n');
  merged += records;
  if (!isOver) {
    setTimeout(merge, 1);
    return;
  }
  usage.close();
  process.stdout.write(`${merged}\n`);
}

merge();
