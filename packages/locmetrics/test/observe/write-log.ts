/**
 * A separate process that writes a number of lines to the log as fast as it can. It then reports on standard
 * output, and ends when told to on standard input; or it ends at once, without a turn of its event loop, even
 * if it has been busy for longer than a reader may take; or it has nothing left to do, but its threads have.
 */
import { pbkdf2 } from 'node:crypto';
import { openLog } from '@locmetrics/server/observe/open-log';

/** How long the process has run at least when it ends at once. */
const BUSY_MS = 1500;
/** The default size of the pool of threads that write to files. */
const THREADS = 4;

const [, , linesText, ending] = process.argv;
let lost = 0;
const { observe } = openLog({
  onLineDropped: () => {
    lost += 1;
  },
});
for (let line = 0; line < Number(linesText); line += 1) {
  observe({
    kind: 'request_completed',
    requestId: `request-${line}`,
    method: 'POST',
    route: '/v3/catalog/listRecords',
    status: 200,
    durationMs: 1.234,
    organisationId: 'acme',
    tokenId: '480peboh2flo',
    rows: 100,
    bytes: 42_000,
    userAgent: 'a client/1.0 (with a name that is as long as those of many clients are)',
  });
}
if (ending === 'at-once') {
  while (performance.now() < BUSY_MS);
  process.exit(0);
}
if (ending === 'with-busy-threads') {
  process.prependListener('exit', () => {
    for (let thread = 0; thread < THREADS; thread += 1) {
      pbkdf2('secret', 'salt', 1_000_000, 64, 'sha512', () => {});
    }
  });
} else {
  process.stdin.on('data', (sent) => {
    if (String(sent).includes('exit')) process.exit(0);
    const { rss } = process.memoryUsage();
    process.stdout.write(`${JSON.stringify({ lost, rss })}\n`);
  });
}
