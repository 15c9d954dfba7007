import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { numberOf } from '@locmetrics/column-store/publish/result-row';
import type { FoundKey } from './find-key.ts';
import type { KeyField } from './key-field.ts';
import { isAreaName } from './key-roles.ts';

/** A key that tells places apart by their names alone. */
export type NameKey = { readonly field: string; readonly example: string };

export async function findNameKey(
  connection: ImportConnection,
  {
    table,
    key,
    keyFields,
    madeName,
  }: {
    readonly table: string;
    readonly key: FoundKey;
    readonly keyFields: readonly KeyField[];
    /** The column that has the names of columns, which no two columns share. */
    readonly madeName: string | undefined;
  },
): Promise<NameKey | undefined> {
  const places = keyFields.filter(
    ({ name, role }) => key.fields.includes(name) && role !== 'period' && role !== 'dimension',
  );
  const only = places.find(({ name }) => isAreaName(name)) ?? places[0];
  if (only === undefined || places.some(({ role }) => role !== 'name')) return undefined;
  if (only.type !== 'string') return undefined;
  if (only.name === madeName) return undefined;
  // Codes such as A1 and PEA1 have capitals and digits. Other scripts have no small letters.
  const [row] = await connection.list(
    `SELECT count(*)::DOUBLE AS texts, count(*) FILTER (is_name)::DOUBLE AS names,
      min(text) FILTER (is_name) AS example
      FROM (SELECT DISTINCT ${only.value} AS text, regexp_matches(${only.value}, '\\p{Ll}{2}|\\p{Lo}{2}|\\p{Lu}{5}') AS is_name
        FROM ${table} WHERE ${only.value} IS NOT NULL)`,
  );
  if (row === undefined || numberOf(row, 'names') * 2 <= numberOf(row, 'texts')) return undefined;
  return { field: only.name, example: String(row['example']) };
}

/** The key with the code of each place instead of its name, if whole numbers or texts of one length are such codes: 11001, E06000005. */
export async function withCodeOfName(
  connection: ImportConnection,
  key: FoundKey,
  {
    keyFields,
    table,
    rowCount,
  }: {
    readonly keyFields: readonly KeyField[];
    readonly table: string;
    readonly rowCount: number;
  },
): Promise<FoundKey> {
  const used = keyFields.filter(({ name }) => key.fields.includes(name));
  const isCoded = used.some(({ role }) => role === 'code' || role === 'place');
  const isWhole = key.repeatedCount === 0 && key.fallback === undefined && key.filled === undefined;
  if (isCoded || !isWhole) return key;
  const codes = keyFields.filter(
    ({ type, role, isFilled }) =>
      isFilled &&
      ((type === 'integer' && role === 'number') || (type === 'string' && role === 'name')),
  );
  for (const { name, value: text, distinctCount } of used.filter(({ role }) => role === 'name')) {
    if (distinctCount < PLACES_MIN || rowCount < distinctCount * 2) continue;
    for (const one of codes.filter(
      (one) => one.name !== name && one.distinctCount === distinctCount,
    )) {
      const { name: code, value } = one;
      const [row] = await connection.list(
        `SELECT count(DISTINCT (code, ${text}))::DOUBLE AS pairs, min(length(code))::DOUBLE AS shortest,
          max(length(code))::DOUBLE AS longest,
          count(*) FILTER (WHERE NOT regexp_matches(code, '^[A-Z]{0,3}\\d+$'))::DOUBLE AS others,
          coalesce(min(TRY_CAST(code AS DOUBLE)), 0) AS least, coalesce(max(TRY_CAST(code AS DOUBLE)), 0) AS greatest
          FROM (SELECT *, ${value}::VARCHAR AS code FROM ${table})`,
      );
      const isOther = row === undefined || numberOf(row, 'others') > 0;
      if (isOther || numberOf(row, 'pairs') !== distinctCount) continue;
      const length = numberOf(row, 'shortest');
      const areYears = numberOf(row, 'least') >= 1900 && numberOf(row, 'greatest') <= 2100;
      if (areYears || length < DIGITS_MIN || length !== numberOf(row, 'longest')) continue;
      return { ...key, fields: key.fields.map((one) => (one === name ? code : one)) };
    }
  }
  return key;
}

const PLACES_MIN = 3;
const DIGITS_MIN = 4;

export function nameKeyDoubt({ field, example }: NameKey): string {
  return `Places are told apart by their names alone, such as '${example}': two places with one name would be one, and another spelling would be another place. If there is a code for them, add it to the file, and write it here instead of ${field}.`;
}
