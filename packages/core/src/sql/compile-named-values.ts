import { placeOfWordRank, WORDS_RANK } from '../domain/feature-rank.ts';
import type { Field } from '../domain/field.ts';
import {
  placeOfRank,
  QUERY_RANKS,
  type QueryRank,
  type SearchRule,
  type SearchText,
} from '../domain/search-text.ts';
import type {
  NamedValuesPlan,
  NamedValuesSelection,
  NamedValuesSource,
  Rank,
} from '../plan/read-plan.ts';
import { editsForgiven, sharedParts, similarPattern } from '../text/find-similar.ts';
import { SEPARATORS } from '../text/words-of.ts';
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
    .map((source) => compileSource(source, plan.values, plan.query?.rule ?? 1, list))
    .join(' UNION ALL ');
  // The folded names belong to the smallest name, so that the displayed name is the matched one. Names of each record end
  // in `_each`: some servers would read the alias in place of a column with its name.
  const named = `SELECT _value, min(_value_folded_each) AS _value_folded,
    min(_short_each) AS _short, ${list.dialect.valueAtLeast('_short_folded_each', '_short_each')} AS _short_folded,
    min(_display_each) AS _display, ${list.dialect.valueAtLeast('_display_folded_each', '_display_each')} AS _display_folded
    FROM (${found}) AS _found GROUP BY _value`;
  if (plan.query === undefined) return `SELECT *, 0 AS _rank FROM (${named}) AS _named`;
  const rank = rankExpression(
    ['_value', '_short', '_display'].map((text) => ({ text, folded: `${text}_folded` })),
    plan.query,
    list,
  );
  return `SELECT * FROM (SELECT *, ${rank} AS _rank FROM (${named}) AS _named) AS _all WHERE _rank < ${placeOfRank('none')}`;
}

function compileSource(
  { version, value, shortName, displayName }: NamedValuesSource,
  values: readonly string[] | undefined,
  rule: SearchRule,
  list: ParameterList,
): string {
  const column = quoteIdentifier(value.name);
  const text = list.dialect.fieldText(value);
  const nameColumns = [shortName, displayName].flatMap((field, index) => {
    const name = index === 0 ? '_short' : '_display';
    const [plain, folded] =
      field === undefined
        ? [list.dialect.noText, list.dialect.noText]
        : [quoteIdentifier(field.name), list.dialect.searchedText(field, rule)];
    return [`${plain} AS ${name}_each`, `${folded} AS ${name}_folded_each`];
  });
  const conditions = [
    `${column} IS NOT NULL`,
    ...(values === undefined ? [] : [`${text} IN ${list.bindList('string', values)}`]),
  ];
  const columns = [
    `${text} AS _value`,
    `${list.dialect.searchedText(value, rule)} AS _value_folded_each`,
  ];
  return `SELECT DISTINCT ${[...columns, ...nameColumns].join(', ')} FROM ${compileTable(version, list)} AS _record${whereClause(conditions)}`;
}

/** How well the best text of a record matches the query: an index in `QUERY_RANKS`. */
export function compileRank({ fields, query, words }: Rank, list: ParameterList): string {
  const searched = fields.map((field) => searchedOf(field, query, list));
  if (words === undefined) return rankExpression(searched, query, list);
  const texts = words.fields.map((field) => list.dialect.searchedText(field, query.rule));
  const ofWords = words.words.map((word) => wordRank(word, texts, list));
  const byWords = [`${WORDS_RANK}`, ...ofWords].join(' + ');
  return rankExpression(searched, query, list, { ranks: ['equals', 'equals_folded'], byWords });
}

/** The rank of a word among those of texts: an index in `WORD_RANKS`. */
function wordRank(word: string, texts: readonly string[], list: ParameterList): string {
  const { dialect } = list;
  const all = dialect.betweenLineFeeds(texts);
  const matches = (pattern: string) => dialect.matchesPattern(all, list.bind('string', pattern));
  const containsText = (text: string) =>
    dialect.textMatch('contains', all, list.bind('string', text));
  const edits = editsForgiven(word);
  const contains = containsText(word);
  // Few texts contain the word, so that most are compared with one expression at most.
  const inside = `CASE WHEN ${matches(`${BETWEEN}${word}${BETWEEN}`)} THEN ${placeOfWordRank('equals')}
    WHEN ${matches(`${BETWEEN}${word}`)} THEN ${placeOfWordRank('starts_with')}
    ELSE ${placeOfWordRank('contains')} END`;
  const isSimilar = () => {
    const isOne = matches(`${BETWEEN}${similarPattern(word, edits)}${BETWEEN}`);
    const parts = sharedParts(word).map(containsText);
    return parts.length === 0
      ? isOne
      : `(CASE WHEN ${parts.join(' OR ')} THEN ${isOne} ELSE 1 = 0 END)`;
  };
  const similar = edits === 0 ? '' : `WHEN ${isSimilar()} THEN ${placeOfWordRank('similar')}`;
  return `CASE WHEN ${contains} THEN ${inside} ${similar} ELSE ${placeOfWordRank('none')} END`;
}

const BETWEEN = `[${SEPARATORS}]`;

/** The rank of the text form of a present value that contains the term. */
export function compileValueRank(field: Field, term: SearchText, list: ParameterList): string {
  const ranks = QUERY_RANKS.filter((rank) => term.rule > 1 || rank !== 'equals_folded');
  return rankExpression([searchedOf(field, term, list)], term, list, { ranks });
}

function searchedOf(field: Field, { rule }: SearchText, { dialect }: ParameterList): Searched {
  return { text: dialect.fieldText(field), folded: dialect.searchedText(field, rule) };
}

/** Expressions of a text and its folded form, which may be NULL. */
type Searched = { readonly text: string; readonly folded: string };

function rankExpression(
  searched: readonly Searched[],
  { rule, text: whole, folded: query }: SearchText,
  list: ParameterList,
  {
    ranks = QUERY_RANKS,
    byWords = `${placeOfRank('none')}`,
  }: { readonly ranks?: readonly QueryRank[]; readonly byWords?: string } = {},
): string {
  const { dialect } = list;
  const text = rule > 1 ? list.bind('string', whole) : undefined;
  const folded = list.bind('string', query);
  const conditionOf = (rank: QueryRank, one: Searched): string | undefined => {
    switch (rank) {
      case 'equals':
        return text && `${one.text} = ${text}`;
      case 'equals_folded':
        return `${one.folded} = ${folded}`;
      case 'starts_with':
      case 'contains':
        return dialect.textMatch(rank, one.folded, folded);
      case 'none':
        return undefined;
    }
  };
  const cases = ranks.flatMap((rank) => {
    const conditions = searched.flatMap((one) => conditionOf(rank, one) ?? []);
    if (conditions.length === 0) return [];
    const any = conditions.map((condition) => `coalesce(${condition}, 1 = 0)`).join(' OR ');
    return [`WHEN ${any} THEN ${placeOfRank(rank)}`];
  });
  return `CASE ${cases.join(' ')} ELSE ${byWords} END`;
}
