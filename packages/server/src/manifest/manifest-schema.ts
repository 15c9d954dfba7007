import { type Static, Type } from 'typebox';
import { FIELD_TYPES } from '../domain/field.ts';
import { AcceptSchema } from './accept-schema.ts';
import { AreasSchema, FromSchema, RegionSchema } from './areas-schema.ts';
import { DATE_SPANS } from './field-source.ts';
import { FILE_FORMATS } from './file-formats.ts';
import { LayerSchema } from './layer-schema.ts';
import {
  closed,
  DATASET_NAME_PATTERN,
  METRIC_NAME_PATTERN,
  NAME_PATTERN,
  name,
  SOURCE_COLUMN_PATTERN,
  scalar,
  text,
} from './manifest-schema-parts.ts';
import { MetricSchema } from './metric-schema.ts';
import { ReadSchema } from './read-schema.ts';
import { RowsSchema } from './rows-schema.ts';

/** The shape of `locmetrics.yaml`. The JSON Schema in the repository is printed from it. */

const FieldSchema = closed('A typed field of a dataset.', {
  type: Type.Enum(FIELD_TYPES, {
    description:
      'Type of the values. Codes such as FIPS, ZIP and IATA are strings: they keep their leading zeros.',
  }),
  column: Type.Optional(
    Type.Union(
      [
        Type.String({ minLength: 1 }),
        Type.Integer({ minimum: 1 }),
        Type.Array(Type.Union([Type.String({ minLength: 1 }), Type.Integer({ minimum: 1 })]), {
          minItems: 1,
        }),
      ],
      {
        description:
          "Column of the file the values come from; by default the field's name. In CSV, TSV and xlsx also its position, from 1. A list of columns is joined. In GeoJSON, shapefiles and GeoPackages the name of a property, or $id, $longitude, $latitude.",
      },
    ),
  ),
  expression: Type.Optional(
    text(
      'An expression in SQL over the columns, instead of a column: upper("Code"). Its value is read as a text of the type.',
    ),
  ),
  from: Type.Optional(FromSchema),
  format: Type.Optional(
    text(
      'How the values are written. Numbers: how the file writes 1234.5, such as 1.234,5 or $1,234. Dates: MM/DD/YYYY, YYYYMM, D-MMM-YYYY. Booleans: 1/0. A point in one text: (lat, lng). A coordinate in degrees, minutes and seconds: DMS.',
    ),
  ),
  zone: Type.Optional(
    text(
      'For a date whose format has an offset (Z): the zone whose day is meant, such as America/Los_Angeles.',
    ),
  ),
  as: Type.Optional(
    Type.Enum(DATE_SPANS, {
      description:
        'The date stands for this part of the calendar: it becomes its first day, or its last one in the end of a period or an existence. Weeks begin on Monday.',
    }),
  ),
  pad: Type.Optional(
    Type.Union(
      [
        Type.Integer({ minimum: 1, maximum: 100 }),
        Type.Array(Type.Integer({ minimum: 1, maximum: 100 }), { minItems: 1 }),
      ],
      {
        description:
          'Digits that a code is filled up to with leading zeros; for joined columns a list, one for each.',
      },
    ),
  ),
  source_column: Type.Optional(
    Type.String({
      pattern: SOURCE_COLUMN_PATTERN,
      description:
        "What the field is, as [namespace].[column].[type], for example feature.feature_id.value. By default it follows from the field's name and role.",
    }),
  ),
  description: Type.Optional(text('What the values mean, with their unit.')),
  example_value: Type.Optional(
    scalar('A value that callers may see as an example. Quote it for a string field.'),
  ),
  included_by_default: Type.Optional(
    Type.Boolean({
      description: 'Whether a request that names no fields gets this one. Default: true.',
    }),
  ),
  sorted: Type.Optional(
    Type.Boolean({
      description:
        'Whether callers often ask for records in the order of this field: the largest first, for example. Default: false.',
    }),
  ),
  searchable: Type.Optional(
    Type.Boolean({
      description:
        'Whether callers often search the values of this field as they type, or filter by it together with a bounding box or a sorted field. Default: false.',
    }),
  ),
  suppress: Type.Optional(
    closed('Small cells of a number field, which are hidden unless a grant shows them.', {
      below: Type.Number({
        description: 'Values below this number are withheld: they read as absent.',
      }),
    }),
  ),
});

const CsvSchema = closed('The older spelling of two keys of read.', {
  delimiter: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1,
      description: 'Character between values. Default: comma for .csv, tab for .tsv.',
    }),
  ),
  quote: Type.Optional(
    Type.String({
      maxLength: 1,
      description: 'Character around values, doubled inside them; empty for none. Default: ".',
    }),
  ),
});

export type FileFormat = (typeof FILE_FORMATS)[number];

/** Whether the files are tables whose columns have an order: their values are texts. */
export function isTable(format: FileFormat | undefined): boolean {
  return format === 'csv' || format === 'tsv' || format === 'xlsx';
}

const DatasetSchema = closed('A dataset: typed fields, a key, and the files its rows come from.', {
  display_name: Type.Optional(text('Name for people. Default: the name of the dataset.')),
  description: Type.Optional(text('What a row is, and where the data come from.')),
  files: Type.Union([text('A file.'), Type.Array(text('A file.'), { minItems: 1 })], {
    description:
      'The file or files with the rows, relative to the manifest, or addresses: https://… or s3://BUCKET/KEY. All have one format. In a name, * stands for any characters: visits-*.csv.',
  }),
  format: Type.Optional(
    Type.Enum(FILE_FORMATS, {
      description: "Format of the files. Default: from the file's name, .gz, .zip or not.",
    }),
  ),
  read: Type.Optional(ReadSchema),
  rows: Type.Optional(RowsSchema),
  csv: Type.Optional(CsvSchema),
  key: Type.Array(name('A field of the key.'), {
    minItems: 1,
    uniqueItems: true,
    description:
      'Fields that identify a record. Filled in every row; no two rows share the combination; records are sorted by it.',
  }),
  point: Type.Optional(
    closed('The point of a record. With it the dataset answers bounding boxes.', {
      latitude: name('Float field, degrees north from -90 to 90.'),
      longitude: name('Float field, degrees east from -180 to 180.'),
      region: Type.Optional(RegionSchema),
    }),
  ),
  period: Type.Optional(
    closed('When a record was observed.', {
      start: name('Date field, first day.'),
      end: name('Date field, last day; the same field as start for a single day.'),
    }),
  ),
  existence: Type.Optional(
    closed('When the place of a record existed; an absent date leaves the side open.', {
      start: Type.Optional(name('Date field, first day.')),
      end: Type.Optional(name('Date field, last day.')),
    }),
  ),
  accept: Type.Optional(AcceptSchema),
  fields: Type.Record(Type.String({ pattern: NAME_PATTERN }), FieldSchema, {
    additionalProperties: false,
    minProperties: 1,
    description: 'The fields, in the order they are published.',
  }),
});

export const ManifestSchema = Type.Object(
  {
    format: Type.Literal(1, { description: 'Version of the format of this file.' }),
    products: Type.Optional(
      Type.Record(
        Type.String({ pattern: NAME_PATTERN }),
        closed('A product: what the datasets named product.dataset have in common.', {
          display_name: Type.Optional(text('Name for people. Default: the id.')),
          description: Type.Optional(text('What the product is.')),
        }),
        { additionalProperties: false, description: 'The products, by id.' },
      ),
    ),
    datasets: Type.Record(Type.String({ pattern: DATASET_NAME_PATTERN }), DatasetSchema, {
      additionalProperties: false,
      minProperties: 1,
      description: 'The datasets, by name product.dataset.',
    }),
    areas: Type.Optional(AreasSchema),
    layers: Type.Optional(
      Type.Record(Type.String({ pattern: NAME_PATTERN }), LayerSchema, {
        additionalProperties: false,
        description: 'The layers, by id.',
      }),
    ),
    metrics: Type.Optional(
      Type.Record(Type.String({ pattern: METRIC_NAME_PATTERN }), MetricSchema, {
        additionalProperties: false,
        description: 'The metrics, by catalog_id/metric_id.',
      }),
    ),
  },
  {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Locmetrics manifest',
    description: 'Declares datasets, layers and metrics, and where their rows come from.',
    additionalProperties: false,
  },
);

/** A manifest as it is written, after its shape was checked. */
export type ManifestDocument = Static<typeof ManifestSchema>;
export type DatasetDocument = Static<typeof DatasetSchema>;

/** The text of the published JSON Schema, `locmetrics.schema.json`. */
export function manifestSchemaText(): string {
  return `${JSON.stringify(ManifestSchema, null, 2)}\n`;
}
