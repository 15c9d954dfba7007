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

const MeasureSchema = closed('A measure: its name, field, kind and unit.', {
  name: name('The name in requests and responses, unique in the metric.'),
  field: name('Field with the values.'),
  unit: optionalText('The unit, for example `People`.'),
  kind: Type.Enum(VALUE_KINDS, {
    description:
      '`number`: a float or integer field. `count`: an integer field. `category`: a string field.',
  }),
  nullable: optionalFlag(
    'True if values can be absent. If `false`, a publish refuses records without the value. Default: `true`.',
  ),
  display_name: optionalText('The name shown to people. Default: the name.'),
  description: optionalText('The meaning of the measure.'),
});

const DimensionSchema = closed(
  'A dimension: it distinguishes the values of one feature and period, for example by age group.',
  {
    value: name('Field with the value of the dimension. Any type.'),
    display_name: optionalName('String field with the name of the value that is shown to people.'),
    title: optionalText(
      'The name that people see for the dimension. Default: the id of the dimension.',
    ),
    description: optionalText('The meaning of the dimension.'),
    default: Type.Optional(
      scalar('The value for requests that do not name the dimension. Default: all values.'),
    ),
    completeness: optionalChoice(
      ['strict', 'relaxed'],
      '`strict`: each feature and period has all values of the dimension. `relaxed`: some may be missing. Default: `strict`.',
    ),
  },
);

const PeriodDaySchema = (day: string) =>
  text(`${day}: a date field of the dataset, or one date for all values, such as \`2020-04-01\`.`);

export const MetricSchema = closed(
  'A metric: each record of a dataset is a value for a feature and a period.',
  {
    display_name: optionalText('The name shown to people. Default: the id of the metric.'),
    description: optionalText('The meaning of the metric, and how it is measured.'),
    dataset: datasetName('The dataset of the values. It must be declared in the same manifest.'),
    layer: name('The layer of the features. It must be declared in the same manifest.'),
    feature_id: name('String field of the dataset with the feature id.'),
    related: Type.Optional(
      closed(
        'For values about two places, such as trips from a home to a store: the other place.',
        {
          layer: name('The layer of the other place. It can be the same layer.'),
          feature_id: name('String field of the dataset with the feature id of the other place.'),
          relation_type: optionalText(
            'How the two features are related. Default: `origin-destination`.',
          ),
        },
      ),
    ),
    cadence: Type.Enum(CADENCES, {
      description:
        'How often a feature has a value. Use `unspecified` if the interval varies, or for values of one date.',
    }),
    period: Type.Optional(
      closed("The period of a value, both days included. Default: the dataset's `period`.", {
        start: PeriodDaySchema('First day'),
        end: PeriodDaySchema('Last day'),
      }),
    ),
    measure: MeasureSchema,
    supporting_values: Type.Optional(
      Type.Array(MeasureSchema, {
        description: 'Measures that are returned together with the main one.',
      }),
    ),
    dimensions: Type.Optional(
      keyed(
        NAME_PATTERN,
        DimensionSchema,
        'The dimensions, by id, in the order in which they are published. Metrics of one catalog that share a dimension must give it the same `title` and `description`.',
      ),
    ),
    default_filters: Type.Optional(
      keyed(
        NAME_PATTERN,
        Type.Union([
          ...scalar('A value of the component.').anyOf,
          Type.Array(scalar('A value of the component.'), { minItems: 1, uniqueItems: true }),
        ]),
        'Filters that apply to every request, by address component of the layer (not `free_form`): a value, or a list of values of which one must match.',
      ),
    ),
    flags: Type.Optional(
      keyed(
        NAME_PATTERN,
        name('Boolean field of the dataset.'),
        'Flags of values, by name: a flag is set where its boolean field is true.',
      ),
    ),
    lifecycle_stage: optionalChoice(
      LIFECYCLE_STAGES,
      'The lifecycle stage of the metric. Default: `stable`.',
    ),
    release_notes: optionalText('The changes in the last release.'),
  },
);

export type MetricDocument = Static<typeof MetricSchema>;
export type MeasureDocument = Static<typeof MeasureSchema>;
