import type { Field } from '../../domain/field.ts';
import type {
  CompareOperator,
  Day,
  ExistenceOverlap,
  Predicate,
  ReadableVersion,
  TextMatch,
} from '../../domain/predicate.ts';
import { compareValues, type PresentValue, type Value } from '../../domain/value.ts';
import type { BoundingBox } from '../../geometry/bounding-box.ts';
import { isInRing } from '../../geometry/is-in-ring.ts';
import { chordSquared, unitVector } from '../../geometry/unit-vector.ts';
import { fieldsReadBy } from '../../plan/fields-read-by.ts';
import { foldText } from '../../text/text-fold.ts';

/** A record by field name. */
export type MemoryRecord = Readonly<Record<string, Value>>;

/**
 * The visible records of another version whose `id` field has this value, for a predicate that refers to it.
 * `reads` are the fields that they are compared by.
 */
export type FindFeatures = (
  version: ReadableVersion,
  id: Field,
  value: PresentValue,
  reads: readonly Field[],
) => readonly MemoryRecord[];

/** Whether a record matches a predicate. */
export function matches(
  record: MemoryRecord,
  predicate: Predicate,
  findFeatures: FindFeatures,
): boolean {
  const valueIn = (field: Field): Value => record[field.name] ?? null;
  switch (predicate.kind) {
    case 'compare': {
      const value = valueIn(predicate.field);
      return value !== null && matchesComparison(value, predicate.operator, predicate.value);
    }
    case 'in': {
      const value = valueIn(predicate.field);
      if (value === null) return predicate.orAbsent ?? false;
      return predicate.values.includes(value) !== predicate.negated;
    }
    case 'match': {
      const value = valueIn(predicate.field);
      return (
        typeof value === 'string' && matchesText(foldText(value), predicate.match, predicate.folded)
      );
    }
    case 'empty':
      return (valueIn(predicate.field) === null) !== predicate.negated;
    case 'box':
      return isInside(valueIn(predicate.longitude), valueIn(predicate.latitude), predicate.box);
    case 'polygon': {
      const [longitude, latitude] = [valueIn(predicate.longitude), valueIn(predicate.latitude)];
      if (typeof longitude !== 'number' || typeof latitude !== 'number') return false;
      return isInRing(longitude, latitude, predicate.ring);
    }
    case 'circle': {
      const [longitude, latitude] = [valueIn(predicate.longitude), valueIn(predicate.latitude)];
      if (typeof longitude !== 'number' || typeof latitude !== 'number') return false;
      return isInCircle(longitude, latitude, predicate);
    }
    case 'existed':
      return overlaps(predicate.overlap, record, record);
    case 'feature': {
      const { features, overlap } = predicate;
      const id = valueIn(predicate.field);
      if (id === null) return false;
      const reads = [
        ...fieldsReadBy(features.predicates),
        ...[overlap?.existenceStart, overlap?.existenceEnd].filter((day) => day !== undefined),
      ];
      return findFeatures(features.version, features.id, id, reads).some(
        (feature) =>
          features.predicates.every((inner) => matches(feature, inner, findFeatures)) &&
          (overlap === undefined || overlaps(overlap, record, feature)),
      );
    }
    case 'any':
      return predicate.alternatives.some((all) =>
        all.every((one) => matches(record, one, findFeatures)),
      );
    case 'not':
      return !predicate.predicates.every((one) => matches(record, one, findFeatures));
    case 'never':
      return false;
  }
}

function matchesComparison(
  value: PresentValue,
  operator: CompareOperator,
  operand: PresentValue,
): boolean {
  const order = compareValues(value, operand);
  switch (operator) {
    case '==':
      return order === 0;
    case '!=':
      return order !== 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
  }
}

function matchesText(text: string, match: TextMatch, folded: string): boolean {
  switch (match) {
    case 'contains':
      return text.includes(folded);
    case 'starts_with':
      return text.startsWith(folded);
    case 'ends_with':
      return text.endsWith(folded);
  }
}

/** Whether a point is present and inside a box, edges included. */
export function isInside(longitude: Value, latitude: Value, box: BoundingBox): boolean {
  if (typeof longitude !== 'number' || typeof latitude !== 'number') return false;
  if (latitude < box.minLat || latitude > box.maxLat) return false;
  return box.minLng <= box.maxLng
    ? longitude >= box.minLng && longitude <= box.maxLng
    : longitude >= box.minLng || longitude <= box.maxLng;
}

/** Whether a point is at most so far from the centre of a circle. */
export function isInCircle(
  longitude: number,
  latitude: number,
  {
    center,
    chordSquaredMax,
  }: Pick<Extract<Predicate, { kind: 'circle' }>, 'center' | 'chordSquaredMax'>,
): boolean {
  return chordSquared(unitVector(longitude, latitude), center) <= chordSquaredMax;
}

/** Whether the period of a record overlaps the existence of a place. */
function overlaps(
  { periodStart, periodEnd, existenceStart, existenceEnd }: ExistenceOverlap,
  record: MemoryRecord,
  place: MemoryRecord,
): boolean {
  const dayOf = (day: Day): Value => (typeof day === 'string' ? day : (record[day.name] ?? null));
  const placeDay = (field: Field | undefined): Value =>
    field === undefined ? null : (place[field.name] ?? null);
  return (
    isOnOrAfter(dayOf(periodEnd), placeDay(existenceStart)) &&
    isOnOrAfter(placeDay(existenceEnd), dayOf(periodStart))
  );
}

/** An absent day means an open side: the comparison with any other day holds. */
function isOnOrAfter(later: Value, earlier: Value): boolean {
  return later === null || earlier === null || later >= earlier;
}
