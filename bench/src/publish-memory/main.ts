import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError, Option } from 'commander';
import { openInterruption, runCommand } from '../command-line.ts';
import { runWatched } from './run-watched.ts';
import { MONTHS, NEXT_MONTH, type RowFormat, writeMonths } from './write-months.ts';

type Flags = {
  readonly rows: number;
  readonly format: RowFormat;
  readonly publishFlags: readonly string[];
  readonly data: string;
};

/** Publishes many rows, adds a month and replaces it. Prints the memory and time of each publish. */
async function measure({ rows, format, publishFlags, data }: Flags): Promise<void> {
  const places = Math.ceil(rows / MONTHS);
  await mkdir(data, { recursive: true });
  const work = await mkdtemp(join(data, 'memory-'));
  try {
    const manifest = await writeMonths(work, { places, format });
    const publish = async (what: string, read: number, flags: readonly string[]) => {
      const command = [LOCMETRICS, 'publish', manifest, '--data', join(work, 'data')];
      const { seconds, peakBytes } = await runWatched(
        process.execPath,
        [...command, ...flags, ...publishFlags],
        signal,
      );
      process.stdout.write(
        `${what}: ${read.toLocaleString('en-US')} rows of ${format} in ${seconds.toFixed(1)} s, ${Math.round(read / seconds).toLocaleString('en-US')} rows/s, ${(peakBytes / 2 ** 30).toFixed(2)} GiB resident at most\n`,
      );
    };
    const month = ['--files', join(work, 'next')];
    await publish('publish', places * MONTHS, ['--files', join(work, 'all')]);
    await publish('publish --append', places, [...month, '--append']);
    await publish('publish --replace-period', places, [...month, '--replace-period', NEXT_MONTH]);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

const signal = openInterruption();

const LOCMETRICS = fileURLToPath(
  new URL('../../../packages/locmetrics/bin/locmetrics.js', import.meta.url),
);
const DATA_FOLDER = fileURLToPath(new URL('../../.data', import.meta.url));

function readRows(text: string): number {
  const rows = Number(text);
  if (!Number.isInteger(rows) || rows < MONTHS || rows > 10_000_000_000) {
    throw new InvalidArgumentError(`Give a number from ${MONTHS} to 10,000,000,000.`);
  }
  return rows;
}

const program = new Command('npm run bench:memory --')
  .description(
    'Measures the memory of publishes: of many rows, of a month added and of one replaced.',
  )
  .helpOption('-h, --help', 'show help')
  .showHelpAfterError('Run it with --help to see how it is used.')
  .allowExcessArguments(false)
  .exitOverride()
  .option('--rows <count>', 'rows of the first publish', readRows, 100_000_000)
  .addOption(
    new Option('--format <format>', 'format of the files')
      .choices(['parquet', 'csv'])
      .default('parquet'),
  )
  .addOption(
    new Option('--publish-flags <flags>', 'added to each publish, as "--publish-memory 1GiB"')
      .argParser((text: string) => text.split(/\s+/).filter((word) => word !== ''))
      .default([], 'none'),
  )
  .option(
    '--data <folder>',
    'where files are made for the run',
    (path: string) => resolve(path),
    DATA_FOLDER,
  )
  .action(measure);
await runCommand(program);
