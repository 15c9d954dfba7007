import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { DownloadMetricRequest, ExportView } from '@locmetrics/core/requests/export-job';
import type {
  MetricRequest,
  SearchMetricValuesRequest,
} from '@locmetrics/core/requests/metric-request';
import { exportsOf } from '../../exports/export-context.ts';
import type { ExportSettings } from '../../exports/export-settings.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import { checkFilenamePrefix } from './check-filename-prefix.ts';
import { createExport } from './create-export.ts';
import { waitForExport } from './wait-for-export.ts';

/**
 * Creates an export of all values of a metric as CSV, and waits for it. Refused: what `createExport` and `waitForExport`
 * refuse, a name of files or a number of hours that is not valid.
 */
export async function downloadMetric(
  context: ServiceContext,
  { fileName, expiryInHours, ...metric }: DownloadMetricRequest,
  call: Call,
): Promise<ExportView> {
  const { settings } = exportsOf(context.exports);
  checkFilenamePrefix(fileName, '/fileName');
  const keepMs = readKeepMs(expiryInHours, settings);
  const written = { format: 'csv', filenamePrefix: fileName, limit: 0, keepMs } as const;
  const request = { kind: 'values', ...allValuesOf(metric) } as const;
  const created = await createExport(context, { ...written, request }, call);
  return waitForExport(context, { created, forLarge: 'read the stream values.csv' }, call);
}

/** How long the files are kept; undefined: as long as the service keeps files, which is also the longest time. */
function readKeepMs(hours: number, { keepMs }: Pick<ExportSettings, 'keepMs'>): number | undefined {
  if (hours >= 0) return hours === 0 ? undefined : Math.min(hours * HOUR_MS, keepMs);
  throw ServiceError.atPointer(
    'INVALID_EXPORT',
    '/expiryInHours',
    `expiryInHours is ${hours}.`,
    'Send how many hours to keep the files, or leave it out.',
  );
}

const HOUR_MS = 3_600_000;

/** The request of a stream without filters. */
function allValuesOf({
  catalogId,
  metricId,
  billingContext,
}: MetricRequest): SearchMetricValuesRequest {
  return {
    ...{ catalogId, metricId, billingContext },
    trackTotalHits: false,
    featureFilter: [],
    observationPeriodFilter: {},
    addressComponentFilter: [],
    dimensionFilter: [],
    relatedFeatureFilter: [],
    relatedAddressComponentFilter: [],
    valueFilter: [],
    invertSortOrder: false,
    bestEffortQueryWhenNotAllowed: false,
    pageSize: 0,
    pageToken: '',
    asOf: '',
    countOnly: false,
    addressComponentWhitelist: [],
    skipGeo: false,
  };
}
