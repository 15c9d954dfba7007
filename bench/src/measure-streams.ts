import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import { fetchOnce } from './ask-once.ts';
import type { Bench } from './bench.ts';
import type { ScanResult, Target } from './driver/load-order.ts';
import { type Contestant, measureRounds } from './measure-rounds.ts';
import { type ScanMeasurement, summarizeScans } from './results/measurement.ts';
import { SCAN_SHAPES } from './workloads/full-scan.ts';
import {
  duckdbCopy,
  PARQUET_REQUEST,
  STREAM_SHAPES,
  type StreamShape,
} from './workloads/streams.ts';

/**
 * Measures the time to get all visits in one answer, beside PostgREST, pages of PostgREST by keyset, and a file that DuckDB
 * writes. The latency is that of the first bytes, or of a page.
 */
export async function measureStreams(
  bench: Bench,
): Promise<Readonly<Record<string, ScanMeasurement>>> {
  const { settings, driver, context, ours, others, work, messages } = bench;
  const rowsCount = context.world.places * context.world.months;
  const contestants: Contestant<ScanResult>[] = [];
  const add = (name: string, run: () => Promise<ScanResult>): void => {
    contestants.push({
      name,
      run: async () => {
        const result = await run();
        if (result.rows === rowsCount) return result;
        throw new Error(`${name} had ${result.rows} rows instead of ${rowsCount}.`);
      },
    });
  };
  for (const [name, shape] of STREAM_SHAPES) {
    const target = shape.system === 'ours' ? ours.http : others.postgrest;
    if (target === undefined) continue;
    await checkFirstRows(bench, name, { shape, target });
    add(name, () => driver.stream({ kind: 'stream', shape: name, target }));
  }
  add('oursParquet', () => saveParquet(bench));
  const { postgrest, duckdb } = others;
  if (postgrest !== undefined && SCAN_SHAPES.has(KEYSET)) {
    add(KEYSET, () => driver.scan({ kind: 'scan', shape: KEYSET, target: postgrest }));
  }
  if (duckdb !== undefined) {
    // As many as a worker of the service gives to one query.
    const threads = Math.max(1, Math.floor(availableParallelism() / settings.floorWorkers));
    await askDuckdb(duckdb, `SET threads = ${threads}`);
    add('duckdbCsv', () => copyWithDuckdb(duckdb, 'csv', work));
    add('duckdbParquet', () => copyWithDuckdb(duckdb, 'parquet', work));
  }
  const results = await measureRounds(contestants, {
    rounds: settings.rounds,
    seedText: 'W10',
    messages,
    areWarm: settings.isTiny,
  });
  return Object.fromEntries([...results].map(([name, rounds]) => [name, summarizeScans(rounds)]));
}

const KEYSET = 'postgrestKeyset';

/** The answer comes when the file is written. */
async function copyWithDuckdb(
  target: Target,
  format: 'csv' | 'parquet',
  folder: string,
): Promise<ScanResult> {
  const file = join(folder, `copied.${format}`);
  const begunMs = performance.now();
  const text = await askDuckdb(target, duckdbCopy(file, format));
  const durationMs = performance.now() - begunMs;
  await rm(file, { force: true });
  const [[rows]] = JSON.parse(text);
  return { durationMs, latenciesMs: Float64Array.of(durationMs), rows: Number(rows), bodyBytes: 0 };
}

/** Saves the answer in a file. */
async function saveParquet({ ours, dataset, work }: Bench): Promise<ScanResult> {
  const file = join(work, 'saved.parquet');
  const begunMs = performance.now();
  const answer = await fetchOnce(ours.http, PARQUET_REQUEST);
  if (!answer.ok || answer.body === null) throw new Error(`The answer is ${answer.status}.`);
  const firstMs = performance.now() - begunMs;
  await pipeline(answer.body, createWriteStream(file));
  const durationMs = performance.now() - begunMs;
  const [[rows] = []] = await dataset.rows(
    `SELECT count(*)::INTEGER FROM '${file.replaceAll("'", "''")}'`,
  );
  const { size: bodyBytes } = await stat(file);
  await rm(file);
  return { durationMs, latenciesMs: Float64Array.of(firstMs), rows: Number(rows), bodyBytes };
}

async function askDuckdb(target: Target, body: string): Promise<string> {
  const answer = await fetchOnce(target, { protocol: 'http', method: 'POST', path: '/', body });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`DuckDB answered ${text.slice(0, 500)}`);
  return text;
}

const CHECKED_ROWS = 100;

/** Compares the first rows with the files. The rest of the answer is not read. */
async function checkFirstRows(
  { dataset }: Bench,
  name: string,
  { shape, target }: { readonly shape: StreamShape; readonly target: Target },
): Promise<void> {
  const expected = await dataset.rows(
    `SELECT location_id, observation_start_date, visits::INTEGER FROM visits
     ORDER BY location_id, observation_start_date LIMIT ${CHECKED_ROWS}`,
  );
  const rows = toRows(await firstLines(await fetchOnce(target, shape.request)), shape);
  const wrong = expected.findIndex((row, index) => !isDeepStrictEqual(row, rows[index]));
  if (wrong !== -1) {
    throw new Error(
      `Row ${wrong} of ${name} is ${JSON.stringify(rows[wrong])} instead of ${JSON.stringify(expected[wrong])}.`,
    );
  }
}

async function firstLines(answer: Response): Promise<readonly string[]> {
  const text: string[] = [];
  const decoder = new TextDecoder();
  if (!answer.ok || answer.body === null) throw new Error(`The answer is ${answer.status}.`);
  for await (const chunk of answer.body) {
    text.push(decoder.decode(chunk, { stream: true }));
    const lines = text.join('').split(/\r?\n/);
    if (lines.length > CHECKED_ROWS + 2) return lines;
  }
  return text.join('').split(/\r?\n/);
}

/** Place, day and visits of each line. The place is the first column. */
function toRows(
  [head = '', ...rest]: readonly string[],
  { format, columns }: StreamShape,
): readonly (readonly unknown[])[] {
  if (format === 'ndjson') {
    return [head, ...rest].slice(0, CHECKED_ROWS).map((line) => {
      const row: Readonly<Record<string, unknown>> = JSON.parse(line);
      return columns.map((column) => row[column]);
    });
  }
  const names = head.split(',');
  // From the end, because a street before them may be quoted, with a comma.
  const [, day, visits] = columns.map((column) => names.indexOf(column) - names.length);
  return rest.slice(0, CHECKED_ROWS).map((line) => {
    const cells = line.split(',');
    return [cells[0], cells.at(day ?? 0), Number(cells.at(visits ?? 0))];
  });
}
