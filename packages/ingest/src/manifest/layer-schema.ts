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
  'An address component: what a feature belongs to, such as its county, with names for it.',
  {
    value: name('Field with the value, for example a code. It may have any type.'),
    short_name: optionalName(
      "String field with the value's short name, for example CA for the state 06.",
    ),
    display_name: optionalName(
      "String field with the value's name for people, for example California.",
    ),
    kind: optionalChoice(
      COMPONENT_KINDS,
      'map: an area; taxonomy: one of a set of values; count: a number of things; free_form: any text. All but free_form can be filtered on. Default: free_form.',
    ),
    label: Type.Optional(
      Type.String({
        pattern: NOT_BLANK_PATTERN,
        description:
          'Short name of the component itself. Clients use it as a column name. So it is unique in a layer, ignoring spaces and case, and it is not feature_id, name or geo. Default: the id of the component.',
      }),
    ),
    title: optionalText('Name of the component itself, for people. Default: the label.'),
    map_layer: optionalName(
      'Layer whose features are the values of the component. Default: the layer with the id of the component, if there is one.',
    ),
    description: optionalText('What the component is.'),
  },
);

export const LayerSchema = closed(
  'The features (locations) of one kind, each a record of a dataset.',
  {
    display_name: optionalText('Name for people. Default: the id of the layer.'),
    description: optionalText('What the features are.'),
    attribution: optionalText('The source to name wherever the features are shown.'),
    feature_display_name: optionalText('What one feature is called, for example National park.'),
    dataset: datasetName('Dataset of the features, declared in this manifest.'),
    feature_id: name('String field that identifies a feature: the whole key of the dataset.'),
    name: name('String field with the name of a feature.'),
    point: Type.Optional(
      closed("The point of a feature. Default: the dataset's point.", {
        latitude: name('Float field, degrees north from -90 to 90.'),
        longitude: name('Float field, degrees east from -180 to 180.'),
      }),
    ),
    existence: Type.Optional(
      closed(
        "When a feature existed; an absent date leaves the side open. Default: the dataset's existence.",
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
        'The components by id, in the order they are published. Layers that share a component describe it in the same way.',
      ),
    ),
  },
);

export type LayerDocument = Static<typeof LayerSchema>;
export type ComponentDocument = Static<typeof ComponentSchema>;
