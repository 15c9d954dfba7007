import type { Field, FieldType } from '../domain/field.ts';
import { openTurns } from '../domain/turns.ts';
import { type Value, valueText } from '../domain/value.ts';
import { openByteWriter } from './byte-writer.ts';
import { toFieldDefinition } from './data-reference.ts';
import { encodeJson } from './json.ts';

/**
 * The JSON of a page of records, assembled from fragments. This is twice as fast as objects with
 * `JSON.stringify`, and integers beyond 2^53 keep all their digits.
 */
export async function encodeRecordsPage(
  page: {
    readonly fields: readonly Field[];
    readonly rows: readonly (readonly Value[])[];
    readonly totalSize: number;
    readonly costRows?: number;
    readonly nextPageToken: string;
    readonly version: string;
  },
  { typedValues }: { readonly typedValues: boolean },
): Promise<Buffer> {
  const { fields, rows, totalSize, costRows, nextPageToken, version } = page;
  const prefixes = fields.map(
    (field, index) => `${index === 0 ? '' : ','}${JSON.stringify(field.name)}:`,
  );
  const encoders = fields.map(({ type }) => (typedValues ? encodeTyped : TEXT_ENCODERS[type]));
  const out = openByteWriter(REST_BYTES + rows.length * RECORD_BYTES);
  const turns = openTurns();
  let text = '{"records":[';
  let isFirst = true;
  for (const row of rows) {
    text += isFirst ? '{"fields":{' : ',{"fields":{';
    isFirst = false;
    for (let index = 0; index < row.length; index += 1) {
      text += prefixes[index];
      text += encoders[index]?.(row[index] ?? null);
    }
    text += '}}';
    if (text.length < TEXT_LENGTH_MAX) continue;
    out.text(text);
    text = '';
    if (turns.isOver()) await turns.next();
  }
  const definitions = JSON.stringify(fields.map(toFieldDefinition));
  const cost = costRows === undefined ? '' : `,"costRows":${costRows}`;
  out.text(
    `${text}],"fieldDefinitions":${definitions},"nextPageToken":${JSON.stringify(nextPageToken)},"totalSize":${totalSize},"version":${JSON.stringify(version)}${cost}}`,
  );
  return out.end();
}

/** About the size of a record, and of all that is not in a record. */
const RECORD_BYTES = 256;
const REST_BYTES = 4096;

/** A longer text is turned into bytes: a text of many pieces takes long in one go. */
const TEXT_LENGTH_MAX = 4096;

/** The JSON of a page of distinct values: their text forms. */
export function encodeFieldValuesPage(page: {
  readonly field: Field;
  readonly values: readonly Value[];
  readonly totalSize: number | undefined;
  readonly costRows?: number;
  readonly nextPageToken: string;
  readonly version: string;
}): Buffer {
  const { field, values, totalSize, costRows, nextPageToken, version } = page;
  return encodeJson({
    values: values.map(valueText),
    fieldDefinition: toFieldDefinition(field),
    nextPageToken,
    totalSize,
    version,
    costRows,
  });
}

/** The text of numbers, booleans and dates needs no JSON escapes. */
const encodePlainText = (value: Value): string => (value === null ? '""' : `"${value}"`);

const TEXT_ENCODERS: Readonly<Record<FieldType, (value: Value) => string>> = {
  string: (value) => (value === null ? '""' : JSON.stringify(value)),
  integer: encodePlainText,
  float: encodePlainText,
  boolean: encodePlainText,
  date: encodePlainText,
};

function encodeTyped(value: Value): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
