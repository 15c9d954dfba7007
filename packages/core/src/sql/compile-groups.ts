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
  const keys = plan.groups.map((_, index) => `_group${index}`);
  const columns = [
    ...plan.groups.map((term, index) => selectKey(term, keys[index] ?? '', dialect)),
    ...plan.aggregates.flatMap((term) => compileParts(term, list)),
  ].map((expression, index) => `${expression} AS _${index}`);
  const terms = plan.groups.map(
    (term, index) => `${compileKey(term, dialect)} AS ${keys[index] ?? ''}`,
  );
  const table = compileTable(plan.version, list);
  const conditions = compilePredicates(plan.predicates, plan.version, list);
  const records = `SELECT ${['*', ...terms].join(', ')} FROM ${table} AS _record${whereClause(conditions)}`;
  const grouped = keys.length === 0 ? '' : ` GROUP BY ${keys.join(', ')} LIMIT ${groupsMax}`;
  return {
    text: `SELECT ${columns.join(', ')} FROM (${records}) AS _grouped${grouped}`,
    parameters: list.parameters,
  };
}

function compileKey({ field, bucket }: GroupTerm, dialect: SqlDialect): string {
  const column = quoteIdentifier(field.name);
  return bucket === undefined ? column : dialect.bucket(bucket, column);
}

function selectKey({ field, bucket }: GroupTerm, key: string, dialect: SqlDialect): string {
  return dialect.selectValue(bucket === undefined ? field.type : bucketType(bucket), key);
}

function compileParts(
  { aggregation, field, quantile }: AggregateTerm,
  list: ParameterList,
): readonly string[] {
  if (field === undefined) return ['count(*)'];
  const { dialect } = list;
  const column = quoteIdentifier(field.name);
  switch (aggregation) {
    case 'COUNT':
      return [`count(${column})`];
    case 'COUNT_DISTINCT':
      return [`count(DISTINCT ${column})`];
    case 'MIN':
    case 'MAX': {
      const value = dialect.selectValue(field.type, `${aggregation.toLowerCase()}(${column})`);
      // In ClickHouse the least of no values can be 0.
      return [`CASE WHEN count(${column}) > 0 THEN ${value} END`];
    }
    case 'SUM':
    case 'AVG':
      return compileSum(field, dialect);
    case 'MEDIAN':
    case 'QUANTILE': {
      const last = `(count(${column}) - 1)`;
      const index = dialect.wholeNumber(`${last} * ${list.bind('float', quantile)}`);
      return [
        `count(${column})`,
        dialect.sortedItem(column, index),
        dialect.sortedItem(column, `least(${index} + 1, ${last})`),
      ];
    }
  }
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
