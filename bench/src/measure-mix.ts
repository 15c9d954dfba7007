import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from './bench.ts';
import { type MixMeasurement, type MixRound, summarizeMixes } from './results/measurement.ts';

/** Measures W1 to W5 in random order, with a publish of the visits in the middle of each round. */
export async function measureMix({
  settings,
  context,
  driver,
  manifest,
  locmetrics,
  ours,
  messages,
}: Bench): Promise<Readonly<Record<string, MixMeasurement>>> {
  const rounds: MixRound[] = [];
  for (let round = 0; round < settings.rounds; round++) {
    messages(`  round ${round + 1} of ${settings.rounds}`);
    const running = driver.run({
      kind: 'load',
      protocol: 'http',
      questions: MIXED.map((workload) => ({ workload, shape: 'ours' })),
      target: ours.http,
      context,
      seedText: `${context.world.seed}/W8/${round}`,
      inFlight: settings.inFlight,
      end: { kind: 'stopped' },
      countFailures: true,
    });
    const publishing = async (): Promise<number> => {
      await sleep(settings.calmMs);
      const begunMs = performance.now();
      await locmetrics.publish(manifest, ['bench.visits']);
      const publishMs = performance.now() - begunMs;
      await sleep(settings.calmMs);
      return publishMs;
    };
    // If the load failed, there is nothing to wait for.
    const publishMs = await Promise.race([publishing(), running.then(neverByItself)]);
    driver.stop();
    rounds.push({ ...(await running), publishMs });
  }
  return { ours: summarizeMixes(rounds, settings.inFlight) };
}

const MIXED = ['W1', 'W2', 'W3', 'W4', 'W5'];

function neverByItself(): never {
  throw new Error('The mixed load ended before it was stopped.');
}
