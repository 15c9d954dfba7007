import { flushCompileCache } from 'node:module';
import { openLedger } from '@locmetrics/server/metering/open-ledger';
import { delay } from '../support/delay.ts';
import { RECORD } from './usage-record.ts';

/**
 * A worker of the tests: it records requests with the ids `NAME-0`, `NAME-1` … until its input ends, and prints how many
 * it has begun, and how many were recorded.
 */
const [segments = '', name = ''] = process.argv.slice(2);
const ledger = openLedger({ files: { store: '', segments }, sync: 'normal', observe: () => {} });
let isOver = false;
process.stdin.once('end', () => {
  isOver = true;
});
process.stdin.resume();
// A killed process does not keep what it has compiled.
flushCompileCache();

for (let recorded = 0; !isOver; ) {
  const group = 1 + (recorded % 50);
  process.stdout.write(`begun ${recorded + group}\n`);
  await Promise.all(
    Array.from({ length: group }, (_, index) =>
      ledger.record({
        ...RECORD,
        time: RECORD.time + recorded,
        organisationId: `organisation-${index % 7}`,
        requestId: `${name}-${recorded + index}`,
      }),
    ),
  );
  recorded += group;
  process.stdout.write(`recorded ${recorded}\n`);
  await delay(10);
}
await ledger.close();
