import type { Caller } from '@locmetrics/core/domain/caller';
import { wholeGrant } from '@locmetrics/core/domain/grant';
import { createRights } from '@locmetrics/core/domain/rights';
import { DEFAULT_SCOPES } from '@locmetrics/core/domain/scope';

/** A caller whose organisation is granted everything. */
export function createCaller({
  organisationId,
  tokenId,
}: Pick<Caller, 'organisationId' | 'tokenId'>): Caller {
  const rights = createRights({ organisationId, grants: [wholeGrant('everything', '*')] });
  return { organisationId, tokenId, scopes: DEFAULT_SCOPES, rights };
}
