/**
 * A separate process that writes a number of lines to the log as fast as it can. It then reports on standard
 * output, and ends at once or when standard input ends.
 */
import { openLog } from '../../src/observe/open-log.ts';

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
if (ending === 'at-once') process.exit(0);
process.stdin.on('data', (sent) => {
  if (String(sent).includes('exit')) process.exit(0);
  const { rss } = process.memoryUsage();
  process.stdout.write(`${JSON.stringify({ lost, rss })}\n`);
});
