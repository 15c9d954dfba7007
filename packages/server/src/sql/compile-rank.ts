import { QUERY_RANKS, type Rank } from '../plan/read-plan.ts';
import type { ParameterList } from './compile-predicates.ts';
import type { SqlDialect } from './sql-dialect.ts';

/** How well the best text of a record matches the query: an index in `QUERY_RANKS`. */
export function compileRank(rank: Rank, dialect: SqlDialect, list: ParameterList): string {
  return rankExpression(
    rank.fields.map((field) => dialect.foldedText(field)),
    list.bind('string', rank.query),
    dialect,
  );
}

/** The rank of expressions of folded texts, any of which may be NULL. */
export function rankExpression(
  folded: readonly string[],
  query: string,
  dialect: SqlDialect,
): string {
  const anyText = (condition: (text: string) => string): string =>
    folded.map((text) => `coalesce(${condition(text)}, 1 = 0)`).join(' OR ');
  const place = (rank: (typeof QUERY_RANKS)[number]) => QUERY_RANKS.indexOf(rank);
  return `CASE
    WHEN ${anyText((text) => `${text} = ${query}`)} THEN ${place('equals')}
    WHEN ${anyText((text) => dialect.textMatch('starts_with', text, query))} THEN ${place('starts_with')}
    WHEN ${anyText((text) => dialect.textMatch('contains', text, query))} THEN ${place('contains')}
    ELSE ${place('none')} END`;
}
