/** The types a field can have, in the words of the manifest. */
export const FIELD_TYPES = ['string', 'integer', 'float', 'boolean', 'date'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/**
 * One typed column of a dataset.
 *
 * - `name`: `[a-z][a-z0-9_]*`, unique in its dataset.
 * - `sourceColumn`: `[namespace].[column].[type]`, for example `feature.feature_id.value`.
 * - `exampleValue`: the text form of a value; it comes only from the manifest, never from the rows,
 *   so that it tells nothing about rows a caller may not see.
 * - `suppressBelow`: of a number field, the least value that is shown to everybody: small cells below
 *   it read as absent unless a grant shows them.
 * - `includedByDefault`: whether a request that names no fields gets this one.
 */
export type Field = {
  readonly name: string;
  readonly type: FieldType;
  readonly sourceColumn: string;
  readonly description: string;
  readonly exampleValue: string;
  readonly includedByDefault: boolean;
  readonly suppressBelow?: number;
};
