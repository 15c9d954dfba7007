import type { AdminClient, AdminRequest, GrantTerms } from '@locmetrics/client/admin';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';

/** The queries of the admin views. After a change all of them are read again. */
export const ADMIN_KEY = 'admin';

export function organisationsQuery(admin: AdminClient) {
  return queryOptions({
    queryKey: [ADMIN_KEY, 'organisations'],
    queryFn: async ({ signal }) => (await admin.listOrganisations({}, { signal })).organisations,
  });
}

/** The tokens of an organisation, or of all. */
export function tokensQuery(admin: AdminClient, organisationId?: string) {
  return queryOptions({
    queryKey: [ADMIN_KEY, 'tokens', organisationId],
    queryFn: async ({ signal }) => (await admin.listTokens({ organisationId }, { signal })).tokens,
  });
}

/** The grants of an organisation, or of all. */
export function grantsQuery(admin: AdminClient, organisationId?: string) {
  return queryOptions({
    queryKey: [ADMIN_KEY, 'grants', organisationId],
    queryFn: async ({ signal }) => (await admin.listGrants({ organisationId }, { signal })).grants,
  });
}

export function organisationLimitsQuery(admin: AdminClient, organisationId: string) {
  return queryOptions({
    queryKey: [ADMIN_KEY, 'limits', organisationId],
    queryFn: ({ signal }) => admin.getLimits({ organisationId }, { signal }),
  });
}

/** The usage of an organisation since the first day of the month (UTC). */
export function organisationUsageQuery(admin: AdminClient, organisationId: string) {
  return queryOptions({
    queryKey: [ADMIN_KEY, 'usage', organisationId],
    queryFn: async ({ signal }) =>
      (await admin.readUsageOfAll({ organisationId, pageSize: 1 }, { signal })).total,
  });
}

/** The versions and the history of a dataset, or of all. */
export function versionsQuery(admin: AdminClient, dataset?: string) {
  return queryOptions({
    queryKey: [ADMIN_KEY, 'versions', dataset],
    queryFn: ({ signal }) => admin.listVersions({ dataset }, { signal }),
  });
}

export function reportQuery(admin: AdminClient, dataset: string, version: string) {
  return queryOptions({
    queryKey: [ADMIN_KEY, 'report', dataset, version],
    queryFn: ({ signal }) => admin.getReport({ dataset, version }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function comparisonQuery(admin: AdminClient, request: AdminRequest<'compareVersions'>) {
  return queryOptions({
    queryKey: [ADMIN_KEY, 'comparison', request],
    queryFn: ({ signal }) => admin.compareVersions(request, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function auditQuery(admin: AdminClient, request: AdminRequest<'listAudit'>) {
  return infiniteQueryOptions({
    queryKey: [ADMIN_KEY, 'audit', request],
    queryFn: ({ signal, pageParam }) =>
      admin.listAudit({ ...request, pageSize: 50, pageToken: pageParam }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextPageToken }) => (nextPageToken === '' ? undefined : nextPageToken),
  });
}

/** Values that a grant can name, the best matches of a text first. */
export function grantValuesQuery(admin: AdminClient, request: AdminRequest<'searchGrantValues'>) {
  return queryOptions({
    queryKey: ['grant values', request],
    queryFn: async ({ signal }) => (await admin.searchGrantValues(request, { signal })).values,
    placeholderData: keepPreviousData,
  });
}

/** The values that a grant names, with their counts. */
export function checkedValuesQuery(admin: AdminClient, grant: GrantTerms) {
  return queryOptions({
    queryKey: ['checked grant values', grant],
    queryFn: async ({ signal }) => (await admin.checkGrantValues({ grant }, { signal })).values,
    placeholderData: keepPreviousData,
  });
}

/**
 * The datasets as an organisation sees them, also with one more grant. `readAt` changes when they must be read again:
 * a preview that is read again with everything else could ask for what the change has taken away.
 */
export function previewedDatasetsQuery(
  admin: AdminClient,
  request: AdminRequest<'previewListDataReferences'>,
  readAt: number,
) {
  return queryOptions({
    queryKey: ['preview', 'datasets', request, readAt],
    queryFn: async ({ signal }) =>
      (await admin.previewListDataReferences(request, { signal })).dataReferences,
  });
}

/** The first records of a dataset as an organisation sees them. */
export function previewedRecordsQuery(
  admin: AdminClient,
  request: AdminRequest<'previewListRecords'>,
  readAt: number,
) {
  return queryOptions({
    queryKey: ['preview', 'records', request, readAt],
    queryFn: ({ signal }) => admin.previewListRecords(request, { signal }),
  });
}
