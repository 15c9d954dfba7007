import type { BoundingBox, FilterClause } from '@locmetrics/client';

/** Which records of a dataset a view shows. It is in the address, so records and map share it. */
export type Selection = {
  readonly filters?: readonly FilterClause[] | undefined;
  /** West, south, east and north, in degrees. */
  readonly box?: readonly [number, number, number, number] | undefined;
};

/**
 * Reads a selection from the query of an address. What cannot be read is an error that names it: a view that showed
 * other records than the address says would mislead.
 */
export function readSelection(query: Readonly<Record<string, unknown>>): Selection {
  const { filters, box } = query;
  return {
    ...(filters === undefined ? {} : { filters: readFilters(filters) }),
    ...(box === undefined ? {} : { box: readBox(box) }),
  };
}

/** The box as a request has it. */
export function toBoundingBox({ box }: Selection): BoundingBox | undefined {
  if (box === undefined) return undefined;
  const [minLng, minLat, maxLng, maxLat] = box;
  return { minLng, minLat, maxLng, maxLat };
}

function readFilters(given: unknown): readonly FilterClause[] {
  if (Array.isArray(given) && given.every(isFilter)) return given;
  throw damaged('filters', given, 'a list of {fieldName, operator, value or values}');
}

function isFilter(given: unknown): given is FilterClause {
  return (
    isObject(given) &&
    typeof given['fieldName'] === 'string' &&
    typeof given['operator'] === 'string' &&
    (given['values'] === undefined || Array.isArray(given['values']))
  );
}

function readBox(given: unknown): [number, number, number, number] {
  if (Array.isArray(given) && given.length === 4 && given.every(Number.isFinite)) {
    // Checked just now.
    return given as [number, number, number, number];
  }
  throw damaged('box', given, 'four numbers: west, south, east, north');
}

function isObject(given: unknown): given is Readonly<Record<string, unknown>> {
  return typeof given === 'object' && given !== null;
}

/** The error for a part of an address that cannot be read. */
export function damaged(name: string, given: unknown, expected: string): Error {
  const shown = JSON.stringify(given)?.slice(0, 200);
  return new Error(`'${name}' in the address is ${shown}, but must be ${expected}.`);
}
