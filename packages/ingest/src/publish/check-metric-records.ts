import {
  countWrongPeriods,
  findAbsentValues,
  findOtherPeriods,
  findText,
  findUnknownFeatures,
  findUnsendableNumbers,
} from '@locmetrics/column-store/publish/check-records';
import type { VersionReader } from '@locmetrics/column-store/publish/open-version-reader';
import { findField } from '@locmetrics/core/domain/dataset';
import { type Cadence, type Metric, metricName } from '@locmetrics/core/domain/metric';
import type { DatasetVersion, LayerVersion } from '@locmetrics/core/domain/version';
import type { UnmatchedRecords } from '@locmetrics/data-directory/versions/publish-report';
import type { ResolvedMetrics } from '@locmetrics/data-directory/versions/resolve-metrics';
import { type Amount, amountText, isWithin } from '../manifest/acceptance.ts';
import { shownValue } from '../problems/import-error.ts';
import { type MetricNotice, metricNotice } from '../problems/metric-notice.ts';
import { PublishError } from '../problems/publish-error.ts';
import { recordsHave, shownKey } from '../problems/record-words.ts';

/**
 * Checks the records of the metrics that a publish changes, by their values or by their layers.
 * Refuses an absent value of a required measure, a period that ends before it starts, and more records without a
 * feature than the manifest accepts. Returns notices of records that can never be values. Such records are kept, because a dataset is more than its metrics.
 */
export async function checkMetricRecords({
  published,
  resolved,
  reader,
  unmatchedMax,
}: {
  /** The versions that become current now. */
  readonly published: readonly DatasetVersion[];
  readonly resolved: ResolvedMetrics;
  readonly reader: VersionReader;
  /** How many records of a version may have no feature; absent: any number. */
  readonly unmatchedMax: ReadonlyMap<DatasetVersion, UnmatchedMax>;
}): Promise<FoundRecords> {
  const absent: string[] = [];
  const reversed: string[] = [];
  const notices: MetricNotice[] = [];
  for (const values of published) {
    for (const metric of values.metrics) {
      absent.push(...(await listAbsentMeasures(metric, values, reader)));
      await refuseUnsendableNumbers(metric, values, reader);
      for (const text of await listEmptyDefaults(metric, values, reader)) {
        notices.push(metricNotice(metric, values, text));
      }
      const periods = await checkPeriods(metric, values, reader);
      reversed.push(...periods.problems);
      for (const text of periods.notices) notices.push(metricNotice(metric, values, text));
      for (const text of await compareCadence(metric, values, reader)) {
        notices.push(metricNotice(metric, values, text));
      }
    }
  }
  if (reversed.length > 0) {
    throw new PublishError(reversed.join('\n'), 'Correct the files, or the period of the metric.');
  }
  if (absent.length > 0) {
    throw new PublishError(
      absent.join('\n'),
      'Correct the files, or allow absent values: nullable: true, which is the default.',
    );
  }
  const unmatched: UnmatchedOfMetric[] = [];
  const refused = new Set<string>();
  for (const { metric, values, layer, relatedLayer } of resolved.metrics.values()) {
    const joins = [{ field: metric.featureId, layer }];
    if (metric.related !== undefined && relatedLayer !== undefined) {
      joins.push({ field: metric.related.featureId, layer: relatedLayer });
    }
    for (const { field, layer: joined } of joins) {
      const owner = [values, joined.features].find((version) => published.includes(version));
      if (owner === undefined) continue;
      const lost = await findUnmatchedRecords(field, values, joined, reader);
      const texts = unmatchedTexts(lost);
      const count = lost.absent + lost.unknown.count;
      for (const text of texts) notices.push(metricNotice(metric, owner, text));
      const { name: dataset } = values.dataset;
      if (count > 0) unmatched.push({ metric: metricName(metric), owner, dataset, ...lost });
      const max = unmatchedMax.get(values);
      if (max === undefined || isWithin(count, max.accepted, max.of)) continue;
      refused.add(
        `${values.dataset.name}: ${count.toLocaleString('en-US')} of ${max.of.toLocaleString('en-US')} records have no feature; accepted: ${amountText(max.accepted)} (accept.unmatched_records). ${texts.join(' ')}`,
      );
    }
  }
  if (refused.size > 0) {
    throw new PublishError(
      [...refused].join('\n'),
      'Nothing was published. Correct the ids or publish the missing features too, accept more in the manifest, or publish once with --accept-changes.',
    );
  }
  return { notices, unmatchedOf: groupUnmatched(unmatched) };
}

export type FoundRecords = {
  readonly notices: readonly MetricNotice[];
  /** By the version in whose report they are. */
  readonly unmatchedOf: ReadonlyMap<DatasetVersion, readonly UnmatchedRecords[]>;
};

type Unmatched = Omit<UnmatchedRecords, 'metrics' | 'dataset'>;

type UnmatchedOfMetric = Unmatched & {
  readonly metric: string;
  /** The version in whose report they are. */
  readonly owner: DatasetVersion;
  readonly dataset: string;
};

/** Metrics over the same records and layer are one entry. */
function groupUnmatched(found: readonly UnmatchedOfMetric[]): FoundRecords['unmatchedOf'] {
  const grouped = new Map<DatasetVersion, Map<string, UnmatchedRecords>>();
  for (const { metric, owner, ...one } of found) {
    const entries = grouped.get(owner) ?? new Map<string, UnmatchedRecords>();
    grouped.set(owner, entries);
    const place = JSON.stringify([one.dataset, one.field, one.layer]);
    const metrics = [...(entries.get(place)?.metrics ?? []), metric].toSorted();
    entries.set(place, { metrics, ...one });
  }
  return new Map([...grouped].map(([owner, entries]) => [owner, [...entries.values()]]));
}

/** An accepted number of records, and the number of all. */
export type UnmatchedMax = { readonly accepted: Amount; readonly of: number };

async function listAbsentMeasures(
  metric: Metric,
  values: DatasetVersion,
  reader: VersionReader,
): Promise<readonly string[]> {
  const { name, key } = values.dataset;
  const problems: string[] = [];
  for (const measure of metric.measures.filter(({ isNullable }) => !isNullable)) {
    const records = await reader.attach(values);
    const { count, example } = await findAbsentValues(records, measure.field, key);
    if (count === 0) continue;
    problems.push(
      `${metricName(metric)}: the measure '${measure.name}' is nullable: false, but in ${name} ${recordsHave(count)} no ${measure.field}, for example ${shownKey(key, example)}.`,
    );
  }
  return problems;
}

/** Default values of dimensions that no record has. A request without a filter would then find nothing. */
async function listEmptyDefaults(
  { dimensions }: Metric,
  values: DatasetVersion,
  reader: VersionReader,
): Promise<readonly string[]> {
  const notices: string[] = [];
  for (const { dimensionId, fields, defaultValue } of dimensions) {
    // The default is in the text form of the wire, and DuckDB's text form of a float differs.
    if (defaultValue === '' || findField(values.dataset, fields.value)?.type === 'float') continue;
    const { count } = await findText(await reader.attach(values), fields.value, defaultValue);
    if (count > 0) continue;
    notices.push(
      `no record has '${defaultValue}', the default of the dimension '${dimensionId}': a request that does not name it finds nothing.`,
    );
  }
  return notices;
}

async function refuseUnsendableNumbers(
  metric: Metric,
  values: DatasetVersion,
  reader: VersionReader,
): Promise<void> {
  const { name, key } = values.dataset;
  for (const { name: measure, field } of metric.measures.filter(({ kind }) => kind === 'number')) {
    const records = await reader.attach(values);
    const { count, example } = await findUnsendableNumbers(records, field, key);
    if (count === 0) continue;
    throw new PublishError(
      `${metricName(metric)}: the measure '${measure}' is a number, but in ${name} ${recordsHave(count)} one beyond 3.4e38 in ${field}, for example ${shownKey(key, example)}.`,
      'Callers get such numbers as 32-bit floats, which cannot be greater. Correct the files, or use a larger unit for the measure.',
    );
  }
}

async function checkPeriods(
  metric: Metric,
  values: DatasetVersion,
  reader: VersionReader,
): Promise<{ readonly problems: readonly string[]; readonly notices: readonly string[] }> {
  const { start, end } = metric.period;
  const names = [...new Set([start, end].flatMap((day) => ('field' in day ? day.field : [])))];
  if (names.length === 0) return { problems: [], notices: [] };
  const records = await reader.attach(values);
  const { withoutDay, endingBefore } = await countWrongPeriods(records, metric.period);
  const [first, last] = [start, end].map((day) => ('field' in day ? day.field : day.day));
  return {
    problems:
      endingBefore === 0
        ? []
        : [
            `${metricName(metric)}: in ${values.dataset.name} ${recordsHave(endingBefore)} a period that ends before it starts (${first}, ${last}).`,
          ],
    notices:
      withoutDay === 0 ? [] : [`${neverValues(withoutDay)} ${names.join(' or ')} is absent.`],
  };
}

/** The cadence is only sent to callers, so values with other periods are served. */
async function compareCadence(
  { cadence, period }: Metric,
  values: DatasetVersion,
  reader: VersionReader,
): Promise<readonly string[]> {
  if (cadence === 'unspecified') return [];
  const { all, others, example } = await findOtherPeriods(
    await reader.attach(values),
    period,
    cadence,
  );
  if (others === 0) return [];
  const [shownOthers, shownAll] = [others, all].map((count) => count.toLocaleString('en-US'));
  return [
    `the cadence is ${cadence}, but the period of ${shownOthers} of ${shownAll} records is not ${PERIOD_OF[cadence]}, for example ${example}. Correct the cadence or the period of the metric.`,
  ];
}

const PERIOD_OF: Readonly<Record<Exclude<Cadence, 'unspecified'>, string>> = {
  hourly: 'a day (the hour is a dimension)',
  daily: 'a day',
  weekly: 'seven days',
  weekly_mon_sun: 'a week from Monday to Sunday',
  weekly_tue_mon: 'a week from Tuesday to Monday',
  monthly: 'a calendar month',
  trimonthly: 'three calendar months',
  quarterly: 'a quarter of the year',
  yearly: 'twelve calendar months',
};

async function findUnmatchedRecords(
  field: string,
  values: DatasetVersion,
  { layer, features }: LayerVersion,
  reader: VersionReader,
): Promise<Unmatched> {
  const found = { field, layer: layer.id };
  // Each record is a feature itself.
  if (values === features && field === layer.featureId) {
    return { ...found, absent: 0, unknown: { count: 0, examples: [] } };
  }
  const records = await reader.attach(values);
  const { table } = await reader.attach(features);
  const { count: absent } = await findAbsentValues(records, field, []);
  const unknown = await findUnknownFeatures(records, field, {
    table,
    featureId: layer.featureId,
  });
  return { ...found, absent, unknown };
}

function unmatchedTexts({ field, layer, absent, unknown }: Unmatched): readonly string[] {
  const shown = unknown.examples.map(shownValue).join(', ');
  return [
    ...(absent === 0 ? [] : [`${neverValues(absent)} ${field} is absent.`]),
    ...(unknown.count === 0
      ? []
      : [
          `${neverValues(unknown.count)} ${field} is not a feature of the layer '${layer}', for example ${shown}.`,
        ]),
  ];
}

function neverValues(count: number): string {
  return count === 1
    ? '1 record can never be a value:'
    : `${count.toLocaleString('en-US')} records can never be values:`;
}
