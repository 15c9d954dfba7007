import type { FieldDefinition } from '@locmetrics/client';
import { type Colour, colourField } from '../../data/map-address.ts';
import { fieldKind, isNumberField } from '../../format/fields.ts';
import type { Choice } from '../../ui/select.tsx';

/**
 * All that the map can be coloured by. Only measures that add up over places have sums; numbers that are codes, and texts, are
 * categories.
 */
export function colourChoices(
  fields: readonly FieldDefinition[],
  namingFields: readonly string[],
): readonly Choice<Colour | 'count'>[] {
  const measures = fields.filter((field) => isNumberField(field) && field.additive !== undefined);
  const categories = fields.filter(
    (field) =>
      !namingFields.includes(field.name) &&
      field.additive === undefined &&
      // Fields that cannot be compared, such as outlines, have no operators.
      field.filters.supportedOperators.length > 0 &&
      fieldKind(field) !== 'date' &&
      fieldKind(field) !== 'float',
  );
  return [
    { value: 'count', label: 'Number of records' },
    ...measures.flatMap(({ name, additive }) => [
      ...(additive === 'all' || additive === 'places' ? [choiceOf(`sum:${name}`)] : []),
      choiceOf(`mean:${name}`),
    ]),
    ...categories.map(({ name }) => choiceOf(`value:${name}`)),
  ];
}

/** A colour in words: Sum of population. */
export function describeColour(colour: Colour): string {
  const field = colourField(colour);
  if (colour.startsWith('value:')) return `Categories of ${field}`;
  return `${colour.startsWith('sum:') ? 'Sum' : 'Mean'} of ${field}`;
}

function choiceOf(colour: Colour): Choice<Colour> {
  return { value: colour, label: describeColour(colour) };
}
