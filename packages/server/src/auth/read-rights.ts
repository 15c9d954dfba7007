import { createRights, type Rights } from '../domain/rights.ts';
import type { GrantOperations } from './grants.ts';

/** The rights of an organisation now, without its limits. Throws a ControlError for an unknown one. */
export function readRights(
  store: Pick<GrantOperations, 'listGrants'>,
  organisationId: string,
): Rights {
  const now = Date.now();
  const grants = store
    .listGrants({ organisationId })
    .map(({ grant }) => grant)
    .filter(({ starts = 0, ends = Number.POSITIVE_INFINITY }) => starts <= now && now < ends);
  return createRights({ organisationId, grants });
}
