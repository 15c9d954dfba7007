import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { numberOf } from '@locmetrics/column-store/publish/result-row';
import { quoteLiteral } from '@locmetrics/core/sql/quote-identifier';
import { CODE_STATES } from '../values/code-names.ts';
import type { DraftField } from '../values/draft-fields.ts';
import { measureKind } from '../values/measure-kind.ts';
import { snake } from '../values/valid-name.ts';
import { findCodeLevels } from './code-levels.ts';
import { isMeasure } from './combine-repeated.ts';
import type { FoundKey } from './find-key.ts';
import { isPlaceLevelName } from './find-totals.ts';
import type { FoundTotal } from './found-total.ts';
import type { Column } from './sums-of-records.ts';

/**
 * Finds records about all others together by their names or codes, such as Statewide among counties, where no numbers can
 * show it: means and rates do not add up.
 */
export async function findWholes(
  connection: ImportConnection,
  {
    table,
    fields,
    key,
    found,
    leastOf,
  }: {
    /** The table with a column for each field: v0, v1, … */
    readonly table: string;
    readonly fields: readonly DraftField[];
    readonly key: FoundKey;
    /** The records that are known as the sums of others. */
    readonly found: readonly FoundTotal[];
    readonly leastOf: (field: DraftField) => number;
  },
): Promise<readonly FoundTotal[]> {
  const columns = fields.map((field, index): Column => ({ field, sql: `v${index}` }));
  const names = [...(key.fallback?.first ?? []), ...key.fields];
  const inKey = columns.filter(({ field }) => names.includes(field.name));
  const numbers = columns.flatMap((column) =>
    isMeasure(column.field, key) ? { ...column, kind: kindOf(column, leastOf) } : [],
  );
  const means = numbers.filter(({ kind }) => kind !== 'count');
  // Numbers that count something would add up.
  const areMeans = means.length > 0 && means.length === numbers.length;
  const wholes: FoundTotal[] = [];
  for (const column of columns) {
    const { field, sql } = column;
    const isLevel = isPlaceLevelName(field.name);
    const isKnown = found.some((one) => one.field === field.name);
    if ((field.document.type !== 'string' && !isLevel) || isKnown) continue;
    const values = await textsOf(connection, table, sql);
    const isOfKey = inKey.includes(column);
    const byCode = isOfKey ? statesOf(field, values) : undefined;
    const canHaveLevels = areMeans && found.length === 0 && (isOfKey || isLevel);
    const byLevel = canHaveLevels
      ? await levelsOf(connection, { table, column, values })
      : undefined;
    const above = byCode ?? byLevel;
    if (above !== undefined) wholes.push(above);
    if (above !== undefined || values.length < VALUES_MIN || STATISTIC_NAME.test(snake(field.name)))
      continue;
    const named = values.filter(
      (text) => (!field.isCode && isWhole(text)) || (isOfKey && isNation(text, values)),
    );
    const candidates =
      isOfKey && named.length === 0 && areMeans
        ? values.filter((text) => canBeWhole(text, field)).slice(0, WHOLES_MAX)
        : [];
    const by = inKey.filter((one) => one !== column && one.field.document.type !== 'float');
    for (const value of candidates) {
      const isTotal = `${sql} = ${quoteLiteral(value)}`;
      if (await areBetween(connection, { table, isTotal, by, measures: means })) named.push(value);
    }
    for (const value of named.slice(0, WHOLES_MAX)) {
      wholes.push({ field: field.name, value, kind: 'word', isNamed: true });
    }
  }
  return wholes;
}

/** Levels of codes or of places, which numbers cannot show. */
async function levelsOf(
  connection: ImportConnection,
  {
    table,
    column,
    values,
  }: { readonly table: string; readonly column: Column; readonly values: readonly string[] },
): Promise<FoundTotal | undefined> {
  if (isPlaceLevelName(column.field.name) && values.length > 1 && values.length <= LEVELS_MAX) {
    const [usual] = await connection.list(
      `SELECT mode(${column.sql})::VARCHAR AS value FROM ${table}`,
    );
    return {
      field: column.field.name,
      value: String(usual?.['value']),
      kind: 'level',
      levels: values,
    };
  }
  const none = { whole: undefined, dates: [], by: [], measures: [] };
  return findCodeLevels(connection, { table, column, values, ...none });
}

function kindOf({ field }: Column, leastOf: (field: DraftField) => number) {
  const { name, unit, document } = field;
  const { type, format } = document;
  return measureKind({ name, type, format, unit, least: leastOf(field) });
}

const LEVELS_MAX = 20;
const VALUES_MIN = 3;
const VALUES_MAX = 20_000;
const WHOLES_MAX = 5;

/** Its values are kinds of numbers, of which a mean is one. */
const STATISTIC_NAME =
  /(^|_)(stat|statistic|measure|metric|indicator|variable|element|type|kind|aggregation|flag|unit|brand|company|operator)s?($|_)/;

async function textsOf(
  connection: ImportConnection,
  table: string,
  sql: string,
): Promise<readonly string[]> {
  const rows = await connection.list(
    `SELECT DISTINCT ${sql}::VARCHAR AS text FROM ${table} WHERE ${sql} IS NOT NULL ORDER BY text LIMIT ${VALUES_MAX + 1}`,
  );
  return rows.length > VALUES_MAX ? [] : rows.map(({ text }) => String(text));
}

const AREAS =
  'state|county|city|nation|region|system|district|country|area|province|territory|island|network|town|borough|campus|parish|municipality|canton|metro|division';

/** Names that are only those of a whole: Statewide, State of Iowa, State average. */
const WHOLE = [
  new RegExp(`(^|[ (])(${AREAS})[- ]?wide( (total|average|mean|avg\\.?|rate))?\\)?$`),
  /^state of (?!mexico|palestine|israel|kuwait|qatar|libya|eritrea)/,
  new RegExp(
    `^(${AREAS}|us|u\\.s\\.|statewide|national|regional|provincial|grand|overall) (total|average|avg\\.?|mean|median)s?$`,
  ),
  new RegExp(`^(all|entire|whole|the entire|the whole) (${AREAS})$`),
  /^(landesweit|bundesweit|kantonsweit|landesdurchschnitt|bundesdurchschnitt|kantonsdurchschnitt|total nacional|media nacional|promedio nacional|media nazionale|moyenne nationale|france (entière|métropolitaine)|average|avg\.?|durchschnitt|mittelwert|moyenne|promedio|gemiddelde|genomsnitt)$/,
];

function isWhole(value: string): boolean {
  const text = value.trim().toLowerCase();
  return WHOLE.some((pattern) => pattern.test(text));
}

/** Names that can be those of a whole, if the numbers do not speak against it. */
const MAYBE =
  /^((grand )?totals?|all|overall|state|national|nacional|gesamt|insgesamt|zusammen|ensemble|totale|summe|totaal|totalt|tous|toutes|todos|todas|alle|ambos sexos|both sexes|both|toplam|итого|всего|合計|総数|总计|合计|(the |whole )?world( total)?|welt|monde|mundo|mondo|eu\d\d_\d{4}|ea\d\d)$|^(european union|total|gesamt|insgesamt|ensemble|todos|todas|tous|toutes|alle)[ ,:(-]|[^ ] \(?(totals?|totale|totaal|totalt|gesamt|insgesamt|zusammen|average|avg\.?|mean)\)?$/;

/** Nouns that All stands before. A church can be called All Saints. */
const ALL =
  /^all (\w+ )?(areas|ages|sexes|genders|persons|people|races|industries|sectors|sites|stations|counties|states|regions|districts|places|stores|stops|shops|countries|parks|locations|branches|routes|lines|wards|zones|types|categories|groups|others|combined)( combined)?$/;

function canBeWhole(value: string, { name }: DraftField): boolean {
  const text = value.trim().toLowerCase();
  const words = snake(name).split('_');
  return (
    MAYBE.test(text) ||
    ALL.test(text) ||
    words.some((word) => word.length > 2 && new RegExp(`^all (the )?${word}(s|es)?$`).test(text))
  );
}

const NATION = /^(the )?(us|usa|u\.s\.(a\.)?|united states( of america)?( total)?)$/i;

/** Whether it is the USA among its states. */
function isNation(value: string, values: readonly string[]): boolean {
  if (!NATION.test(value.trim())) return false;
  const states = values.filter((one) => STATES.has(one.trim().toLowerCase()));
  return states.length * 2 >= values.length - 1;
}

const STATES: ReadonlySet<string> = new Set(
  'al|ak|az|ar|ca|co|ct|de|fl|ga|hi|id|il|in|ia|ks|ky|la|me|md|ma|mi|mn|ms|mo|mt|ne|nv|nh|nj|nm|ny|nc|nd|oh|ok|or|pa|ri|sc|sd|tn|tx|ut|vt|va|wa|wv|wi|wy|dc|pr|alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|florida|georgia|hawaii|idaho|illinois|indiana|iowa|kansas|kentucky|louisiana|maine|maryland|massachusetts|michigan|minnesota|mississippi|missouri|montana|nebraska|nevada|new hampshire|new jersey|new mexico|new york|north carolina|north dakota|ohio|oklahoma|oregon|pennsylvania|rhode island|south carolina|south dakota|tennessee|texas|utah|vermont|virginia|washington|west virginia|wisconsin|wyoming|district of columbia|puerto rico'.split(
    '|',
  ),
);

/** The codes of states and of the country among those of counties of the USA (FIPS): 06000 beside 06001. */
function statesOf(
  { name, isCode, column }: DraftField,
  values: readonly string[],
): FoundTotal | undefined {
  const isOfArea = COUNTY_NAME.test(snake(column ?? name));
  const states = values.filter((value) => /^(\d\d|US)000$/.test(value));
  const counties = values.filter((value) => /^\d{5}$/.test(value) && !value.endsWith('000'));
  if (!isCode || states.length === 0 || counties.length === 0) return undefined;
  const odd = counties.filter((value) => Number(value) % 2 === 1);
  const areNamed = isOfArea || (counties.length >= 12 && odd.length >= counties.length * 0.9);
  const areCounties =
    values.every((value) => value.length === 5) &&
    counties.every((value) => CODE_STATES.has(value.slice(0, 2)));
  const isAbove = (value: string) =>
    states.some(
      (state) => state === '00000' || state === 'US000' || state.slice(0, 2) === value.slice(0, 2),
    );
  return areNamed && areCounties && counties.some(isAbove)
    ? { field: name, value: '000', kind: 'state', levels: states }
    : undefined;
}

const COUNTY_NAME = /fips|geo_?id|stcou|county|cnty|(^|_)geo($|_)|area_?code/;

/** Whether the values of the whole are between the least and the greatest of the others, as their means are. */
async function areBetween(
  connection: ImportConnection,
  {
    table,
    isTotal,
    by,
    measures,
  }: {
    readonly table: string;
    readonly isTotal: string;
    readonly by: readonly Column[];
    readonly measures: readonly Column[];
  },
): Promise<boolean> {
  const shares = measures.map(
    (_, index) =>
      `count(*) FILTER (others_${index} > 1 AND whole_${index} IS NOT NULL) AS groups_${index},
       count(*) FILTER (others_${index} > 1 AND whole_${index} BETWEEN least_${index} AND greatest_${index}) AS within_${index}`,
  );
  const sums = measures.map(
    ({ sql }, index) =>
      `max(${sql}) FILTER (is_total) AS whole_${index}, count(${sql}) FILTER (NOT is_total) AS others_${index},
       min(${sql}) FILTER (NOT is_total) AS least_${index}, max(${sql}) FILTER (NOT is_total) AS greatest_${index}`,
  );
  const groups = by.map(({ sql }) => sql);
  const all = (name: string) => measures.map((_, index) => `${name}_${index}`).join(' + ');
  const [row] = await connection.list(
    `SELECT (${all('groups')})::DOUBLE AS compared, (${all('within')})::DOUBLE AS within FROM (
      SELECT ${shares.join(', ')} FROM (
        SELECT ${sums.join(', ')} FROM (SELECT *, coalesce(${isTotal}, false) AS is_total FROM ${table})
        ${groups.length === 0 ? '' : `GROUP BY ${groups.join(', ')}`}))`,
  );
  if (row === undefined) return false;
  const compared = numberOf(row, 'compared');
  return compared > 0 && numberOf(row, 'within') >= compared * BETWEEN_MIN;
}

/** Means of places that are not in the file can be elsewhere. */
const BETWEEN_MIN = 0.5;
