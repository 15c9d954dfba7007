import type { FollowOptions } from '@locmetrics/data-directory/sqlite/followed-file';
import { openSqliteUsage } from '@locmetrics/server/metering/open-sqlite-usage';
import type { UsagePlace } from '@locmetrics/server/metering/usage-files';
import type { UsageStore } from '@locmetrics/server/metering/usage-store';

/** After an outage there are many segments, and one alone waits for PostgreSQL for most of its time. */
const PARALLEL_SEGMENTS = 3;

/**
 * Opens the usage store of a data directory. Any number of processes may have it open. Calls block the thread while
 * they read segments or use the file, so a serving process opens it in a thread of its own.
 */
export async function openUsageStore(
  place: UsagePlace,
  options: FollowOptions = {},
): Promise<UsageStore> {
  if (place.postgres !== undefined) {
    // In a service, the primary merges; a worker only what is new before it reads.
    const parallel = options.use === 'service' ? 1 : PARALLEL_SEGMENTS;
    const { openPostgresUsage } = await import('@locmetrics/cluster/usage/open-postgres-usage');
    return openPostgresUsage(place, { url: place.postgres, parallel });
  }
  return openSqliteUsage(place, options);
}
