import type { FieldDefinition } from '@locmetrics/client';
import { type Colour, colourField } from '../../data/map-address.ts';
import { isNumberField } from '../../format/fields.ts';
import type { Choice } from '../../ui/select.tsx';

/** All that the map can be coloured by. Sums of degrees would mean nothing. */
export function colourChoices(
  fields: readonly FieldDefinition[],
): readonly Choice<Colour | 'count'>[] {
  const measured = fields.filter((field) => isNumberField(field) && !COORDINATE.test(field.name));
  return [
    { value: 'count', label: 'Number of records' },
    ...measured.flatMap(({ name }) => [choiceOf(`sum:${name}`), choiceOf(`mean:${name}`)]),
  ];
}

/** A colour in words: Sum of population. */
export function describeColour(colour: Colour): string {
  const statistic = colour.startsWith('sum:') ? 'Sum' : 'Mean';
  return `${statistic} of ${colourField(colour)}`;
}

const COORDINATE = /^(?:lat|latitude|lng|lon|long|longitude)$/i;

function choiceOf(colour: Colour): Choice<Colour> {
  return { value: colour, label: describeColour(colour) };
}
