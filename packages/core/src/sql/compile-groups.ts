import { bucketType } from '../domain/date-bucket.ts';
import { FRACTIONS } from '../domain/exact-sum.ts';
import type { Field } from '../domain/field.ts';
import type { AggregateTerm, GroupsPlan, GroupTerm } from '../plan/read-plan.ts';
import {
  compilePredicates,
  compileTable,
  openParameterList,
  type ParameterList,
  whereClause,
} from './compile-predicates.ts';
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
  const values = [...selectKeys(plan, dialect), ...compileAllParts(plan, list)];
  const limit = plan.groups.length === 0 ? '' : ` LIMIT ${groupsMax}`;
  return {
    text: `SELECT ${named(values)} FROM ${compileGrouping(plan, list)}${limit}`,
    parameters: list.parameters,
  };
}

/**
 * The groups of a page in their order, each as `compileGroups` has it, then the number of all groups. Undefined if only
 * `finishGroups` can order them, because a part is not the value itself.
 */
export function compileGroupsPage(plan: GroupsPlan, dialect: SqlDialect): SqlStatement | undefined {
  const { groups, aggregates, conditions, order, after, limit } = plan;
  const { countOfAll } = dialect;
  if (countOfAll === undefined || conditions.length > 0 || groups.length === 0) return undefined;
  const ordered = order.map(({ index }) => {
    const term = aggregates[index - groups.length];
    return term === undefined ? keyName(index) : compileOrdered(term, dialect);
  });
  const known = ordered.filter((expression) => expression !== undefined);
  if (known.length < ordered.length) return undefined;
  const list = openParameterList(dialect);
  const parts = compileAllParts(plan, list);
  const found = [
    ...keyNames(plan),
    ...parts.map((expression, index) => `${expression} AS _part${index}`),
    ...known.map((expression, index) => `${expression} AS _order${index}`),
  ].join(', ');
  const values = [
    ...selectKeys(plan, dialect),
    ...parts.map((_, index) => `_part${index}`),
    countOfAll,
  ];
  const orderBy = [
    ...order.map(({ descending }, index) => `_order${index} ${descending ? 'DESC' : 'ASC'}`),
    ...keyNames(plan),
  ].map((term) => `${term} NULLS LAST`);
  return {
    text: `SELECT ${named(values)} FROM (SELECT ${found} FROM ${compileGrouping(plan, list)}) AS _found ORDER BY ${orderBy.join(', ')} LIMIT ${limit} OFFSET ${after}`,
    parameters: list.parameters,
  };
}

/** The records with the keys of their groups, grouped by them: what follows FROM. */
function compileGrouping(plan: GroupsPlan, list: ParameterList): string {
  const keys = plan.groups.map(
    (term, index) => `${compileKey(term, index, list.dialect)} AS ${keyName(index)}`,
  );
  const records = `SELECT ${['*', ...keys].join(', ')} FROM ${compileRecordsOf(plan, list)}`;
  return `(${records}) AS _grouped${joinNear(plan, records, list.dialect)}${groupBy(plan)}`;
}

function groupBy(plan: GroupsPlan): string {
  return plan.groups.length === 0 ? '' : ` GROUP BY ${keyNames(plan).join(', ')}`;
}

/** Joins each record with the values of its group that are near the quantiles. */
function joinNear(plan: GroupsPlan, records: string, { valueNear }: SqlDialect): string {
  if (valueNear === undefined) return '';
  const values = plan.aggregates.flatMap(({ aggregation, field, quantile }, index) =>
    field !== undefined && isQuantile(aggregation)
      ? `${valueNear(quoteIdentifier(field.name), quantile)} AS ${nearName(index)}`
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

function nearName(aggregate: number): string {
  return `_near${aggregate}`;
}

function keyName(index: number): string {
  return `_group${index}`;
}

function keyNames({ groups }: GroupsPlan): readonly string[] {
  return groups.map((_, index) => keyName(index));
}

function named(expressions: readonly string[]): string {
  return expressions.map((expression, index) => `${expression} AS _${index}`).join(', ');
}

/** The matching records, each with the record that every lookup finds. */
function compileRecordsOf(
  { version, predicates, groups }: GroupsPlan,
  list: ParameterList,
): string {
  const table = compileTable(version, list);
  const found = `${table} AS _record${whereClause(compilePredicates(predicates, version, list))}`;
  const joins = groups.flatMap(({ field, lookup }, index) => {
    if (lookup === undefined) return [];
    const [id, value] = [lookup.id, lookup.value].map(({ name }) => quoteIdentifier(name));
    const others = `SELECT ${id} AS _id${index}, ${value} AS _value${index} FROM ${compileTable(lookup.version, list)} AS _record`;
    return `LEFT JOIN (${others}) AS _lookup${index} ON _record.${quoteIdentifier(field.name)} = _lookup${index}._id${index}`;
  });
  // The conditions name the columns of the records alone, so they are applied before the joins.
  return joins.length === 0 ? found : `(SELECT * FROM ${found}) AS _record ${joins.join(' ')}`;
}

function compileKey(
  { field, bucket, lookup }: GroupTerm,
  index: number,
  dialect: SqlDialect,
): string {
  const column = lookup === undefined ? quoteIdentifier(field.name) : `_value${index}`;
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

function compileParts(
  { aggregation, field, quantile, ofPresent }: AggregateTerm,
  number: number,
  list: ParameterList,
): readonly string[] {
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
      // In ClickHouse the least of no values can be 0.
      return [
        ifPresent(column, dialect.selectValue(field.type, compileExtreme(aggregation, column))),
      ];
    case 'SUM':
    case 'AVG':
      return compileSum(field, dialect);
    case 'MEDIAN':
    case 'QUANTILE': {
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

/** The value of an aggregate for ORDER BY; undefined if only its parts give it. */
function compileOrdered(
  { aggregation, field, ofPresent }: AggregateTerm,
  dialect: SqlDialect,
): string | undefined {
  if (field === undefined) return 'count(*)';
  const column = quoteIdentifier(field.name);
  switch (aggregation) {
    case 'COUNT':
      return `count(${column})`;
    case 'COUNT_DISTINCT':
      return `count(DISTINCT ${compilePresent(column, ofPresent)})`;
    case 'MIN':
    case 'MAX':
      return ifPresent(column, compileExtreme(aggregation, column));
    case 'SUM':
      return field.type === 'integer' ? ifPresent(column, dialect.sum(column)) : undefined;
    case 'AVG':
    case 'MEDIAN':
    case 'QUANTILE':
      return undefined;
  }
}

function compileExtreme(aggregation: 'MIN' | 'MAX', column: string): string {
  return `${aggregation.toLowerCase()}(${column})`;
}

function ifPresent(column: string, expression: string): string {
  return `CASE WHEN count(${column}) > 0 THEN ${expression} END`;
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
