import { metricName } from '@locmetrics/core/domain/metric';
import { licencesOfMetric } from '@locmetrics/core/domain/metric-licences';
import type { MetricValues } from '@locmetrics/core/domain/metric-value';
import { mergeMetricRequest } from '@locmetrics/core/plan/merge-filters';
import {
  type MetricSelection,
  planMetricValues,
  selectMetricValues,
} from '@locmetrics/core/plan/plan-metric-values';
import type { RecordsPlan } from '@locmetrics/core/plan/read-plan';
import type { SearchMetricValuesRequest } from '@locmetrics/core/requests/metric-request';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import { type MetricPart, partsOf } from '@locmetrics/data-directory/versions/list-metric-versions';
import { checkBillingContext } from '../../auth/billing-context.ts';
import { inSpan } from '../../observe/request-scope.ts';
import { countRecords } from '../count-records.ts';
import { checkValuesRequest, pinMetric } from '../metrics/search-metric-values.ts';
import { toMetricValues } from '../metrics/to-metric-values.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import { metricValuesColumns, visitMetricValues } from './metric-values-table.ts';
import { cutPieces, inSlot, readStream } from './read-stream.ts';
import type { TableStream } from './stream-records.ts';
import { STREAM_SIZES, type StreamSizes } from './stream-sizes.ts';

/** A stream before its queries. An edge may find that the caller already has it. */
export type PinnedMetricValuesStream = {
  readonly selection: MetricSelection;
  /** The versions of datasets that its version is made of. */
  readonly madeOf: readonly MetricPart[];
  /** Values that change whenever the answer does. */
  readonly answerParts: readonly unknown[];
};

/**
 * The version of a stream of metric values. Refused: no billing context or a foreign one, an unknown catalog, metric or
 * version, a filter outside the grant, an unknown name, a wrong value.
 */
export function pinMetricValuesStream(
  { catalogFor }: Pick<ServiceContext, 'catalogFor'>,
  sent: SearchMetricValuesRequest,
  { caller }: Pick<Call, 'caller'>,
): PinnedMetricValuesStream {
  checkValuesRequest(sent);
  const request = mergeMetricRequest(sent);
  checkBillingContext(caller, sent.billingContext);
  const version = pinMetric(catalogFor(caller), request, undefined);
  const selection = selectMetricValues(request, version);
  // Only the engine knows whether the version is whole, and `isWhole` never causes a refusal.
  planMetricValues(selection, { token: undefined, isWhole: false });
  return {
    selection,
    madeOf: partsOf(version),
    answerParts: [version.version, caller.rights.fingerprint, sent],
  };
}

/** The number of values of a stream. */
export async function countMetricValues(
  context: Pick<ServiceContext, 'engine' | 'extents'>,
  { selection }: PinnedMetricValuesStream,
  signal: StopSignal,
): Promise<number> {
  return countRecords(context.engine, await planAll(context, selection), signal);
}

/** All values of a request as a table, in pieces: see `readStream`. */
export async function openMetricValuesStream(
  context: ServiceContext,
  { selection }: PinnedMetricValuesStream,
  { sizes = STREAM_SIZES, ...call }: Call & { readonly sizes?: StreamSizes | undefined },
): Promise<TableStream> {
  const { engine } = context;
  const { request, version, shown } = selection;
  const columns = metricValuesColumns(version, shown);
  const { plan, totalSize } = await inSlot({ context, call }, sizes.firstPage, async (signal) => {
    const planned = await planAll(context, selection);
    const isCounted = request.trackTotalHits !== false;
    return {
      plan: planned,
      totalSize: isCounted ? await countRecords(engine, planned, signal) : undefined,
    };
  });
  const pieces = await readStream({
    ...{ context, call, plan, sizes },
    toPieces: async (found, signal) => {
      const page = { version: shown, found, named: undefined };
      const values = await toMetricValues(engine, page, signal);
      const visit = visitMetricValues(columns, values);
      return {
        pieces: cutPieces({ size: found.size, visit }, sizes.piece),
        bytes: bytesOfFeatures(values),
      };
    },
  });
  const metadata = {
    source: { metric: metricName(version.metric) },
    version: version.version,
    licences: licencesOfMetric(version),
  };
  return { columns, metadata, totalSize, pieces };
}

/** The plan of all values of a stream, without the checks that its version makes unnecessary. */
async function planAll(
  { extents }: Pick<ServiceContext, 'extents'>,
  selection: MetricSelection,
): Promise<RecordsPlan> {
  const { isWhole = false } = (await extents.soon(selection.version)) ?? {};
  return inSpan('plan', () => planMetricValues(selection, { token: undefined, isWhole }));
}

/** About the memory of a feature and of each of its components, without the characters of texts. */
const FEATURE_BYTES = 200;
const COMPONENT_BYTES = 100;

/** About the memory of the features of some values. */
function bytesOfFeatures({ features, relatedFeatures = [] }: MetricValues): number {
  let bytes = 0;
  for (const { name, addressComponents } of new Set([...features, ...relatedFeatures])) {
    bytes += FEATURE_BYTES + name.length;
    for (const { value, shortName, displayName } of addressComponents) {
      bytes += COMPONENT_BYTES + value.length + shortName.length + displayName.length;
    }
  }
  return bytes;
}
