import type { GrantTerms } from '@locmetrics/core/domain/grant';
import { createRights, type Rights } from '@locmetrics/core/domain/rights';
import { type GrantOperations, withoutReplaced } from './grants.ts';

/**
 * The rights of an organisation now, without its limits; with one more grant if there is one, whatever its days, and
 * without the grant that is replaced. Throws a ControlError for an unknown organisation or grant.
 */
export function readRights(
  store: Pick<GrantOperations, 'listGrants'>,
  organisationId: string,
  {
    added,
    replacedGrantId,
  }: {
    readonly added?: GrantTerms | undefined;
    readonly replacedGrantId?: string | undefined;
  } = {},
): Rights {
  const now = Date.now();
  const grants = withoutReplaced(store.listGrants({ organisationId }), replacedGrantId)
    .map(({ grant }) => grant)
    .filter(({ starts = 0, ends = Number.POSITIVE_INFINITY }) => starts <= now && now < ends);
  const more = added === undefined ? [] : [{ ...added, grantId: '' }];
  return createRights({ organisationId, grants: [...grants, ...more] });
}
