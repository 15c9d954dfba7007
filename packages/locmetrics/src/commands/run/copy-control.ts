import type { CopiedCounts } from '@locmetrics/cluster/control/copy-store';
import type { Postgres } from '@locmetrics/cluster/postgres/open-postgres';
import type { UsageCounts } from '@locmetrics/cluster/usage/copied-tables';
import { DataDirectoryError } from '@locmetrics/data-directory/files/data-directory-error';
import type { DataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { findServing } from '@locmetrics/data-directory/versions/serving-lock';
import type { Run, Texts } from '../../cli/define-command.ts';
import { formatTable, jsonLine } from '../../cli/output.ts';
import { findDataDirectory, makeDataDirectory, openDirectory } from '../../compose/open-data.ts';
import { ConfigError } from '../../config/config-error.ts';
import { postgresUrlOrFile } from '../../config/setting-types.ts';

/** A part of what nodes share: its copy into an empty database, and back into a data directory. */
type CopiedPart = {
  readonly copyTo: (directory: DataDirectory, shared: SharedPlace) => Promise<CopiedCounts>;
  readonly copyFrom: (shared: SharedPlace, directory: DataDirectory) => Promise<CopiedCounts>;
};

type SharedPlace = { readonly postgres: Postgres; readonly url: string };

const CONTROL_STORE: CopiedPart = {
  copyTo: async ({ control }, { postgres }) =>
    (await import('@locmetrics/cluster/control/copy-store')).copyToPostgres(control, postgres),
  copyFrom: async ({ postgres }, { control }) =>
    (await import('@locmetrics/cluster/control/copy-store')).copyFromPostgres(postgres, control),
};

const USAGE: CopiedPart = {
  copyTo: async ({ usage }, { url }) => {
    const [{ copyUsage }, { openUsageStore }] = await Promise.all([
      import('@locmetrics/cluster/usage/copy-usage'),
      import('../../compose/open-usage-store.ts'),
    ]);
    // Usage that is not merged yet would stay behind.
    const store = await openUsageStore(usage);
    try {
      await store.merge();
    } finally {
      await store.close();
    }
    return usageCounts(await copyUsage(usage, { ...usage, postgres: url }));
  },
  copyFrom: async ({ url }, { usage }) => {
    const { copyUsage } = await import('@locmetrics/cluster/usage/copy-usage');
    return usageCounts(await copyUsage({ ...usage, postgres: url }, usage));
  },
};

function usageCounts({ records, sums, segments }: UsageCounts): CopiedCounts {
  return { usage_record: records, usage_sum: sums, usage_segment: segments };
}

const PARTS: readonly CopiedPart[] = [CONTROL_STORE, USAGE];

/** Copies what nodes share between a data directory and PostgreSQL. */
export const copyControlAction: Run<Texts<'to' | 'from'>> = async (
  output,
  { settings, to, from, json },
) => {
  const direction = readDirection(to, from);
  const options = { settings, output };
  const { directory } = direction.isTo ? openDirectory(options) : findDataDirectory(options);
  makeDataDirectory(directory);
  expectNoService(directory);
  const { openPostgres } = await import('@locmetrics/cluster/postgres/open-postgres');
  const postgres = openPostgres(direction.url);
  const shared = { postgres, url: direction.url };
  const counts: Record<string, number> = {};
  try {
    for (const { copyTo, copyFrom } of PARTS) {
      const copied = await (direction.isTo
        ? copyTo(directory, shared)
        : copyFrom(shared, directory));
      Object.assign(counts, copied);
    }
  } finally {
    await postgres.close();
  }
  if (json) {
    output.data(jsonLine({ copied: counts }));
    return;
  }
  const rows = Object.entries(counts).map(([name, count]) => [name, String(count)]);
  output.data(formatTable(['TABLE', 'ROWS'], rows));
  output.messages(
    direction.isTo
      ? `All rows are in PostgreSQL at ${postgres.address}. Give its URL with --control from now on. Nothing was removed from ${directory.root}.\n`
      : `All rows are in ${directory.root}, which now has its own control store and usage. PostgreSQL at ${postgres.address} is unchanged.\n`,
  );
};

function readDirection(
  to: string | undefined,
  from: string | undefined,
): { readonly isTo: boolean; readonly url: string } {
  const given = to ?? from;
  if (given === undefined) {
    throw new ConfigError(
      'Neither --to nor --from is given.',
      'Name the database: --to URL copies into it, --from URL copies from it.',
    );
  }
  const flag = to === undefined ? '--from' : '--to';
  const parsed = postgresUrlOrFile.parse(given);
  if ('value' in parsed && parsed.value !== undefined) {
    return { isTo: to !== undefined, url: parsed.value };
  }
  const problem = 'problem' in parsed ? parsed.problem : 'is not a URL';
  throw new ConfigError(`${flag}: the value ${problem}.`, `Write ${postgresUrlOrFile.expected}.`);
}

/** Its changes after the copy would be lost. */
function expectNoService(directory: DataDirectory): void {
  if (findServing(directory) === undefined) return;
  throw new DataDirectoryError(
    `A service runs on ${directory.root}.`,
    'Stop it first, so that nothing changes during the copy and after it.',
  );
}
