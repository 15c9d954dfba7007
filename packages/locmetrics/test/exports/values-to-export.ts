import type { ExportedRequest } from '@locmetrics/core/requests/export-job';

/** The request of an export of all values of a metric, as it is stored. */
export const VALUES_TO_EXPORT: ExportedRequest = {
  kind: 'values',
  ...{ catalogId: 'shop', metricId: 'visits', billingContext: 'acme', asOf: 'v3' },
  madeOf: [
    { dataset: 'shop.visits', version: 'v2' },
    { dataset: 'shop.stores', version: 'v1' },
  ],
  trackTotalHits: false,
  ...{ featureFilter: [], observationPeriodFilter: {}, addressComponentFilter: [] },
  ...{ dimensionFilter: [], valueFilter: [] },
  ...{ relatedFeatureFilter: [], relatedAddressComponentFilter: [] },
  ...{ invertSortOrder: false, bestEffortQueryWhenNotAllowed: false },
  ...{ pageSize: 0, pageToken: '', countOnly: false },
  ...{ addressComponentWhitelist: [], skipGeo: false },
};
