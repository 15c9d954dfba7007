import { ControlError } from '@locmetrics/core/errors/control-error';
import { followFile } from '@locmetrics/data-directory/sqlite/followed-file';
import type { UsagePlace } from '@locmetrics/server/metering/usage-files';
import {
  markMergedIntoFile,
  markMergedIntoPostgres,
} from '@locmetrics/server/metering/usage-owner';
import { USAGE_SCHEMA } from '@locmetrics/server/metering/usage-schema';
import { openPostgres } from '../postgres/open-postgres.ts';
import { migratePostgres } from '../postgres/postgres-schema.ts';
import {
  COPIED_TABLES,
  postgresTables,
  sqliteTables,
  type UsageCounts,
  type UsageTables,
} from './copied-tables.ts';
import { POSTGRES_USAGE_SCHEMA } from './postgres-usage-schema.ts';

/**
 * Copies all merged usage to another store, in one transaction: from the file of a data directory to PostgreSQL, or
 * back. The merged lengths of the segments are copied too, so that segments which are not merged yet are merged into
 * the other store, each record once; from then on they belong to it. No service may run meanwhile. Throws a
 * ControlError if the other store has any usage.
 */
export async function copyUsage(from: UsagePlace, to: UsagePlace): Promise<UsageCounts> {
  const counts = await reading(from, (source) =>
    writing(to, async (target) => {
      expectEmpty(await target.count(), to);
      for (const table of COPIED_TABLES) {
        for await (const rows of source.read(table)) await target.add(table, rows);
      }
      const [read, written] = [await source.count(), await target.count()];
      if (JSON.stringify(read) !== JSON.stringify(written)) {
        throw new Error(
          `The usage was not copied: ${JSON.stringify(read)} were read, ${JSON.stringify(written)} written.`,
        );
      }
      return written;
    }),
  );
  if (to.postgres === undefined) markMergedIntoFile(to);
  return counts;
}

function expectEmpty(counts: UsageCounts, to: UsagePlace): void {
  const found = Object.entries(counts).find(([, count]) => count > 0);
  if (found === undefined) return;
  const name = to.postgres === undefined ? to.store : 'The PostgreSQL of --control';
  throw new ControlError(
    `${name} already has usage (${found[1]} ${found[0]}): nothing was copied.`,
    'Copy the usage before the first service uses it.',
  );
}

/** Runs work on one state of a store. */
function reading<Result>(
  place: UsagePlace,
  work: (tables: UsageTables) => Promise<Result>,
): Promise<Result> {
  return inTables(place, { begin: 'BEGIN', snapshot: true }, work);
}

function writing<Result>(
  place: UsagePlace,
  work: (tables: UsageTables) => Promise<Result>,
): Promise<Result> {
  return inTables(place, { begin: 'BEGIN IMMEDIATE', snapshot: false }, work);
}

async function inTables<Result>(
  place: UsagePlace,
  { begin, snapshot }: { readonly begin: string; readonly snapshot: boolean },
  work: (tables: UsageTables) => Promise<Result>,
): Promise<Result> {
  if (place.postgres !== undefined) {
    const postgres = openPostgres(place.postgres, { applicationName: 'locmetrics copy' });
    try {
      await migratePostgres(postgres, [POSTGRES_USAGE_SCHEMA]);
      const result = await postgres.transaction(
        async (query) => {
          // It waits while the other store counts its rows.
          await query('SET LOCAL idle_in_transaction_session_timeout = 0');
          return work(postgresTables(query));
        },
        { snapshot },
      );
      if (!snapshot) markMergedIntoPostgres(place, postgres.address);
      return result;
    } finally {
      await postgres.close();
    }
  }
  const file = followFile(place.store, USAGE_SCHEMA, ({ database }) => ({
    database,
    close: () => database.close(),
  }));
  try {
    const { database } = file.use();
    database.exec(begin);
    try {
      const result = await work(sqliteTables(database));
      database.exec('COMMIT');
      return result;
    } finally {
      if (database.isTransaction) database.exec('ROLLBACK');
    }
  } finally {
    file.close();
  }
}
