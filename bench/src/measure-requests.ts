import { join } from 'node:path';
import type { Bench } from './bench.ts';
import { checkAnswers } from './check-answers.ts';
import type { LoadResult, Target } from './driver/load-order.ts';
import { type Contestant, measureRounds } from './measure-rounds.ts';
import { type RequestMeasurement, summarizeRequests } from './results/measurement.ts';
import { startFloor } from './systems/start-floor.ts';
import { CALL } from './workloads/values-page.ts';
import type { RequestWorkload } from './workloads/workload.ts';

/** Measures every running system with a workload of independent requests, and its floor. */
export async function measureRequests(
  bench: Bench,
  workload: RequestWorkload,
): Promise<Readonly<Record<string, RequestMeasurement>>> {
  const { settings, context, dataset, driver, work, ours, others, messages } = bench;
  const { id, protocol, overTls = false, inFlight = settings.inFlight } = workload;
  const targets = { ...others, ours: overTls ? ours.grpcTls : ours[protocol] };
  const contestant = (name: string, shape: string, target: Target): Contestant<LoadResult> => ({
    name,
    run: (seedText, isWarmUp) =>
      driver.run({
        kind: 'load',
        protocol,
        questions: [{ workload: id, shape }],
        target,
        context,
        seedText,
        inFlight,
        end: isWarmUp ? settings.warmUpEnd : settings.roundEnd,
        countFailures: false,
      }),
  });
  const contestants: Contestant<LoadResult>[] = [];
  for (const [name, shape] of workload.shapes) {
    const target = targets[shape.system];
    if (target === undefined) continue;
    await checkAnswers({ name, shape, target, context, dataset });
    contestants.push(contestant(name, name, target));
  }
  // The first one is ours.
  const sample = await contestants[0]?.run('sample', true);
  if (sample === undefined) throw new Error(`${id} has no system that runs.`);
  await using floor = await startFloor({
    answer: {
      bytes: Math.round(sample.bodyBytes / sample.latenciesMs.length),
      ...(protocol === 'http'
        ? { protocol }
        : { protocol, call: CALL, tls: overTls ? ours.tls : undefined }),
    },
    workers: settings.floorWorkers,
    headers: targets.ours.headers,
    logFile: join(work, 'floor.log'),
  });
  contestants.push(contestant('floor', 'ours', floor.target));
  const results = await measureRounds(contestants, {
    rounds: settings.rounds,
    seedText: `${context.world.seed}/${id}`,
    messages,
  });
  return Object.fromEntries(
    [...results].map(([name, rounds]) => [name, summarizeRequests(rounds, inFlight)]),
  );
}
