import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openLedger } from '@locmetrics/server/metering/open-ledger';
import { openUsageMerger } from '@locmetrics/server/metering/usage-merger';
import type { UsageSync } from '@locmetrics/server/metering/usage-segment';
import { USAGE_THREAD } from '../src/compose/open-data.ts';

/**
 * Measures the cost of recording usage, with several numbers of parallel requests, while a thread merges:
 * `node packages/locmetrics/scripts/measure-ledger.ts [normal|full]`. It reports the CPU time of the event
 * loop's thread, of the whole process with the thread that merges, and the bytes on disk of a record.
 */
const RECORDS = 100_000;
const sync: UsageSync = process.argv[2] === 'full' ? 'full' : 'normal';
const root = mkdtempSync(join(tmpdir(), 'locmetrics-ledger-'));
const files = { store: join(root, 'usage.sqlite'), segments: join(root, 'usage') };
const merger = openUsageMerger({
  place: files,
  code: USAGE_THREAD,
  keepMs: 86_400_000,
  observe: () => {},
});
const ledger = openLedger({ files, sync, observe: () => {} });

const record = (requestId: string): Promise<void> =>
  ledger.record({
    time: Date.now(),
    organisationId: 'somewhere',
    tokenId: '0123456789ab',
    operation: 'searchMetricValues',
    resource: 'nps/foot_traffic_monthly',
    rows: 24,
    bytes: 41_953,
    requestId,
  });

async function measure(concurrency: number, records: number): Promise<void> {
  const latencies: number[] = [];
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let left = records;
  const caller = async (): Promise<void> => {
    for (; left > 0; left -= 1) {
      const begun = performance.now();
      await record(`01234567-89ab-cdef-0123-${left}`);
      latencies.push(performance.now() - begun);
    }
  };
  delay.enable();
  const [begun, cpu, loop] = [performance.now(), process.cpuUsage(), process.threadCpuUsage()];
  await Promise.all(Array.from({ length: concurrency }, caller));
  const [used, loopUsed] = [process.cpuUsage(cpu), process.threadCpuUsage(loop)];
  delay.disable();
  const microseconds = (ms: number | undefined) => ((ms ?? 0) * 1000).toFixed(0);
  latencies.sort((left, right) => left - right);
  const per = (total: number) => (total / latencies.length).toFixed(1);
  process.stdout.write(
    [
      `${sync}, ${String(concurrency).padStart(2)} at once:`,
      `${Math.round((latencies.length / (performance.now() - begun)) * 1000)} records/s,`,
      `CPU of the event loop ${per(loopUsed.user + loopUsed.system)} µs a record,`,
      `of the process ${per(used.user + used.system)} µs;`,
      `latency p50 ${microseconds(latencies[latencies.length >> 1])} µs,`,
      `p99 ${microseconds(latencies[Math.floor(latencies.length * 0.99)])} µs;`,
      `event loop late p99 ${(delay.percentile(99) / 1e6).toFixed(1)} ms, at most ${(delay.max / 1e6).toFixed(1)} ms\n`,
    ].join(' '),
  );
}

await measure(8, RECORDS / 10);
const measured = sync === 'full' ? RECORDS / 20 : RECORDS;
for (const concurrency of [1, 8, 64]) await measure(concurrency, measured);
await ledger.close();
await merger.close();
const perRecord = statSync(files.store).size / (RECORDS / 10 + 3 * measured);
process.stdout.write(
  `${perRecord.toFixed(0)} bytes on disk for each record, once they are merged\n`,
);
rmSync(root, { recursive: true });
