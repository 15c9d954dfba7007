import { FIELD_TYPES } from '@locmetrics/core/domain/field';
import { type Static, Type } from 'typebox';
import { AcceptSchema } from './accept-schema.ts';
import { DATE_SPANS } from './field-source.ts';
import { FILE_FORMAT_NAMES } from './file-formats.ts';
import { LayerSchema } from './layer-schema.ts';
import {
  closed,
  DATASET_NAME_PATTERN,
  keyed,
  METRIC_NAME_PATTERN,
  NAME_PATTERN,
  name,
  optionalChoice,
  optionalDigits,
  optionalFlag,
  optionalName,
  optionalText,
  POINT_WORD_PATTERN,
  SOURCE_COLUMN_PATTERN,
  scalar,
  text,
} from './manifest-schema-parts.ts';
import { MetricSchema } from './metric-schema.ts';
import { ReadSchema } from './read-schema.ts';
import { RowsSchema } from './rows-schema.ts';

const AreaSchema = closed('Boundaries of areas, in longitude and latitude (WGS 84).', {
  file: text('A file of GeoJSON or TopoJSON with polygons, relative to the manifest.'),
  object: optionalText('The object of a TopoJSON file; needed if it has several.'),
  id: optionalText('The property with the id of an area. Default: the id of its Feature.'),
  name: optionalText('The property with the name of an area. Default: name.'),
});

const AreasSchema = keyed(
  NAME_PATTERN,
  AreaSchema,
  'Boundaries of areas, by name. us_counties and us_states need no declaration.',
);

const FromSchema = Type.Union(
  [
    Type.String({
      pattern: POINT_WORD_PATTERN,
      examples: ['placekey'],
      description: 'The where-part of the Placekey, such as @5vg-7gq-tvz.',
    }),
    closed('An H3 cell, or a value of the area that has the point.', {
      h3: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 15,
          description: 'The H3 cell at this resolution, such as 9.',
        }),
      ),
      area: optionalName('us_counties, us_states, or boundaries that areas declares.'),
      value: optionalText('The id of the area, its name, or another property of it. Default: id.'),
    }),
  ],
  { description: 'Instead of a column: the value follows from the point of the record.' },
);

const degrees = (limit: 90 | 180, description: string) =>
  Type.Number({ minimum: -limit, maximum: limit, description });

const RegionSchema = Type.Union(
  [
    name('us_counties, us_states, or boundaries that areas declares.'),
    closed('A box in degrees.', {
      south: degrees(90, 'Least latitude.'),
      west: degrees(180, 'Least longitude; greater than east if the box crosses 180 degrees.'),
      north: degrees(90, 'Greatest latitude.'),
      east: degrees(180, 'Greatest longitude.'),
    }),
  ],
  {
    description:
      'Where the points lie: a box, or any area of boundaries. Points outside are reported, see accept.outside_region.',
  },
);

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
  expression: optionalText(
    'An expression in SQL over the columns, instead of a column: upper("Code"). Its value is read as a text of the type.',
  ),
  from: Type.Optional(FromSchema),
  format: optionalText(
    'How the values are written. Numbers: how the file writes 1234.5, such as 1.234,5 or $1,234. Dates: MM/DD/YYYY, YYYYMM, D-MMM-YYYY. Booleans: 1/0. A point in one text: (lat, lng). A coordinate in degrees, minutes and seconds: DMS.',
  ),
  zone: optionalText(
    'For a date whose format has an offset (Z): the zone whose day is meant, such as America/Los_Angeles.',
  ),
  as: optionalChoice(
    DATE_SPANS,
    'The date stands for this part of the calendar: it becomes its first day, or its last one in the end of a period or an existence. Weeks begin on Monday.',
  ),
  pad: optionalDigits(
    'Digits that a code is filled up to with leading zeros; for joined columns a list, one for each.',
  ),
  source_column: Type.Optional(
    Type.String({
      pattern: SOURCE_COLUMN_PATTERN,
      description:
        "What the field is, as [namespace].[column].[type], for example feature.feature_id.value. By default it follows from the field's name and role.",
    }),
  ),
  description: optionalText('What the values mean, with their unit.'),
  example_value: Type.Optional(
    scalar('A value that callers may see as an example. Quote it for a string field.'),
  ),
  included_by_default: optionalFlag(
    'Whether a request that names no fields gets this one. Default: true.',
  ),
  sorted: optionalFlag(
    'Whether callers often ask for records in the order of this field: the largest first, for example. Default: false.',
  ),
  searchable: optionalFlag(
    'Whether callers often search the values of this field as they type, or filter by it together with a bounding box or a sorted field. Default: false.',
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

const DatasetSchema = closed('A dataset: typed fields, a key, and the files its rows come from.', {
  display_name: optionalText('Name for people. Default: the name of the dataset.'),
  description: optionalText('What a row is, and where the data come from.'),
  files: Type.Union([text('A file.'), Type.Array(text('A file.'), { minItems: 1 })], {
    description:
      'The file or files with the rows, relative to the manifest, or addresses: https://… or s3://BUCKET/KEY. All have one format. In a name, * stands for any characters: visits-*.csv.',
  }),
  format: optionalChoice(
    FILE_FORMAT_NAMES,
    "Format of the files. Default: from the file's name, .gz, .zip or not.",
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
      start: optionalName('Date field, first day.'),
      end: optionalName('Date field, last day.'),
    }),
  ),
  accept: Type.Optional(AcceptSchema),
  fields: keyed(NAME_PATTERN, FieldSchema, 'The fields, in the order they are published.', {
    minProperties: 1,
  }),
});

export const ManifestSchema = Type.Object(
  {
    format: Type.Literal(1, { description: 'Version of the format of this file.' }),
    products: Type.Optional(
      keyed(
        NAME_PATTERN,
        closed('A product: what the datasets named product.dataset have in common.', {
          display_name: optionalText('Name for people. Default: the id.'),
          description: optionalText('What the product is.'),
        }),
        'The products, by id.',
      ),
    ),
    datasets: keyed(DATASET_NAME_PATTERN, DatasetSchema, 'The datasets, by name product.dataset.', {
      minProperties: 1,
    }),
    areas: Type.Optional(AreasSchema),
    layers: Type.Optional(keyed(NAME_PATTERN, LayerSchema, 'The layers, by id.')),
    metrics: Type.Optional(
      keyed(METRIC_NAME_PATTERN, MetricSchema, 'The metrics, by catalog_id/metric_id.'),
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
