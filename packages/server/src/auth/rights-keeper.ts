import type { DatabaseSync } from 'node:sqlite';
import { createRights, type Rights } from '@locmetrics/core/domain/rights';
import { keepNewest } from '@locmetrics/core/runtime/memoize';
import type { RightsCheck } from './check-rights.ts';
import { prepareGrantReading } from './grants.ts';
import { prepareLimitReading } from './limits.ts';

/** The size of the cache of rights; organisations beyond it are read with each request. */
const KEPT_MAX = 10_000;

/** The rights of an organisation, and when the next of its grants begins or ends, in ms since 1970. */
export type TimedRights = { readonly rights: Rights; readonly until: number };

/**
 * Returns the rights of an organisation at a time: the same object while its `rights_version` is the same
 * and none of its grants has begun or ended.
 *
 * All of them are checked before they are read; throws a RightsDamagedError.
 *
 * The version is read before the grants. If the grants change in between, the newer grants are cached under
 * the older version and read again with the next request.
 */
export function keepRights(
  database: DatabaseSync,
  check: Pick<RightsCheck, 'checkOrganisationRights'>,
): (organisationId: string, version: number, now: number) => TimedRights {
  const readGrants = prepareGrantReading(database);
  const readLimits = prepareLimitReading(database);
  const kept = new Map<string, KeptRights>();
  return (organisationId, version, now) => {
    const known = kept.get(organisationId);
    if (known?.version === version && now < known.until) return known;
    check.checkOrganisationRights(organisationId);
    const upcoming = readGrants(organisationId, now);
    const grants = upcoming.filter(({ starts = 0 }) => starts <= now);
    const rights = createRights({ organisationId, grants, limits: readLimits(organisationId) });
    const changes = upcoming.flatMap(({ starts = 0, ends = Number.POSITIVE_INFINITY }) => [
      starts > now ? starts : ends,
    ]);
    const made = { rights, version, until: Math.min(...changes) };
    keepNewest(kept, { key: organisationId, value: made }, KEPT_MAX);
    return made;
  };
}

type KeptRights = TimedRights & { readonly version: number };
