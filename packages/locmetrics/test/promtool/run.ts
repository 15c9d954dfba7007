/**
 * Checks the metrics and the alerts with Prometheus' own tool: `npm run test:metrics`. It needs `promtool` in
 * PATH (on Debian it is in the package `prometheus`). If it is missing, it says so and checks nothing. With an
 * address, `npm run test:metrics -- http://127.0.0.1:9464`, it scrapes a running service. The last line of the
 * output is `N passed, N failed`.
 */

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { openMetricsServer } from '@locmetrics/server/edge/http/server/open-metrics-server';
import { openMetricTotals } from '@locmetrics/server/observe/metric-totals';
import { openMetrics } from '@locmetrics/server/observe/open-metrics';
import { EVERY_OBSERVATION, everySource } from '../observe/every-metric.ts';
import { prepareRun } from '../support/prepare-run.ts';
import { until } from '../support/until.ts';

const RULES = join(import.meta.dirname, '..', '..', '..', '..', 'ops', 'prometheus', 'alerts.yaml');
const RULE_TESTS = join(import.meta.dirname, 'alerts.test.yaml');
const { say, report, end } = prepareRun();

if (spawnSync('promtool', ['--version']).error !== undefined) {
  say('Not tested: there is no promtool here; on Debian the package prometheus has it.');
} else {
  const [, , address] = process.argv;
  const text = address === undefined ? await scrapeEverything() : await scrape(address);
  run(['check', 'metrics'], text);
  run(['check', 'rules', RULES]);
  run(['test', 'rules', RULE_TESTS]);
}
end();

/** Expects that promtool prints nothing. A warning counts as a failure. */
function run(parameters: readonly string[], input = ''): void {
  const { status, stdout, stderr } = spawnSync('promtool', parameters, { input, encoding: 'utf8' });
  const output = `${stdout}${stderr}`;
  report(`promtool ${parameters.join(' ')}`, status === 0 && stderr === '', output);
}

/** A scrape from a listener, with at least one sample of each metric. */
async function scrapeEverything(): Promise<string> {
  const metrics = openMetrics({ version: '0.0.0' });
  for (const observation of EVERY_OBSERVATION) metrics.observe(observation);
  const totals = openMetricTotals({ observe: metrics.observe });
  const server = await openMetricsServer({
    host: '127.0.0.1',
    port: 0,
    collect: () =>
      totals.collect({ own: () => metrics.snapshot(everySource()), workers: new Map() }),
    checkReady: async () => {},
    observe: metrics.observe,
  });
  try {
    // The delay of the event loop is sampled every 10 ms.
    return await until(async () => {
      const text = await scrape(server.url);
      return text.includes('\nnodejs_eventloop_delay_max_seconds ') && text;
    });
  } finally {
    metrics.close();
    await server.close();
  }
}

async function scrape(address: string): Promise<string> {
  return (await fetch(new URL('/metrics', address))).text();
}
