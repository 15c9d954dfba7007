import {
  type NamedValuesPlan,
  type NamedValuesSelection,
  type NamedValuesSource,
  QUERY_RANKS,
} from '../plan/read-plan.ts';
import {
  compileTable,
  openParameterList,
  type ParameterList,
  whereClause,
} from './compile-predicates.ts';
import { rankExpression } from './compile-rank.ts';
import { quoteIdentifier } from './quote-identifier.ts';
import type { SqlDialect, SqlStatement } from './sql-dialect.ts';

/** A page of named values: value, short name, display name, rank; one row more than the limit. */
export function compileNamedValues(plan: NamedValuesPlan, dialect: SqlDialect): SqlStatement {
  const list = openParameterList(dialect);
  const ranked = compileRanked(plan, dialect, list);
  const conditions: string[] = [];
  if (plan.after !== undefined) {
    const rank = list.bind('float', plan.after.rank);
    const value = list.bind('string', plan.after.value);
    conditions.push(`(_rank > ${rank} OR (_rank = ${rank} AND _value > ${value}))`);
  }
  return {
    text: `SELECT _value, _short, _display, _rank FROM (${ranked}) AS _ranked${whereClause(conditions)} ORDER BY _rank, _value LIMIT ${plan.limit + 1}`,
    parameters: list.parameters,
  };
}

/** The number of values on all pages of the plan. */
export function compileNamedValuesCount(
  plan: NamedValuesSelection,
  dialect: SqlDialect,
): SqlStatement {
  const list = openParameterList(dialect);
  return {
    text: `SELECT count(*) FROM (${compileRanked(plan, dialect, list)}) AS _ranked`,
    parameters: list.parameters,
  };
}

/** The distinct values, with their names, that match the query, each with its rank. */
function compileRanked(
  plan: NamedValuesSelection,
  dialect: SqlDialect,
  list: ParameterList,
): string {
  const found = plan.sources
    .map((source) => compileSource(source, plan.values, dialect, list))
    .join(' UNION ALL ');
  // The folded names belong to the smallest name, so that the displayed name is the matched one.
  const named = `SELECT _value, min(_value_folded) AS _value_folded,
    min(_short) AS _short, ${dialect.valueAtLeast('_short_folded', '_short')} AS _short_folded,
    min(_display) AS _display, ${dialect.valueAtLeast('_display_folded', '_display')} AS _display_folded
    FROM (${found}) AS _found GROUP BY _value`;
  if (plan.query === undefined) return `SELECT *, 0 AS _rank FROM (${named}) AS _named`;
  const rank = rankExpression(
    ['_value_folded', '_short_folded', '_display_folded'],
    list.bind('string', plan.query),
    dialect,
  );
  return `SELECT * FROM (SELECT *, ${rank} AS _rank FROM (${named}) AS _named) AS _all WHERE _rank < ${QUERY_RANKS.indexOf('none')}`;
}

function compileSource(
  { version, value, shortName, displayName }: NamedValuesSource,
  values: readonly string[] | undefined,
  dialect: SqlDialect,
  list: ParameterList,
): string {
  const column = quoteIdentifier(value.name);
  const text = dialect.fieldText(value);
  const nameColumns = [shortName, displayName].flatMap((field, index) => {
    const name = index === 0 ? '_short' : '_display';
    const [plain, folded] =
      field === undefined
        ? [dialect.noText, dialect.noText]
        : [quoteIdentifier(field.name), dialect.foldedText(field)];
    return [`${plain} AS ${name}`, `${folded} AS ${name}_folded`];
  });
  const conditions = [
    `${column} IS NOT NULL`,
    ...(values === undefined ? [] : [`${text} IN ${list.bindList('string', values)}`]),
  ];
  const columns = [`${text} AS _value`, `${dialect.foldedText(value)} AS _value_folded`];
  return `SELECT DISTINCT ${[...columns, ...nameColumns].join(', ')} FROM ${compileTable(version, dialect, list)} AS _record${whereClause(conditions)}`;
}
