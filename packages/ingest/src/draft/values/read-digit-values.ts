import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import type { DraftField } from './draft-fields.ts';
import { isCountedName } from './measure-kind.ts';
import type { DigitValues } from './shared-codes.ts';

/** Reads the values of fields with digits only, from the table with a column for each field: v0, v1, … */
export async function readDigitValues(
  connection: ImportConnection,
  fields: readonly DraftField[],
  table: string,
): Promise<DigitValues> {
  const found: DigitValues[number][] = [];
  for (const [index, { name, document, column, part, time, isCode }] of fields.entries()) {
    const isText = document.type === 'string';
    const isNumber = document.type === 'integer' || document.type === 'float';
    const isUsable = (isText && isCode) || (isNumber && !isCountedName(name));
    if (column === undefined || part !== undefined || time !== undefined || !isUsable) continue;
    // A code of the key has become a text in the manifest only.
    const text = isText ? `v${index}::VARCHAR` : `CAST(TRY_CAST(v${index} AS HUGEINT) AS VARCHAR)`;
    const isWhole = isText
      ? `regexp_full_match(${text}, '[0-9]+')`
      : `v${index} >= 0 AND v${index} = trunc(v${index})`;
    const [other] = await connection.list(
      `SELECT 1 AS other FROM ${table} WHERE v${index} IS NOT NULL AND NOT (${isWhole}) LIMIT 1`,
    );
    if (other !== undefined) continue;
    const rows = await connection.list(
      `SELECT DISTINCT ${text} AS value FROM ${table} WHERE v${index} IS NOT NULL LIMIT ${VALUES_MAX + 1}`,
    );
    if (rows.length < 2 || rows.length > VALUES_MAX) continue;
    const values = new Set(rows.map(({ value }) => String(value)));
    found.push({ name, column, isCode: isText && isCode, isText, values });
  }
  return found;
}

const VALUES_MAX = 200_000;
