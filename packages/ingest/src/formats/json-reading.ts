import type { Parameters } from '@locmetrics/column-store/publish/watched-connection';
import { type FieldReading, matches } from './field-reading.ts';
import type { FieldColumn } from './row-format.ts';
import { isConverted, readValue } from './value-reading.ts';

/**
 * Reads a field from a JSON value: `text` is the value as text, `kind` the first character of its JSON. A number
 * means the same as its text. But a text field accepts only whole numbers, digit by digit, because the intended
 * text of 1.50 or 1e3 is not known.
 */
export function readJson(
  { field, source }: FieldColumn,
  text: string,
  kind: string,
  name: string,
): FieldReading {
  const reading = readValue({ field, source }, [text], name);
  const isText = `(${kind} = '"')`;
  const isNested = `(${kind} IN ('{', '['))`;
  const nestedReason = `CASE ${kind} WHEN '{' THEN 'is an object' ELSE 'is an array' END`;
  const plain = {
    isAbsent: `(${kind} IS NULL OR ${kind} = 'n' OR (${isText} AND ${reading.isAbsent}))`,
    shown: text,
    prepared: reading.prepared ?? [],
    value: `CASE WHEN NOT ${isNested} THEN (${reading.value}) END`,
    reason: `CASE WHEN ${isNested} THEN ${nestedReason} ELSE ${reading.reason} END`,
  };
  if (isConverted(source)) return plain;
  if (field.outline === true) {
    return {
      ...plain,
      value: `CASE WHEN ${kind} = '{' THEN ${text} WHEN ${isText} THEN (${reading.value}) END`,
    };
  }
  switch (field.type) {
    case 'string':
      return {
        ...plain,
        value: `CASE WHEN ${isText} THEN (${reading.value})
          WHEN ${kind} BETWEEN '-' AND '9' AND ${matches(text, WHOLE)} THEN ${text} END`,
        reason: `CASE WHEN ${isNested} THEN ${nestedReason}
          WHEN ${isText} THEN ${reading.reason}
          WHEN ${kind} IN ('t', 'f') THEN 'is a boolean, not a text'
          ELSE 'is a number with a fraction or an exponent, not a text' END`,
      };
    case 'integer': {
      // A whole number may be written as 12.0. From 2^53 on, such a number is already rounded.
      const float = `TRY_CAST(${text} AS DOUBLE)`;
      return {
        ...plain,
        value: `CASE WHEN ${isNested} THEN NULL
          WHEN ${isText} OR ${matches(text, WHOLE)} THEN (${reading.value})
          WHEN abs(${float}) < 9007199254740992 AND ${float} = trunc(${float})
            THEN TRY_CAST(${float} AS BIGINT) END`,
      };
    }
    case 'float':
    case 'boolean':
    case 'date':
      return plain;
  }
}

/** A JSON value as a text: a whole number without a fraction, objects and arrays as their JSON. */
export function jsonText(text: string, kind: string): string {
  return `CASE WHEN ${kind} BETWEEN '-' AND '9' THEN regexp_replace(${text}, '[.]0$', '')
    WHEN ${kind} <> 'n' THEN nullif(${text}, '') END`;
}

const WHOLE = '-?[0-9]+';

/** The path of a member as a JSON pointer, which works for every key. */
export function jsonPointer(keys: readonly string[]): string {
  return keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/**
 * The raw columns of JSON documents: for each path the value as text (`raw_0`, …) and the first
 * character of its JSON (`kind_0`, …). A document is parsed twice, for any number of paths.
 */
export function rawJsonColumns(documents: string, pathCount: number): string {
  const columns = Array.from(
    { length: pathCount },
    (_, index) =>
      `texts[${index + 1}] AS raw_${index}, left(fragments[${index + 1}]::VARCHAR, 1) AS kind_${index}`,
  );
  return `SELECT document, ${columns.join(', ')} FROM (
    SELECT document, json_extract(document, $paths::VARCHAR[]) AS fragments,
      json_extract_string(document, $paths::VARCHAR[]) AS texts
    FROM (${documents}))`;
}

/** Raw columns of JSON that are absent where they are one of some texts. Spaces around them, and a fraction of 0, do not count. */
export function withNulls<Rows extends { readonly query: string; readonly parameters: Parameters }>(
  rows: Rows,
  { nulls, indexes }: { readonly nulls: readonly string[]; readonly indexes: readonly number[] },
): Rows {
  if (nulls.length === 0 || indexes.length === 0) return rows;
  const texts = nulls.map((_, index) => `$null_${index}`).join(', ');
  const columns = indexes.map((index) =>
    ['raw', 'kind'].map(
      (part) =>
        `CASE WHEN trim(${jsonText(`raw_${index}`, `kind_${index}`)}) IN (${texts}) OR trim(raw_${index}) IN (${texts})
          THEN NULL ELSE ${part}_${index} END AS ${part}_${index}`,
    ),
  );
  return {
    ...rows,
    query: `SELECT * REPLACE (${columns.flat().join(', ')}) FROM (${rows.query})`,
    parameters: {
      ...rows.parameters,
      ...Object.fromEntries(nulls.map((text, index) => [`null_${index}`, text])),
    },
  };
}
