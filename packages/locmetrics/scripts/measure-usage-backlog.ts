import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as passTime } from 'node:timers/promises';
import { toUsageLine } from '@locmetrics/server/metering/usage-line';
import { openUsageMerger } from '@locmetrics/server/metering/usage-merger';
import { USAGE_THREAD } from '../src/compose/open-data.ts';
import { openUsageStore } from '../src/compose/open-usage-store.ts';

/**
 * Measures how long a backlog of usage takes to merge after an outage, in the thread of a service, and how long that
 * holds its event loop: `node packages/locmetrics/scripts/measure-usage-backlog.ts [URL of an empty database]`. Without
 * a URL it is merged into a file.
 */
const RECORDS = 1_000_000;
const SEGMENT_RECORDS = 40_000;

const postgres = process.argv[2];
const root = mkdtempSync(join(tmpdir(), 'locmetrics-backlog-'));
const place = { store: join(root, 'usage.sqlite'), segments: join(root, 'usage'), postgres };
mkdirSync(place.segments);
for (let first = 0; first < RECORDS; first += SEGMENT_RECORDS) {
  const lines = Array.from({ length: SEGMENT_RECORDS }, (_, index) => lineOf(first + index));
  writeFileSync(join(place.segments, `${first}-a.done.ndjson`), lines.join(''));
}
const loop = monitorEventLoopDelay({ resolution: 1 });
loop.enable();
const [cpu, begunMs] = [process.cpuUsage(), performance.now()];
const rssBefore = process.memoryUsage.rss();
let [rssMax, isMerged] = [0, false];
const merger = openUsageMerger({ place, code: USAGE_THREAD, keepMs: 1e12, observe: () => {} });
// The first answer comes once everything is merged.
void merger.usedRows('organisation-1').finally(() => {
  isMerged = true;
});
while (!isMerged) {
  rssMax = Math.max(rssMax, process.memoryUsage.rss());
  await passTime(20);
}
const [durationMs, used] = [performance.now() - begunMs, process.cpuUsage(cpu)];
loop.disable();
await merger.close();
const store = await openUsageStore(place);
const { total } = await store.reading(({ read }) =>
  read({
    organisationId: undefined,
    from: '1970-01-01',
    to: '9999-12-31',
    groupBy: ['day'],
    after: undefined,
    rowsMax: 1,
  }),
);
await store.close();
rmSync(root, { recursive: true });
process.stdout.write(
  `${total.requests} records in ${(durationMs / 1000).toFixed(1)} s; this process used ${((used.user + used.system) / 1e6).toFixed(1)} s of CPU, and up to ${((rssMax - rssBefore) / 2 ** 20).toFixed(0)} MiB more than before; its event loop was held for ${(loop.max / 1e6).toFixed(0)} ms at most\n`,
);

function lineOf(index: number): string {
  return toUsageLine({
    time: 1_772_600_767_890 + index,
    organisationId: `organisation-${index % 50}`,
    tokenId: `token-${index % 200}`,
    operation: index % 3 === 0 ? 'searchMetricValues' : 'listRecords',
    resource: 'ml_visitation.places',
    rows: index % 100,
    bytes: index % 10_000,
    requestId: `3f2b8a7c-0000-4000-8000-${String(index).padStart(12, '0')}`,
  });
}
