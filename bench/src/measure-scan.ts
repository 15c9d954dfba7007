import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { askOnce } from './ask-once.ts';
import type { Bench } from './bench.ts';
import type { ScanResult, Target } from './driver/load-order.ts';
import { type Contestant, measureRounds } from './measure-rounds.ts';
import { type ScanMeasurement, summarizeScans } from './results/measurement.ts';
import { type FloorPages, startFloor } from './systems/start-floor.ts';
import { SCAN_PAGE_SIZE, SCAN_SHAPES, type ScanShape } from './workloads/full-scan.ts';
import { CALL, countValues } from './workloads/values-page.ts';

/** Measures the time to read all metric values, page by page. Each round reads all of them. */
export async function measureScan(
  bench: Bench,
): Promise<Readonly<Record<string, ScanMeasurement>>> {
  const { settings, driver, context, ours, others, messages } = bench;
  const rowsCount = context.world.places * context.world.months;
  const contestants: Contestant<ScanResult>[] = [];
  const addContestant = async (name: string, shapeName: string, target: Target): Promise<void> => {
    await checkFirstPage(bench, name, { shape: shapeOf(shapeName), target });
    contestants.push({
      name,
      run: async () => {
        const result = await driver.scan({ kind: 'scan', shape: shapeName, target });
        if (result.rows !== rowsCount) {
          throw new Error(`The pages of ${name} had ${result.rows} rows instead of ${rowsCount}.`);
        }
        return result;
      },
    });
  };
  for (const [name, { system, ask }] of SCAN_SHAPES) {
    const target = system === 'ours' ? ours[ask('').protocol] : others[system];
    if (target !== undefined) await addContestant(name, name, target);
  }
  await using floor = await startFloor({
    answer: await readyPages(bench, rowsCount),
    workers: 1,
    headers: ours.grpc.headers,
    logFile: join(bench.work, 'floor-pages.log'),
  });
  await addContestant('floor', FLOOR_OF, floor.target);
  const results = await measureRounds(contestants, {
    rounds: settings.rounds,
    seedText: 'W6',
    messages,
    areWarm: true,
  });
  return Object.fromEntries([...results].map(([name, rounds]) => [name, summarizeScans(rounds)]));
}

/** The shape that the floor has, too. */
const FLOOR_OF = 'oursGrpc';

/** As many pages as there are, of the bytes of the first one. */
async function readyPages({ ours, work }: Bench, rowsCount: number): Promise<FloorPages> {
  const { body } = await askOnce(ours.grpc, shapeOf(FLOOR_OF).ask(''));
  if (!(body instanceof Uint8Array)) throw new Error('The page is no message.');
  const file = join(work, 'page.bin');
  await writeFile(file, body);
  const values = countValues(body);
  const pages = Math.ceil(rowsCount / values);
  const lastValues = rowsCount - (pages - 1) * values;
  return { protocol: 'pages', call: CALL, file, pages, lastValues };
}

function shapeOf(name: string): ScanShape {
  const shape = SCAN_SHAPES.get(name);
  if (shape === undefined) throw new Error(`There is no shape '${name}' of pages.`);
  return shape;
}

/** Reading the first page also warms up. */
async function checkFirstPage(
  { dataset }: Bench,
  name: string,
  { shape, target }: { readonly shape: ScanShape; readonly target: Target },
): Promise<void> {
  const request = shape.ask('');
  const rows = shape.read(await askOnce(target, request));
  // A page over gRPC ends before the largest message that clients receive by default.
  const size = request.protocol === 'grpc' ? Math.max(1, rows.length) : SCAN_PAGE_SIZE;
  const expected = await dataset.rows(
    `SELECT location_id, observation_start_date, visits::INTEGER FROM visits
     ORDER BY location_id, observation_start_date LIMIT ${size}`,
  );
  const wrong = expected.findIndex((row, index) => !isDeepStrictEqual(row, rows[index]));
  if (wrong !== -1 || rows.length !== expected.length) {
    throw new Error(
      `The first page of ${name} has ${rows.length} rows, of which the one at ${wrong} is ${JSON.stringify(rows[wrong])} instead of ${JSON.stringify(expected[wrong])}.`,
    );
  }
}
