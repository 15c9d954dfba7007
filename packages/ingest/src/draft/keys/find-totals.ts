import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { numberOf, type ResultRow } from '@locmetrics/column-store/publish/result-row';
import { quoteLiteral } from '@locmetrics/core/sql/quote-identifier';
import type { DraftField } from '../values/draft-fields.ts';
import { measureKind } from '../values/measure-kind.ts';
import { snake } from '../values/valid-name.ts';
import { isMeasure } from './combine-repeated.ts';
import type { FoundKey } from './find-key.ts';

/** Records that are the sums of others. */
export type FoundTotal = {
  readonly field: string;
  /** The value of the field in these records; or for names, how they begin or end. */
  readonly value: string;
  readonly kind: 'word' | 'value' | 'level' | 'code_length' | 'beginning' | 'ending';
  /** Whether the field has other levels than this one and that of its parts. */
  readonly hasOthers?: boolean;
  /** Whether only its name and its size say that it is a total: the world, among places of several levels. */
  readonly isWorld?: boolean;
  /** The levels of places that a column tells, though none is the sum of another; the value is that of most records. */
  readonly levels?: readonly string[];
  /** The measure that adds up, and in how many of the groups of records it does; absent: the sums only come close. */
  readonly proof?: { readonly measure: string; readonly equal: number; readonly groups: number };
};

type Column = { readonly field: DraftField; readonly sql: string };

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
    leastOf,
  }: {
    /** The table with a column for each field: v0, v1, … */
    readonly table: string;
    readonly fields: readonly DraftField[];
    readonly key: FoundKey;
    readonly leastOf: (field: DraftField) => number;
  },
): Promise<readonly FoundTotal[]> {
  const columns = fields.map((field, index): Column => ({ field, sql: `v${index}` }));
  const measures = columns
    .filter(({ field }) => isMeasure(field, key) && kindOf(field, leastOf(field)) !== 'mean')
    .slice(0, MEASURES_MAX);
  if (measures.length === 0) return [];
  const dates = columns.filter(({ field }) => field.document.type === 'date');
  const others = columns.filter(({ field }) => key.fields.includes(field.name));
  const texts = columns.filter(
    ({ field }) => field.document.type === 'string' || LEVEL.test(snake(field.name)),
  );
  const sums = (kinds: string, by: readonly Column[]) =>
    sumsOf(connection, { table, kinds, by, measures });
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
    const outer = others.filter((one) => one !== column && one.field.document.type !== 'float');
    const addEnding = (value: string, kind: 'word' | 'ending', found: Match | undefined) => {
      if (found?.proof !== undefined) add(value, kind, found);
    };
    for (const value of await wordsLike(connection, table, isTotalSql(sql), sql)) {
      const kinds = `CASE WHEN ${sql} = ${quoteLiteral(value)} THEN 'total' ELSE 'part' END`;
      const own = match(await sums(kinds, outer), measures, WORD);
      add(value, 'word', own ?? match(await sums(kinds, dates), measures, WORD));
    }
    if (found.some((one) => one.field === field.name)) continue;
    // Delaware Total; or one of each state, whose sum is that of all others.
    const ended = matchesSql(sql, ENDING);
    const endings = await wordsLike(connection, table, ended, sql);
    const kinds = `CASE WHEN ${ended} THEN 'total' ELSE 'part' END`;
    const [ending, ...more] = endings;
    if (ending !== undefined) {
      const byOthers = match(await sums(kinds, outer), measures, WORD);
      const own = byOthers ?? match(await sums(kinds, dates), measures, WORD);
      if (more.length === 0) addEnding(ending, 'word', own);
      else addEnding(ending.trim().replace(/^.*\s/, ''), 'ending', own);
    }
    if (found.some((one) => one.field === field.name)) continue;
    if (others.includes(column)) {
      const values = await fewValues(connection, table, sql, VALUES_MAX);
      const grouped = values.length < 3 ? [] : await sums(`CAST(${sql} AS VARCHAR)`, outer);
      for (const value of values) {
        // Of codes, zeros alone are those of the whole: county 000 is a state.
        const isSure = field.isCode && /^0+$/.test(value);
        add(value, 'value', match(grouped, measures, { ...WORD, total: value, isSure }));
      }
    }
    if (found.some((one) => one.field === field.name)) continue;
    const [world] = await wordsLike(connection, table, matchesSql(sql, WORLD), sql);
    if (world !== undefined && isGreatest(await sums(`CAST(${sql} AS VARCHAR)`, dates), world)) {
      found.push({ field: field.name, value: world, kind: 'word', isWorld: true });
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
      if (!isKnown && most !== undefined && PLACE_LEVEL.test(snake(field.name))) {
        found.push({ field: field.name, value: most, kind: 'level', levels: levels.toSorted() });
      }
    }
    const isKnown = found.some((one) => one.field === field.name);
    const codes =
      isKnown || !others.includes(column) || field.document.type !== 'string'
        ? undefined
        : codeLevels(await fewValues(connection, table, sql, CODES_MAX));
    if (codes !== undefined) {
      const grouped = await sums(`CAST(length(${sql}) AS VARCHAR)`, dates);
      const level = match(grouped, measures, {
        total: String(codes[0]?.length),
        isSure: true,
        partsOf: 'finest',
      });
      const value = String(codes.at(-1)?.length);
      if (level?.proof !== undefined) {
        found.push({ field: field.name, value, kind: 'code_length', levels: codes, ...level });
      }
    }
    for (const value of await beginnings(connection, table, sql)) {
      const isSo = `starts_with(lower(${sql}), ${quoteLiteral(value.toLowerCase())})`;
      const kinds = `CASE WHEN ${isTotalSql(sql)} THEN NULL WHEN ${isSo} THEN 'total' ELSE 'part' END`;
      add(value, 'beginning', match(await sums(kinds, dates), measures, WORD));
    }
  }
  // The place of the highest level is the sum of the others too.
  const hasLevels = found.some(({ kind, proof }) => kind === 'level' && proof !== undefined);
  return hasLevels ? found.filter(({ kind }) => kind !== 'value') : found;
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
  /^(sum_?lev|sumlevel|summary_?level|((geo|geography|area|admin|adm|region|place|territory)_?)?(level|lvl|lev)|ebene|gebietsebene|stufe|niveau|nivel|livello|geo_?type|area_?type|region_?type|place_?type|type|typ|art|kind)$/;

/** Those of them that say nothing else. */
const PLACE_LEVEL =
  /^(sum_?lev|sumlevel|summary_?level|(geo|geography|area|admin|adm|region|place|territory)_?(level|lvl|lev)|gebietsebene|geo_?type|area_?type|region_?type|place_?type)$/;

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

const LEVELS_MAX = 8;
const CODES_MAX = 20_000;
/** The countries of the world are fewer. */
const VALUES_MAX = 300;

/** A code of each length, if nearly all longer codes begin with a shorter one: AT, AT1, AT11. */
function codeLevels(values: readonly string[]): readonly string[] | undefined {
  const lengths = [...new Set(values.map((value) => value.length))].toSorted(
    (left, right) => left - right,
  );
  const [shortest = 0] = lengths;
  if (lengths.length < 2 || lengths.length > LEVELS_MAX) return undefined;
  const known = new Set(values);
  const longer = values.filter((value) => value.length > shortest);
  const parts = longer.filter((value) =>
    lengths.some((length) => length < value.length && known.has(value.slice(0, length))),
  );
  if (parts.length < longer.length * GROUPS_SHARE) return undefined;
  return lengths.map((length) => values.find((value) => value.length === length) ?? '');
}

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

/** The sums of the measures by the kind of a record, in each group of records. */
async function sumsOf(
  connection: ImportConnection,
  {
    table,
    kinds,
    by,
    measures,
  }: {
    readonly table: string;
    readonly kinds: string;
    readonly by: readonly Column[];
    readonly measures: readonly Column[];
  },
): Promise<readonly (readonly ResultRow[])[]> {
  const parts = by.map(({ sql }) => `coalesce(CAST(${sql} AS VARCHAR), '')`);
  const sums = measures.map(
    ({ sql }, index) => `coalesce(sum(${sql}), 0)::DOUBLE AS ${sumName(index)}`,
  );
  const rows = await connection.list(
    `SELECT concat_ws('|', ${["''", ...parts].join(', ')}) AS part_of, kind, count(*)::DOUBLE AS count, ${sums.join(', ')}
      FROM (SELECT *, ${kinds} AS kind FROM ${table}) WHERE kind IS NOT NULL
      GROUP BY ALL LIMIT ${GROUPS_MAX}`,
  );
  return [...Map.groupBy(rows, (row) => String(row['part_of'])).values()];
}

function sumName(index: number): string {
  return `sum_${index}`;
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

type Match = Pick<FoundTotal, 'proof'>;

/** Whether the sums of the totals are those of their parts. Several levels of parts each have the whole sum. */
function match(
  grouped: readonly (readonly ResultRow[])[],
  measures: readonly Column[],
  {
    total,
    isSure,
    partsOf,
  }: {
    /** The kind of the totals. */
    readonly total: string;
    /** Whether a name says that there are totals, so that few equal sums are enough. */
    readonly isSure: boolean;
    readonly partsOf: 'all' | 'finest';
  },
): Match | undefined {
  const pairs = grouped.flatMap((group) => toPair(group, total, { partsOf, isSure }));
  const checked = measures.map(({ field }, index) => {
    const sums = pairs.flatMap(({ whole, parts }) => {
      const sum = numberOf(whole, sumName(index));
      const ofParts = parts.reduce((all, part) => all + numberOf(part, sumName(index)), 0);
      return sum === 0 ? [] : [{ sum, ofParts }];
    });
    const near = (tolerance: number, multiples: readonly number[]) =>
      sums.filter(({ sum, ofParts }) =>
        multiples.some((times) => Math.abs(ofParts - times * sum) <= tolerance * Math.abs(ofParts)),
      ).length;
    return {
      measure: field.name,
      equal: near(isSure ? ROUNDED : EXACT, isSure && partsOf === 'all' ? MULTIPLES : [1]),
      close: near(CLOSE, [1]),
      groups: sums.length,
      largest: Math.max(0, ...sums.map(({ sum }) => Math.abs(sum))),
    };
  });
  const isMost = (count: number, groups: number) => groups > 0 && count >= groups * GROUPS_SHARE;
  const proof = checked
    .filter(({ equal, groups }) => isMost(equal, groups))
    .filter(({ equal, largest }) => isSure || equal > 2 || largest >= LARGE)
    .toSorted((left, right) => right.equal - left.equal)[0];
  if (proof !== undefined) {
    const { measure, equal, groups } = proof;
    return { proof: { measure, equal, groups } };
  }
  return checked.some(({ close, groups }) => isMost(close, groups)) ? {} : undefined;
}

/** The total of a group of records, and its parts: all others, or the most of one kind. */
function toPair(
  group: readonly ResultRow[],
  kind: string,
  { partsOf, isSure }: { readonly partsOf: 'all' | 'finest'; readonly isSure: boolean },
): readonly { readonly whole: ResultRow; readonly parts: readonly ResultRow[] }[] {
  const whole = group.find((row) => row['kind'] === kind);
  const others = group.filter((row) => row !== whole);
  const counts = others.map((row) => numberOf(row, 'count'));
  if (whole === undefined || others.length === 0) return [];
  const most = Math.max(...counts);
  const parts = partsOf === 'all' ? others : others.slice(counts.indexOf(most)).slice(0, 1);
  const count = parts.reduce((sum, row) => sum + numberOf(row, 'count'), 0);
  // A single record that equals another one is not its total.
  const isWhole =
    count > 1 && (partsOf === 'all' || count > (isSure ? 1 : 2) * numberOf(whole, 'count'));
  return isWhole ? [{ whole, parts }] : [];
}

const GROUPS_MAX = 200_000;
const GROUPS_SHARE = 0.9;
/** Rounded parts differ a little from a rounded total; suppressed ones are missing. */
const ROUNDED = 0.002;
const EXACT = 1e-9;
const CLOSE = 0.1;
const MULTIPLES = [1, 2, 3];
/** Such sums are not equal by chance. */
const LARGE = 1000;
