import { type Static, Type } from 'typebox';
import { FILTER_LIST_MAX, FILTER_OPERATOR_NAMES, FILTER_OPERATORS } from './filter-operators.ts';
import { pageSize, pageToken } from './paging.ts';
import { CHECKED_LATER, closed, hasOneOf, numberedEnum, protobufEnum } from './schema-parts.ts';

/**
 * The requests of the catalog interface in lowerCamelCase. An edge also accepts each field in
 * snake_case, and `null` means absent.
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
const asOf = Type.Optional(
  Type.String({
    description:
      'A version, or a date YYYY-MM-DD (UTC) for the version that was current at the end of that day. Absent: the current version.',
  }),
);
const countOnly = Type.Optional(
  Type.Boolean({
    description: 'True to return no rows, only the exact totalSize and costRows.',
  }),
);

/** A field may also be selected by its name alone: `"city"` instead of `{"name": "city"}`. */
export const FieldSelectionSchema = closed(
  {
    name: Type.String({ description: 'Name of the field.' }),
    source: Type.Optional(
      Type.String({ description: 'The published source column of the field; optional.' }),
    ),
  },
  { title: 'FieldSelection' },
);

/** The names and the numbers of `Aggregation`. Those from 101 on are ours. */
export const AGGREGATION_NUMBERS = {
  SUM: 1,
  AVG: 2,
  MIN: 3,
  MAX: 4,
  COUNT: 5,
  COUNT_DISTINCT: 6,
  MEDIAN: 101,
  QUANTILE: 102,
} as const;
export const AGGREGATION_PREFIX = 'AGGREGATION_';

/** The names and the numbers of `Bucket`. */
export const BUCKET_NUMBERS = {
  DAY: 1,
  WEEK: 2,
  MONTH: 3,
  QUARTER: 4,
  YEAR: 5,
  DAY_OF_WEEK: 6,
  MONTH_OF_YEAR: 7,
} as const;
export const BUCKET_PREFIX = 'BUCKET_';

const AggregatedFieldSchema = closed(
  {
    ...FieldSelectionSchema.properties,
    aggregation: Type.Optional(
      numberedEnum(AGGREGATION_NUMBERS, {
        prefix: AGGREGATION_PREFIX,
        description: 'The aggregation that is applied to the values of the field in each group.',
      }),
    ),
    alias: Type.Optional(
      Type.String({
        description: 'The name of the aggregate in the answer. Absent: that of the field.',
      }),
    ),
    quantile: Type.Optional(
      Type.Number({
        description: 'From 0 to 1, for the aggregation QUANTILE.',
        examples: [0.9],
        [CHECKED_LATER]: { minimum: 0, maximum: 1 },
      }),
    ),
  },
  { title: 'AggregatedField' },
);

const GroupBySchema = closed(
  {
    fieldName: Type.String({ description: 'The field by whose values records are grouped.' }),
    bucket: Type.Optional(
      numberedEnum(BUCKET_NUMBERS, {
        prefix: BUCKET_PREFIX,
        description:
          'How days are grouped. A span is written as its first day; DAY_OF_WEEK and MONTH_OF_YEAR as a number, 1 for Monday and January. Absent: by day.',
      }),
    ),
  },
  { title: 'GroupBy' },
);

const filterValue = Type.Unsafe<string | number | boolean>({
  type: ['string', 'number', 'boolean'],
  description:
    'The value as text. Number fields also take a JSON number, boolean fields a JSON boolean.',
});

const LISTING = FILTER_OPERATOR_NAMES.filter((name) => FILTER_OPERATORS[name].takes === 'list');

export const FilterClauseSchema = closed(
  {
    fieldName: Type.String({ description: 'Name of the field.', examples: ['region'] }),
    operator: Type.String({
      description: `One of ${FILTER_OPERATOR_NAMES.join(', ')}. See supportedOperators of the field.`,
      examples: ['=='],
    }),
    value: Type.Optional(filterValue),
    values: Type.Optional(
      Type.Array(filterValue, {
        description: `The values of ${new Intl.ListFormat('en-GB').format(LISTING)}, at most ${FILTER_LIST_MAX.toLocaleString('en-US')}.`,
      }),
    ),
  },
  { title: 'FilterClause' },
);

const degrees = (
  description: string,
  { max, example }: { readonly max: number; readonly example: number },
) =>
  Type.Number({
    description: `${description}, degrees from -${max} to ${max}.`,
    examples: [example],
    [CHECKED_LATER]: { minimum: -max, maximum: max },
  });

export const BoundingBoxSchema = closed(
  {
    minLng: degrees('West edge', { max: 180, example: -124.5 }),
    minLat: degrees('South edge', { max: 90, example: 32.5 }),
    maxLng: degrees('East edge', { max: 180, example: -114.1 }),
    maxLat: degrees('North edge', { max: 90, example: 42 }),
  },
  {
    title: 'BoundingBox',
    description:
      'Records whose point lies inside, edges included. If minLng > maxLng, the box crosses the antimeridian.',
  },
);

export const GeoCoordinateSchema = closed(
  {
    longitude: degrees('Longitude', { max: 180, example: -118.2 }),
    latitude: degrees('Latitude', { max: 90, example: 34.1 }),
  },
  { title: 'GeoCoordinate' },
);

/** unacast.catalog.v3.GeoPolygon */
export const GeoPolygonSchema = closed(
  {
    coordinates: Type.Array(GeoCoordinateSchema, {
      description: 'The points of one ring, 4 to 500, of which the last repeats the first.',
      examples: [
        [
          { longitude: -118.7, latitude: 33.7 },
          { longitude: -117.6, latitude: 33.7 },
          { longitude: -118.1, latitude: 34.4 },
          { longitude: -118.7, latitude: 33.7 },
        ],
      ],
    }),
  },
  { title: 'GeoPolygon' },
);

const GeoJsonPolygonSchema = closed(
  {
    type: Type.Optional(Type.Enum(['Polygon'], { description: 'As in GeoJSON; optional.' })),
    coordinates: Type.Array(
      Type.Array(
        Type.Array(Type.Number(), {
          minItems: 2,
          maxItems: 3,
          description: 'Longitude and latitude in degrees. A height is ignored.',
        }),
        { description: 'The points of a ring, 4 to 500, of which the last repeats the first.' },
      ),
      { description: 'One ring.' },
    ),
  },
  { title: 'GeoJsonPolygon' },
);

/** The points of a ring, or a polygon of GeoJSON. The first branch has all names, so either spelling is read by it. */
export const PolygonSchema = Type.Union([GeoJsonPolygonSchema, GeoPolygonSchema], {
  description:
    'Records or features whose point lies inside, edges included, after coordinates are rounded to 9 decimals. Edges must not cross or touch. An edge longer than 180 degrees of longitude goes the short way over the antimeridian. Not together with a bounding box.',
});
export type Polygon = Static<typeof PolygonSchema>;

/** unacast.catalog.v3.GeoCircle */
export const CircleSchema = closed(
  {
    longitude: degrees('Longitude of the centre', { max: 180, example: -118.2 }),
    latitude: degrees('Latitude of the centre', { max: 90, example: 34.1 }),
    radiusMetres: Type.Number({
      description: 'Radius in metres, greater than 0 and at most 20015115.',
      examples: [5000],
      [CHECKED_LATER]: { exclusiveMinimum: 0, maximum: 20_015_115 },
    }),
  },
  {
    title: 'GeoCircle',
    description:
      'Records or features whose point lies at most so many metres from the centre, on a sphere with the radius 6371008.8 m. Coordinates are rounded to 9 decimals. Not together with a bounding box or a polygon.',
  },
);

/** The names of `TrimToPeriodOfExistence`; the index of a name is its number. */
export const TRIM_NAMES = ['UNSPECIFIED', 'TRIM', 'IGNORE'] as const;
export const TRIM_PREFIX = 'TRIM_TO_PERIOD_OF_EXISTENCE_';
/** The names of `OrderDirection`; the index of a name is its number. */
export const DIRECTION_NAMES = ['UNSPECIFIED', 'ASC', 'DESC'] as const;
export const DIRECTION_PREFIX = 'ORDER_DIRECTION_';

const trimToPeriodOfExistence = protobufEnum(TRIM_NAMES, {
  prefix: TRIM_PREFIX,
  description:
    'UNSPECIFIED and TRIM leave out records whose period lies outside the existence of their place. IGNORE keeps them.',
});

const OrderBySchema = closed(
  {
    fieldName: Type.String({ description: 'Field to order by.' }),
    direction: Type.Optional(
      protobufEnum(DIRECTION_NAMES, {
        prefix: DIRECTION_PREFIX,
        description: 'ASC (default) or DESC. Records without a value come last in both directions.',
      }),
    ),
  },
  {
    title: 'OrderBy',
    description:
      'Order of the records by a field. Ties are broken by thenBy, then by the key. Absent: key order.',
  },
);

const OptionsSchema = closed(
  {
    boundingBox: Type.Optional(BoundingBoxSchema),
    polygon: Type.Optional(PolygonSchema),
    circle: Type.Optional(CircleSchema),
    near: Type.Optional(
      closed(GeoCoordinateSchema.properties, {
        title: 'NearPoint',
        description:
          'Orders the records by their distance from this point, and adds it as distance_metres after their fields. Records without a point come last. Only in requests for records, and not together with orderBy.',
      }),
    ),
    trimToPeriodOfExistence: Type.Optional(trimToPeriodOfExistence),
    orderBy: Type.Optional(OrderBySchema),
    thenBy: Type.Optional(
      Type.Array(OrderBySchema, {
        maxItems: 10,
        description:
          'Further keys, one after the other, for records with equal values of orderBy. Only with orderBy, and only in requests for records or groups. Each field once.',
      }),
    ),
  },
  { title: 'Options' },
);

/** How the filters of a request for rows are combined. */
export const filterLogic = Type.Optional(
  Type.String({
    description:
      'How the filters are combined: $0 is the first one. AND, OR, NOT and parentheses; AND binds more tightly than OR. Each filter must be used. Absent: AND.',
  }),
);

const filters = (description: string) =>
  Type.Optional(Type.Array(FilterClauseSchema, { maxItems: 100, description }));

const recordSelection = {
  dataReferenceName,
  filters: filters('A record must match all of them, unless filterLogic combines them otherwise.'),
  filterLogic,
  options: Type.Optional(OptionsSchema),
  trimToPeriodOfExistence: Type.Optional(trimToPeriodOfExistence),
  billingContext,
};

const rowSelection = {
  ...recordSelection,
  pageSize,
  pageToken,
  asOf,
  countOnly,
};

/** unacast.catalog.v3.ListDataReferencesRequest */
export const ListDataReferencesRequestSchema = closed(
  { billingContext },
  { title: 'ListDataReferencesRequest' },
);
export type ListDataReferencesRequest = Static<typeof ListDataReferencesRequestSchema>;

/** unacast.catalog.v3.GetDataReferenceRequest */
export const GetDataReferenceRequestSchema = closed(
  {
    name: Type.Optional(dataReferenceName),
    dataReferenceName: Type.Optional(dataReferenceName),
    billingContext,
  },
  {
    title: 'GetDataReferenceRequest',
    [CHECKED_LATER]: hasOneOf('name', 'dataReferenceName'),
  },
);
export type GetDataReferenceRequest = Static<typeof GetDataReferenceRequestSchema>;

/** unacast.catalog.v3.ListRecordsRequest */
export const ListRecordsRequestSchema = closed(
  {
    ...rowSelection,
    fields: Type.Optional(
      Type.Array(Type.Union([AggregatedFieldSchema, Type.String()]), {
        maxItems: 1000,
        description:
          'Fields to return, each as {"name": …} or as its name. Absent: those included by default; with groupBy, the groups and their number of records.',
      }),
    ),
    groupBy: Type.Optional(
      Type.Array(GroupBySchema, {
        description:
          'Returns groups of records with equal values of these fields, one row for each. Each of the fields to return is one of them or has an aggregation.',
      }),
    ),
    groupFilters: Type.Optional(
      Type.Array(FilterClauseSchema, {
        maxItems: 100,
        description: 'A group must match all of them. They name values of the answer.',
      }),
    ),
    recordCount: Type.Optional(
      Type.Boolean({
        description: 'Returns the number of records of each group as `record_count`.',
      }),
    ),
    typedValues: Type.Optional(
      Type.Boolean({
        description:
          'True to return numbers and booleans as JSON numbers and booleans, and absent values as null. Otherwise all values are text.',
      }),
    ),
  },
  { title: 'ListRecordsRequest' },
);
export type ListRecordsRequest = Static<typeof ListRecordsRequestSchema>;

const { dataReferenceName: _inThePath, ...streamedSelection } = recordSelection;

/** The body of a request for all records in one stream. Its dataset is in the path. */
export const StreamRecordsRequestSchema = closed(
  {
    ...streamedSelection,
    fields: Type.Optional(
      Type.Array(Type.Union([FieldSelectionSchema, Type.String()]), {
        maxItems: 1000,
        description:
          'Fields to return, each as {"name": …} or as its name. Absent: those included by default.',
      }),
    ),
    asOf,
    trackTotalHits: Type.Optional(
      Type.Boolean({
        description:
          'True to count the records first: Total-Size has their number, and a stream that exceeds a limit is refused before its first record.',
      }),
    ),
  },
  { title: 'StreamRecordsRequest' },
);
export type StreamRecordsRequest = Static<typeof StreamRecordsRequestSchema>;

/** The names and the numbers of `FileExportFormat`. Those from 101 on are ours. */
export const EXPORT_FORMAT_NUMBERS = {
  FORMAT_UNSPECIFIED: 0,
  CSV: 1,
  JSON: 2,
  AVRO: 3,
  PARQUET: 4,
  ARROW: 101,
  GEOJSON: 102,
} as const;
export const EXPORT_FORMAT_PREFIX = 'FILE_EXPORT_FORMAT_';

const exportFormat = numberedEnum(EXPORT_FORMAT_NUMBERS, {
  prefix: EXPORT_FORMAT_PREFIX,
  description:
    'CSV, the default; JSON for NDJSON, an object in each line; AVRO for object container files; PARQUET; ARROW; or GEOJSON for records with a point.',
});

const writtenFields = Type.Optional(
  Type.Array(Type.Union([FieldSelectionSchema, Type.String()]), {
    maxItems: 1000,
    description:
      'Fields to write, each as {"name": …} or as its name. Absent: those included by default.',
  }),
);

/** unacast.catalog.v3.CreateRecordsExportRequest */
export const CreateRecordsExportRequestSchema = closed(
  {
    ...recordSelection,
    fields: writtenFields,
    format: Type.Optional(exportFormat),
    limit: Type.Optional(
      Type.Integer({
        description: 'The largest number of records to write, in their order. Absent or 0: all.',
        examples: [100_000],
        [CHECKED_LATER]: { minimum: 0 },
      }),
    ),
    fileConfig: Type.Optional(
      closed(
        {
          format: Type.Optional(exportFormat),
          filenamePrefix: Type.Optional(
            Type.String({
              description: 'The start of the name of each file, before its number.',
              examples: ['places-'],
              [CHECKED_LATER]: { pattern: '^[A-Za-z0-9._-]{0,100}$' },
            }),
          ),
        },
        { title: 'FileExportConfig', description: 'Its format overrides that of the request.' },
      ),
    ),
  },
  { title: 'CreateRecordsExportRequest' },
);
export type CreateRecordsExportRequest = Static<typeof CreateRecordsExportRequestSchema>;

/** The names and the numbers of `FileDownloadFormat`. */
export const DOWNLOAD_FORMAT_NUMBERS = {
  UNSPECIFIED: 0,
  CSV: 1,
  JSON: 2,
  AVRO: 3,
  PARQUET: 4,
} as const;
export const DOWNLOAD_FORMAT_PREFIX = 'FILE_DOWNLOAD_FORMAT_';

/** unacast.catalog.v3alpha.FileDownloadRequest */
export const FileDownloadRequestSchema = closed(
  {
    dataReferenceName,
    fields: writtenFields,
    filters: filters('A record must match all of them.'),
    options: Type.Optional(OptionsSchema),
    trimToPeriodOfExistence: Type.Optional(trimToPeriodOfExistence),
    billingContext,
    format: Type.Optional(
      numberedEnum(DOWNLOAD_FORMAT_NUMBERS, {
        prefix: DOWNLOAD_FORMAT_PREFIX,
        description:
          'CSV, the default; JSON for NDJSON, an object in each line; AVRO for object container files; or PARQUET.',
      }),
    ),
  },
  { title: 'FileDownloadRequest' },
);
export type FileDownloadRequest = Static<typeof FileDownloadRequestSchema>;

const exportId = Type.String({
  description: 'The id of the export.',
  examples: ['4v2k0d8r1m5t9a7c3f6h0j2p4q'],
});

/** unacast.catalog.v3.GetRecordsExportRequest */
export const GetRecordsExportRequestSchema = closed(
  { id: exportId },
  { title: 'GetRecordsExportRequest' },
);

/** unacast.catalog.v3.DeleteRecordsExportRequest */
export const DeleteRecordsExportRequestSchema = closed(
  { id: exportId },
  { title: 'DeleteRecordsExportRequest' },
);

/** unacast.catalog.v3.ListRecordsExportsRequest */
export const ListRecordsExportsRequestSchema = closed(
  { billingContext },
  { title: 'ListRecordsExportsRequest' },
);

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
        description:
          'Text that the values contain, ignoring case and diacritics. Absent: all values.',
      }),
    ),
  },
  { title: 'SearchFieldValuesRequest' },
);
export type SearchFieldValuesRequest = Static<typeof SearchFieldValuesRequestSchema>;

/** The part of unacast.catalog.v3.ListRecordsRequest that its statistics use. */
export const ListRecordsStatisticsRequestSchema = closed(recordSelection, {
  title: 'ListRecordsStatisticsRequest',
});
export type ListRecordsStatisticsRequest = Static<typeof ListRecordsStatisticsRequestSchema>;

/** unacast.catalog.v3alpha.GetLayerStatsRequest */
export const GetLayerStatsRequestSchema = closed(
  {
    dataReferenceName,
    observationDate: Type.String({
      description: 'The first day of a period, YYYY-MM-DD. Only its records are counted.',
      examples: ['2024-07-01'],
    }),
    filters: filters('A record must match all of them.'),
    options: Type.Optional(OptionsSchema),
    trimToPeriodOfExistence: Type.Optional(trimToPeriodOfExistence),
    dimensions: Type.Optional(
      Type.Array(Type.String(), {
        description: 'The names of the fields whose distinct values are counted, at most 100.',
        examples: [['city']],
      }),
    ),
    billingContext,
  },
  { title: 'GetLayerStatsRequest' },
);
export type GetLayerStatsRequest = Static<typeof GetLayerStatsRequestSchema>;
