import type { PresentValue } from '../domain/value.ts';
import type { CountPlan, DistinctPlan, Order, RecordsPlan } from '../plan/read-plan.ts';
import {
  compilePredicates,
  openParameterList,
  type ParameterList,
  whereClause,
} from './compile-predicates.ts';
import { quoteIdentifier } from './quote-identifier.ts';
import type { SqlDialect, SqlStatement } from './sql-dialect.ts';

/**
 * A page of records: the fields of the plan, then the value it is ordered by (if any), then the
 * ordinal; one row more than the limit tells that more follow.
 */
export function compileRecords(plan: RecordsPlan, dialect: SqlDialect): SqlStatement {
  const list = openParameterList(dialect);
  const columns = plan.fields.map((field) => dialect.selectColumn(field));
  if (plan.order !== undefined) columns.push(dialect.selectColumn(plan.order.field));
  columns.push(dialect.rowColumn);
  const conditions = [
    ...compilePredicates(plan.predicates, dialect, list),
    ...compileAfter(plan, dialect, list),
  ];
  // Names of our own begin with an underscore, which no field's name does: an alias that could be
  // taken for a field would make ORDER BY sort the selected text instead of the stored value.
  const selected = columns.map((expression, index) => `${expression} AS _${index}`).join(', ');
  const orderBy = [...orderTerms(plan.order), dialect.rowColumn].join(', ');
  return {
    text: `SELECT ${selected} FROM ${dialect.recordTable}${whereClause(conditions)} ORDER BY ${orderBy} LIMIT ${plan.limit + 1}`,
    parameters: list.parameters,
  };
}

function orderTerms(order: Order | undefined): readonly string[] {
  if (order === undefined) return [];
  const direction = order.descending ? 'DESC' : 'ASC';
  return [`${quoteIdentifier(order.field.name)} ${direction} NULLS LAST`];
}

/** The records that come after the position. A comparison of rows would not prune: see the bound. */
function compileAfter(
  plan: RecordsPlan,
  dialect: SqlDialect,
  list: ParameterList,
): readonly string[] {
  const { order, after } = plan;
  if (after === undefined) return withoutFilters(plan, dialect, list);
  const laterRow = `${dialect.rowColumn} > ${list.bind('integer', BigInt(after.row))}`;
  if (order === undefined) return [laterRow, ...withoutFilters(plan, dialect, list)];
  const column = quoteIdentifier(order.field.name);
  if (after.orderValue === null) return [`${column} IS NULL`, laterRow];
  const { type } = order.field;
  const value = list.bind(type, after.orderValue);
  const further = order.descending ? '<' : '>';
  // The bound on the column alone says nothing new, but zone maps prune by it.
  return [
    `(${column} ${further}= ${value} OR ${column} IS NULL)`,
    `(${column} ${further} ${value} OR ${column} IS NULL OR (${column} = ${value} AND ${laterRow}))`,
  ];
}

/** Without filters the ordinals of a page in key order are known, and all else need not be read. */
function withoutFilters(
  plan: RecordsPlan,
  dialect: SqlDialect,
  list: ParameterList,
): readonly string[] {
  if (plan.predicates.length > 0 || plan.order !== undefined) return [];
  const last = BigInt((plan.after?.row ?? -1) + plan.limit + 1);
  return [`${dialect.rowColumn} <= ${list.bind('integer', last)}`];
}

export function compileCount(plan: CountPlan, dialect: SqlDialect): SqlStatement {
  const list = openParameterList(dialect);
  const conditions = [...compilePredicates(plan.predicates, dialect, list)];
  if (plan.distinct !== undefined)
    conditions.push(...distinctConditions(plan.distinct, dialect, list));
  const counted =
    plan.distinct === undefined ? '*' : `DISTINCT ${quoteIdentifier(plan.distinct.field.name)}`;
  return {
    text: `SELECT count(${counted}) FROM ${dialect.recordTable}${whereClause(conditions)}`,
    parameters: list.parameters,
  };
}

/** A page of distinct values: the value, and whether it starts with the term. */
export function compileDistinct(plan: DistinctPlan, dialect: SqlDialect): SqlStatement {
  const list = openParameterList(dialect);
  const column = quoteIdentifier(plan.field.name);
  const startsWithTerm =
    plan.term === undefined
      ? '(1 = 1)'
      : dialect.textMatch(
          'starts_with',
          dialect.foldedText(plan.field),
          list.bind('string', plan.term),
        );
  const conditions = [
    ...compilePredicates(plan.predicates, dialect, list),
    ...distinctConditions(plan, dialect, list),
  ];
  const distinct = `SELECT DISTINCT ${column} AS _stored, ${dialect.selectColumn(plan.field)} AS _value, CASE WHEN ${startsWithTerm} THEN 0 ELSE 1 END AS _place FROM ${dialect.recordTable}${whereClause(conditions)}`;
  const after = plan.after === undefined ? [] : [compileAfterValue(plan, plan.after, list)];
  const direction = plan.descending ? 'DESC' : 'ASC';
  return {
    text: `SELECT _value, _place FROM (${distinct}) AS found${whereClause(after)} ORDER BY _place, _stored ${direction} LIMIT ${plan.limit + 1}`,
    parameters: list.parameters,
  };
}

function distinctConditions(
  { field, term }: Pick<DistinctPlan, 'field' | 'term'>,
  dialect: SqlDialect,
  list: ParameterList,
): readonly string[] {
  const present = `${quoteIdentifier(field.name)} IS NOT NULL`;
  if (term === undefined) return [present];
  const contains = dialect.textMatch(
    'contains',
    dialect.foldedText(field),
    list.bind('string', term),
  );
  return [present, contains];
}

function compileAfterValue(
  plan: DistinctPlan,
  after: { readonly startsWithTerm: boolean; readonly value: PresentValue },
  list: ParameterList,
): string {
  const further = plan.descending ? '<' : '>';
  const value = list.bind(plan.field.type, after.value);
  return after.startsWithTerm
    ? `(_place = 1 OR (_place = 0 AND _stored ${further} ${value}))`
    : `(_place = 1 AND _stored ${further} ${value})`;
}
