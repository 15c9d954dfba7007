import type { AddressComponentFilter, DimensionFilter } from '@locmetrics/client';
import { damaged } from './selection.ts';

/** How the values are compared: each year as a line, or as the change against a year before. */
export type Comparison = 'years' | 'change';

/** The state of the view of a metric. It is in the address, so that a copied address shows the same. */
export type MetricView = {
  /** Ids of places, in the order of their colours. Absent: the view suggests some. */
  readonly features?: readonly string[] | undefined;
  /** Ids of the related places of a metric between places. Absent: all of them. */
  readonly related?: readonly string[] | undefined;
  readonly components?: readonly AddressComponentFilter[] | undefined;
  readonly dimensions?: readonly DimensionFilter[] | undefined;
  /** The first day, YYYY-MM-DD. */
  readonly from?: string | undefined;
  /** The last day, YYYY-MM-DD. */
  readonly to?: string | undefined;
  /** The name of a measure. Absent: the main one. */
  readonly measure?: string | undefined;
  readonly compare?: Comparison | undefined;
  /** The id of the place whose years are compared. Absent: the first one. */
  readonly place?: string | undefined;
};

/** A chart has a colour for each series, and no more series than that. */
export const MAX_PLACES = 6;

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Reads the view from the query of an address. What cannot be read is an error that names it. */
export function readMetricView(query: Readonly<Record<string, unknown>>): MetricView {
  const { features, related, components, dimensions, from, to, measure, compare, place } = query;
  return {
    ...(features === undefined ? {} : { features: readPlaces('features', features) }),
    ...(related === undefined ? {} : { related: readPlaces('related', related) }),
    ...(components === undefined ? {} : { components: readComponents(components) }),
    ...(dimensions === undefined ? {} : { dimensions: readDimensions(dimensions) }),
    ...(from === undefined ? {} : { from: readDay('from', from) }),
    ...(to === undefined ? {} : { to: readDay('to', to) }),
    ...(measure === undefined ? {} : { measure: readText('measure', measure) }),
    ...(compare === undefined ? {} : { compare: readComparison(compare) }),
    ...(place === undefined ? {} : { place: readText('place', place) }),
  };
}

/** Whether a text is a day that there is: 2023-02-30 is not. */
function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return (
    DAY.test(text) && !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === text
  );
}

function readPlaces(name: string, given: unknown): readonly string[] {
  if (isTexts(given) && given.length > 0 && given.length <= MAX_PLACES) return [...new Set(given)];
  throw damaged(name, given, `a list of one to ${MAX_PLACES} ids of places`);
}

function readComponents(given: unknown): readonly AddressComponentFilter[] {
  if (Array.isArray(given) && given.every(isComponentFilter)) return given;
  throw damaged('components', given, 'a list of {component, values}');
}

function readDimensions(given: unknown): readonly DimensionFilter[] {
  if (Array.isArray(given) && given.every(isDimensionFilter)) return given;
  throw damaged('dimensions', given, 'a list of {dimensionId, values}');
}

function readDay(name: string, given: unknown): string {
  if (typeof given === 'string' && isDay(given)) return given;
  throw damaged(name, given, 'a day as YYYY-MM-DD');
}

function readText(name: string, given: unknown): string {
  if (typeof given === 'string') return given;
  throw damaged(name, given, 'a text');
}

function readComparison(given: unknown): Comparison {
  if (given === 'years' || given === 'change') return given;
  throw damaged('compare', given, "'years' or 'change'");
}

function isTexts(given: unknown): given is readonly string[] {
  return Array.isArray(given) && given.every((one) => typeof one === 'string');
}

function isComponentFilter(given: unknown): given is AddressComponentFilter {
  return isObject(given) && typeof given['component'] === 'string' && isTexts(given['values']);
}

function isDimensionFilter(given: unknown): given is DimensionFilter {
  return isObject(given) && typeof given['dimensionId'] === 'string' && isTexts(given['values']);
}

function isObject(given: unknown): given is Readonly<Record<string, unknown>> {
  return typeof given === 'object' && given !== null;
}
