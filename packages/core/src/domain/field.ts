/** The field types, as written in the manifest. */
export const FIELD_TYPES = ['string', 'integer', 'float', 'boolean', 'date'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/**
 * Over what the values of a measure can be added up. A number of visits adds up over periods and places; a
 * population over places only; a median, a share or a number of different visitors over neither.
 */
export const ADDITIVITIES = ['all', 'periods', 'places', 'none'] as const;
export type Additivity = (typeof ADDITIVITIES)[number];

/**
 * One typed column of a dataset.
 *
 * - `name`: `[a-z][a-z0-9_]*`, unique in its dataset.
 * - `sourceColumn`: `[namespace].[column].[type]`, for example `feature.feature_id.value`.
 * - `exampleValue`: the text form of a value. It comes only from the manifest, never from the rows, so
 *   that it reveals nothing about hidden rows.
 * - `suppressBelow`: for a number field, the smallest value that every caller sees. Smaller values (small
 *   cells) are treated as absent unless a grant shows them.
 * - `marksWithheld`: whether answers say of each value below `suppressBelow` that it is withheld.
 * - `additive`: over what the values of a measure can be added up, if that was declared; see `additivityOf`.
 * - `totalLabel`: for a field over whose values there are totals, the text that the records of a total have in it.
 *   A grant with a filter on the field that does not list this text does not show them.
 * - `sorted`: whether records are often asked for in the order of this field, so that an index has them so.
 * - `searchable`: whether records are often filtered by values of this field, so that indexes have it too.
 * - `outline`: for a text, whether it holds outlines: polygons as GeoJSON. They are returned, and never compared.
 * - `includedByDefault`: whether a request without a field selection returns this field.
 */
export type Field = {
  readonly name: string;
  readonly type: FieldType;
  readonly sourceColumn: string;
  readonly description: string;
  readonly exampleValue: string;
  readonly includedByDefault: boolean;
  readonly suppressBelow?: number;
  readonly marksWithheld?: true;
  readonly additive?: Additivity;
  readonly totalLabel?: string;
  readonly sorted?: true;
  readonly searchable?: true;
  readonly outline?: true;
};

/** Whether the texts of a field are also stored folded. Outlines are not searched. */
export function isFolded({ type, outline }: Field): boolean {
  return type === 'string' && outline !== true;
}
