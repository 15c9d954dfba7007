import type { DescField, DescMessage, Message } from '@bufbuild/protobuf';
import { mapsV1, metricV1, unatype } from '@locmetrics/contract/grpc';
import type { DateParts } from '../dates/calendar-date.ts';
import type { AddressComponentValue, Feature } from '../domain/feature.ts';
import type { AddressComponent } from '../domain/layer.ts';
import type { AppliedFilters, DimensionValue } from '../domain/metric-value.ts';
import type { LayerVersion, MetricVersion } from '../domain/version.ts';
import { expectAt } from '../errors/expect-at.ts';
import { memoize } from '../runtime/memoize.ts';
import { openTicks } from '../runtime/ticks.ts';
import { openByteWriter } from './byte-writer.ts';
import { encodeJson } from './json.ts';
import { toAddressComponentMessage, toLayerMessage } from './layer-protobuf.ts';
import {
  type LeftOut,
  type MetricDescription,
  toExtentPeriod,
  toMetricMessage,
} from './metric-protobuf.ts';
import { encodeFeature, toAppliedFilters } from './metric-values-json.ts';
import { capTotalSize, type PageMembers, type TokenAfter } from './page-members.ts';

/* The answers that describe catalogs, metrics and layers in JSON, and those of searches in them. */

export function encodeCatalogs(ids: readonly string[]): Buffer {
  return encodeJson({ catalogsList: ids.map((id) => ({ id })) });
}

export function encodeMetrics(page: {
  readonly metrics: readonly MetricDescription[];
  readonly nextPageToken: TokenAfter;
}): Promise<Buffer> {
  const { metrics, nextPageToken } = page;
  return encodeList('metricsList', metrics.length, {
    encodeAt: (index) => encodeWholeMetric(expectAt(metrics, index)),
    rest: { nextPageToken: nextPageToken(metrics.length) },
  });
}

export function encodeMetric(described: MetricDescription, leftOut: LeftOut): Buffer {
  const period = leftOut.observationPeriod === true ? undefined : periodJson(described.extent);
  return encodeJson({
    metric: metricJson(described, leftOut),
    completeObservationPeriod: period,
  });
}

/** A description follows from the version of the metric, so its text is kept while that is in use. */
function encodeWholeMetric(described: MetricDescription): string {
  const kept = wholeMetrics(described.version);
  kept.text ??= JSON.stringify(metricJson(described, {}));
  return kept.text;
}

const wholeMetrics = memoize((_version: MetricVersion): { text?: string } => ({}));

function metricJson(described: MetricDescription, leftOut: LeftOut) {
  return messageJson(metricV1.MetricSchema, toMetricMessage(described, leftOut));
}

export function encodeMetricReport(report: {
  readonly extent: MetricDescription['extent'];
  readonly appliedFilters: AppliedFilters;
}): Buffer {
  return encodeJson({
    report: { observationPeriod: periodJson(report.extent) },
    appliedFilters: toAppliedFilters(report.appliedFilters),
  });
}

function periodJson(extent: MetricDescription['extent']) {
  const period = toExtentPeriod(extent);
  return period && messageJson(metricV1.PeriodSchema, period);
}

export function encodeLayer(catalogId: string, layer: LayerVersion): Buffer {
  const message = toLayerMessage(catalogId, layer);
  return encodeJson({ layer: messageJson(mapsV1.LayerSchema, message) });
}

export function encodeAddressComponents(
  components: readonly { readonly catalogId: string; readonly component: AddressComponent }[],
): Buffer {
  return encodeJson({
    addressComponentsList: components.map(({ catalogId, component }) =>
      messageJson(mapsV1.AddressComponentSchema, toAddressComponentMessage(catalogId, component)),
    ),
  });
}

/** The members of a page that follow its rows. */
type PageEnd = Pick<PageMembers, 'totalSize' | 'nextPageToken'>;

export function encodeLayerFeatures(
  page: PageEnd & {
    readonly features: readonly Feature[];
    readonly queryScores: readonly number[];
  },
): Promise<Buffer> {
  const { features, queryScores: queryScoresList } = page;
  return encodeList('featuresList', features.length, {
    encodeAt: (index) => encodeFeature(expectAt(features, index)),
    rest: { queryScoresList, ...endOf(page, features.length) },
  });
}

export function encodeComponentValues(
  page: PageEnd & { readonly values: readonly AddressComponentValue[] },
): Promise<Buffer> {
  return encodeValues('addressComponentValuesList', page);
}

export function encodeDimensionValues(
  page: PageEnd & { readonly values: readonly DimensionValue[] },
): Promise<Buffer> {
  return encodeValues('dimensionValuesList', page);
}

function encodeValues(
  name: string,
  page: PageEnd & { readonly values: readonly (AddressComponentValue | DimensionValue)[] },
): Promise<Buffer> {
  const { values } = page;
  return encodeList(name, values.length, {
    encodeAt: (index) => JSON.stringify(values[index]),
    rest: endOf(page, values.length),
  });
}

function endOf({ totalSize, nextPageToken }: PageEnd, rows: number) {
  return { totalSize: capTotalSize(totalSize), nextPageToken: nextPageToken(rows) };
}

/** An object with a list, of which a long one is written in event-loop ticks, and some other members. */
async function encodeList(
  name: string,
  size: number,
  { encodeAt, rest }: { readonly encodeAt: (index: number) => string; readonly rest: object },
): Promise<Buffer> {
  const out = openByteWriter(REST_BYTES + size * ROW_BYTES);
  const ticks = openTicks();
  out.text(`{"${name}":[`);
  for (let index = 0; index < size; index += 1) {
    if (ticks.isOver()) await ticks.next();
    out.text(`${index === 0 ? '' : ','}${encodeAt(index)}`);
  }
  // The rest is an object with at least one member.
  out.text(`],${JSON.stringify(rest).slice(1)}`);
  return out.end();
}

/** About the size of a row, and of what follows the rows. */
const ROW_BYTES = 400;
const REST_BYTES = 512;

/**
 * A message as it looks in JSON under `/v1`: every field by its name in lowerCamelCase, lists with names that end with `List`, enums
 * as names without their prefix. An absent message is left out.
 */
function messageJson(schema: DescMessage, message: Message): Readonly<Record<string, unknown>> {
  // A message has a member for each field of its schema.
  const members = message as unknown as Readonly<Record<string, unknown>>;
  const json: Record<string, unknown> = {};
  for (const field of schema.fields) {
    const value = members[field.localName];
    if (value === undefined) continue;
    if (field.fieldKind === 'list') {
      // A list has items of the kind of its field.
      json[`${field.jsonName}List`] = (value as readonly unknown[]).map((one) =>
        itemJson(field, one),
      );
    } else {
      json[field.jsonName] = itemJson(field, value);
    }
  }
  return json;
}

/** A date as in metric values: without the time of the day, which is always 0. */
function dateJson({ year, month, day }: unatype.Date): DateParts {
  return { year, month, day };
}

/** A value of a field, or an item of a list. */
function itemJson(field: DescField, value: unknown): unknown {
  // The value has the type of the field.
  if (field.message?.typeName === unatype.DateSchema.typeName)
    return dateJson(value as unatype.Date);
  if (field.message !== undefined) return messageJson(field.message, value as Message);
  if (field.enum !== undefined) return field.enum.value[value as number]?.localName ?? value;
  return typeof value === 'bigint' ? Number(value) : value;
}
