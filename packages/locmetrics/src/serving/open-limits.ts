import {
  type LimitAuthority,
  openLimitAuthority,
  type ReadUsedRows,
} from '@locmetrics/server/metering/open-limit-authority';
import type { Observe } from '@locmetrics/server/observe/observation';
import type { Config } from '../config/settings.ts';

/** The authority of the primary process over the limits of all workers. */
export type ServedLimits = {
  readonly authority: LimitAuthority;
  /** Returns what other nodes may use. */
  readonly close: () => Promise<void>;
};

/** Opens the authority: of this node alone, or of one that shares limits with others over PostgreSQL. */
export async function openLimits({
  config: { control },
  readUsedRows,
  observe,
}: {
  readonly config: Config;
  readonly readUsedRows: ReadUsedRows;
  readonly observe: Observe;
}): Promise<ServedLimits> {
  if (control === undefined) {
    return { authority: openLimitAuthority({ readUsedRows, observe }), close: async () => {} };
  }
  // The driver is loaded only where it is needed.
  const [{ openPostgres }, { migratePostgres }, { isAway }, { openSharedLimits }, schema] =
    await Promise.all([
      import('@locmetrics/cluster/postgres/open-postgres'),
      import('@locmetrics/cluster/postgres/postgres-schema'),
      import('@locmetrics/cluster/postgres/postgres-error'),
      import('@locmetrics/cluster/limits/open-shared-limits'),
      import('@locmetrics/cluster/limits/shared-limit-schema'),
    ]);
  const postgres = openPostgres(control, { applicationName: 'locmetrics limits' });
  try {
    await migratePostgres(postgres, [schema.SHARED_LIMIT_SCHEMA]).catch((error: unknown) => {
      // A node that starts during an outage goes on with its part, as one that runs does.
      if (!isAway(error)) throw error;
    });
    const shared = await openSharedLimits({ postgres, observe });
    return {
      authority: openLimitAuthority({ readUsedRows, observe, shared }),
      close: async () => {
        await shared.close();
        await postgres.close();
      },
    };
  } catch (error) {
    await postgres.close();
    throw error;
  }
}
