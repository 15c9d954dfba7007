import { ADDITIVITIES, FIELD_TYPES } from '@locmetrics/core/domain/field';
import { CADENCES } from '@locmetrics/core/domain/metric';
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
  NOT_BLANK_PATTERN,
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
  WEB_ADDRESS_PATTERN,
} from './manifest-schema-parts.ts';
import { MetricSchema } from './metric-schema.ts';
import { ReadSchema } from './read-schema.ts';
import { RowsSchema } from './rows-schema.ts';

const AreaSchema = closed(
  'A file with the boundaries of areas, in WGS 84 longitude and latitude.',
  {
    file: text(
      'A GeoJSON FeatureCollection or TopoJSON file with polygons, up to 128 MiB. The path is relative to the manifest.',
    ),
    object: optionalText('The object in a TopoJSON file. Required if the file has several.'),
    id: optionalText(
      'The property with the id of an area. Several features may share an id. Default: the `id` of the feature.',
    ),
    name: optionalText('The property with the name of an area. Default: `name`.'),
  },
);

const AreasSchema = keyed(
  NAME_PATTERN,
  AreaSchema,
  'Files with boundaries of areas, by name. `us_counties` and `us_states` are built in.',
);

const FromSchema = Type.Union(
  [
    Type.String({
      pattern: POINT_WORD_PATTERN,
      examples: ['placekey'],
      description: 'The where part of the Placekey, such as `@5vg-7gq-tvz`.',
    }),
    closed('An H3 cell, or a property of the area that contains the point.', {
      h3: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 15,
          description: 'The resolution of the H3 cell, 0 to 15.',
        }),
      ),
      area: optionalName('`us_counties`, `us_states`, or a name declared under `areas`.'),
      value: optionalText(
        'The property of the area: `id`, `name` or another one, or `outline` for its outline. Default: `id`.',
      ),
    }),
  ],
  { description: 'Instead of `column`: compute the value from the point of the record.' },
);

const degrees = (limit: 90 | 180, description: string) =>
  Type.Number({ minimum: -limit, maximum: limit, description });

const RegionSchema = Type.Union(
  [
    name('`us_counties`, `us_states`, or a name declared under `areas`.'),
    closed('A box in degrees.', {
      south: degrees(90, 'The southern edge, a latitude.'),
      west: degrees(
        180,
        'The western edge, a longitude. It is greater than `east` if the box crosses the 180th meridian.',
      ),
      north: degrees(90, 'The northern edge, a latitude.'),
      east: degrees(180, 'The eastern edge, a longitude.'),
    }),
  ],
  {
    description:
      'Where the points must lie: in a box in degrees, or in any area of the named boundaries. Points outside are reported; `accept.outside_region` limits how many there may be.',
  },
);

/** The shape of `locmetrics.yaml`. The JSON Schema in the repository is printed from it. */

const FieldSchema = closed('A typed field of a dataset.', {
  type: Type.Enum(FIELD_TYPES, {
    description:
      'The type of the values. Make codes such as ZIP, FIPS and IATA codes strings, so that they keep leading zeros.',
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
          "The column of the file. In CSV, TSV and xlsx files it can be a position, counted from 1; a list of columns is joined. `stats.visits` is the member `visits` of the objects in the column `stats`. In GeoJSON, shapefiles and GeoPackages it is a property, or `$id`, `$longitude`, `$latitude` or `$outline`. Default: the field's name.",
      },
    ),
  ),
  expression: optionalText(
    'Instead of `column`: an SQL expression over the columns, such as `upper("Code")`. Its result is read as text in the type of the field.',
  ),
  from: Type.Optional(FromSchema),
  format: optionalText(
    'How the file writes the values. Numbers: how it writes 1234.5, such as `1.234,5` or `$1,234`. Dates: `MM/DD/YYYY`, `YYYYMM`, `D-MMM-YYYY`. Booleans: `1/0`. Both coordinates in one text: `(lat, lng)`. Degrees, minutes and seconds: `DMS`.',
  ),
  zone: optionalText(
    'For a date whose `format` has an offset (`Z`): the time zone that decides the day, such as `America/Los_Angeles`, or `local` for the day as it is written.',
  ),
  as: optionalChoice(
    DATE_SPANS,
    'For a date that stands for a whole week (from Monday), month, quarter or year: it becomes the first day, or the last day if the field is the end of `period` or `existence`.',
  ),
  end: optionalChoice(
    ['exclusive'],
    'For a date that ends a period and is not a part of it, such as the start of the next one: `exclusive` makes it the last day. Of a time, the day is the last one with an earlier time.',
  ),
  pad: optionalDigits(
    'For a string: the number of digits to which a code is padded with leading zeros. For joined columns, a list with a number for each.',
  ),
  source_column: Type.Optional(
    Type.String({
      pattern: SOURCE_COLUMN_PATTERN,
      description:
        'Tells callers what the field is, as `[namespace].[column].[type]`, for example `feature.feature_id.value`. Every caller who sees the field sees this text, so do not name a hidden field in it. Default: derived from the name and the role of the field.',
    }),
  ),
  description: optionalText('The meaning of the values, and their unit.'),
  example_value: Type.Optional(
    scalar('An example value, shown to callers. Quote it for a string field.'),
  ),
  included_by_default: optionalFlag(
    'True if a request that names no fields returns this one. Default: `true`.',
  ),
  sorted: optionalFlag('Build an index for sorting by this field. Default: `false`.'),
  searchable: optionalFlag(
    'Build an index for searching the values of this field as callers type, and for filtering by it together with a bounding box or a sorted field. Default: `false`.',
  ),
  additive: optionalChoice(
    ADDITIVITIES,
    'For a number field that is a measure: whether its values can be added up. `all`: over periods and places, such as visits. `places`: over places but not over periods, such as inhabitants. `periods`: over periods but not over places. `none`: over neither, such as medians, shares and unique visitors. Other sums are refused. Default: `all` for an integer field, unless its name says otherwise, as in `median_minutes` or `unique_visitors`; `none` for a float field.',
  ),
  suppress: Type.Optional(
    closed(
      'For a number field that is a measure: hide small values from callers whose grant does not show small cells.',
      {
        below: Type.Number({
          description: 'Values below this number are hidden: they read as absent.',
        }),
        mark: optionalFlag(
          'Say of each hidden value that it is withheld, so that callers can tell it from an absent one. They then know that it is below the number. Default: `false`.',
        ),
      },
    ),
  ),
});

const CsvSchema = closed('An older spelling of `delimiter` and `quote` under `read`.', {
  delimiter: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1,
      description: 'The character between values. Default: comma for `.csv`, tab for `.tsv`.',
    }),
  ),
  quote: Type.Optional(
    Type.String({
      maxLength: 1,
      description:
        'The character around values, doubled inside them. Empty for none. Default: `"`.',
    }),
  ),
});

const webAddress = (description: string) =>
  Type.Optional(Type.String({ pattern: WEB_ADDRESS_PATTERN, description }));

const LicenceSchema = closed(
  'The licence of the data. It travels with streams and with pages in CSV: in the header `Link`, and in the metadata of formats that have some.',
  {
    name: Type.String({
      pattern: NOT_BLANK_PATTERN,
      examples: ['CC-BY-4.0'],
      description:
        'The SPDX identifier of the licence, such as `CC-BY-4.0` or `ODbL-1.0`, or another name, such as `Public domain`.',
    }),
    url: webAddress('The URL of the text of the licence.'),
    attribution: Type.Optional(
      Type.String({
        pattern: NOT_BLANK_PATTERN,
        description: 'The text to show wherever the data is used, such as `Data: City Library`.',
      }),
    ),
    terms_url: webAddress('The URL of your terms of use, if callers accepted some.'),
  },
);

const DatasetSchema = closed('A dataset: typed fields, a key, and the files with its rows.', {
  display_name: optionalText('The name shown to people. Default: the name of the dataset.'),
  description: optionalText('The meaning of a row, and the source of the data.'),
  files: Type.Union([text('A file.'), Type.Array(text('A file.'), { minItems: 1 })], {
    description:
      'A file or a list of files, all in one format: paths relative to the manifest, or `https://` and `s3://` URLs. In a file name, `*` stands for any characters: `visits-*.csv`, read in the order of the names.',
  }),
  format: optionalChoice(
    FILE_FORMAT_NAMES,
    'The file format. Default: derived from the file name.',
  ),
  read: Type.Optional(ReadSchema),
  rows: Type.Optional(RowsSchema),
  csv: Type.Optional(CsvSchema),
  key: Type.Array(name('A field of the key.'), {
    minItems: 1,
    uniqueItems: true,
    description:
      'The fields that identify a record. Each must have a value in every row, and no two rows may have the same combination of values. Records are sorted by it. Floats are not allowed.',
  }),
  point: Type.Optional(
    closed('The fields with the point of a record. They let callers filter by a bounding box.', {
      latitude: name('Float field, degrees north from -90 to 90.'),
      longitude: name('Float field, degrees east from -180 to 180.'),
      region: Type.Optional(RegionSchema),
    }),
  ),
  outline: optionalName(
    'The string field with the outline of a record: a Polygon or MultiPolygon as GeoJSON text, in degrees, or the column `$outline` of GeoJSON, shapefiles and GeoPackages. It is returned as published, drawn in the tiles of layers, and never compared.',
  ),
  period: Type.Optional(
    closed('The fields with the days that a record is about. Both days are included.', {
      start: name('Date field, first day.'),
      end: name('Date field, last day. For single days, the same field as `start`.'),
    }),
  ),
  existence: Type.Optional(
    closed(
      'The fields with the days on which the place of a record opened and closed. An absent date leaves that side open.',
      {
        start: optionalName('Date field, first day.'),
        end: optionalName('Date field, last day.'),
      },
    ),
  ),
  cadence: Type.Optional(
    Type.Enum(CADENCES, {
      description:
        'How often a period starts. Default: the `cadence` of the metrics of the dataset, or else derived from the periods. `unspecified` declares that there is none.',
    }),
  ),
  processing: Type.Optional(
    closed('How often new data is produced, and how long after the end of a period.', {
      cadence: Type.Optional(
        Type.Enum(CADENCES, {
          description: 'How often new data is produced. Default: the `cadence` of the dataset.',
        }),
      ),
      lag_days: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 3650,
          description:
            'The days between the end of a period and its data. Default: the days between the last period and the publish, unless that is longer than two periods.',
        }),
      ),
    }),
  ),
  totals: Type.Optional(
    keyed(
      NAME_PATTERN,
      scalar('The value of the field in the records with totals, such as `all`.'),
      'Fields in which one value stands for the total of the others, each with that value: `{ age_group: all }`. A request for aggregates must not mix totals with their parts. The step `aggregate` with `totals` declares these fields automatically.',
      { minProperties: 1 },
    ),
  ),
  normalise: Type.Optional(
    Type.Enum(['nfc'], {
      description:
        'Publishes all texts in NFC, the composed form of Unicode. Keys that become equal are refused. Default: texts are published as they are in the files.',
    }),
  ),
  licence: Type.Optional(LicenceSchema),
  accept: Type.Optional(AcceptSchema),
  fields: keyed(
    NAME_PATTERN,
    FieldSchema,
    'The fields, by name, in the order in which they are published.',
    {
      minProperties: 1,
    },
  ),
});

export const ManifestSchema = Type.Object(
  {
    format: Type.Literal(1, { description: 'The version of the manifest format.' }),
    products: Type.Optional(
      keyed(
        NAME_PATTERN,
        closed('A product: the part of a dataset name before the dot.', {
          display_name: optionalText('The name shown to people. Default: the id.'),
          description: optionalText('A description of the product.'),
        }),
        'Names and descriptions of products, by id.',
      ),
    ),
    datasets: keyed(
      DATASET_NAME_PATTERN,
      DatasetSchema,
      'The datasets, by name: `product.dataset`.',
      {
        minProperties: 1,
      },
    ),
    areas: Type.Optional(AreasSchema),
    layers: Type.Optional(
      keyed(
        NAME_PATTERN,
        LayerSchema,
        'The layers, by id: features (places or areas) of one kind, each a record of a dataset.',
      ),
    ),
    metrics: Type.Optional(
      keyed(
        METRIC_NAME_PATTERN,
        MetricSchema,
        'The metrics, by `catalog_id/metric_id`: records of a dataset as values of features.',
      ),
    ),
  },
  {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Locmetrics manifest',
    description: 'Declares datasets, layers and metrics, and the files with their rows.',
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
