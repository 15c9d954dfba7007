import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, Option } from 'commander';
import { openInterruption, readCount, runCommand } from '../command-line.ts';
import { startDriver } from '../driver/start-driver.ts';
import { describeCommit } from '../results/commit.ts';
import { describeMachine, warnOfLoad } from '../results/machine.ts';
import { describeVersions } from '../results/versions.ts';
import { writeResults } from '../results/write-results.ts';
import { buildLocmetrics, locmetricsAt } from '../systems/locmetrics.ts';
import { formatGrowth } from './format-growth.ts';
import { measureGrowth } from './measure-growth.ts';
import { MONTHS, type PublishedSize, publishSize } from './publish-size.ts';

type Flags = {
  readonly rows: readonly number[];
  readonly seed: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly concurrency: number;
  readonly data: string;
  readonly fresh?: boolean;
  readonly out: string;
};

/** Publishes datasets of several sizes, serves all of them and asks each for series, in turn. */
async function measure(flags: Flags): Promise<void> {
  const { rows, seed, rounds, seconds, concurrency: inFlight, data, fresh = false, out } = flags;
  const began = new Date().toISOString();
  const machine = describeMachine();
  const commit = await describeCommit();
  // So few rows measure nothing, and several such runs share one build.
  await buildLocmetrics({ isAnyEnough: rows.every((count) => count < MEASURED_ROWS_MIN) });
  const sizes: PublishedSize[] = [];
  for (const count of rows) {
    const places = Math.round(count / MONTHS);
    sizes.push(await publishSize({ places, seed, folder: data, fresh, messages, signal, commit }));
  }
  const idle = describeMachine();
  const warning = warnOfLoad(idle);
  if (warning !== undefined) messages(warning);
  await using driver = startDriver();
  const measured = await measureGrowth(sizes, {
    driver,
    rounds,
    seconds,
    inFlight,
    seed,
    messages,
    signal,
  });
  process.stdout.write(formatGrowth(measured));
  const version = await locmetricsAt(data, signal).version();
  const results = {
    began,
    machine: { ...machine, loadBefore: idle.loadBefore },
    versions: describeVersions(version),
    ...commit,
    seed,
    parameters: { rows, months: MONTHS, rounds, seconds, inFlight },
    sizes: measured,
  };
  const time = began.slice(0, 16).replaceAll(':', '');
  const name = `${time}-${commit.commit.slice(0, 12)}-growth.json`;
  const file = await writeResults(out.endsWith('.json') ? out : join(out, name), results);
  messages(`Written to ${file}`);
}

function messages(line: string): void {
  process.stderr.write(`${line}\n`);
}

const signal = openInterruption();

const DATA_FOLDER = fileURLToPath(new URL('../../.data', import.meta.url));
const RESULTS_FOLDER = fileURLToPath(new URL('../../results', import.meta.url));

const MEASURED_ROWS_MIN = 10_000;
const ROWS_MAX = 2_400_000_000;

function readRows(text: string): readonly number[] {
  return text.split(',').map((part) => {
    return readCount(MONTHS, ROWS_MAX)(part.trim());
  });
}

const program = new Command('npm run bench:growth --')
  .description(
    'Measures how W1 and the memory of the service grow with the rows of a dataset. What is published stays for later runs, so a run that was stopped goes on.',
  )
  .helpOption('-h, --help', 'show help')
  .showHelpAfterError('Run it with --help to see how it is used.')
  .showSuggestionAfterError(true)
  .allowExcessArguments(false)
  .exitOverride()
  .addOption(
    new Option('--rows <counts>', 'rows of visits of each dataset, separated by commas')
      .argParser(readRows)
      .default([2_400_000, 24_000_000, 240_000_000], '2400000,24000000,240000000'),
  )
  .option('--seed <number>', 'seed of all random numbers', readCount(1, 2 ** 31 - 1), 1)
  .option('--rounds <count>', 'rounds of each size, in turn', readCount(1, 1000), 5)
  .option('--seconds <count>', 'length of a round', readCount(1, 3600), 5)
  .option('--concurrency <count>', 'requests in flight', readCount(1, 1000), 8)
  .option('--data <folder>', 'where datasets and versions stay for later runs', toPath, DATA_FOLDER)
  .option('--fresh', 'make the datasets, and publish them, again')
  .option('--out <file>', 'file of results (default: a new one in bench/results)', RESULTS_FOLDER)
  .action(measure);

function toPath(path: string): string {
  return resolve(path);
}

await runCommand(program);
