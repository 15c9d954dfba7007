import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError, Option } from 'commander';
import { readCount } from './command-line.ts';
import type { Settings } from './settings.ts';
import { WORKLOADS } from './workloads.ts';

type Flags = {
  readonly peers?: boolean;
  readonly clickhouse?: boolean;
  readonly tiny?: boolean;
  readonly only: readonly string[];
  readonly places?: number;
  readonly months?: number;
  readonly names?: number;
  readonly seed: number;
  readonly rounds?: number;
  readonly seconds: number;
  readonly concurrency: number;
  readonly serverFlags: readonly string[];
  readonly data: string;
  readonly fresh?: boolean;
  readonly out?: string;
};

/** The command line: names, flags and help texts. */
export function createProgram(run: (settings: Settings) => Promise<void>): Command {
  return new Command('npm run bench --')
    .description(
      'Measures Locmetrics from outside: makes a dataset, publishes it, serves it and sends requests.\n' +
        'npm run bench:peers also measures PostgREST over PostgreSQL, with the same data.',
    )
    .helpOption('-h, --help', 'show help')
    .showHelpAfterError('Run it with --help to see how it is used.')
    .showSuggestionAfterError(true)
    .allowExcessArguments(false)
    .exitOverride()
    .addOption(
      new Option('--only <ids>', 'workloads, separated by commas')
        .argParser(readIds)
        .default([...WORKLOADS.keys()], 'all'),
    )
    .option('--places <count>', 'places (default: 100,000)', readCount(1, 1_000_000))
    .option('--months <count>', 'months of each place (default: 24)', readCount(1, 240))
    .option(
      '--names <count>',
      'texts of the typeahead (default: 1,000,000)',
      readCount(1, 10_000_000),
    )
    .option('--seed <number>', 'seed of all random numbers', readCount(0, 2 ** 31 - 1), 1)
    .option('--rounds <count>', 'rounds of each system, in turn (default: 5)', readCount(1, 1000))
    .option('--seconds <count>', 'length of a round', readCount(1, 3600), 5)
    .option('--concurrency <count>', 'requests in flight over HTTP', readCount(1, 1000), 16)
    .addOption(
      new Option('--server-flags <flags>', 'flags for locmetrics serve, such as "--workers 2"')
        .argParser(readWords)
        .default([], 'none'),
    )
    .option('--data <folder>', 'where the dataset stays for later runs', DATA_FOLDER)
    .option('--fresh', 'make the dataset and the databases of the peers again')
    .option('--out <file>', 'file of results (default: a new one in bench/results)')
    .option('--peers', 'measure PostgREST too, as npm run bench:peers does')
    .option(
      '--clickhouse',
      'measure the service over ClickHouse too, as npm run bench:clickhouse does',
    )
    .option(
      '--tiny',
      'a run of a few seconds on 200 places that checks the benchmark and measures nothing',
    )
    .addHelpText('after', HELP)
    .action((flags: Flags) => run(toSettings(flags)));
}

const HELP = `
Workloads:
${[...WORKLOADS].map(([id, { title }]) => `  ${id.padEnd(8)} ${title}`).join('\n')}

Examples:
  npm run bench                                     all workloads, some thirty minutes
  npm run bench -- --only W1,W2 --rounds 3          two of them, shorter
  npm run bench -- --places 1000000 --months 24     more data
  npm run bench -- --server-flags "--workers 2"     another way to serve
  npm run bench:peers -- --only W4                  beside PostgREST
  npm run bench:clickhouse                          W1 to W5 from ClickHouse too

The requests of each workload, and why the comparison is fair: bench/README.md.`;

const DATA_FOLDER = fileURLToPath(new URL('../.data', import.meta.url));

/** Places with a long series: enough for requests to vary, few enough to add little to a publish. */
const LONG_PLACES = 200;

/** A tiny run has a fixed number of requests, so that it is short on any machine. */
const TINY = {
  places: 200,
  months: 3,
  longPlaces: 5,
  names: 2000,
  rounds: 1,
  requests: 40,
  calmMs: 200,
} as const;

const FIXED_COST = {
  places: 10_000,
  months: 12,
  longPlaces: 1,
  names: 1000,
  organisations: 50,
  tokensOfEach: 20,
  requests: 200_000,
} as const;
const TINY_FIXED_COST = {
  places: 20,
  months: 3,
  longPlaces: 1,
  names: 10,
  organisations: 3,
  tokensOfEach: 2,
  // Enough for a fast bare server to need more than a tick of the CPU clock.
  requests: 4000,
} as const;

function toSettings(flags: Flags): Settings {
  const { tiny = false, seed } = flags;
  const places = flags.places ?? (tiny ? TINY.places : 100_000);
  return {
    world: {
      seed,
      places,
      months: flags.months ?? (tiny ? TINY.months : 24),
      longPlaces: Math.min(places, tiny ? TINY.longPlaces : LONG_PLACES),
      names: flags.names ?? (tiny ? TINY.names : 1_000_000),
    },
    only: flags.only,
    withPeers: flags.peers ?? false,
    withClickhouse: flags.clickhouse ?? false,
    isTiny: tiny,
    rounds: flags.rounds ?? (tiny ? TINY.rounds : 5),
    roundEnd: tiny
      ? { kind: 'requests', requests: TINY.requests }
      : { kind: 'seconds', seconds: flags.seconds },
    warmUpEnd: tiny
      ? { kind: 'requests', requests: TINY.requests / 4 }
      : { kind: 'seconds', seconds: Math.min(flags.seconds, 2) },
    inFlight: flags.concurrency,
    fixedCost: tiny ? TINY_FIXED_COST : FIXED_COST,
    calmMs: tiny ? TINY.calmMs : flags.seconds * 1000,
    floorWorkers: readWorkers(flags.serverFlags),
    serverFlags: flags.serverFlags,
    dataFolder: tiny ? undefined : resolve(flags.data),
    fresh: flags.fresh ?? false,
    out: flags.out ?? (tiny ? undefined : RESULTS_FOLDER),
  };
}

const RESULTS_FOLDER = fileURLToPath(new URL('../results', import.meta.url));

function readIds(text: string): readonly string[] {
  const ids = text.split(',').map((id) => id.trim());
  const unknown = ids.find((id) => !WORKLOADS.has(id));
  if (unknown !== undefined) {
    throw new InvalidArgumentError(
      `There is no '${unknown}'; known are ${[...WORKLOADS.keys()].join(', ')}.`,
    );
  }
  return ids;
}

/** A floor has as many processes as the server: one, unless its flags set another number. */
function readWorkers(serverFlags: readonly string[]): number {
  const workers = /--workers[ =](\d+)/.exec(serverFlags.join(' '))?.[1];
  // The default of the server is one worker for each core.
  return workers === undefined ? availableParallelism() : Number(workers);
}

function readWords(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
