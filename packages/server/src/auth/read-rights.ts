import type { GrantTerms } from '../domain/grant.ts';
import { createRights, type Rights } from '../domain/rights.ts';
import type { GrantOperations } from './grants.ts';

/**
 * The rights of an organisation now, without its limits, and with one more grant if there is one, whatever its
 * days. Throws a ControlError for an unknown organisation.
 */
export function readRights(
  store: Pick<GrantOperations, 'listGrants'>,
  organisationId: string,
  added?: GrantTerms,
): Rights {
  const now = Date.now();
  const grants = store
    .listGrants({ organisationId })
    .map(({ grant }) => grant)
    .filter(({ starts = 0, ends = Number.POSITIVE_INFINITY }) => starts <= now && now < ends);
  const more = added === undefined ? [] : [{ ...added, grantId: '' }];
  return createRights({ organisationId, grants: [...grants, ...more] });
}
