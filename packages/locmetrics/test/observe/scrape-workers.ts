/**
 * A primary with two workers that each counted three requests. It prints the sums of a scrape: of both workers,
 * then after one was killed, then with its replacement.
 */
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { MetricSnapshot } from '@locmetrics/server/observe/metric-registry';
import { openMetricTotals } from '@locmetrics/server/observe/metric-totals';
import { openMetrics } from '@locmetrics/server/observe/open-metrics';
import { EVERY_OBSERVATION } from './every-metric.ts';
import { readExposition } from './read-exposition.ts';

const metrics = openMetrics({ version: '0.0.0' });

if (cluster.isPrimary) {
  const totals = openMetricTotals({ observe: metrics.observe, timeoutMs: 20_000 });
  cluster.on('exit', ({ id }) => totals.end(id));
  const collect = async (): Promise<number> => {
    const workers = new Map(
      Object.values(cluster.workers ?? {}).flatMap((worker) =>
        worker === undefined
          ? []
          : [[worker.id, { worker: worker.id, ask: () => ask(worker) }] as const],
      ),
    );
    const text = await totals.collect({ own: () => metrics.snapshot(), workers });
    const counts = readExposition(text).samples.filter(
      ({ name }) => name === 'http_server_request_duration_seconds_count',
    );
    return counts.reduce((sum, { value }) => sum + value, 0);
  };
  const [first] = await Promise.all([fork(), fork()]);
  const both = await collect();
  first.process.kill('SIGKILL');
  await once(cluster, 'exit');
  const one = await collect();
  await fork();
  const again = await collect();
  process.stdout.write(`${JSON.stringify({ both, one, again })}\n`);
  cluster.disconnect();
} else {
  const [began, completed] = EVERY_OBSERVATION;
  for (let request = 0; request < 3 && began && completed; request += 1) {
    metrics.observe(began);
    metrics.observe(completed);
  }
  process.on('message', async () => process.send?.(await metrics.snapshot()));
  process.send?.('ready');
}
metrics.close();

async function fork(): Promise<Worker> {
  const worker = cluster.fork();
  // A worker can answer after its first message.
  await once(worker, 'message');
  return worker;
}

async function ask(worker: Worker): Promise<MetricSnapshot> {
  worker.send('metrics');
  const [snapshot] = await once(worker, 'message');
  return snapshot;
}
