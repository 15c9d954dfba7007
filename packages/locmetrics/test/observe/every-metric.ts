import type { Metric } from '@locmetrics/core/domain/metric';
import type { DatasetVersion } from '@locmetrics/core/domain/version';
import type { Observation } from '@locmetrics/server/observe/observation';
import type { MetricSources } from '@locmetrics/server/observe/open-metrics';

/** Observations that together affect every counted metric. */
export const EVERY_OBSERVATION: readonly Observation[] = [
  { kind: 'request_began', protocol: 'http', method: 'POST' },
  {
    kind: 'request_completed',
    requestId: '1',
    method: 'POST',
    route: '/v3/catalog/listRecords',
    status: 200,
    durationMs: 4,
    rows: 3,
    bytes: 1000,
  },
  { kind: 'request_began', protocol: 'grpc', method: 'POST' },
  {
    kind: 'request_completed',
    requestId: '2',
    method: 'POST',
    route: '/unacast.catalog.v3.CatalogQuery/ListRecords',
    status: 'UNAVAILABLE',
    durationMs: 4,
  },
  {
    kind: 'request_refused',
    requestId: '3',
    code: 'UNAUTHENTICATED',
    reason: 'TOKEN_INVALID',
    tokenRefusal: 'expired',
  },
  { kind: 'request_failed', requestId: '4', error: new Error('The disk is full.') },
  {
    kind: 'query_completed',
    plan: 'records',
    dataset: 'shop.stores',
    outcome: 'answered',
    durationMs: 3,
    rows: 3,
  },
  { kind: 'worker_started', worker: 1, pid: 41 },
  { kind: 'worker_exited', worker: 1, pid: 41, cause: 'SIGKILL' },
  { kind: 'worker_unanswered', worker: 2 },
  { kind: 'connections_refused', connections: 3 },
  { kind: 'connections_displaced', connections: 3 },
  { kind: 'usage_recorded', records: 3 },
  { kind: 'usage_write_failed', error: new Error('The disk is full.') },
  { kind: 'control_away', error: new Error('It cannot be reached.') },
  { kind: 'usage_merge_failed', error: new Error('The disk is full.') },
  { kind: 'webhook_told', switch: 1 },
  {
    kind: 'export_ended',
    exportId: 'x',
    organisationId: 'acme',
    outcome: 'completed',
    rows: 1,
    bytes: 1,
    durationMs: 1,
  },
  { kind: 'log_lines_dropped', lines: 1 },
  { kind: 'trace_export_failed', error: new Error('The collector is down.') },
];

const METRIC: Metric = {
  catalogId: 'shop',
  metricId: 'visits',
  displayName: '',
  description: '',
  cadence: 'monthly',
  layerId: 'stores',
  featureId: 'id',
  period: { start: { field: 'from' }, end: { field: 'to' } },
  measures: [],
  dimensions: [],
  defaultFilters: [],
  flags: [],
  lifecycleStage: 'stable',
  releaseNotes: '',
};

/** Sources of all metrics that are read at each snapshot. */
export function everySource(): MetricSources {
  const version: DatasetVersion = {
    dataset: {
      name: 'shop.stores',
      productDisplayName: '',
      productDescription: '',
      displayName: '',
      description: '',
      fields: [],
      key: [],
    },
    layers: [],
    metrics: [METRIC],
    lastObservationDate: '2024-01-31',
    version: '20240101T000000Z-0123456789ab',
    publishedTime: '2024-01-01T00:00:00.000Z',
    rowCount: 4,
  };
  return {
    readEngine: async () => ({ memoryBytes: 1000, memoryLimitBytes: 2000, temporaryBytes: 0 }),
    queues: { answers: () => ({ running: 1, waiting: 2 }) },
    currentVersions: () => [version],
    rowFilesMissing: () => 0,
    disk: () => ({ freeBytes: 600, sizeBytes: 1000 }),
    isReady: () => true,
    usageMergeLagMs: () => 400,
    controlLagMs: () => 400,
    damagedRights: () => 0,
    exports: async () => ({ waiting: 1, running: 0, completed: 0, failed: 0 }),
    workersRunning: () => 2,
    certificateExpiry: { grpc: () => Date.parse('2030-01-01T00:00:00Z') },
  };
}
