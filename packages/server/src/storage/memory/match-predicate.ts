import type { BoundingBox } from '../../domain/bounding-box.ts';
import type { Field } from '../../domain/field.ts';
import { foldText } from '../../domain/text-fold.ts';
import { compareValues, type PresentValue, type Value } from '../../domain/value.ts';
import type { CompareOperator, Predicate, TextMatch } from '../../plan/read-plan.ts';

/** Whether a record matches a predicate. */
export function matches(record: Readonly<Record<string, Value>>, predicate: Predicate): boolean {
  const valueIn = (field: Field): Value => record[field.name] ?? null;
  switch (predicate.kind) {
    case 'compare': {
      const value = valueIn(predicate.field);
      return value !== null && matchesComparison(value, predicate.operator, predicate.value);
    }
    case 'in': {
      const value = valueIn(predicate.field);
      return value !== null && predicate.values.includes(value) !== predicate.negated;
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
    case 'existed': {
      const { periodStart, periodEnd, existenceStart, existenceEnd } = predicate;
      const cameIntoExistence = existenceStart === undefined ? null : valueIn(existenceStart);
      const ceasedToExist = existenceEnd === undefined ? null : valueIn(existenceEnd);
      return (
        isOnOrAfter(valueIn(periodEnd), cameIntoExistence) &&
        isOnOrAfter(ceasedToExist, valueIn(periodStart))
      );
    }
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

function isInside(longitude: Value, latitude: Value, box: BoundingBox): boolean {
  if (typeof longitude !== 'number' || typeof latitude !== 'number') return false;
  if (latitude < box.minLat || latitude > box.maxLat) return false;
  return box.minLng <= box.maxLng
    ? longitude >= box.minLng && longitude <= box.maxLng
    : longitude >= box.minLng || longitude <= box.maxLng;
}

/** An absent day is open: it is on or after every other, and every other on or after it. */
function isOnOrAfter(later: Value, earlier: Value): boolean {
  return later === null || earlier === null || later >= earlier;
}
