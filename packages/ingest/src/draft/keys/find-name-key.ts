import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { numberOf } from '@locmetrics/column-store/publish/result-row';
import type { FoundKey } from './find-key.ts';
import type { KeyField } from './key-field.ts';

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
  const [only] = places;
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

export function nameKeyDoubt({ field, example }: NameKey): string {
  return `Places are told apart by their names alone, such as '${example}': two places with one name would be one, and another spelling would be another place. If there is a code for them, add it to the file, and write it here instead of ${field}.`;
}
