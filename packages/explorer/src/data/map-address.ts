import { damaged, readSelection, type Selection } from './selection.ts';

/** The state of the map, as the address has it. */
export type MapAddress = Selection & {
  /** The middle of the map and its zoom. Absent: all records are in view. */
  readonly at?: MapPlace | undefined;
  /** Absent: by the number of records. */
  readonly colour?: Colour | undefined;
  /** How values are divided into classes, or the thresholds between them, rising. Absent: by what is measured. */
  readonly classes?: Classes | undefined;
  /** The entries of the legend whose records are left out. */
  readonly hidden?: readonly string[] | undefined;
  /** Whether records are points, or in the areas that they are about. Absent: points, if they have some. */
  readonly shape?: Shape | undefined;
  /** The first day of the period whose records the areas show, YYYY-MM-DD, or all. Absent: the last one. */
  readonly period?: string | undefined;
};

export type Shape = 'points' | 'areas';

/** Longitude, latitude and zoom. */
export type MapPlace = readonly [number, number, number];

/**
 * The value that decides a colour: a measure of the records of a cell (`sum:population`, as in tiles), or the value of a field
 * of each record (`value:region`).
 */
export type Colour = `${Statistic}:${string}`;
export type Statistic = 'sum' | 'mean' | 'value';

export type Classes = 'quantiles' | 'intervals' | readonly number[];
/** More classes than this have colours that nobody tells apart. */
export const CLASSES_MAX = 9;

export function readMapAddress(query: Readonly<Record<string, unknown>>): MapAddress {
  const { at, colour, classes, hidden, shape, period } = query;
  return {
    ...readSelection(query),
    ...(at === undefined ? {} : { at: readPlace(at) }),
    ...(colour === undefined ? {} : { colour: readColour(colour) }),
    ...(classes === undefined ? {} : { classes: readClasses(classes) }),
    ...(hidden === undefined ? {} : { hidden: readHidden(hidden) }),
    ...(shape === undefined ? {} : { shape: readShape(shape) }),
    ...(period === undefined ? {} : { period: readPeriod(period) }),
  };
}

/** A place as an address has it: four digits are about ten metres. */
export function roundPlace([longitude, latitude, zoom]: MapPlace): MapPlace {
  return [round(longitude, 4), round(latitude, 4), round(zoom, 2)];
}

/** The measure of cells that a colour is, if it is one. */
export function measureOf(colour: Colour | undefined): Colour | undefined {
  return colour?.startsWith('value:') ? undefined : colour;
}

/** The field whose values are categories, if the colour is that of them. */
export function categoryField(colour: Colour | undefined): string | undefined {
  return colour?.startsWith('value:') ? colourField(colour) : undefined;
}

/** The field that a colour measures. */
export function colourField(colour: Colour): string {
  return colour.slice(colour.indexOf(':') + 1);
}

function readPlace(given: unknown): MapPlace {
  if (Array.isArray(given) && given.length === 3 && given.every(Number.isFinite)) {
    // Checked just now.
    const [longitude, latitude, zoom] = given as [number, number, number];
    if (Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90 && zoom >= -2 && zoom <= 24) {
      return [longitude, latitude, zoom];
    }
  }
  throw damaged('at', given, 'three numbers: longitude, latitude, zoom');
}

function readColour(given: unknown): Colour {
  if (isColour(given)) return given;
  throw damaged('colour', given, "'sum:', 'mean:' or 'value:' and the name of a field");
}

/** Reads classes from the query of an address. */
export function readClasses(given: unknown): Classes {
  if (given === 'quantiles' || given === 'intervals') return given;
  if (isThresholds(given)) return given;
  throw damaged(
    'classes',
    given,
    `'quantiles', 'intervals', or one to ${CLASSES_MAX - 1} rising numbers`,
  );
}

/** Whether the list can be thresholds between classes. */
export function isThresholds(given: unknown): given is readonly number[] {
  return (
    Array.isArray(given) &&
    given.length > 0 &&
    given.length < CLASSES_MAX &&
    given.every(
      (one, index) => Number.isFinite(one) && (index === 0 || one > Number(given[index - 1])),
    )
  );
}

/** Reads the entries of the legend that are left out from the query of an address. */
export function readHidden(given: unknown): readonly string[] {
  if (Array.isArray(given) && given.every((one) => typeof one === 'string')) return given;
  throw damaged('hidden', given, 'a list of entries of the legend');
}

function readShape(given: unknown): Shape {
  if (given === 'points' || given === 'areas') return given;
  throw damaged('shape', given, "'points' or 'areas'");
}

function readPeriod(given: unknown): string {
  if (typeof given === 'string' && /^(?:all|\d{4}-\d{2}-\d{2})$/.test(given)) return given;
  throw damaged('period', given, "'all' or a day as YYYY-MM-DD");
}

function isColour(given: unknown): given is Colour {
  return typeof given === 'string' && /^(?:sum|mean|value):./.test(given);
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
