import { openBench } from './open-bench.ts';
import { describeCommit } from './results/commit.ts';
import { formatResults, type Measurements } from './results/format-results.ts';
import { describeMachine, warnOfLoad } from './results/machine.ts';
import { writeResults } from './results/write-results.ts';
import type { Settings } from './settings.ts';
import { WORKLOADS } from './workloads.ts';

export type Output = {
  /** The results. */
  readonly data: (text: string) => void;
  /** The progress of the run, line by line. */
  readonly messages: (line: string) => void;
};

/** Makes the dataset, publishes it, serves it, measures and writes the results. */
export async function runBenchmark(
  settings: Settings,
  { data, messages }: Output,
  signal: AbortSignal,
): Promise<void> {
  await using things = new AsyncDisposableStack();
  const interrupted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  // An abort while no workload runs must not become an unhandled rejection.
  interrupted.catch(() => undefined);
  // The load is read before the run starts, because the run itself is load.
  const began = new Date();
  const machine = describeMachine();
  const warning = settings.isTiny ? undefined : warnOfLoad(machine);
  if (warning !== undefined) messages(warning);
  const commit = await describeCommit();
  const running: Promise<unknown>[] = [];
  const { bench, versions } = await openBench(settings, { things, running, messages, signal });
  const workloads: Record<string, Measurements[string]> = {};
  const { world, only, rounds, roundEnd, inFlight, floorWorkers, serverFlags } = settings;
  const { seed, ...size } = world;
  const results = {
    began: began.toISOString(),
    machine,
    versions,
    ...commit,
    seed,
    parameters: {
      ...size,
      only,
      rounds,
      round: roundEnd,
      inFlight,
      floorWorkers,
      serverFlags: serverFlags.join(' '),
    },
    workloads,
  };
  let file: string | undefined;
  try {
    for (const [id, { title, measure }] of WORKLOADS) {
      if (!only.includes(id)) continue;
      messages(`${id}: ${title}`);
      const measuring = measure(bench);
      running.push(measuring);
      workloads[id] = await Promise.race([measuring, interrupted]);
      if (settings.out !== undefined) file = await writeResults(settings.out, results);
    }
  } finally {
    // A run that fails or is stopped keeps its measurements so far.
    if (Object.keys(workloads).length > 0) data(formatResults(workloads));
    if (file !== undefined) messages(`Written to ${file}`);
  }
}
