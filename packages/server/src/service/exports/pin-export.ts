import type { LineFormat } from '@locmetrics/core/domain/line-format';
import type { AskedExport, ExportedRequest, ExportJob } from '@locmetrics/core/requests/export-job';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import { countRecords } from '../count-records.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import {
  countMetricValues,
  openMetricValuesStream,
  pinMetricValuesStream,
} from '../streams/stream-metric-values.ts';
import {
  openRecordsStream,
  pinRecordsStream,
  type TableStream,
} from '../streams/stream-records.ts';

/** The rows of an export, before their queries. */
export type PinnedExport = {
  /** With its version. */
  readonly request: ExportedRequest;
  /** Counts the rows, without a limit. */
  readonly count: (signal: StopSignal) => Promise<number> | number;
  /** Opens the rows; more than the limit of the export may come. */
  readonly open: (call: Call) => Promise<TableStream>;
};

type Pinning = Pick<Call, 'caller'> & Pick<ExportJob, 'format' | 'limit'>;

/** The rows that an export writes for a caller. Refused: what a stream of them refuses. */
export function pinExport(
  context: ServiceContext,
  request: AskedExport,
  pinning: Pinning,
): PinnedExport {
  return request.kind === 'records'
    ? pinRecords(context, request, pinning)
    : pinValues(context, request, pinning);
}

function pinRecords(
  context: ServiceContext,
  request: Extract<AskedExport, { readonly kind: 'records' }>,
  { caller, format, limit }: Pinning,
): PinnedExport {
  const pinned = pinRecordsStream(context, request, { caller, asGeojson: format === 'geojson' });
  const { plan } = pinned;
  const rowsMax = limit === 0 ? undefined : limit;
  // The engine writes lines of whole pieces, which a limit may cut.
  const lines = limit === 0 ? LINES.find((one) => one === format) : undefined;
  return {
    request: { ...request, asOf: plan.version.version },
    count: (signal) => countRecords(context.engine, plan, signal),
    open: (call) => openRecordsStream(context, pinned, { ...call, lines, rowsMax }),
  };
}

/** The formats of which the engine writes lines. */
const LINES: readonly LineFormat[] = ['csv', 'ndjson'];

function pinValues(
  context: ServiceContext,
  request: Extract<AskedExport, { readonly kind: 'values' }>,
  { caller }: Pinning,
): PinnedExport {
  const pinned = pinMetricValuesStream(context, request, { caller });
  const { version } = pinned.selection;
  return {
    request: { ...request, asOf: version.version, madeOf: pinned.madeOf },
    count: (signal) => countMetricValues(context, pinned, signal),
    open: (call) => openMetricValuesStream(context, pinned, call),
  };
}
