import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bench } from './bench.ts';
import { measureRounds } from './measure-rounds.ts';
import { type PublishMeasurement, summarizePublishes } from './results/measurement.ts';
import { locmetricsAt } from './systems/locmetrics.ts';
import { runProgram } from './systems/run-program.ts';

/**
 * Compares a publish of the visits with DuckDB alone, which sorts the same file by the same key: into a
 * DuckDB file, and into a table. Each is measured as a process from its start to its end. Measured are a publish
 * as the manifest declares it, one without the indexes that it marks, and one of the column file alone.
 */
export async function measurePublish({
  settings,
  context,
  work,
  manifest,
  messages,
  signal,
}: Bench): Promise<Readonly<Record<string, PublishMeasurement>>> {
  const rows = context.world.places * context.world.months;
  const source = join(dirname(manifest), 'visits.parquet');
  const timed = (name: string, run: (folder: string) => Promise<unknown>) => ({
    name,
    run: async (): Promise<number> => {
      const folder = await mkdtemp(join(work, 'publish-'));
      const begunMs = performance.now();
      await run(folder);
      const durationMs = performance.now() - begunMs;
      await rm(folder, { recursive: true });
      return durationMs;
    },
  });
  const unmarked = join(dirname(manifest), 'without-marks.yaml');
  await writeFile(unmarked, (await readFile(manifest, 'utf8')).replaceAll(MARKS, ''));
  const publish =
    (path: string, flags: readonly string[] = []) =>
    (folder: string) =>
      locmetricsAt(folder, signal).publish(path, ['bench.visits'], flags);
  const sort = (kind: string) => (folder: string) =>
    runProgram(process.execPath, [SORT_PROCESS, kind, source, join(folder, 'sorted')], { signal });
  const results = await measureRounds(
    [
      timed('ours', publish(manifest)),
      timed('oursWithoutMarks', publish(unmarked)),
      timed('oursColumnFile', publish(unmarked, ['--without-row-files'])),
      timed('duckdbSortedFile', sort('file')),
      timed('duckdbSortedTable', sort('table')),
    ],
    { rounds: settings.rounds, seedText: 'W7', messages, areWarm: settings.isTiny },
  );
  return Object.fromEntries(
    [...results].map(([name, durationsMs]) => [name, summarizePublishes(durationsMs, rows)]),
  );
}

const MARKS = /, (sorted|searchable): true/g;

const SORT_PROCESS = fileURLToPath(new URL('systems/duckdb-sort-process.ts', import.meta.url));
