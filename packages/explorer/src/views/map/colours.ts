import type { FieldDefinition, FilterClause } from '@locmetrics/client';
import { type Colour, colourField } from '../../data/map-address.ts';
import { fieldKind, isNumberField } from '../../format/fields.ts';
import type { Choice } from '../../ui/select.tsx';

/**
 * All that the map can be coloured by. Only measures that add up over places have sums, some of them only in one period; numbers
 * that are codes, and texts, are categories.
 */
export function colourChoices(
  fields: readonly FieldDefinition[],
  namingFields: readonly string[],
  { isOnePeriod, mixesTotals = false }: Shown,
): readonly Choice<Colour | 'count'>[] {
  const measures = mixesTotals ? [] : fields.filter(isMeasure);
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
      ...(additive === 'all' || (additive === 'places' && isOnePeriod)
        ? [choiceOf(`sum:${name}`)]
        : []),
      choiceOf(`mean:${name}`),
    ]),
    ...categories.map(({ name }) => choiceOf(`value:${name}`)),
  ];
}

type Shown = {
  /** Whether the records are of one period. */
  readonly isOnePeriod: boolean;
  /** Whether some of them are totals of others, so that no measure of them has a sum or a mean. */
  readonly mixesTotals?: boolean | undefined;
};

export function isMeasure(field: FieldDefinition): boolean {
  return isNumberField(field) && field.additive !== undefined;
}

/** The colour of an address. A sum that the service refuses, for example since a filter is gone, is a mean. */
export function allowedColour(
  colour: Colour | undefined,
  choices: ReturnType<typeof colourChoices>,
): Colour | undefined {
  if (colour?.startsWith('sum:') !== true) return colour;
  const isChoice = (one: Colour): boolean => choices.some(({ value }) => value === one);
  const mean: Colour = `mean:${colourField(colour)}`;
  return !isChoice(colour) && isChoice(mean) ? mean : colour;
}

/** Whether the filters leave records of one period: with one value of its day, or of each of its days in the key. */
export function leaveOnePeriod(
  filters: readonly FilterClause[],
  fields: readonly FieldDefinition[],
  keyFields: readonly string[],
): boolean {
  const inKey = fields.filter(
    (field) => fieldKind(field) === 'date' && keyFields.includes(field.name),
  );
  const days = inKey.length > 0 ? inKey : fields.filter(isStart);
  return (
    days.length > 0 &&
    days.every(({ name }) =>
      filters.some(
        ({ fieldName, operator, values = [] }) =>
          fieldName === name &&
          (operator === '==' || (operator === 'in' && new Set(values).size === 1)),
      ),
    )
  );
}

function isStart({ sourceColumn }: FieldDefinition): boolean {
  return sourceColumn === 'observation_period.start.value';
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
