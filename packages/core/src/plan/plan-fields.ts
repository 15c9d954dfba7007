import { type Dataset, findField } from '../domain/dataset.ts';
import type { Field } from '../domain/field.ts';
import { nameHint } from '../errors/nearest-name.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { FieldSelection } from '../requests/catalog-request.ts';

/**
 * The fields of a records request, in the order of the field definitions: the selected ones, or
 * those included by default when none is selected.
 */
export function planFields(
  selections: readonly FieldSelection[],
  dataset: Dataset,
): readonly Field[] {
  if (selections.length === 0) return dataset.fields.filter((field) => field.includedByDefault);
  const selected = new Set<Field>();
  for (const [index, selection] of selections.entries()) {
    const field = planPlainField(selection, dataset, `/fields/${index}`);
    if (selected.has(field)) throw selectedTwice(field.name, `/fields/${index}/name`);
    selected.add(field);
  }
  return dataset.fields.filter((field) => selected.has(field));
}

export function selectedTwice(name: string | undefined, pointer: string): ServiceError {
  return ServiceError.atPointer(
    'INVALID_FIELD',
    pointer,
    `The field '${name}' is selected twice.`,
    'Name each field once.',
  );
}

/** One selected field whose values are returned as they are; an aggregation of it, or a part of one, is refused. */
export function planPlainField(
  selection: FieldSelection,
  dataset: Dataset,
  pointer: string,
): Field {
  const field = planField(selection, dataset, pointer);
  const { aggregation, alias = '', quantile } = selection;
  if (aggregation !== undefined) {
    throw ServiceError.atPointer(
      'INVALID_AGGREGATION',
      `${pointer}/aggregation`,
      `The field '${field.name}' has an aggregation, but its values are searched one by one.`,
      'Aggregate in listRecords.',
    );
  }
  const part = alias === '' ? quantile !== undefined && 'quantile' : 'alias';
  if (part === false) return field;
  throw ServiceError.atPointer(
    'INVALID_AGGREGATION',
    `${pointer}/${part}`,
    `The field '${field.name}' has ${part === 'alias' ? 'an alias' : 'a quantile'}, but no aggregation.`,
    `Add an aggregation, or leave the ${part} out.`,
  );
}

/** One selected field; its source, if given, must be the published one. */
export function planField(selection: FieldSelection, dataset: Dataset, pointer: string): Field {
  const field = expectField(selection.name, dataset, `${pointer}/name`);
  if (selection.source !== '' && selection.source !== field.sourceColumn) {
    throw ServiceError.atPointer(
      'INVALID_FIELD',
      `${pointer}/source`,
      `The source '${selection.source}' is not the source of the field '${field.name}'.`,
      `Leave the source out, or send '${field.sourceColumn}'.`,
    );
  }
  return field;
}

/** Outlines are returned as they were published, and nothing else. */
export function refuseOutline(
  { name, outline }: Field,
  pointer: string,
  use: 'filtered' | 'sorted' | 'grouped' | 'aggregated' | 'searched',
): void {
  if (outline !== true) return;
  throw ServiceError.atPointer(
    'INVALID_FIELD',
    pointer,
    `The field '${name}' holds outlines, which cannot be ${use}.`,
    'Name another field. Records and features are found by a bounding box or a polygon.',
  );
}

/** The field with this name; an unknown name is refused with the nearest known one. */
export function expectField(name: string, dataset: Dataset, pointer: string): Field {
  const field = findField(dataset, name);
  if (field !== undefined) return field;
  throw ServiceError.atPointer(
    'UNKNOWN_FIELD',
    pointer,
    name === ''
      ? `The name of a field of ${dataset.name} is missing.`
      : `Unknown field '${name}' in ${dataset.name}.`,
    nameHint(
      name,
      dataset.fields.map((known) => known.name),
    ),
  );
}
