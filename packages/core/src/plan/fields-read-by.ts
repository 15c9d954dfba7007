import type { Field } from '../domain/field.ts';
import type { Day, ExistenceOverlap, Predicate } from '../domain/predicate.ts';

/** The fields of a record that predicates compare; those of other versions are not among them. */
export function fieldsReadBy(predicates: readonly Predicate[]): readonly Field[] {
  return predicates.flatMap(readByPredicate);
}

/** Without a default: a new kind of predicate would compare fields that were not read. */
function readByPredicate(predicate: Predicate): readonly Field[] {
  switch (predicate.kind) {
    case 'compare':
    case 'in':
    case 'match':
    case 'empty':
      return [predicate.field];
    case 'box':
    case 'polygon':
    case 'circle':
      return [predicate.latitude, predicate.longitude];
    case 'existed':
      return [...periodFields(predicate.overlap), ...existenceFields(predicate.overlap)];
    case 'feature':
      return [predicate.field, ...(predicate.overlap ? periodFields(predicate.overlap) : [])];
    case 'any':
      return predicate.alternatives.flatMap(fieldsReadBy);
    case 'not':
      return fieldsReadBy(predicate.predicates);
    case 'never':
      return [];
  }
}

function periodFields({ periodStart, periodEnd }: ExistenceOverlap): readonly Field[] {
  return [periodStart, periodEnd].filter((day: Day) => typeof day !== 'string');
}

function existenceFields({ existenceStart, existenceEnd }: ExistenceOverlap): readonly Field[] {
  return [existenceStart, existenceEnd].filter((day) => day !== undefined);
}
