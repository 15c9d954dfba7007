import { dateParts } from '../dates/calendar-date.ts';
import type { Cadence } from './metric.ts';

/**
 * How often a period starts, by the distances between different starts, given in ascending order: each is one or more
 * days, weeks, months, quarters or years, and at least one is exactly one. Undefined without such a cadence.
 */
export function findCadence(starts: readonly string[]): Cadence | undefined {
  const distances = starts.slice(1).map((start, index) => distanceOf(starts[index] ?? '', start));
  return UNITS.find(([, unit, length]) => {
    const counts = distances.map((distance) => distance[unit] / length);
    return counts.includes(1) && counts.every((count) => Number.isInteger(count));
  })?.[0];
}

/** Of several that fit, the longest comes first. */
const UNITS = [
  ['yearly', 'months', 12],
  ['quarterly', 'months', 3],
  ['monthly', 'months', 1],
  ['weekly', 'days', 7],
  ['daily', 'days', 1],
] as const satisfies readonly (readonly [Cadence, keyof Distance, number])[];

/** The months are not a number between different days of the month. */
type Distance = { readonly days: number; readonly months: number };

function distanceOf(from: string, to: string): Distance {
  const [before, after] = [dateParts(from), dateParts(to)];
  const months = (after.year - before.year) * 12 + after.month - before.month;
  return {
    days: (Date.parse(to) - Date.parse(from)) / DAY_MS,
    months: before.day === after.day ? months : Number.NaN,
  };
}

const DAY_MS = 86_400_000;
