import { bucketType } from '../domain/date-bucket.ts';
import { FRACTIONS } from '../domain/exact-sum.ts';
import type { Field } from '../domain/field.ts';
import type { Predicate } from '../domain/predicate.ts';
import { partCountOf } from '../plan/part-count.ts';
import type {
  AggregateTerm,
  GroupLookup,
  GroupNumber,
  GroupsPlan,
  GroupTerm,
} from '../plan/read-plan.ts';
import {
  compileComparison,
  compileNumber,
  compileUnsure,
  type GroupOrder,
} from './compile-group-order.ts';
import { compilePredicates, compileTable, whereClause } from './compile-predicates.ts';
import { openParameterList, type ParameterList } from './parameter-list.ts';
import { quoteIdentifier } from './quote-identifier.ts';
import type { SqlDialect, SqlStatement } from './sql-dialect.ts';

/**
 * All groups, in no order: the values of their terms, then the parts of each aggregate (see
 * `storage/reference/finish-groups.ts`). At most `groupsMax` are returned.
 */
export function compileGroups(
  plan: GroupsPlan,
  dialect: SqlDialect,
  groupsMax: number,
): SqlStatement {
  const list = openParameterList(dialect);
  const names = partNames(plan, 'part').flat();
  const found = [...selectKeys(plan, dialect), ...names];
  // The only group of all records can have nothing to select.
  const values = found.length === 0 ? ['1'] : found;
  const limit = plan.groups.length === 0 ? '' : ` LIMIT ${groupsMax}`;
  return {
    text: `SELECT ${numbered(values)} FROM (${compileParted(plan, names, list)}) AS _groups${limit}`,
    parameters: list.parameters,
  };
}

/**
 * The groups of a page in their order: the values of their terms and the parts of their aggregates, as `compileGroups` has
 * them; in a plan that compares, whether there is a group to compare with (1 if so) and its parts; in one that ranks, the
 * number, and how many groups have a higher one, a higher one or the same, and any; then the number of all groups, and of
 * those whose place is not sure, because doubles do not have their numbers. If there are such groups, or if this is
 * undefined, only `finishGroups` can order them.
 */
export function compileGroupsPage(plan: GroupsPlan, dialect: SqlDialect): SqlStatement | undefined {
  const { groups, aggregates, conditions, compared, order, rankBy, after, limit } = plan;
  const { countOfAll } = dialect;
  if (countOfAll === undefined || conditions.length > 0 || groups.length === 0) return undefined;
  const list = openParameterList(dialect);
  const names = partNames(plan, 'part');
  const earlierNames = partNames(plan, 'earlier');
  const numberOf = ({ index, part }: GroupNumber): GroupOrder => {
    const at = index - groups.length;
    const term = aggregates[at];
    if (term === undefined) return { expression: keyName(index), limited: [] };
    const value = compileNumber(term, names[at] ?? [], list);
    if (part === undefined) return value;
    const base = compileNumber(term, earlierNames[at] ?? [], list);
    return compileComparison(part, { value, base, hasBase: `${HAS_BASE} = 1` }, dialect);
  };
  const ordered = order.map(numberOf);
  const ranked = rankBy && numberOf(rankBy);
  const limited = [...ordered, ...(ranked ? [ranked] : [])].flatMap((one) => one.limited);
  const found = compileParted(plan, names.flat(), list);
  const source =
    compared === undefined
      ? `(${found}) AS _groups`
      : `(${found}) AS _groups ${joinCompared({ ...plan, ...compared }, earlierNames.flat(), list)}`;
  const parted = [...names.flat(), ...(compared ? [HAS_BASE, ...earlierNames.flat()] : [])];
  const columns = [
    ...keyNames(plan),
    ...parted,
    ...named(
      ordered.map(({ expression }) => expression),
      ordered.map((_, index) => `_order${index}`),
    ),
    ...(ranked ? [`${ranked.expression} AS _ranked`] : []),
    ...(limited.length === 0 ? [] : [`${compileUnsure(limited)} AS _unsure`]),
  ].join(', ');
  const values = [
    ...selectKeys(plan, dialect),
    ...parted,
    ...(ranked ? RANK_PARTS : []),
    countOfAll,
    limited.length === 0 ? '0' : 'count(_unsure) OVER ()',
  ];
  const orderBy = [
    ...order.map(({ descending }, index) => `_order${index} ${descending ? 'DESC' : 'ASC'}`),
    ...keyNames(plan),
  ].map((term) => `${term} NULLS LAST`);
  return {
    text: `SELECT ${numbered(values)} FROM (SELECT ${columns} FROM ${source}) AS _found ORDER BY ${orderBy.join(', ')} LIMIT ${limit} OFFSET ${after}`,
    parameters: list.parameters,
  };
}

const HAS_BASE = '_has_base';

const RANK_ORDER = 'ORDER BY _ranked DESC NULLS LAST';
const RANK_PARTS = [
  '_ranked',
  `rank() OVER (${RANK_ORDER}) - 1`,
  `count(_ranked) OVER (${RANK_ORDER})`,
  'count(_ranked) OVER ()',
];

/** Joins each group with the group of other records that has the same values. */
function joinCompared(plan: GroupsPlan, names: readonly string[], list: ParameterList): string {
  const keys = keyNames(plan);
  const selected = [
    ...keys.map((key) => `${key} AS _base${key}`),
    `1 AS ${HAS_BASE}`,
    ...names,
  ].join(', ');
  const same = keys.map((key) => `${key} IS NOT DISTINCT FROM _base${key}`).join(' AND ');
  return `LEFT JOIN (SELECT ${selected} FROM (${compileParted(plan, names, list)}) AS _others) AS _compared ON ${same}`;
}

/** The keys of all groups, and the parts of their aggregates by these names. */
function compileParted(plan: GroupsPlan, names: readonly string[], list: ParameterList): string {
  const field = innerFieldOf(plan);
  if (field !== undefined) return compileInTwoLevels(plan, field, names, list);
  const columns = [...keyNames(plan), ...named(compileAllParts(plan, list), names)];
  const selected = columns.length === 0 ? '1' : columns.join(', ');
  return `SELECT ${selected} FROM ${compileGrouping(plan, list)}${groupBy(plan)}`;
}

/**
 * A field for whose values groups are made first, if the parts of all aggregates can be added up over them: the only one
 * whose distinct values are counted, or the only one that is grouped, by buckets.
 */
function innerFieldOf({ groups, aggregates }: GroupsPlan): Field | undefined {
  if (aggregates.some(({ aggregation }) => isQuantile(aggregation))) return undefined;
  const fields = aggregates.flatMap(({ aggregation, field }) =>
    aggregation === 'COUNT_DISTINCT' && field !== undefined ? [field] : [],
  );
  const [first, ...others] = fields;
  if (first !== undefined) {
    return others.every(({ name }) => name === first.name) ? first : undefined;
  }
  const [only, ...further] = groups;
  const isBucketed = only?.bucket !== undefined && only.bucket !== 'DAY' && !only.lookup;
  return isBucketed && further.length === 0 ? only.field : undefined;
}

/**
 * Groups are made for each value of a field first. Their values are then counted, which takes less than to find the values
 * of each group, and put into buckets, which takes less than the buckets of all records.
 */
function compileInTwoLevels(
  plan: GroupsPlan,
  { name }: Field,
  names: readonly string[],
  list: ParameterList,
): string {
  const inner = plan.aggregates.flatMap((term, index) => compileInner(term, index, name, list));
  const outer = plan.aggregates.flatMap((term, index) =>
    (partNames(plan, 'each')[index] ?? []).map((part) => compileOuter(term, part, list.dialect)),
  );
  const eachNames = partNames(plan, 'each').flat();
  const ofRecord: string[] = [];
  const ofValue: string[] = [];
  for (const [index, term] of plan.groups.entries()) {
    const key = keyName(index);
    const isOfValue = term.lookup === undefined && term.field.name === name;
    if (isOfValue) ofValue.push(`${inBucket(term, '_value', list.dialect)} AS ${key}`);
    else ofRecord.push(key);
  }
  const column = quoteIdentifier(name);
  const each = [...ofRecord, `${column} AS _value`, ...named(inner, eachNames)].join(', ');
  const ofEach = [...ofRecord, column].join(', ');
  const source = `SELECT ${each} FROM ${compileGrouping(plan, list)} GROUP BY ${ofEach}`;
  const keyed = `SELECT ${['*', ...ofValue].join(', ')} FROM (${source}) AS _each`;
  const columns = [...keyNames(plan), ...named(outer, names)].join(', ');
  return `SELECT ${columns} FROM (${keyed}) AS _keyed${groupBy(plan)}`;
}

/** The parts of an aggregate for each value of a field. */
function compileInner(term: AggregateTerm, number: number, name: string, list: ParameterList) {
  const { aggregation, field, ofPresent } = term;
  switch (aggregation) {
    case 'COUNT_DISTINCT':
      return [`count(${compilePresent(quoteIdentifier(name), ofPresent)})`];
    case 'MIN':
    case 'MAX':
      // Not yet as the engine returns it: values are compared once more.
      if (field !== undefined) return [compileExtreme(aggregation, quoteIdentifier(field.name))];
  }
  return compileParts(term, number, list);
}

/** A part of a group from the parts of all values of a field. */
function compileOuter(term: AggregateTerm, part: string, dialect: SqlDialect): string {
  const { aggregation, field } = term;
  switch (aggregation) {
    case 'COUNT_DISTINCT':
      return `count(CASE WHEN ${part} > 0 THEN _value END)`;
    case 'MIN':
    case 'MAX':
      if (field !== undefined) return selectExtreme(aggregation, field, part, dialect);
  }
  return dialect.sum(part);
}

/** The names of the parts of each aggregate. */
function partNames({ aggregates }: GroupsPlan, prefix: string): readonly (readonly string[])[] {
  return aggregates.map((term, index) =>
    Array.from({ length: partCountOf(term) }, (_, part) => `_${prefix}${index}_${part}`),
  );
}

/** The records with the keys of their groups: what follows FROM. */
function compileGrouping(plan: GroupsPlan, list: ParameterList): string {
  const keys = plan.groups.map(
    (term, index) => `${compileKey(term, index, list.dialect)} AS ${keyName(index)}`,
  );
  const records = `SELECT ${['*', ...keys].join(', ')} FROM ${compileRecordsOf(plan, list)}`;
  return `(${records}) AS _grouped${joinNear(plan, records, list.dialect)}`;
}

function groupBy(plan: GroupsPlan): string {
  return plan.groups.length === 0 ? '' : ` GROUP BY ${keyNames(plan).join(', ')}`;
}

/** Joins each record with the values of its group that are near the quantiles. */
function joinNear(plan: GroupsPlan, records: string, dialect: SqlDialect): string {
  const { valueNear } = dialect;
  if (valueNear === undefined) return '';
  const values = plan.aggregates.flatMap((term, index) =>
    term.field !== undefined &&
    isQuantile(term.aggregation) &&
    middleItemsOf(term, dialect) === undefined
      ? `${valueNear(quoteIdentifier(term.field.name), term.quantile)} AS ${nearName(index)}`
      : [],
  );
  if (values.length === 0) return '';
  const keys = keyNames(plan);
  const selected = [...keys.map((key) => `${key} AS _of${key}`), ...values].join(', ');
  const same = ['1 = 1', ...keys.map((key) => `${key} IS NOT DISTINCT FROM _of${key}`)].join(
    ' AND ',
  );
  return ` JOIN (SELECT ${selected} FROM (${records}) AS _grouped${groupBy(plan)}) AS _near ON ${same}`;
}

function isQuantile(aggregation: AggregateTerm['aggregation']): boolean {
  return aggregation === 'MEDIAN' || aggregation === 'QUANTILE';
}

/** The expression of the dialect that finds the values of a median in one pass. */
function middleItemsOf({ quantile }: AggregateTerm, { middleItems }: SqlDialect) {
  return quantile === 0.5 ? middleItems : undefined;
}

function nearName(aggregate: number): string {
  return `_near${aggregate}`;
}

function keyName(index: number): string {
  return `_group${index}`;
}

function keyNames({ groups }: GroupsPlan): readonly string[] {
  return groups.map((_, index) => keyName(index));
}

function numbered(expressions: readonly string[]): string {
  return named(
    expressions,
    expressions.map((_, index) => `_${index}`),
  ).join(', ');
}

function named(expressions: readonly string[], names: readonly string[]): readonly string[] {
  return expressions.map((expression, index) => `${expression} AS ${names[index]}`);
}

/** The matching records, each with the record that every lookup finds. */
function compileRecordsOf(
  { version, predicates, groups }: GroupsPlan,
  list: ParameterList,
): string {
  const table = compileTable(version, list);
  const joined = new Set<Predicate>();
  const joins = groups.flatMap(({ field, lookup }, index) => {
    if (lookup === undefined) return [];
    const [id, value] = [lookup.id, lookup.value].map(({ name }) => quoteIdentifier(name));
    const required = predicates.find((one) => isOfLookup(one, field, lookup));
    if (required !== undefined) joined.add(required);
    const conditions =
      required === undefined
        ? []
        : compilePredicates(required.features.predicates, lookup.version, list);
    const others = `SELECT ${id} AS _id${index}, ${value} AS _value${index} FROM ${compileTable(lookup.version, list)} AS _record${whereClause(conditions)}`;
    const join = required === undefined ? 'LEFT JOIN' : 'JOIN';
    return `${join} (${others}) AS _lookup${index} ON _record.${quoteIdentifier(field.name)} = _lookup${index}._id${index}`;
  });
  const others = predicates.filter((one) => !joined.has(one));
  const found = `${table} AS _record${whereClause(compilePredicates(others, version, list))}`;
  // The conditions name the columns of the records alone, so they are applied before the joins.
  return joins.length === 0 ? found : `(SELECT * FROM ${found}) AS _record ${joins.join(' ')}`;
}

type FeaturePredicate = Extract<Predicate, { readonly kind: 'feature' }>;

/** Whether a lookup finds the feature that a predicate requires: it is then joined, instead of found a second time. */
function isOfLookup(
  predicate: Predicate,
  field: Field,
  { version, id }: GroupLookup,
): predicate is FeaturePredicate {
  return (
    predicate.kind === 'feature' &&
    predicate.overlap === undefined &&
    predicate.field.name === field.name &&
    predicate.features.version === version &&
    predicate.features.id.name === id.name
  );
}

function compileKey(term: GroupTerm, index: number, dialect: SqlDialect): string {
  const { field, lookup } = term;
  const column = lookup === undefined ? quoteIdentifier(field.name) : `_value${index}`;
  return inBucket(term, column, dialect);
}

function inBucket({ bucket }: GroupTerm, column: string, dialect: SqlDialect): string {
  return bucket === undefined ? column : dialect.bucketKey(bucket, column);
}

function selectKeys({ groups }: GroupsPlan, dialect: SqlDialect): readonly string[] {
  return groups.map(({ field, bucket, lookup }, index) => {
    const key = keyName(index);
    if (bucket !== undefined) {
      return dialect.selectValue(bucketType(bucket), dialect.bucketOfKey(bucket, key));
    }
    return dialect.selectValue((lookup?.value ?? field).type, key);
  });
}

function compileAllParts({ aggregates }: GroupsPlan, list: ParameterList): readonly string[] {
  return aggregates.flatMap((term, index) => compileParts(term, index, list));
}

function compileParts(term: AggregateTerm, number: number, list: ParameterList): readonly string[] {
  const { aggregation, field, quantile, ofPresent } = term;
  if (field === undefined) return ['count(*)'];
  const { dialect } = list;
  const column = quoteIdentifier(field.name);
  switch (aggregation) {
    case 'COUNT':
      return [`count(${column})`];
    case 'COUNT_DISTINCT':
      return [`count(DISTINCT ${compilePresent(column, ofPresent)})`];
    case 'MIN':
    case 'MAX':
      return [selectExtreme(aggregation, field, column, dialect)];
    case 'SUM':
    case 'AVG':
      return compileSum(field, dialect);
    case 'MEDIAN':
    case 'QUANTILE': {
      const middle = middleItemsOf(term, dialect)?.(column);
      if (middle !== undefined) return [`count(${column})`, `${middle}[1]`, `${middle}[2]`];
      const last = `(count(${column}) - 1)`;
      const index = dialect.wholeNumber(`${last} * ${list.bind('float', quantile)}`);
      const item = (at: string): string =>
        dialect.valueNear === undefined
          ? dialect.sortedItem(column, at)
          : itemNear(column, nearName(number), at);
      return [`count(${column})`, item(index), item(`least(${index} + 1, ${last})`)];
    }
  }
}

/** The value with an index, from 0, among the sorted values, which is a value near it or the one before or after that. */
function itemNear(column: string, near: string, at: string): string {
  const before = `CASE WHEN ${column} < ${near} THEN ${column} END`;
  const after = `CASE WHEN ${column} > ${near} THEN ${column} END`;
  return `CASE WHEN ${at} < count(${before}) THEN max(${before}) WHEN ${at} < count(${column}) - count(${after}) THEN any_value(${near}) ELSE min(${after}) END`;
}

/** The least or greatest value of a field, as the engine returns values, or NULL. */
function selectExtreme(
  aggregation: 'MIN' | 'MAX',
  { type }: Field,
  column: string,
  dialect: SqlDialect,
): string {
  const extreme = dialect.selectValue(type, compileExtreme(aggregation, column));
  // In ClickHouse the least of no values can be 0.
  return `CASE WHEN count(${column}) > 0 THEN ${extreme} END`;
}

function compileExtreme(aggregation: 'MIN' | 'MAX', column: string): string {
  return `${aggregation.toLowerCase()}(${column})`;
}

/** The column where one of the fields has a value. */
function compilePresent(column: string, fields: readonly Field[] | undefined): string {
  if (fields === undefined) return column;
  const present = fields.map(({ name }) => `${quoteIdentifier(name)} IS NOT NULL`);
  return `CASE WHEN ${['1 = 0', ...present].join(' OR ')} THEN ${column} END`;
}

/** The parts of an exact sum: see `core/domain/exact-sum.ts`. */
export function compileSum(field: Field, dialect: SqlDialect): readonly string[] {
  const column = quoteIdentifier(field.name);
  if (field.type === 'integer') {
    return [dialect.sum(column), '0', `count(${column})`, `count(${column})`];
  }
  const whole = dialect.wholeNumber(column);
  const fraction = dialect.wholeNumber(`(${column} - ${whole}) * ${FRACTIONS}.0`);
  return [dialect.sum(whole), dialect.sum(fraction), `count(${column})`, `count(${whole})`];
}
