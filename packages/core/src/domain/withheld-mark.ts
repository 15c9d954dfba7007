import type { Field } from './field.ts';
import type { ReadableVersion } from './predicate.ts';

/** The flag of a metric value of which a measure is withheld; of several measures each has `withheld_NAME` too. */
export const WITHHELD_FLAG = 'withheld';

/** No field of a dataset has a name that starts with an underscore. */
const PREFIX = '_withheld_';

export function hasMark({ marksWithheld }: Field): boolean {
  return marksWithheld === true;
}

/** The mark of a field, which a plan reads like a field: true where the value is withheld from the caller. */
export function markOf({ name }: Pick<Field, 'name'>): Field {
  return {
    name: `${PREFIX}${name}`,
    type: 'boolean',
    sourceColumn: '',
    description: '',
    exampleValue: '',
    includedByDefault: false,
  };
}

/** The mark with this name; undefined if it is the name of a field. */
export function findMark(name: string): Field | undefined {
  return name.startsWith(PREFIX) ? markOf({ name: name.slice(PREFIX.length) }) : undefined;
}

/** Those of the fields whose withheld values have a mark for the caller of the version. */
export function markedFields(
  fields: readonly Field[],
  { narrowing }: ReadableVersion,
): readonly Field[] {
  const marked = new Set((narrowing?.suppressed ?? []).filter(hasMark).map(({ name }) => name));
  return fields.filter(({ name }) => marked.has(name));
}
