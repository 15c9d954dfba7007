import { isDeepStrictEqual } from 'node:util';
import { askOnce } from './ask-once.ts';
import type { Bench } from './bench.ts';
import type { ScanResult, Target } from './driver/load-order.ts';
import { type Contestant, measureRounds } from './measure-rounds.ts';
import { type ScanMeasurement, summarizeScans } from './results/measurement.ts';
import { SCAN_PAGE_SIZE, SCAN_SHAPES, type ScanShape } from './workloads/full-scan.ts';

/** Measures the time to read all metric values, page by page. Each round reads all of them. */
export async function measureScan(
  bench: Bench,
): Promise<Readonly<Record<string, ScanMeasurement>>> {
  const { settings, driver, context, ours, others, messages } = bench;
  const rowsCount = context.world.places * context.world.months;
  const targets = { ours: ours.http, postgrest: others.postgrest };
  const contestants: Contestant<ScanResult>[] = [];
  for (const [name, shape] of SCAN_SHAPES) {
    const target = targets[shape.system];
    if (target === undefined) continue;
    await checkFirstPage(bench, name, { shape, target });
    contestants.push({
      name,
      run: async () => {
        const result = await driver.scan({ kind: 'scan', shape: name, target });
        if (result.rows !== rowsCount) {
          throw new Error(`The pages of ${name} had ${result.rows} rows instead of ${rowsCount}.`);
        }
        return result;
      },
    });
  }
  const results = await measureRounds(contestants, {
    rounds: settings.rounds,
    seedText: 'W6',
    messages,
    areWarm: true,
  });
  return Object.fromEntries([...results].map(([name, rounds]) => [name, summarizeScans(rounds)]));
}

/** Reading the first page also warms up. */
async function checkFirstPage(
  { dataset }: Bench,
  name: string,
  { shape, target }: { readonly shape: ScanShape; readonly target: Target },
): Promise<void> {
  const rows = shape.read(await askOnce(target, shape.ask('')));
  const expected = await dataset.rows(
    `SELECT location_id, observation_start_date, visits::INTEGER FROM visits
     ORDER BY location_id, observation_start_date LIMIT ${SCAN_PAGE_SIZE}`,
  );
  const wrong = expected.findIndex((row, index) => !isDeepStrictEqual(row, rows[index]));
  if (wrong !== -1 || rows.length !== expected.length) {
    throw new Error(
      `The first page of ${name} has ${rows.length} rows, of which the one at ${wrong} is ${JSON.stringify(rows[wrong])} instead of ${JSON.stringify(expected[wrong])}.`,
    );
  }
}
