import { type TProperties, type TSchema, Type } from 'typebox';

/** The building blocks of the manifest's schema. */

const NAME = '[a-z][a-z0-9_]{0,62}';
export const NAME_PATTERN = `^${NAME}$`;
export const DATASET_NAME_PATTERN = `^${NAME}\\.${NAME}$`;
export const METRIC_NAME_PATTERN = `^${NAME}/${NAME}$`;
export const SOURCE_COLUMN_PATTERN = '^[a-z][a-z0-9_]*(\\.[a-z0-9_]+)+$';
export const POINT_WORD_PATTERN = '^placekey$';
export const NOT_BLANK_PATTERN = '\\S';
/** In ASCII, because it is sent in a header. */
export const WEB_ADDRESS_PATTERN = '^https?://[A-Za-z0-9[][!#-;=?-~]*$';

const NAME_WORDS =
  'a name of lower-case letters, digits and _, which begins with a letter and has at most 63 characters';

/** The patterns in words that continue `Write`. */
export const PATTERN_WORDS: ReadonlyMap<string, string> = new Map([
  [NAME_PATTERN, NAME_WORDS],
  [DATASET_NAME_PATTERN, `product.dataset: two names with a dot between them, each ${NAME_WORDS}`],
  [
    METRIC_NAME_PATTERN,
    `catalog_id/metric_id: two names with a slash between them, each ${NAME_WORDS}`,
  ],
  [
    SOURCE_COLUMN_PATTERN,
    'two or more names with dots between them, such as feature.city.value: lower-case letters, digits and _, with a letter first',
  ],
  [POINT_WORD_PATTERN, 'placekey, { h3: 9 } or { area: us_counties, value: name }'],
  [
    WEB_ADDRESS_PATTERN,
    'a URL that starts with https:// or http://, with all characters other than ASCII percent-encoded',
  ],
  [NOT_BLANK_PATTERN, 'at least one character that is not white space'],
]);

/** An object without unknown keys. */
export const closed = <Properties extends TProperties>(
  description: string,
  properties: Properties,
) => Type.Object(properties, { additionalProperties: false, description });

export const text = (description: string) => Type.String({ minLength: 1, description });

export const optionalText = (description: string) => Type.Optional(text(description));

export const name = (description: string) => Type.String({ pattern: NAME_PATTERN, description });

export const optionalName = (description: string) => Type.Optional(name(description));

export const optionalFlag = (description: string) => Type.Optional(Type.Boolean({ description }));

export const optionalChoice = <const Values extends string[]>(
  values: readonly [...Values],
  description: string,
) => Type.Optional(Type.Enum(values, { description }));

/** Numbers of digits that codes are filled up to. */
export const optionalDigits = (description: string) => {
  const digits = Type.Integer({ minimum: 1, maximum: 100 });
  return Type.Optional(Type.Union([digits, Type.Array(digits, { minItems: 1 })], { description }));
};

/** An object whose keys are names by a pattern. */
export const keyed = <Value extends TSchema>(
  pattern: string,
  value: Value,
  description: string,
  limits: { readonly minProperties?: number; readonly maxProperties?: number } = {},
) =>
  Type.Record(Type.String({ pattern }), value, {
    additionalProperties: false,
    ...limits,
    description,
  });

export const datasetName = (description: string) =>
  Type.String({ pattern: DATASET_NAME_PATTERN, description });

/** A value as written in YAML; its type is checked later, together with its field. */
export const scalar = (description: string) =>
  Type.Union([Type.String(), Type.Number(), Type.Boolean()], { description });
