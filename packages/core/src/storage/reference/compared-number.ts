import type { Value } from '../../domain/value.ts';

/**
 * A number minus the one that it is compared with; exact for integers, and absent if one of the two is, or if it is
 * beyond a double.
 */
export function changeOf(value: Value, base: Value): bigint | number | null {
  if (value === null || base === null) return null;
  return typeof value === 'bigint' && typeof base === 'bigint'
    ? value - base
    : finite(Number(value) - Number(base));
}

/** The change as a percentage of the number that is compared with; absent if that is 0, or if it is beyond a double. */
export function percentOf(value: Value, base: Value): number | null {
  const change = changeOf(value, base);
  const compared = Number(base);
  return change === null || compared === 0 ? null : finite((Number(change) * 100) / compared);
}

/** JSON has no infinity, and databases rank it differently. */
function finite(number: number): number | null {
  return Number.isFinite(number) ? number : null;
}
