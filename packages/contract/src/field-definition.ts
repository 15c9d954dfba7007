import { type Static, Type } from 'typebox';
import { closed } from './schema-parts.ts';

export const COLUMN_TYPES = [
  'COLUMN_TYPE_STRING',
  'COLUMN_TYPE_INTEGER',
  'COLUMN_TYPE_FLOAT',
  'COLUMN_TYPE_BOOLEAN',
  'COLUMN_TYPE_DATE',
] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

const ADDITIVITIES = ['all', 'periods', 'places', 'none'] as const;

/** unacast.catalog.v3.FieldDefinition */
export const FieldDefinitionSchema = closed(
  {
    name: Type.String({ description: 'Name of the field in requests and records.' }),
    sourceColumn: Type.String({
      description: 'The source of the field, as [namespace].[column].[type].',
      examples: ['feature.feature_id.value'],
    }),
    type: Type.Enum(COLUMN_TYPES, { description: 'The type of its values.' }),
    description: Type.String(),
    filters: closed(
      {
        supportedOperators: Type.Array(Type.String(), {
          description: 'The operators that a filter on the field can use.',
        }),
      },
      { title: 'FieldFilters' },
    ),
    exampleValue: Type.String({
      description: 'An example value, as text. Empty if there is none.',
    }),
    includedByDefault: Type.Boolean({
      description: 'True if a request without `fields` returns this field.',
    }),
    additive: Type.Optional(
      Type.Enum(ADDITIVITIES, {
        description:
          'Whether the values of a measure can be added up: over periods and places (`all`), over one of the two (`periods`, `places`), or not at all (`none`). Only in descriptions of datasets, and absent for a field that is not a measure.',
      }),
    ),
    aggregations: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'The aggregations that a request for groups of records can use on the field. Only in descriptions of datasets.',
        examples: [['MIN', 'MAX', 'COUNT', 'COUNT_DISTINCT']],
      }),
    ),
  },
  { title: 'FieldDefinition' },
);
export type FieldDefinition = Static<typeof FieldDefinitionSchema>;

const OptionDefinitionSchema = closed(
  {
    exampleValue: Type.String(),
    displayName: Type.String(),
    description: Type.String(),
    available: Type.Boolean({
      description: 'True if a request on this dataset may use the option.',
    }),
  },
  { title: 'OptionDefinition' },
);

/** unacast.catalog.v3.OptionDefinitions */
export const OptionDefinitionsSchema = closed(
  {
    boundingBox: OptionDefinitionSchema,
    trimToPeriodOfExistence: OptionDefinitionSchema,
    orderBy: OptionDefinitionSchema,
    polygon: OptionDefinitionSchema,
    circle: OptionDefinitionSchema,
    near: OptionDefinitionSchema,
  },
  { title: 'OptionDefinitions' },
);
export type OptionDefinitions = Static<typeof OptionDefinitionsSchema>;
