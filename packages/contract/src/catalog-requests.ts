import { type Static, Type } from 'typebox';
import { closed } from './schema-parts.ts';

/**
 * The requests of the catalog interface in lowerCamelCase. An edge accepts each field in snake_case
 * too, and takes `null` for absent.
 */

const dataReferenceName = Type.String({
  description: 'Name of the dataset, `<product>.<dataset>`.',
  examples: ['ml_visitation.places'],
});
const billingContext = Type.Optional(
  Type.String({
    description: "Id of the caller's organisation. Absent: the organisation of the token.",
  }),
);
const pageSize = Type.Optional(
  Type.Integer({
    description:
      'How many to return at most. Absent or 0: 100; above 10,000: 10,000; negative: an error.',
    examples: [100],
  }),
);
const pageToken = Type.Optional(
  Type.String({
    description:
      'nextPageToken of the page before, with the same request otherwise; only pageSize may change.',
  }),
);
const asOf = Type.Optional(
  Type.String({
    description:
      'A version, or a date YYYY-MM-DD for what was current at its end (UTC). Absent: the current version.',
  }),
);
const countOnly = Type.Optional(
  Type.Boolean({ description: 'Whether to return the exact totalSize and nothing else.' }),
);

const FieldSelectionSchema = closed({
  name: Type.String({ description: 'Name of the field.' }),
  source: Type.Optional(
    Type.String({ description: 'The published source column of the field; may be left out.' }),
  ),
});

const filterValue = Type.Unsafe<string | number | boolean>({
  type: ['string', 'number', 'boolean'],
  description:
    'The value as text. Number fields also take a JSON number, boolean fields a JSON boolean.',
});

export const FilterClauseSchema = closed({
  fieldName: Type.String({ description: 'Name of the field.', examples: ['region'] }),
  operator: Type.String({
    description:
      'One of ==, !=, <, <=, >, >=, in, not_in, contains, starts_with, ends_with, is_empty, is_not_empty: see supportedOperators of the field.',
    examples: ['=='],
  }),
  value: Type.Optional(filterValue),
  values: Type.Optional(
    Type.Array(filterValue, { description: 'The values of in and not_in, at most 10,000.' }),
  ),
});

const BoundingBoxSchema = closed(
  {
    minLng: Type.Number({
      description: 'West edge, degrees from -180 to 180.',
      examples: [-124.5],
    }),
    minLat: Type.Number({ description: 'South edge, degrees from -90 to 90.', examples: [32.5] }),
    maxLng: Type.Number({
      description: 'East edge, degrees from -180 to 180.',
      examples: [-114.1],
    }),
    maxLat: Type.Number({ description: 'North edge, degrees from -90 to 90.', examples: [42] }),
  },
  {
    description:
      'Records whose point lies inside, edges included. minLng > maxLng crosses the antimeridian.',
  },
);

/** Names of `TrimToPeriodOfExistence`, and their numbers by place. */
export const TRIM_NAMES = ['UNSPECIFIED', 'TRIM', 'IGNORE'] as const;
export const TRIM_PREFIX = 'TRIM_TO_PERIOD_OF_EXISTENCE_';
/** Names of `OrderDirection`, and their numbers by place. */
export const DIRECTION_NAMES = ['UNSPECIFIED', 'ASC', 'DESC'] as const;
export const DIRECTION_PREFIX = 'ORDER_DIRECTION_';

const protobufEnum = (names: readonly string[], prefix: string, description: string) =>
  Type.Unsafe<string | number>({
    enum: [...names, ...names.map((name) => `${prefix}${name}`), ...names.keys()],
    description,
  });

const trimToPeriodOfExistence = protobufEnum(
  TRIM_NAMES,
  TRIM_PREFIX,
  '0 and 1 (TRIM): leave out records whose period lies outside the time their place existed; 2 (IGNORE): keep them.',
);

const OptionsSchema = closed({
  boundingBox: Type.Optional(BoundingBoxSchema),
  trimToPeriodOfExistence: Type.Optional(trimToPeriodOfExistence),
  orderBy: Type.Optional(
    closed(
      {
        fieldName: Type.String({ description: 'Field to order by.' }),
        direction: Type.Optional(
          protobufEnum(
            DIRECTION_NAMES,
            DIRECTION_PREFIX,
            'ASC (default) or DESC; absent values come last in both.',
          ),
        ),
      },
      { description: 'Order of the records; ties are broken by the key. Absent: key order.' },
    ),
  ),
});

const rowSelection = {
  dataReferenceName,
  filters: Type.Optional(
    Type.Array(FilterClauseSchema, {
      maxItems: 100,
      description: 'A record must match all of them.',
    }),
  ),
  options: Type.Optional(OptionsSchema),
  trimToPeriodOfExistence: Type.Optional(trimToPeriodOfExistence),
  billingContext,
  pageSize,
  pageToken,
  asOf,
  countOnly,
};

/** unacast.catalog.v3.ListDataReferencesRequest */
export const ListDataReferencesRequestSchema = closed({ billingContext }, { examples: [{}] });
export type ListDataReferencesRequest = Static<typeof ListDataReferencesRequestSchema>;

/** unacast.catalog.v3.GetDataReferenceRequest */
export const GetDataReferenceRequestSchema = closed(
  {
    name: Type.Optional(dataReferenceName),
    dataReferenceName: Type.Optional(dataReferenceName),
    billingContext,
  },
  { examples: [{ name: 'ml_visitation.places' }] },
);
export type GetDataReferenceRequest = Static<typeof GetDataReferenceRequestSchema>;

/** unacast.catalog.v3.ListRecordsRequest */
export const ListRecordsRequestSchema = closed(
  {
    ...rowSelection,
    fields: Type.Optional(
      Type.Array(Type.Union([FieldSelectionSchema, Type.String()]), {
        maxItems: 1000,
        description:
          'Fields to return, each as {"name": …} or as its name. Absent: those included by default.',
      }),
    ),
    typedValues: Type.Optional(
      Type.Boolean({
        description:
          'Whether numbers and booleans come as JSON numbers and booleans and absent values as null, not all as text.',
      }),
    ),
  },
  {
    examples: [
      {
        dataReferenceName: 'ml_visitation.places',
        fields: [{ name: 'location_name' }, { name: 'city' }],
        filters: [{ fieldName: 'region', operator: '==', value: 'CA' }],
        options: { orderBy: { fieldName: 'location_name', direction: 'ASC' } },
        pageSize: 100,
      },
    ],
  },
);
export type ListRecordsRequest = Static<typeof ListRecordsRequestSchema>;

/** unacast.catalog.v3.SearchFieldValuesRequest */
export const SearchFieldValuesRequestSchema = closed(
  {
    ...rowSelection,
    field: Type.Union([FieldSelectionSchema, Type.String()], {
      description: 'The field, as {"name": …} or as its name.',
      examples: [{ name: 'city' }],
    }),
    term: Type.Optional(
      Type.String({
        maxLength: 1000,
        description: 'Text that the values contain, whatever its case. Absent: all values.',
      }),
    ),
  },
  {
    examples: [
      { dataReferenceName: 'ml_visitation.places', field: { name: 'city' }, term: 'spring' },
    ],
  },
);
export type SearchFieldValuesRequest = Static<typeof SearchFieldValuesRequestSchema>;
