import { additivityOf, axesOf } from '../domain/additivity.ts';
import type { Bucket } from '../domain/date-bucket.ts';
import type { Field } from '../domain/field.ts';
import type { Predicate } from '../domain/predicate.ts';
import { CADENCE_BUCKETS, scheduleOf } from '../domain/schedule.ts';
import { type PresentValue, valueText } from '../domain/value.ts';
import type { DatasetVersion } from '../domain/version.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { AggregateTerm, GroupTerm } from './read-plan.ts';

/** The groups, or the cells of a tile: what selects their records, and their aggregates. */
export type GroupedRecords = {
  readonly version: DatasetVersion;
  readonly groups: readonly GroupTerm[];
  /** Those of the selected fields. */
  readonly aggregates: readonly (AggregateTerm & { readonly pointer: string })[];
  readonly isCounted: boolean;
  /** The conditions of the request, which must all match. */
  readonly predicates: readonly Predicate[];
  /** What a request for aggregates of a metric groups by instead of these fields; absent for one for records. */
  readonly terms?: ReadonlyMap<string, string>;
  /** The groups are the cells of a tile. Its sums are refused in the words of its request. */
  readonly areCells?: true;
};

/** Refuses sums of values that cannot be added up, and aggregates over totals together with their parts. */
export function checkAdditivity(grouped: GroupedRecords): void {
  if (grouped.aggregates.length > 0 || grouped.isCounted) checkTotals(grouped);
  for (const { aggregation, field, pointer, name } of grouped.aggregates) {
    if (aggregation !== 'SUM' || field === undefined) continue;
    // A caller of a metric knows the names of its values, not those of the fields.
    const shown = grouped.terms === undefined ? field.name : name;
    checkSum({ field, shown, pointer, grouped });
  }
}

type Sum = {
  readonly field: Field;
  /** The name of what is added up. */
  readonly shown: string;
  readonly pointer: string;
  readonly grouped: GroupedRecords;
};

function checkSum(sum: Sum): void {
  const { field, grouped } = sum;
  const { version } = grouped;
  switch (additivityOf(field, version.dataset)) {
    case 'all':
      return;
    case 'none':
      throw refusedSum(sum, 'would mean nothing: its values cannot be added up (additive: none).');
    case undefined:
      throw refusedSum(sum, 'would mean nothing: the field is part of the key, or a coordinate.');
    case 'periods':
      checkAxis('places', axesOf(version).places, sum);
      return;
    case 'places':
      checkAxis('periods', axesOf(version).periods, sum);
  }
}

/** A caller who does not see the fields of the axis cannot ask for a sum. */
function checkAxis(axis: 'periods' | 'places', names: readonly string[], sum: Sum): void {
  const { grouped } = sum;
  const isSeen = names.length > 0 && names.every((name) => isSeenField(name, grouped));
  const isOpen = axis === 'periods' ? isOpenPeriod : isOpenPlace;
  const open = names.filter((name) => isOpen(name, grouped) && !hasOneValue(name, grouped));
  if (isSeen && open.length === 0) return;
  const other = axis === 'periods' ? 'places' : 'periods';
  // In a metric, both days of a period are one term.
  const terms = [...new Set(open.map((name) => grouped.terms?.get(name) ?? name))];
  const listed = terms.map((term) => `'${term}'`).join(' and ');
  const each = terms.length > 1 ? ' each' : '';
  const bucket = axis === 'periods' ? ' without a bucket' : '';
  const way =
    grouped.areCells === true
      ? `Filter ${listed}${each} to one value`
      : `Group by ${listed}${bucket}, or filter${each === '' ? ' it' : each} to one value`;
  throw refusedSum(
    sum,
    `would add up several ${axis}, but its values can be added up over ${other} only (additive: ${other}).`,
    isSeen ? way : '',
  );
}

/** The way is how to have the sum, if there is one. */
function refusedSum({ shown, pointer, grouped }: Sum, problem: string, way = ''): ServiceError {
  if (grouped.areCells === true) {
    const hint = `sk for mean:${shown}.`;
    return notAdditive(
      pointer,
      `The sum of '${shown}' ${problem}`,
      way === '' ? `A${hint}` : `${way}, or a${hint}`,
    );
  }
  const hint = 'end MAX, MEDIAN or AVG.';
  return notAdditive(
    `${pointer}/aggregation`,
    `SUM of '${shown}' ${problem}`,
    way === '' ? `S${hint}` : `${way}; or s${hint}`,
  );
}

/** A caller of a metric sees only those of its fields that can be grouped by. */
function isSeenField(name: string, { terms, version }: GroupedRecords): boolean {
  return terms?.has(name) ?? version.dataset.fields.some((field) => field.name === name);
}

function checkTotals(grouped: GroupedRecords): void {
  const { dataset, narrowing } = grouped.version;
  const areCells = grouped.areCells === true;
  if (dataset.hidesTotals === true) {
    throw notAdditive(
      areCells ? '/aggregate' : '/groupBy',
      'The records include totals over a field that your organisation does not have access to, so aggregates would count twice.',
      `Ask the publisher of the data for access to the field, or ${areCells ? 'leave the aggregates out' : 'list the records'}.`,
    );
  }
  // A grant can leave out the totals, or all else.
  const predicates = [...grouped.predicates, ...(narrowing?.predicates ?? [])];
  const mixed = dataset.fields.find(
    ({ name, totalLabel }) =>
      totalLabel !== undefined &&
      !isGroupedBy(name, grouped) &&
      !keepsTotalsApart({ name, totalLabel }, predicates),
  );
  if (mixed === undefined) return;
  const { name, totalLabel } = mixed;
  if (!isSeenField(name, grouped)) {
    throw notAdditive(
      '/groupBy',
      'The values include totals over a field by which they cannot be grouped, so aggregates would count twice.',
      'Ask the publisher of the data to make the field a dimension of the metric, or list the values.',
    );
  }
  const term = grouped.terms?.get(name);
  throw notAdditive(
    areCells ? '/filters' : '/groupBy',
    `Aggregates would count twice: the records with '${totalLabel}' in '${name}' are the totals of the others.`,
    term === undefined
      ? `${areCells ? `Filter on '${name}'` : `Group by '${name}', or filter on it`}: == '${totalLabel}' for the totals, or != '${totalLabel}' for their parts.`
      : `Group by '${term}', or filter it: to '${totalLabel}' for the totals, or to others for their parts.`,
  );
}

/** Whether the predicates let through only the records of the total, or only the others. */
export function keepsTotalsApart(
  { name, totalLabel }: Pick<Field, 'name' | 'totalLabel'>,
  predicates: readonly Predicate[],
): boolean {
  const isTotal = (value: PresentValue): boolean => valueText(value) === totalLabel;
  return predicates.some(
    (predicate) =>
      'field' in predicate && predicate.field.name === name && isOneSided(predicate, isTotal),
  );
}

function isOneSided(predicate: Predicate, isTotal: (value: PresentValue) => boolean): boolean {
  if (predicate.kind === 'empty') return !predicate.negated;
  if (predicate.kind === 'compare') {
    return predicate.operator === '==' || (predicate.operator === '!=' && isTotal(predicate.value));
  }
  if (predicate.kind !== 'in') return false;
  const { negated, values, orAbsent } = predicate;
  if (negated) return values.some(isTotal);
  return values.every(isTotal) ? orAbsent !== true : !values.some(isTotal);
}

/** Whether each group has one value of the field. */
function isGroupedBy(name: string, { groups }: GroupedRecords): boolean {
  return groups.some(
    ({ field, bucket, lookup }) =>
      field.name === name && lookup === undefined && (bucket === undefined || bucket === 'DAY'),
  );
}

const isOpenPlace = (name: string, grouped: GroupedRecords): boolean => !isGroupedBy(name, grouped);

/** Whether a group can have several values of a field of the period. A bucket has one of them if periods are as long. */
function isOpenPeriod(name: string, grouped: GroupedRecords): boolean {
  const { cadence } = scheduleOf(grouped.version);
  const longest = SPANS.indexOf((cadence && CADENCE_BUCKETS[cadence]) ?? 'DAY');
  return !grouped.groups.some(({ field, bucket = 'DAY', lookup }) => {
    const span = SPANS.indexOf(bucket);
    return field.name === name && lookup === undefined && span !== -1 && span <= longest;
  });
}

/** From the shortest to the longest. */
const SPANS: readonly Bucket[] = ['DAY', 'WEEK', 'MONTH', 'QUARTER', 'YEAR'];

/** Whether all records have one value of the field. */
function hasOneValue(name: string, { predicates }: GroupedRecords): boolean {
  return predicates.some((predicate) => {
    if (predicate.kind === 'compare') {
      return predicate.field.name === name && predicate.operator === '==';
    }
    return (
      predicate.kind === 'in' &&
      predicate.field.name === name &&
      !predicate.negated &&
      predicate.orAbsent !== true &&
      new Set(predicate.values.map(valueText)).size === 1
    );
  });
}

function notAdditive(pointer: string, message: string, hint: string): ServiceError {
  return ServiceError.atPointer('NOT_ADDITIVE', pointer, message, hint);
}
