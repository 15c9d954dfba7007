import type { Caller } from '../../src/domain/caller.ts';
import { wholeGrant } from '../../src/domain/grant.ts';
import { createRights } from '../../src/domain/rights.ts';
import { DEFAULT_SCOPES } from '../../src/domain/scope.ts';

/** A caller whose organisation is granted everything. */
export function createCaller({
  organisationId,
  tokenId,
}: Pick<Caller, 'organisationId' | 'tokenId'>): Caller {
  const rights = createRights({ organisationId, grants: [wholeGrant('everything', '*')] });
  return { organisationId, tokenId, scopes: DEFAULT_SCOPES, rights };
}
