import { isCalendarDate } from '@locmetrics/core/dates/calendar-date';
import type { DatasetVersion, MetricVersion } from '@locmetrics/core/domain/version';
import { isVersionName } from '@locmetrics/core/domain/version-name';
import { nearestName } from '@locmetrics/core/errors/nearest-name';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { pageTokenExpired } from '@locmetrics/core/plan/plan-page';
import type { PageToken } from '@locmetrics/core/requests/page-token';
import { partsOf } from '@locmetrics/data-directory/versions/list-metric-versions';
import type { Catalog, CatalogSnapshot } from '@locmetrics/data-directory/versions/open-catalog';
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
    const first = catalog.version(current.dataset.name, token.version);
    if (first !== undefined) return first;
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
    : (catalog.version(datasetName, asOf) ?? findPartOf(catalog, datasetName, asOf));
  if (version !== undefined) return version;
  throw ServiceError.atPointer(
    'VERSION_NOT_FOUND',
    '/asOf',
    `No version of ${datasetName} is kept for '${asOf}'.`,
    'Leave asOf out to read the current version.',
  );
}

/** The version of a dataset that a version of a metric is made of. The catalog has only metrics that the caller may see. */
function findPartOf(
  catalog: Catalog,
  datasetName: string,
  metricVersion: string,
): DatasetVersion | undefined {
  for (const { metrics } of catalog.snapshots()) {
    for (const metric of metrics.values()) {
      if (metric.version !== metricVersion) continue;
      const part = partsOf(metric).find(({ dataset }) => dataset === datasetName);
      if (part !== undefined) return catalog.version(datasetName, part.version);
    }
  }
  return undefined;
}

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
  const first = findVersion(catalog, token.version, find);
  if (first !== undefined) return first;
  throw pageTokenExpired(VERSION_GONE);
}

/**
 * Finds the metric as it was at the end of a day, by the version of an earlier answer, or when a version of one of its
 * datasets was current: then the latest such state. The metric must exist now too: one that was removed cannot be
 * queried by an earlier version.
 */
export function findMetricAsOf(
  catalog: Catalog,
  asOf: string,
  find: (snapshot: CatalogSnapshot) => MetricVersion,
): MetricVersion {
  find(catalog.snapshot());
  checkAsOf(asOf);
  const found = isCalendarDate(asOf)
    ? tryFind(catalog.snapshotOn(asOf), find)
    : (findVersion(catalog, asOf, find) ??
      findState(catalog, find, (metric) => partsOf(metric).some((part) => part.version === asOf)));
  if (found !== undefined) return found;
  throw ServiceError.atPointer(
    'VERSION_NOT_FOUND',
    '/asOf',
    `No version is kept for '${asOf}'.`,
    'Leave asOf out to read the current version.',
  );
}

/** Refuses a text that is neither a date nor the name of a version. */
function checkAsOf(asOf: string): void {
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
  return findState(catalog, find, (found) => found.version === version);
}

/** The source in the newest state in which it fits. */
function findState<Found>(
  catalog: Catalog,
  find: (snapshot: CatalogSnapshot) => Found,
  fits: (found: Found) => boolean,
): Found | undefined {
  for (const snapshot of catalog.snapshots()) {
    const found = tryFind(snapshot, find);
    if (found !== undefined && fits(found)) return found;
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
