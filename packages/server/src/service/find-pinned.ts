import { isCalendarDate } from '../domain/calendar-date.ts';
import type { PageToken } from '../domain/page-token.ts';
import { ServiceError } from '../domain/service-error.ts';
import { isVersionName } from '../domain/version-name.ts';
import { pageTokenExpired } from '../plan/plan-page.ts';
import type { Catalog, CatalogSnapshot } from '../versions/open-catalog.ts';
import { VERSION_GONE } from './page-steps.ts';

type Versioned = { readonly version: string };

/**
 * Finds the source of a page that combines several versions; `find` looks it up in one snapshot of the
 * catalog. The source must exist now. A later page uses the source as it was on the first page.
 */
export function findPinned<Found extends Versioned>(
  catalog: Catalog,
  token: PageToken | undefined,
  find: (snapshot: CatalogSnapshot) => Found,
): Found {
  const current = find(catalog.snapshot());
  if (token === undefined || current.version === token.version) return current;
  const began = findVersion(catalog, token.version, find);
  if (began !== undefined) return began;
  throw pageTokenExpired(VERSION_GONE);
}

/**
 * Finds the source as it was at the end of a day, or by the version of an earlier answer. The source must
 * exist now too: a metric or layer that was removed cannot be queried by an earlier version.
 */
export function findAsOf<Found extends Versioned>(
  catalog: Catalog,
  asOf: string,
  find: (snapshot: CatalogSnapshot) => Found,
): Found {
  find(catalog.snapshot());
  checkAsOf(asOf);
  const found = isCalendarDate(asOf)
    ? tryFind(catalog.snapshotOn(asOf), find)
    : findVersion(catalog, asOf, find);
  if (found !== undefined) return found;
  throw ServiceError.atPointer(
    'VERSION_NOT_FOUND',
    '/asOf',
    `No version is kept for '${asOf}'.`,
    'Leave asOf out to read the current version.',
  );
}

/** Refuses a text that is neither a date nor the name of a version. */
export function checkAsOf(asOf: string): void {
  if (isCalendarDate(asOf) || isVersionName(asOf)) return;
  throw ServiceError.atPointer(
    'INVALID_AS_OF',
    '/asOf',
    `'${asOf.slice(0, 100)}' is neither a date nor the name of a version.`,
    'Send a date YYYY-MM-DD, or the version of an earlier answer.',
  );
}

function findVersion<Found extends Versioned>(
  catalog: Catalog,
  version: string,
  find: (snapshot: CatalogSnapshot) => Found,
): Found | undefined {
  for (const snapshot of catalog.snapshots()) {
    const found = tryFind(snapshot, find);
    if (found?.version === version) return found;
  }
  return undefined;
}

/** An earlier snapshot may lack the source; then the result is undefined. */
function tryFind<Found>(
  snapshot: CatalogSnapshot,
  find: (snapshot: CatalogSnapshot) => Found,
): Found | undefined {
  try {
    return find(snapshot);
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
