import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { placeId } from '../dataset/world.ts';
import type { LoadResult, Target } from '../driver/load-order.ts';
import type { Driver } from '../driver/start-driver.ts';
import { adminCalls } from '../fixed-cost/admin-calls.ts';
import { cpuMicrosOf, processesOf } from '../fixed-cost/cpu-time.ts';
import { type Contestant, measureRounds } from '../measure-rounds.ts';
import { type CostMeasurement, type CostRound, summarizeCosts } from '../results/measurement.ts';
import { locmetricsAt } from '../systems/locmetrics.ts';
import { ORGANISATION } from '../workloads/organisation.ts';
import { list, member } from '../workloads/read-json.ts';
import { SERIES } from '../workloads/series.ts';
import type { PublishedSize } from './publish-size.ts';

/** W1 and the memory of the service with a number of rows. */
export type GrowthMeasurement = CostMeasurement & {
  readonly rows: number;
  readonly publishSeconds: number;
  /** The commit that published the rows. */
  readonly publishedBy: string;
  /** Of all processes of the service, directly after its last round. */
  readonly residentBytes: number;
};

/** The shape of W1 that the service answers. */
const SHAPE = 'ours';

/** Serves all sizes at the same time and asks each in turn, so that other load affects all of them alike. */
export async function measureGrowth(
  sizes: readonly PublishedSize[],
  {
    driver,
    rounds,
    seconds,
    inFlight,
    seed,
    messages,
    signal,
  }: {
    readonly driver: Driver;
    readonly rounds: number;
    readonly seconds: number;
    readonly inFlight: number;
    readonly seed: number;
    readonly messages: (line: string) => void;
    readonly signal: AbortSignal;
  },
): Promise<readonly GrowthMeasurement[]> {
  await using services = new AsyncDisposableStack();
  const contestants: Contestant<CostRound>[] = [];
  const resident = new Map<string, number>();
  for (const { world, directory, token } of sizes) {
    const name = String(world.places);
    const served = services.use(await locmetricsAt(directory, signal).serve({ token, flags: [] }));
    messages(`Waiting until the row files of ${name} places are checked`);
    await untilRowsAnswer(served.http, signal);
    const ask = (seedText: string): Promise<LoadResult> =>
      driver.run({
        kind: 'load',
        protocol: SERIES.protocol,
        questions: [{ workload: SERIES.id, shape: SHAPE }],
        target: served.http,
        context: { world, pageTokens: new Map() },
        seedText,
        inFlight,
        end: { kind: 'seconds', seconds },
        countFailures: false,
      });
    contestants.push({
      name,
      run: async (seedText) => {
        signal.throwIfAborted();
        const before = await cpuMicrosOf(served.pid);
        const result = await ask(`${seedText}/${name}`);
        const cpuMicros = (await cpuMicrosOf(served.pid)) - before;
        resident.set(name, await residentBytesOf(served.pid));
        return { ...result, cpuMicros };
      },
    });
  }
  const results = await measureRounds(contestants, {
    rounds,
    seedText: `${seed}/growth`,
    messages,
  });
  const costs = summarizeCosts(results, inFlight);
  return sizes.map(({ world, publishSeconds, publishedBy }) => {
    const name = String(world.places);
    const cost = costs[name];
    if (cost === undefined) throw new Error(`${name} places were not measured.`);
    return {
      rows: world.places * world.months,
      publishSeconds,
      publishedBy,
      residentBytes: resident.get(name) ?? 0,
      ...cost,
    };
  });
}

const LOOK_EVERY_MS = 500;

/** Row files are used once they are compared with their checksums, which takes a while after a start. */
async function untilRowsAnswer(target: Target, signal: AbortSignal): Promise<void> {
  const admin = adminCalls(target, ORGANISATION);
  for (;;) {
    signal.throwIfAborted();
    const explanation = await admin.post('explain/searchMetricValues', {
      catalogId: 'bench',
      metricId: 'visits_monthly',
      billingContext: ORGANISATION,
      featureFilter: [placeId(0)],
    });
    // The series, and the feature. The extent of the metric is read by the column store.
    const queries = list(member(explanation, 'queries')).filter(
      (query) => member(query, 'plan') === 'records',
    );
    if (queries.every((query) => member(query, 'store') === 'rows')) return;
    await sleep(LOOK_EVERY_MS);
  }
}

/**
 * The resident memory of a process and its children, in bytes; pages that they share count once. Read from
 * `Pss` of Linux' `/proc/pid/smaps_rollup` (proc_pid_smaps(5)).
 */
async function residentBytesOf(pid: number): Promise<number> {
  const sizes = await Promise.all(
    (await processesOf(pid)).map(async (process) => {
      const rollup = await readFile(`/proc/${process}/smaps_rollup`, 'utf8');
      const kibibytes = /^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1];
      if (kibibytes === undefined) throw new Error(`Process ${process} tells no memory.`);
      return Number(kibibytes) * 1024;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
