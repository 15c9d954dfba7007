import { createHash } from 'node:crypto';
import type { Grant } from './grant.ts';

/** The usage limits of an organisation; an undefined member means no limit. */
export type OrganisationLimits = {
  /** Average requests per second, above 0; `burst` limits the peaks. */
  readonly requestsPerSecond?: number;
  /** Requests at once, from 1. */
  readonly burst?: number;
  /** Rows of answers in a calendar day and month, UTC. */
  readonly rowsPerDay?: number;
  readonly rowsPerMonth?: number;
  /** Requests that are answered at the same time, from 1. */
  readonly concurrentQueries?: number;
  /** Rows that it may look at in a day besides its limits of rows; absent: as the settings say. */
  readonly viewedRowsPerDay?: number;
};

/**
 * The current grants and limits of an organisation. The object stays the same while the rights are the same,
 * so that derived data can be cached by it.
 */
export type Rights = {
  /** The grants that are valid now. */
  readonly grants: readonly Grant[];
  readonly limits: OrganisationLimits;
  /**
   * A text that changes exactly when the visible data changes. Page tokens are bound to it, so that later
   * pages always use the same rights as the first one.
   */
  readonly fingerprint: string;
};

export function createRights({
  organisationId,
  grants,
  limits = {},
}: {
  readonly organisationId: string;
  readonly grants: readonly Grant[];
  readonly limits?: OrganisationLimits;
}): Rights {
  const parts = [organisationId, grants.map(grantParts).sort()];
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
  return { grants, limits, fingerprint: digest.slice(0, FINGERPRINT_LENGTH) };
}

/** 132 bits. */
const FINGERPRINT_LENGTH = 22;

/** The part of a grant that decides which data are visible, without its days and its id. */
function grantParts(grant: Grant): string {
  const { pattern, filters, lens, fields, showsSmallCells, liftsDefaultFilters } = grant;
  const parts = [pattern, filters, lens, fields ?? null, showsSmallCells, liftsDefaultFilters];
  return JSON.stringify(parts);
}
