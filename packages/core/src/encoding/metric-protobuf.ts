import { create, toBinary } from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { catalogV1, metricV1 } from '@locmetrics/contract/grpc';
import { additivityOf } from '../domain/additivity.ts';
import { type Dataset, findField } from '../domain/dataset.ts';
import type { Cadence, Dimension, LifecycleStage, Measure, ValueKind } from '../domain/metric.ts';
import type { MetricExtent } from '../domain/metric-extent.ts';
import type { MetricVersion } from '../domain/version.ts';
import { memoize } from '../runtime/memoize.ts';
import { encodeBoundedPage, writeEach } from './bounded-page.ts';
import { toLayerMessage } from './layer-protobuf.ts';
import { toLensMessage, toPeriodMessage } from './lens-protobuf.ts';
import { frameMessage } from './message-frame.ts';

/** The description of a metric from the service. */
export type MetricDescription = {
  readonly version: MetricVersion;
  readonly extent: Omit<MetricExtent, 'isWhole'>;
};

/** The parts of a description that the caller does not want. */
export type LeftOut = { readonly [Part in (typeof PARTS)[number]]?: boolean | undefined };

/** The framed bytes of a GetMetricResponse, without the omitted parts. */
export function encodeMetricResponse(described: MetricDescription, leftOut: LeftOut) {
  // Fields of protobuf that follow each other are one message.
  const parts = [metricField(encodeMetric(described, leftOut))];
  if (!leftOut.observationPeriod) parts.push(periodField(described.extent));
  return { framed: frameMessage(Buffer.concat(parts)) };
}

const metricField = memoize((metric: Uint8Array): Uint8Array => {
  const { number } = catalogV1.GetMetricResponseSchema.field.metric;
  return new BinaryWriter().tag(number, WireType.LengthDelimited).bytes(metric).finish();
});

const periodField = memoize((extent: MetricDescription['extent']): Uint8Array => {
  const period = toExtentPeriod(extent);
  const response = period === undefined ? {} : { completeObservationPeriod: period };
  return toBinary(
    catalogV1.GetMetricResponseSchema,
    create(catalogV1.GetMetricResponseSchema, response),
  );
});

/** The bytes of a metric. They follow from its version, so they are kept while that is in use. */
function encodeMetric(described: MetricDescription, leftOut: LeftOut = {}): Uint8Array {
  const encoded = encodedMetrics(described.version);
  const parts = PARTS.map((part) => (leftOut[part] ? part : '')).join();
  let bytes = encoded.get(parts);
  if (bytes === undefined) {
    bytes = toBinary(metricV1.MetricSchema, toMetricMessage(described, leftOut));
    encoded.set(parts, bytes);
  }
  return bytes;
}

/** By the parts that are left out, of which there are few combinations. */
const encodedMetrics = memoize((_version: MetricVersion) => new Map<string, Uint8Array>());

const PARTS = ['layers', 'dimensions', 'observationPeriod', 'lens'] as const;

export function toMetricMessage(
  { version, extent }: MetricDescription,
  leftOut: LeftOut,
): metricV1.Metric {
  const { metric, values, layer, relatedLayer } = version;
  const { catalogId, metricId, related } = metric;
  const lens = leftOut.lens === true ? undefined : toLensMessage(version);
  const period = leftOut.observationPeriod === true ? undefined : toExtentPeriod(extent);
  const publishedTime = [values, layer.features, ...(relatedLayer ? [relatedLayer.features] : [])]
    .map((part) => part.publishedTime)
    .sort()
    .at(-1);
  return create(metricV1.MetricSchema, {
    id: metricId,
    catalogId,
    spec: toSpec(version),
    layerId: metric.layerId,
    lifecycleStage: LIFECYCLE_STAGE_OF[metric.lifecycleStage],
    listing: metric.displayName,
    description: metric.description,
    versionSpec: { version: version.version, releaseNotes: metric.releaseNotes },
    indexUpdateTime: publishedTime ?? '',
    relatedLayerId: related?.layerId ?? '',
    dimensions:
      leftOut.dimensions === true
        ? []
        : metric.dimensions.map((dimension) => toDimension(catalogId, dimension)),
    layer: leftOut.layers === true ? undefined : toLayerMessage(catalogId, layer),
    relatedLayer:
      leftOut.layers === true || relatedLayer === undefined
        ? undefined
        : toLayerMessage(catalogId, relatedLayer),
    observationPeriod: period,
    report: period && { observationPeriod: period },
    yourLens: lens,
    version: version.version,
    publishedTime: publishedTime ?? '',
    rowCount: BigInt(extent.count),
    firstObservationDate: extent.firstDay ?? '',
    lastObservationDate: extent.lastDay ?? '',
    dataReferenceName: version.seenDatasets?.values ?? '',
    featureDataReferenceName: version.seenDatasets?.features ?? '',
  });
}

/** The framed bytes of a ListMetricsResponse, and how many of the metrics are in it. */
export function encodeMetricsMessage(page: {
  readonly metrics: readonly MetricDescription[];
  readonly nextPageToken: (sentRows: number) => string;
}) {
  const response = catalogV1.ListMetricsResponseSchema;
  return encodeBoundedPage({
    rows: writeEach(page.metrics, (described) => encodeMetric(described)),
    rowField: response.field.metrics.number,
    encodeRest: (sentRows) =>
      toBinary(response, create(response, { nextPageToken: page.nextPageToken(sentRows) })),
  });
}

/** The period from the first to the last day of the values; undefined if there are none. */
export function toExtentPeriod({
  firstDay,
  lastDay,
}: MetricDescription['extent']): metricV1.Period | undefined {
  return firstDay === null || lastDay === null
    ? undefined
    : toPeriodMessage({ start: firstDay, end: lastDay });
}

function toSpec({ metric, values: { dataset } }: MetricVersion) {
  const { related, measures, cadence } = metric;
  const [main] = measures;
  return {
    layerId: metric.layerId,
    valueKind: VALUE_KIND_OF[main?.kind ?? 'number'],
    unit: main?.unit ?? '',
    cadence: CADENCE_OF[cadence],
    processingCadence: CADENCE_OF[cadence],
    dimensions: metric.dimensions.map(({ dimensionId, defaultValue, completeness }) => ({
      dimensionId,
      defaultValue,
      dimensionCompleteness: metricV1.DimensionCompleteness[COMPLETENESS_OF[completeness]],
    })),
    values: measures.map((measure, index) => ({
      ...toValueSpec(measure, index > 0),
      additive: additiveText(measure, dataset),
    })),
    relatedLayerId: related?.layerId ?? '',
    relationType: related?.relationType ?? '',
  };
}

function toValueSpec(measure: Measure, supportingValue: boolean) {
  const { name, unit, kind, displayName, description, isNullable } = measure;
  return {
    name,
    unit,
    displayName,
    description,
    supportingValue,
    valueKind: VALUE_KIND_OF[kind],
    valueIsNullable: isNullable,
  };
}

function additiveText({ field }: Measure, dataset: Dataset): string {
  const found = findField(dataset, field);
  return (found && additivityOf(found, dataset)) ?? '';
}

function toDimension(catalogId: string, { dimensionId, displayName, description }: Dimension) {
  return { dimensionId, catalogId, name: displayName, displayName, description };
}

const VALUE_KIND_OF: Readonly<Record<ValueKind, metricV1.ValueKind>> = {
  number: metricV1.ValueKind.NUMBER,
  count: metricV1.ValueKind.COUNT,
  category: metricV1.ValueKind.CATEGORY,
};

const COMPLETENESS_OF = { strict: 'STRICT', relaxed: 'RELAXED' } as const;

const CADENCE_OF: Readonly<Record<Cadence, metricV1.Cadence>> = {
  hourly: metricV1.Cadence.HOURLY,
  daily: metricV1.Cadence.DAILY,
  weekly: metricV1.Cadence.WEEKLY,
  weekly_mon_sun: metricV1.Cadence.WEEKLY_MON_SUN,
  weekly_tue_mon: metricV1.Cadence.WEEKLY_TUE_MON,
  monthly: metricV1.Cadence.MONTHLY,
  trimonthly: metricV1.Cadence.TRIMONTHLY,
  quarterly: metricV1.Cadence.QUARTERLY,
  yearly: metricV1.Cadence.YEARLY,
  unspecified: metricV1.Cadence.UNSPECIFIED,
};

const LIFECYCLE_STAGE_OF: Readonly<Record<LifecycleStage, metricV1.LifecycleStage>> = {
  prototype: metricV1.LifecycleStage.PROTOTYPE,
  release_candidate: metricV1.LifecycleStage.RELEASE_CANDIDATE,
  stable: metricV1.LifecycleStage.STABLE,
  deprecated: metricV1.LifecycleStage.DEPRECATED,
  archived: metricV1.LifecycleStage.ARCHIVED,
  deleted: metricV1.LifecycleStage.DELETED,
};
