import type { Field, FieldType } from '../domain/field.ts';
import { type Value, valueText } from '../domain/value.ts';
import { toFieldDefinition } from './data-reference.ts';
import { encodeJson } from './json.ts';

/**
 * The JSON of a page of records, assembled from fragments. This is twice as fast as objects with
 * `JSON.stringify`, and integers beyond 2^53 keep all their digits.
 */
export function encodeRecordsPage(
  page: {
    readonly fields: readonly Field[];
    readonly rows: readonly (readonly Value[])[];
    readonly totalSize: number;
    readonly costRows?: number;
    readonly nextPageToken: string;
    readonly version: string;
  },
  { typedValues }: { readonly typedValues: boolean },
): Buffer {
  const { fields, rows, totalSize, costRows, nextPageToken, version } = page;
  const prefixes = fields.map(
    (field, index) => `${index === 0 ? '' : ','}${JSON.stringify(field.name)}:`,
  );
  const encoders = fields.map(({ type }) => (typedValues ? encodeTyped : TEXT_ENCODERS[type]));
  let records = '';
  for (const row of rows) {
    let members = '';
    for (const [index, value] of row.entries()) {
      members += prefixes[index];
      members += encoders[index]?.(value);
    }
    records += `${records === '' ? '' : ','}{"fields":{${members}}}`;
  }
  const definitions = JSON.stringify(fields.map(toFieldDefinition));
  const cost = costRows === undefined ? '' : `,"costRows":${costRows}`;
  return Buffer.from(
    `{"records":[${records}],"fieldDefinitions":${definitions},"nextPageToken":${JSON.stringify(nextPageToken)},"totalSize":${totalSize},"version":${JSON.stringify(version)}${cost}}`,
  );
}

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
