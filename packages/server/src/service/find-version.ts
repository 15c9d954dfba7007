import { isCalendarDate } from '../domain/calendar-date.ts';
import { nearestName } from '../domain/nearest-name.ts';
import type { PageToken } from '../domain/page-token.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { DatasetVersion } from '../domain/version.ts';
import { pageTokenExpired } from '../plan/plan-page.ts';
import type { Catalog, CatalogSnapshot } from '../versions/open-catalog.ts';
import { checkAsOf } from './find-pinned.ts';
import { VERSION_GONE } from './page-steps.ts';

/** The current version of a dataset; a dataset that the caller may not see is refused as unknown. */
export function findCurrentVersion(name: string, snapshot: CatalogSnapshot): DatasetVersion {
  const version = snapshot.datasets.get(name);
  if (version !== undefined) return version;
  const nearest = nearestName(name, [...snapshot.datasets.keys()]);
  throw ServiceError.atPointer(
    'DATA_REFERENCE_NOT_FOUND',
    '/dataReferenceName',
    name === ''
      ? 'The name of the data reference is missing.'
      : `There is no data reference '${name.slice(0, 200)}'.`,
    nearest === undefined
      ? 'listDataReferences lists those you may see.'
      : `Did you mean '${nearest}'?`,
  );
}

/** The version of a page: the one of the page token, else of `asOf`, else the current one. */
export function findPageVersion(
  catalog: Catalog,
  request: { readonly dataReferenceName: string; readonly asOf: string },
  token: PageToken | undefined,
): DatasetVersion {
  const current = findCurrentVersion(request.dataReferenceName, catalog.snapshot());
  if (token !== undefined) {
    const began = catalog.version(current.dataset.name, token.version);
    if (began !== undefined) return began;
    throw pageTokenExpired(VERSION_GONE);
  }
  return request.asOf === ''
    ? current
    : findVersionAsOf(catalog, current.dataset.name, request.asOf);
}

function findVersionAsOf(catalog: Catalog, datasetName: string, asOf: string): DatasetVersion {
  checkAsOf(asOf);
  const version = isCalendarDate(asOf)
    ? catalog.versionOn(datasetName, asOf)
    : catalog.version(datasetName, asOf);
  if (version !== undefined) return version;
  throw ServiceError.atPointer(
    'VERSION_NOT_FOUND',
    '/asOf',
    `No version of ${datasetName} is kept for '${asOf}'.`,
    'Leave asOf out to read the current version.',
  );
}
