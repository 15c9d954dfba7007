import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { writeDataset } from '../dataset/write-dataset.ts';
import type { Target } from '../driver/load-order.ts';
import { type Contestant, measureRounds } from '../measure-rounds.ts';
import { type CostMeasurement, type CostRound, summarizeCosts } from '../results/measurement.ts';
import { createRandom } from '../seeded-random.ts';
import { locmetricsAt } from '../systems/locmetrics.ts';
import { startFloor } from '../systems/start-floor.ts';
import { ORGANISATION } from '../workloads/organisation.ts';
import { adminCalls } from './admin-calls.ts';
import { CAN_READ_CPU_TIME, cpuMicrosOf } from './cpu-time.ts';
import { openOrganisations } from './open-organisations.ts';
import { FIXED_COST_QUESTIONS, pick } from './questions.ts';
import { readFloorAnswer } from './read-floor-answer.ts';
import { startChanges } from './start-changes.ts';

/**
 * Measures what a request costs that needs no data: the CPU time of all processes of the service, with one
 * worker, beside bare servers that send the same bytes.
 */
export async function measureFixedCost({
  settings,
  context,
  driver,
  work,
  messages,
  signal,
}: Bench): Promise<Readonly<Record<string, CostMeasurement>>> {
  if (!CAN_READ_CPU_TIME) {
    messages('  not measured: only Linux tells the CPU time of other processes');
    return {};
  }
  await using things = new AsyncDisposableStack();
  const { organisations, tokensOfEach, requests, ...size } = settings.fixedCost;
  const folder = join(work, 'fixed-cost');
  const world = { ...context.world, ...size };
  await mkdir(folder);
  await writeDataset(join(folder, 'dataset'), world);
  const directory = join(folder, 'locmetrics');
  await mkdir(directory);
  const manifest = join(folder, 'dataset', 'locmetrics.yaml');
  const locmetrics = locmetricsAt(directory, signal);
  await locmetrics.publish(manifest);
  const token = await locmetrics.createToken(['catalog', 'metrics', 'admin']);
  const flags = [...settings.serverFlags, '--workers', '1'];
  const ours = things.use(await locmetrics.serve({ token, flags }));
  messages('  asking for each series once');
  const admin = adminCalls(ours.http, ORGANISATION);
  const callers = await openOrganisations(ours.http, admin, {
    organisations,
    tokensOfEach,
    places: world.places,
  });
  // The requests carry their own token.
  const http = { ...ours.http, headers: {} };
  const grpc = { ...ours.grpc, headers: {} };
  // Each answer has a record in the ledger.
  let answers = world.places;
  const contestants: Contestant<CostRound>[] = [];
  const contestant = (name: string, question: string, target: Target, pid: number): void => {
    const protocol = FIXED_COST_QUESTIONS.get(question)?.protocol ?? 'http';
    contestants.push({
      name,
      run: async (seedText, isWarmUp) => {
        const count = Math.ceil(requests / settings.rounds);
        const before = await cpuMicrosOf(pid);
        const result = await driver.run({
          kind: 'load',
          protocol,
          questions: [{ workload: 'W0', shape: question }],
          target,
          context: { ...context, organisations: callers },
          seedText,
          inFlight: settings.inFlight,
          end: { kind: 'requests', requests: isWarmUp ? Math.ceil(count / 4) : count },
          countFailures: false,
        });
        answers += name === question ? result.latenciesMs.length : 0;
        return { ...result, cpuMicros: (await cpuMicrosOf(pid)) - before };
      },
    });
  };
  const random = createRandom(`${world.seed}/W0`);
  for (const [name, { protocol, ask }] of FIXED_COST_QUESTIONS) {
    const target = protocol === 'http' ? http : grpc;
    const request = ask(random, pick(random, callers));
    const floor = things.use(
      await startFloor({
        answer: await readFloorAnswer(target, request),
        workers: 1,
        headers: {},
        logFile: join(folder, `${name}.log`),
      }),
    );
    answers += 1;
    contestant(name, name, target, ours.pid);
    contestant(`${name}Floor`, name, floor.target, floor.pid);
  }
  const changes = things.use(startChanges({ http, grpc, admin, locmetrics, manifest, callers }));
  const results = await measureRounds(contestants, {
    rounds: settings.rounds,
    seedText: `${world.seed}/W0`,
    messages,
  });
  const changed = await changes.end();
  const recorded = await locmetrics.countAnswers(/^org-/);
  if (recorded !== answers + changed.answers) {
    throw new Error(`The ledger has ${recorded} records of ${answers + changed.answers} answers.`);
  }
  messages(
    `  ${changed.revocations} revocations and ${changed.publishes} publishes held for the next request; ${recorded} answers are in the ledger`,
  );
  return summarizeCosts(results, settings.inFlight);
}
