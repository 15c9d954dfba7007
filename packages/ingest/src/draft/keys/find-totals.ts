import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { numberOf, type ResultRow } from '@locmetrics/column-store/publish/result-row';
import { quoteLiteral } from '@locmetrics/core/sql/quote-identifier';
import type { DraftField } from '../values/draft-fields.ts';
import { isCategoryName, measureKind } from '../values/measure-kind.ts';
import { snake } from '../values/valid-name.ts';
import { findCodeLevels } from './code-levels.ts';
import { isMeasure } from './combine-repeated.ts';
import type { FoundKey } from './find-key.ts';
import { findBlankTotals } from './find-nested-totals.ts';
import type { FoundTotal } from './found-total.ts';
import { type Column, type Match, match, sumName, sumsOf } from './sums-of-records.ts';

/**
 * Finds them by their numbers: a word such as Total in a field, a code such as T beside F and M, a level in another, or
 * names such as `Provincia de …`. The word alone proves nothing, because a brand can be called Total.
 */
export async function findTotals(
  connection: ImportConnection,
  {
    table,
    fields,
    key,
    labelled,
    leastOf,
  }: {
    /** The table with a column for each field: v0, v1, … */
    readonly table: string;
    readonly fields: readonly DraftField[];
    readonly key: FoundKey;
    /** Numbers that may be no amounts: that they add up is chance. */
    readonly labelled: ReadonlySet<string>;
    readonly leastOf: (field: DraftField) => number;
  },
): Promise<readonly FoundTotal[]> {
  const columns = fields.map((field, index): Column => ({ field, sql: `v${index}` }));
  const measures = columns
    .filter(
      ({ field }) =>
        isMeasure(field, key) &&
        !labelled.has(field.name) &&
        !isCategoryName(field.name) &&
        kindOf(field, leastOf(field)) !== 'mean',
    )
    .slice(0, MEASURES_MAX);
  if (measures.length === 0) return [];
  const dates = columns.filter(({ field }) => field.document.type === 'date');
  const others = columns.filter(({ field }) => key.fields.includes(field.name));
  const texts = columns.filter(
    ({ field }) =>
      field.document.type === 'string' ||
      LEVEL.test(snake(field.name)) ||
      // A sex of 0 beside 1 and 2.
      (field.document.type === 'integer' && key.fields.includes(field.name)),
  );
  const sums = (kinds: string, by: readonly Column[]) =>
    sumsOf(connection, { table, kinds, by, measures });
  const outer = (column: Column) =>
    others.filter((one) => one !== column && one.field.document.type !== 'float');
  const totalOfCodes = async (column: Column, whole?: string): Promise<FoundTotal | undefined> => {
    const { field, sql } = column;
    if (!others.includes(column) || field.document.type !== 'string') return undefined;
    const values = await fewValues(connection, table, sql, CODES_MAX);
    return findCodeLevels(connection, {
      table,
      column,
      values: values.filter((value) => value !== whole),
      whole,
      dates,
      by: outer(column),
      measures,
    });
  };
  const found: FoundTotal[] = [];
  for (const column of texts.slice(0, TEXTS_MAX)) {
    const { field, sql } = column;
    const add = (
      value: string,
      kind: FoundTotal['kind'],
      match: (Match & Pick<FoundTotal, 'hasOthers'>) | undefined,
    ) => {
      if (match !== undefined && (match.proof !== undefined || kind === 'word')) {
        found.push({ field: field.name, value, kind, ...match });
      }
    };
    const around = outer(column);
    const addEnding = (value: string, kind: 'word' | 'ending', found: Match | undefined) => {
      if (found?.proof !== undefined) add(value, kind, found);
    };
    for (const value of await wordsLike(connection, table, isTotalSql(sql), sql)) {
      const kinds = `CASE WHEN ${sql} = ${quoteLiteral(value)} THEN 'total' ELSE 'part' END`;
      const own = match(await sums(kinds, around), measures, WORD);
      add(value, 'word', own ?? match(await sums(kinds, dates), measures, WORD));
    }
    if (found.some((one) => one.field === field.name)) continue;
    // Delaware Total; or one of each state, whose sum is that of all others.
    const ended = matchesSql(sql, ENDING);
    const endings = await wordsLike(connection, table, ended, sql);
    const kinds = `CASE WHEN ${ended} THEN 'total' ELSE 'part' END`;
    const [ending, ...more] = endings;
    if (ending !== undefined) {
      const byOthers = match(await sums(kinds, around), measures, WORD);
      const own = byOthers ?? match(await sums(kinds, dates), measures, WORD);
      if (more.length === 0) addEnding(ending, 'word', own);
      else addEnding(ending.trim().replace(/^.*\s/, ''), 'ending', own);
    }
    if (found.some((one) => one.field === field.name)) continue;
    if (others.includes(column)) {
      const values = await fewValues(connection, table, sql, VALUES_MAX);
      const grouped = values.length < 3 ? [] : await sums(`CAST(${sql} AS VARCHAR)`, around);
      for (const value of values) {
        // Of codes, zeros alone are those of the whole: county 000 is a state.
        const isSure = field.isCode && /^0+$/.test(value);
        add(value, 'value', match(grouped, measures, { ...WORD, total: value, isSure }));
      }
    }
    const whole = found.find((one) => one.field === field.name);
    if (whole !== undefined) {
      // The total of all may be above codes of several levels.
      const below = whole.kind === 'value' ? await totalOfCodes(column, whole.value) : undefined;
      if (below !== undefined) found.push(below);
      continue;
    }
    const [world] = await wordsLike(connection, table, matchesSql(sql, WORLD), sql);
    if (world !== undefined && isGreatest(await sums(`CAST(${sql} AS VARCHAR)`, dates), world)) {
      // Codes such as AT, AT1 and AT11 name the one level to keep, and the world is left out with the others.
      const only = { field: field.name, value: world, kind: 'word', isWorld: true } as const;
      found.push((await totalOfCodes(column)) ?? only);
      continue;
    }
    const levels = await fewValues(connection, table, sql, LEVELS_MAX);
    if (levels.length > 1) {
      const grouped = await sums(`CAST(${sql} AS VARCHAR)`, dates);
      const isSure = LEVEL.test(snake(field.name));
      for (const total of levels) {
        const level = match(grouped, measures, { total, isSure, partsOf: 'finest' });
        add(total, 'level', level && { ...level, hasOthers: levels.length > 2 });
      }
      const isKnown = found.some((one) => one.field === field.name);
      const most = levels.at(-1);
      if (!isKnown && most !== undefined && isPlaceLevelName(field.name)) {
        found.push({ field: field.name, value: most, kind: 'level', levels: levels.toSorted() });
      }
    }
    if (found.every((one) => one.field !== field.name)) {
      const codes = await totalOfCodes(column);
      if (codes !== undefined) found.push(codes);
    }
    for (const value of await beginnings(connection, table, sql)) {
      const isSo = `starts_with(lower(${sql}), ${quoteLiteral(value.toLowerCase())})`;
      const kinds = `CASE WHEN ${isTotalSql(sql)} THEN NULL WHEN ${isSo} THEN 'total' ELSE 'part' END`;
      add(value, 'beginning', match(await sums(kinds, dates), measures, WORD));
    }
  }
  // Beside rows of a level between, such as regions, a total is the sum of the others without them.
  const between = found.flatMap(({ field, value, kind, proof }) => {
    const level = columns.find((column) => column.field.name === field);
    return kind === 'level' && proof !== undefined && level !== undefined ? [{ level, value }] : [];
  });
  for (const column of between.length === 0 ? [] : texts.slice(0, TEXTS_MAX)) {
    const { field, sql } = column;
    if (found.some((one) => one.field === field.name)) continue;
    const isBetween = between
      .map(({ level, value }) => `coalesce(${level.sql} = ${quoteLiteral(value)}, false)`)
      .join(' OR ');
    for (const value of await wordsLike(connection, table, isTotalSql(sql), sql)) {
      const isTotal = `${sql} = ${quoteLiteral(value)}`;
      const kinds = `CASE WHEN ${isTotal} THEN 'total' WHEN ${isBetween} THEN NULL ELSE 'part' END`;
      const own = match(await sums(kinds, outer(column)), measures, WORD);
      if (own?.proof !== undefined) found.push({ field: field.name, value, kind: 'word', ...own });
    }
  }
  const by = others.filter(({ field }) => field.document.type !== 'float');
  const blank = await findBlankTotals(connection, { table, columns, key, by, measures });
  if (blank !== undefined) found.push(blank);
  return withoutRepeated(connection, { table, columns, found });
}

/**
 * The place of the highest level is the sum of the others too. But a code such as that of all owners, which other codes
 * share levels with, says more than the level.
 */
async function withoutRepeated(
  connection: ImportConnection,
  {
    table,
    columns,
    found,
  }: {
    readonly table: string;
    readonly columns: readonly Column[];
    readonly found: readonly FoundTotal[];
  },
): Promise<readonly FoundTotal[]> {
  const sqlOf = (name: string) => columns.find(({ field }) => field.name === name)?.sql ?? 'NULL';
  const levels = found.filter(({ kind, proof }) => kind === 'level' && proof !== undefined);
  const repeated = new Set<FoundTotal>();
  for (const level of levels) {
    for (const value of found.filter(({ kind }) => kind === 'value')) {
      const [own, other] = [sqlOf(value.field), sqlOf(level.field)];
      const [row] = await connection.list(
        `SELECT (max(levels) > 1)::VARCHAR AS is_spread, (SELECT bool_and(coalesce(${own} = ${quoteLiteral(value.value)}, false))
          FROM ${table} WHERE ${other} = ${quoteLiteral(level.value)})::VARCHAR AS is_same
          FROM (SELECT count(DISTINCT ${other}) AS levels FROM ${table} GROUP BY ${own})`,
      );
      if (row?.['is_spread'] !== 'true') repeated.add(value);
      else if (row['is_same'] === 'true') repeated.add(level);
    }
  }
  return found.filter((one) => !repeated.has(one));
}

const TEXTS_MAX = 30;
const MEASURES_MAX = 20;
const WORD = { total: 'total', isSure: true, partsOf: 'all' } as const;

function kindOf({ name, unit, document }: DraftField, least: number) {
  return measureKind({ name, type: document.type, format: document.format, unit, least });
}

/** The words that a record with a total has, as the whole value or as its beginning. In lower case. */
const TOTAL =
  '^((sub[- ]?|grand )?totals?|all|overall|sum|gesamt|insgesamt|zusammen|ensemble|totale|summe|totaal|totalt|tous|toutes|todos|todas|alle|ambos sexos|both sexes|toplam|итого|всего|合計|総数|总计|合计)$|^(total|all|gesamt|insgesamt|ensemble|todos|todas|tous|toutes|alle|summe)[ ,:(-]';

/** The place of which all others are parts. */
const WORLD =
  '^(the )?(world|whole world|welt|monde|mundo|mondo|wereld|verden|världen|мир|世界|全球|eu(\\d\\d)?(_\\d{4})?|ea(\\d\\d)?|european union.*)( total)?$';

const ENDING = '[^ ] (sub-?)?(totals?|totale|totaal|totalt|gesamt|insgesamt|zusammen)$';

/** Names of columns that tell the level of a place. */
const LEVEL =
  /^(sum_?lev|sumlevel|summary_?level|agg(regation)?_?(lvl|level)(_code)?|((geo|geography|area|admin|adm|region|place|territory)_?)?(level|lvl|lev)|ebene|gebietsebene|stufe|niveau|nivel|livello|geo_?type|area_?type|region_?type|place_?type|type|typ|art|kind)$/;

/** Those of them that say nothing else. */
const PLACE_LEVEL =
  /^(sum_?lev|sumlevel|summary_?level|agg(regation)?_?(lvl|level)(_code)?|(geo|geography|area|admin|adm|region|place|territory)_?(level|lvl|lev)|gebietsebene|geo_?type|area_?type|region_?type|place_?type)$/;

export function isPlaceLevelName(name: string): boolean {
  return PLACE_LEVEL.test(snake(name));
}

/** Names of larger places begin so. */
const LARGER =
  '^(provincia|provincias|comunidad|comunitat|principado|regi[óo]n|regione|r[ée]gion|region|province|prov\\.|d[ée]partement|departamento|estado|state|kanton|canton|cantone|bundesland|land|regierungsbezirk|landkreis|kreis|bezirk|county|district|distrito|comarca|isla)( de la| de los| de| del| di| du| des| of the| of)? ';

/** SQL of whether a text is the word of a total. */
export function isTotalSql(sql: string): string {
  return matchesSql(sql, TOTAL);
}

function matchesSql(sql: string, pattern: string): string {
  return `regexp_matches(lower(trim(CAST(${sql} AS VARCHAR))), ${quoteLiteral(pattern)})`;
}

async function wordsLike(
  connection: ImportConnection,
  table: string,
  condition: string,
  sql: string,
): Promise<readonly string[]> {
  const rows = await connection.list(
    `SELECT DISTINCT CAST(${sql} AS VARCHAR) AS value FROM ${table} WHERE ${condition}
      ORDER BY value LIMIT ${WORDS_MAX}`,
  );
  return rows.map(({ value }) => String(value));
}

const WORDS_MAX = 5;

/** The values of a column that has only a few. */
async function fewValues(
  connection: ImportConnection,
  table: string,
  sql: string,
  most: number,
): Promise<readonly string[]> {
  const rows = await connection.list(
    `SELECT CAST(${sql} AS VARCHAR) AS value FROM ${table} WHERE ${sql} IS NOT NULL
      GROUP BY ${sql} ORDER BY count(*), value LIMIT ${most + 1}`,
  );
  return rows.length > most ? [] : rows.map(({ value }) => String(value));
}

const LEVELS_MAX = 20;
const CODES_MAX = 20_000;
/** The countries of the world are fewer. */
const VALUES_MAX = 300;

async function beginnings(
  connection: ImportConnection,
  table: string,
  sql: string,
): Promise<readonly string[]> {
  const rows = await connection.list(
    `SELECT regexp_extract(CAST(${sql} AS VARCHAR), ${quoteLiteral(LARGER)}, 0, 'i') AS beginning FROM ${table}
      WHERE regexp_matches(CAST(${sql} AS VARCHAR), ${quoteLiteral(LARGER)}, 'i') GROUP BY ALL ORDER BY count(*) DESC LIMIT 3`,
  );
  return rows.map(({ beginning }) => String(beginning));
}

/** Whether no other kind of record has a greater sum in any group. */
function isGreatest(grouped: readonly (readonly ResultRow[])[], kind: string): boolean {
  const compared = grouped.filter((group) => group.length > 2);
  return (
    compared.length > 0 &&
    compared.every((group) => {
      const sum = (row: ResultRow) => numberOf(row, sumName(0));
      const own = group.find((row) => row['kind'] === kind);
      return own !== undefined && group.every((row) => sum(row) <= sum(own));
    })
  );
}
