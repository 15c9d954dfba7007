import { COMPONENT_KINDS } from '@locmetrics/core/domain/layer';
import { type Static, Type } from 'typebox';
import {
  closed,
  datasetName,
  keyed,
  NAME_PATTERN,
  NOT_BLANK_PATTERN,
  name,
  optionalChoice,
  optionalName,
  optionalText,
} from './manifest-schema-parts.ts';

const ComponentSchema = closed(
  'An address component: something that a feature belongs to, such as its county.',
  {
    value: name('Field with the value, for example a code. Any type.'),
    short_name: optionalName(
      'String field with the short name of the value, for example `CA` for the state `06`.',
    ),
    display_name: optionalName(
      'String field with the full name of the value, for example `California`.',
    ),
    kind: optionalChoice(
      COMPONENT_KINDS,
      '`map`: an area. `taxonomy`: one of a set of values. `count`: a number of things. `free_form`: any text, and the only kind that callers cannot filter by. Default: `free_form`.',
    ),
    label: Type.Optional(
      Type.String({
        pattern: NOT_BLANK_PATTERN,
        description:
          'Short name of the component. Clients use it as a column name, so it must be unique in the layer (ignoring spaces and case) and must not be `feature_id`, `name` or `geo`. Default: the id of the component.',
      }),
    ),
    title: optionalText('The name that people see for the component. Default: the label.'),
    map_layer: optionalName(
      'The layer whose features are the values, such as the layer of counties. Default: the layer with the id of the component, if it exists.',
    ),
    description: optionalText('The meaning of the component.'),
  },
);

export const LayerSchema = closed(
  'Features (places or areas) of one kind, each a record of a dataset.',
  {
    display_name: optionalText('The name shown to people. Default: the id of the layer.'),
    description: optionalText('A description of the features.'),
    attribution: optionalText('The source to credit wherever the features are shown.'),
    feature_display_name: optionalText('The name for one feature, for example `Café`.'),
    dataset: datasetName('The dataset of the features. It must be declared in the same manifest.'),
    feature_id: name('String field with the feature id. It must be the whole key of the dataset.'),
    name: name('String field with the name of a feature.'),
    point: Type.Optional(
      closed("The fields with the point of a feature. Default: the dataset's `point`.", {
        latitude: name('Float field, degrees north from -90 to 90.'),
        longitude: name('Float field, degrees east from -180 to 180.'),
      }),
    ),
    existence: Type.Optional(
      closed(
        "The fields with the days on which a feature opened and closed. Default: the dataset's `existence`.",
        {
          start: optionalName('Date field, first day.'),
          end: optionalName('Date field, last day.'),
        },
      ),
    ),
    address_components: Type.Optional(
      keyed(
        NAME_PATTERN,
        ComponentSchema,
        'The address components, by id, in the order in which they are published. Layers that share a component must describe it in the same way.',
      ),
    ),
  },
);

export type LayerDocument = Static<typeof LayerSchema>;
export type ComponentDocument = Static<typeof ComponentSchema>;
