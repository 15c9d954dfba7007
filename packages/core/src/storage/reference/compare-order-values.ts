import { compareValues, type Value } from '../../domain/value.ts';

/** Orders two values; an absent one is last, or first where asked. */
export function compareOrderValues(
  left: Value,
  right: Value,
  { descending, absentFirst }: { readonly descending: boolean; readonly absentFirst: boolean },
): number {
  if (left === null || right === null) {
    return (Number(left === null) - Number(right === null)) * (absentFirst ? -1 : 1);
  }
  return compareValues(left, right) * (descending ? -1 : 1);
}
