import { damaged, readSelection, type Selection } from './selection.ts';

/** The state of the map, as the address has it. */
export type MapAddress = Selection & {
  /** The middle of the map and its zoom. Absent: all records are in view. */
  readonly at?: MapPlace | undefined;
  /** Absent: by the number of records. */
  readonly colour?: Colour | undefined;
};

/** Longitude, latitude and zoom. */
export type MapPlace = readonly [number, number, number];

/** A measure of the records of a cell, as the tiles name it: `sum:population`. */
export type Colour = `${Statistic}:${string}`;
export type Statistic = 'sum' | 'mean';

export function readMapAddress(query: Readonly<Record<string, unknown>>): MapAddress {
  const { at, colour } = query;
  return {
    ...readSelection(query),
    ...(at === undefined ? {} : { at: readPlace(at) }),
    ...(colour === undefined ? {} : { colour: readColour(colour) }),
  };
}

/** A place as an address has it: four digits are about ten metres. */
export function roundPlace([longitude, latitude, zoom]: MapPlace): MapPlace {
  return [round(longitude, 4), round(latitude, 4), round(zoom, 2)];
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
  throw damaged('colour', given, "'sum:' or 'mean:' and the name of a field");
}

function isColour(given: unknown): given is Colour {
  return typeof given === 'string' && /^(?:sum|mean):./.test(given);
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
