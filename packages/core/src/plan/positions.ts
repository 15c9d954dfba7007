import type { Field, FieldType } from '../domain/field.ts';
import type { SearchText } from '../domain/search-text.ts';
import type { Value } from '../domain/value.ts';
import type { PositionValue } from '../requests/page-token.ts';
import type { DistinctPosition, OrderTerm, RecordPosition } from './read-plan.ts';

/*
 * The ends of pages, as page tokens contain them. Integers are sent as text, because JSON has no exact
 * 64-bit numbers.
 */

export function writeRecordPosition(position: RecordPosition): readonly PositionValue[] {
  return [position.row, ...position.orderValues.map(writePositionValue)];
}

export function readRecordPosition(
  [row, ...orderValues]: readonly PositionValue[],
  order: readonly OrderTerm[],
): RecordPosition {
  return {
    row: Number(row),
    orderValues: order.map((term, index) =>
      readPositionValue(orderValues[index], term.kind === 'field' ? term.field.type : 'float'),
    ),
  };
}

export function writeDistinctPosition(position: DistinctPosition): readonly PositionValue[] {
  return [position.rank, writePositionValue(position.value)];
}

export function readDistinctPosition(
  [rank, value]: readonly PositionValue[],
  field: Field,
  term: SearchText | undefined,
): DistinctPosition | undefined {
  const read = readPositionValue(value, field.type);
  // Tokens of earlier releases have another rank for a page without a term.
  return read === null ? undefined : { rank: term === undefined ? 0 : Number(rank), value: read };
}

function writePositionValue(value: Value): PositionValue {
  return typeof value === 'bigint' ? value.toString() : value;
}

function readPositionValue(value: PositionValue | undefined, type: FieldType): Value {
  if (value === undefined) return null;
  return type === 'integer' && typeof value === 'string' ? BigInt(value) : value;
}
