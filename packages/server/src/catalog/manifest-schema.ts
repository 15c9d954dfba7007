import { type Static, type TProperties, Type } from 'typebox';
import { FIELD_TYPES } from '../domain/field.ts';

/** The shape of `locmetrics.yaml`. The JSON Schema in the repository is printed from it. */

const NAME = '[a-z][a-z0-9_]{0,62}';

const closed = <Properties extends TProperties>(description: string, properties: Properties) =>
  Type.Object(properties, { additionalProperties: false, description });
const text = (description: string) => Type.String({ minLength: 1, description });
const fieldName = (description: string) => Type.String({ pattern: `^${NAME}$`, description });

const FieldSchema = closed('A typed field of a dataset.', {
  type: Type.Enum(FIELD_TYPES, {
    description:
      'Type of the values. Codes such as FIPS, ZIP and IATA are strings: they keep their leading zeros.',
  }),
  column: Type.Optional(
    text(
      "Column of the file the values come from; by default the field's name. In GeoJSON the name of a property, or $id, $longitude, $latitude.",
    ),
  ),
  source_column: Type.Optional(
    Type.String({
      pattern: '^[a-z][a-z0-9_]*(\\.[a-z0-9_]+)+$',
      description:
        "What the field is, as [namespace].[column].[type], for example feature.feature_id.value. By default it follows from the field's name and role.",
    }),
  ),
  description: Type.Optional(text('What the values mean, with their unit.')),
  example_value: Type.Optional(
    Type.Union([Type.String(), Type.Number(), Type.Boolean()], {
      description: 'A value that callers may see as an example. Quote it for a string field.',
    }),
  ),
  included_by_default: Type.Optional(
    Type.Boolean({
      description: 'Whether a request that names no fields gets this one. Default: true.',
    }),
  ),
});

const CsvSchema = closed('How a CSV or TSV file is written. Files are UTF-8 and have a header.', {
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

export const FILE_FORMATS = ['csv', 'tsv', 'parquet', 'ndjson', 'geojson'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

const DatasetSchema = closed('A dataset: typed fields, a key, and the files its rows come from.', {
  display_name: Type.Optional(text('Name for people. Default: the name of the dataset.')),
  description: Type.Optional(text('What a row is, where the data come from.')),
  files: Type.Union([text('A file.'), Type.Array(text('A file.'), { minItems: 1 })], {
    description: 'The file or files with the rows, relative to the manifest. All have one format.',
  }),
  format: Type.Optional(
    Type.Enum(FILE_FORMATS, {
      description: "Format of the files. Default: from the file's name, .gz or not.",
    }),
  ),
  csv: Type.Optional(CsvSchema),
  key: Type.Array(fieldName('A field of the key.'), {
    minItems: 1,
    uniqueItems: true,
    description: 'Fields that identify a record, present in each; records come in their order.',
  }),
  point: Type.Optional(
    closed('The point of a record. With it the dataset answers bounding boxes.', {
      latitude: fieldName('Float field, degrees north from -90 to 90.'),
      longitude: fieldName('Float field, degrees east from -180 to 180.'),
    }),
  ),
  period: Type.Optional(
    closed('When a record was observed.', {
      start: fieldName('Date field, first day.'),
      end: fieldName('Date field, last day; the same field as start for a single day.'),
    }),
  ),
  existence: Type.Optional(
    closed('When the place of a record existed; an absent date leaves the side open.', {
      start: Type.Optional(fieldName('Date field, first day.')),
      end: Type.Optional(fieldName('Date field, last day.')),
    }),
  ),
  fields: Type.Record(Type.String({ pattern: `^${NAME}$` }), FieldSchema, {
    additionalProperties: false,
    minProperties: 1,
    description: 'The fields, in the order they are published.',
  }),
});

const COMPONENT_KINDS = ['free_form', 'map', 'taxonomy', 'count'] as const;

const ComponentSchema = closed('An address component of the features of a layer.', {
  value: fieldName('Field with the value, for example a code.'),
  short_name: Type.Optional(fieldName('Field with the short name.')),
  display_name: Type.Optional(fieldName('Field with the name for people.')),
  kind: Type.Optional(
    Type.Enum(COMPONENT_KINDS, {
      description: 'All but free_form can be filtered on. Default: free_form.',
    }),
  ),
  description: Type.Optional(text('What the component is.')),
});

const LayerSchema = closed('The features (locations) of one kind, each a record of a dataset.', {
  display_name: Type.Optional(text('Name for people.')),
  description: Type.Optional(text('What the features are.')),
  dataset: Type.String({ pattern: `^${NAME}\\.${NAME}$`, description: 'Dataset of the features.' }),
  feature_id: fieldName('String field that identifies a feature: the key of the dataset.'),
  name: fieldName('Field with the name of a feature.'),
  address_components: Type.Optional(
    Type.Record(Type.String({ pattern: `^${NAME}$` }), ComponentSchema, {
      additionalProperties: false,
      description: 'The components, in the order they are published.',
    }),
  ),
});

const CADENCES = ['hourly', 'daily', 'weekly', 'monthly', 'quarterly', 'yearly'] as const;
const VALUE_KINDS = ['number', 'count', 'category'] as const;

const MeasureSchema = closed('A measure of a metric.', {
  name: fieldName('Name on the wire.'),
  field: fieldName('Field with the values.'),
  unit: Type.Optional(text('Unit, for example People.')),
  kind: Type.Enum(VALUE_KINDS, {
    description: 'count: whole number, number: float, category: text.',
  }),
  nullable: Type.Optional(
    Type.Boolean({ description: 'Whether values can be absent. Default: true.' }),
  ),
  description: Type.Optional(text('What is measured.')),
});

const MetricSchema = closed('A metric: a dataset with a period, joined to a layer.', {
  display_name: Type.Optional(text('Name for people.')),
  description: Type.Optional(text('What is measured, and how.')),
  dataset: Type.String({ pattern: `^${NAME}\\.${NAME}$`, description: 'Dataset of the values.' }),
  layer: fieldName('Layer of the features.'),
  feature_id: fieldName('Field of the dataset with the feature id of the layer.'),
  cadence: Type.Enum(CADENCES, { description: 'How often a value comes.' }),
  measure: MeasureSchema,
  supporting_values: Type.Optional(Type.Array(MeasureSchema)),
});

export const ManifestSchema = Type.Object(
  {
    format: Type.Literal(1, { description: 'Version of the format of this file.' }),
    products: Type.Optional(
      Type.Record(
        Type.String({ pattern: `^${NAME}$` }),
        closed('A product: what the datasets named product.dataset have in common.', {
          display_name: Type.Optional(text('Name for people. Default: the id.')),
          description: Type.Optional(text('What the product is.')),
        }),
        { additionalProperties: false, description: 'The products, by id.' },
      ),
    ),
    datasets: Type.Record(Type.String({ pattern: `^${NAME}\\.${NAME}$` }), DatasetSchema, {
      additionalProperties: false,
      minProperties: 1,
      description: 'The datasets, by name product.dataset.',
    }),
    layers: Type.Optional(
      Type.Record(Type.String({ pattern: `^${NAME}$` }), LayerSchema, {
        additionalProperties: false,
        description: 'The layers, by id.',
      }),
    ),
    metrics: Type.Optional(
      Type.Record(Type.String({ pattern: `^${NAME}/${NAME}$` }), MetricSchema, {
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
