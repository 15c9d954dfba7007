import { quoteLiteral } from '@locmetrics/core/sql/quote-identifier';
import type { FieldReading } from '../formats/field-reading.ts';
import { jsonPointer } from '../formats/json-reading.ts';
import type { FieldColumn } from '../formats/row-format.ts';

/** A member of the objects in a column. */
export type Member = { readonly column: string; readonly keys: readonly string[] };

/** The member that a name such as `stats.visits` means if no column has the name: the longest column, and the rest. */
export function findMember(name: string, columns: readonly string[]): Member | undefined {
  const parts = name.split('.');
  for (let length = parts.length - 1; length > 0; length -= 1) {
    const column = parts.slice(0, length).join('.');
    if (columns.includes(column)) return { column, keys: parts.slice(length) };
  }
  return undefined;
}

/** Whether a field is read from a member. Only as texts, columns have members. */
export function hasMembers(fields: readonly FieldColumn[], columns: readonly string[]): boolean {
  return fields.some(({ source }) =>
    source.columns.some(
      (name) =>
        typeof name === 'string' &&
        !columns.includes(name) &&
        findMember(name, columns) !== undefined,
    ),
  );
}

/** SQL of a member as a text, as that of a column would be, and of whether the column has an object or nothing. */
export function memberText(
  text: string,
  keys: readonly string[],
  nulls: readonly string[],
): { readonly text: string; readonly isObject: string } {
  const pointer = quoteLiteral(jsonPointer(keys));
  // An AND does not keep the engine from looking at the type of a text that is not JSON.
  const isObject = `(CASE WHEN json_valid(${text}) THEN json_type(${text}) = 'OBJECT' ELSE false END)`;
  const member = `json_extract_string(${text}, ${pointer})`;
  const isFloat = `json_type(${text}, ${pointer}) = 'DOUBLE'`;
  const value = `CASE WHEN ${isFloat} THEN regexp_replace(${member}, '[.]0$', '') ELSE nullif(${member}, '') END`;
  const isNull = nulls.map((one) => quoteLiteral(one.trim())).join(', ');
  const present =
    nulls.length === 0
      ? value
      : `CASE WHEN coalesce(trim(${member}) IN (${isNull}), false) THEN NULL ELSE ${value} END`;
  return { text: `CASE WHEN ${isObject} THEN ${present} END`, isObject };
}

/** A reading of members: a text that is no object is refused, and not absent. */
export function ofObjects(
  reading: FieldReading,
  columns: readonly { readonly text: string; readonly isObject: string }[],
): FieldReading {
  const isWrong = columns.map(
    ({ text, isObject }) => `(${text} IS NOT NULL AND NOT coalesce(${isObject}, false))`,
  );
  const shown = columns.map(({ text }, index) => `WHEN ${isWrong[index]} THEN ${text}`);
  const wrong = `(${isWrong.join(' OR ')})`;
  return {
    ...reading,
    isAbsent: `(NOT ${wrong} AND ${reading.isAbsent})`,
    value: `CASE WHEN NOT ${wrong} THEN (${reading.value}) END`,
    shown: `CASE ${shown.join(' ')} ELSE ${reading.shown} END`,
    reason: `CASE WHEN ${wrong} THEN 'is not a JSON object' ELSE (${reading.reason}) END`,
  };
}
