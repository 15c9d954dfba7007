import {
  type NamedValuesPlan,
  type NamedValuesSelection,
  type NamedValuesSource,
  QUERY_RANKS,
  type Rank,
} from '../plan/read-plan.ts';
import { compileTable, whereClause } from './compile-predicates.ts';
import { openParameterList, type ParameterList } from './parameter-list.ts';
import { quoteIdentifier } from './quote-identifier.ts';
import type { SqlDialect, SqlStatement } from './sql-dialect.ts';

/** A page of named values: value, short name, display name, rank; one row more than the limit. */
export function compileNamedValues(plan: NamedValuesPlan, dialect: SqlDialect): SqlStatement {
  const list = openParameterList(dialect);
  const ranked = compileRanked(plan, list);
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
    text: `SELECT count(*) FROM (${compileRanked(plan, list)}) AS _ranked`,
    parameters: list.parameters,
  };
}

/** The distinct values, with their names, that match the query, each with its rank. */
function compileRanked(plan: NamedValuesSelection, list: ParameterList): string {
  const found = plan.sources
    .map((source) => compileSource(source, plan.values, list))
    .join(' UNION ALL ');
  // The folded names belong to the smallest name, so that the displayed name is the matched one. Names of each record end
  // in `_each`: some servers would read the alias in place of a column with its name.
  const named = `SELECT _value, min(_value_folded_each) AS _value_folded,
    min(_short_each) AS _short, ${list.dialect.valueAtLeast('_short_folded_each', '_short_each')} AS _short_folded,
    min(_display_each) AS _display, ${list.dialect.valueAtLeast('_display_folded_each', '_display_each')} AS _display_folded
    FROM (${found}) AS _found GROUP BY _value`;
  if (plan.query === undefined) return `SELECT *, 0 AS _rank FROM (${named}) AS _named`;
  const rank = rankExpression(
    ['_value_folded', '_short_folded', '_display_folded'],
    list.bind('string', plan.query),
    list.dialect,
  );
  return `SELECT * FROM (SELECT *, ${rank} AS _rank FROM (${named}) AS _named) AS _all WHERE _rank < ${QUERY_RANKS.indexOf('none')}`;
}

function compileSource(
  { version, value, shortName, displayName }: NamedValuesSource,
  values: readonly string[] | undefined,
  list: ParameterList,
): string {
  const column = quoteIdentifier(value.name);
  const text = list.dialect.fieldText(value);
  const nameColumns = [shortName, displayName].flatMap((field, index) => {
    const name = index === 0 ? '_short' : '_display';
    const [plain, folded] =
      field === undefined
        ? [list.dialect.noText, list.dialect.noText]
        : [quoteIdentifier(field.name), list.dialect.foldedText(field)];
    return [`${plain} AS ${name}_each`, `${folded} AS ${name}_folded_each`];
  });
  const conditions = [
    `${column} IS NOT NULL`,
    ...(values === undefined ? [] : [`${text} IN ${list.bindList('string', values)}`]),
  ];
  const columns = [`${text} AS _value`, `${list.dialect.foldedText(value)} AS _value_folded_each`];
  return `SELECT DISTINCT ${[...columns, ...nameColumns].join(', ')} FROM ${compileTable(version, list)} AS _record${whereClause(conditions)}`;
}

/** How well the best text of a record matches the query: an index in `QUERY_RANKS`. */
export function compileRank(rank: Rank, list: ParameterList): string {
  return rankExpression(
    rank.fields.map((field) => list.dialect.foldedText(field)),
    list.bind('string', rank.query),
    list.dialect,
  );
}

/** The rank of expressions of folded texts, any of which may be NULL. */
function rankExpression(folded: readonly string[], query: string, dialect: SqlDialect): string {
  const anyText = (condition: (text: string) => string): string =>
    folded.map((text) => `coalesce(${condition(text)}, 1 = 0)`).join(' OR ');
  const place = (rank: (typeof QUERY_RANKS)[number]) => QUERY_RANKS.indexOf(rank);
  return `CASE
    WHEN ${anyText((text) => `${text} = ${query}`)} THEN ${place('equals')}
    WHEN ${anyText((text) => dialect.textMatch('starts_with', text, query))} THEN ${place('starts_with')}
    WHEN ${anyText((text) => dialect.textMatch('contains', text, query))} THEN ${place('contains')}
    ELSE ${place('none')} END`;
}
