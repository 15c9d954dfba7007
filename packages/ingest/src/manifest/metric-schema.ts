import { CADENCES, LIFECYCLE_STAGES, VALUE_KINDS } from '@locmetrics/core/domain/metric';
import { type Static, Type } from 'typebox';
import {
  closed,
  datasetName,
  keyed,
  NAME_PATTERN,
  name,
  optionalChoice,
  optionalFlag,
  optionalName,
  optionalText,
  scalar,
  text,
} from './manifest-schema-parts.ts';

const MeasureSchema = closed('A measure of a metric.', {
  name: name('Name on the wire, unique in the metric.'),
  field: name('Field with the values.'),
  unit: optionalText('Unit, for example People.'),
  kind: Type.Enum(VALUE_KINDS, {
    description:
      'number: the field is float or integer; count: it is integer; category: it is string.',
  }),
  nullable: optionalFlag(
    'Whether values can be absent. Default: true. With false an absent value is refused when it is published.',
  ),
  display_name: optionalText('Name for people. Default: the name.'),
  description: optionalText('The meaning of the measure.'),
});

const DimensionSchema = closed(
  'A dimension: what the values of one feature and period differ in, for example an age group.',
  {
    value: name('Field with the value. It may have any type.'),
    display_name: optionalName("String field with the value's name for people."),
    title: optionalText(
      'Name of the dimension itself, for people. Default: the id of the dimension.',
    ),
    description: optionalText('What the dimension is.'),
    default: Type.Optional(
      scalar('The value for a request that names none. Default: every value.'),
    ),
    completeness: optionalChoice(
      ['strict', 'relaxed'],
      'strict: each feature and period has all values of the dimension; relaxed: some may be missing. Default: strict.',
    ),
  },
);

const PeriodDaySchema = (day: string) =>
  text(`${day} of the period: a date field of the dataset, or one date for all, as 2020-04-01.`);

export const MetricSchema = closed(
  'A metric: each record of a dataset is a value for a feature of a layer and a period.',
  {
    display_name: optionalText('Name for people. Default: the id of the metric.'),
    description: optionalText('The meaning of the metric, and how it is measured.'),
    dataset: datasetName('Dataset of the values, declared in this manifest.'),
    layer: name('Layer of the features, declared in this manifest.'),
    feature_id: name('String field of the dataset with the feature id of the layer.'),
    related: Type.Optional(
      closed('For values about two places, such as trips from a home to a store: the other end.', {
        layer: name('Layer of the other end; it may be the same.'),
        feature_id: name('String field of the dataset with the feature id of that layer.'),
        relation_type: optionalText('What relates the two features. Default: origin-destination.'),
      }),
    ),
    cadence: Type.Enum(CADENCES, {
      description: 'How often there is a value; unspecified if the interval varies.',
    }),
    period: Type.Optional(
      closed("The period of a value, both days included. Default: the dataset's period.", {
        start: PeriodDaySchema('First day'),
        end: PeriodDaySchema('Last day'),
      }),
    ),
    measure: MeasureSchema,
    supporting_values: Type.Optional(
      Type.Array(MeasureSchema, { description: 'The supporting measures of each value.' }),
    ),
    dimensions: Type.Optional(
      keyed(
        NAME_PATTERN,
        DimensionSchema,
        'The dimensions by id, in the order they are published. Metrics of one catalog that share a dimension describe it in the same way.',
      ),
    ),
    default_filters: Type.Optional(
      keyed(
        NAME_PATTERN,
        Type.Union([
          ...scalar('A value of the component.').anyOf,
          Type.Array(scalar('A value of the component.'), { minItems: 1, uniqueItems: true }),
        ]),
        'Filters that always apply, by component of the layer: a value, or a list of which one must be met.',
      ),
    ),
    flags: Type.Optional(
      keyed(
        NAME_PATTERN,
        name('Boolean field of the dataset.'),
        'Flags on values, by name: a flag is set if its field is true.',
      ),
    ),
    lifecycle_stage: optionalChoice(LIFECYCLE_STAGES, 'How far the metric is. Default: stable.'),
    release_notes: optionalText('What changed with the last release.'),
  },
);

export type MetricDocument = Static<typeof MetricSchema>;
export type MeasureDocument = Static<typeof MeasureSchema>;
