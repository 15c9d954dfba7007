import { createHash } from 'node:crypto';

/** The parameters of the dataset. The whole dataset follows from them. */
export type World = {
  readonly seed: number;
  readonly places: number;
  readonly months: number;
  /** The number of places, the first ones, that also have a long series. */
  readonly longPlaces: number;
  /** The number of distinct texts that the typeahead searches. */
  readonly names: number;
};

/** Raised whenever the same parameters give other rows, so that no older files are reused. */
const FORMAT_VERSION = 4;

/** A name for folders: equal parameters give equal names. */
export function worldName({ seed, places, months, longPlaces, names }: World): string {
  const parameters = `${FORMAT_VERSION}/${seed}/${places}/${months}/${longPlaces}/${names}`;
  const digest = createHash('sha256').update(parameters).digest('hex').slice(0, 8);
  return `${places}x${months}-${digest}`;
}

/** Ids sort like their indexes, so the id at a position in key order is known. */
export function placeId(index: number): string {
  return `pl_${String(index).padStart(PLACE_ID_DIGITS, '0')}`;
}

export const PLACE_ID_DIGITS = 8;

/** The number of months of a long series: 45 years. */
export const LONG_MONTHS = 540;

/** The first day of a month; the last month is December 2023. */
export function monthStart({ months }: World, index: number): string {
  return new Date(Date.UTC(2024, index - months, 1)).toISOString().slice(0, 10);
}

/** The unique word in the name with this index. It has four syllables. */
export function nameWord(index: number): string {
  let rest = Number((BigInt(index) * NAME_FACTOR) % BigInt(NAME_WORDS));
  let word = '';
  for (let place = 0; place < NAME_SYLLABLES; place++) {
    const syllable = rest % SYLLABLES;
    word += `${CONSONANTS[Math.floor(syllable / VOWELS.length)]}${VOWELS[syllable % VOWELS.length]}`;
    rest = Math.floor(rest / SYLLABLES);
  }
  return word;
}

/** The categories of places. */
export const CATEGORIES = [
  'Café',
  'Grocery',
  'Pharmacy',
  'Gym',
  'Hotel',
  'Museum',
  'Bank',
  'Park',
  'Bakery',
] as const;

export const CONSONANTS = 'bcdfghjklmnprstv';
export const VOWELS = 'aeiou';
export const SYLLABLES = CONSONANTS.length * VOWELS.length;
export const NAME_SYLLABLES = 4;
export const NAME_WORDS = SYLLABLES ** NAME_SYLLABLES;
/** It has no common divisor with the number of words, so each index has a different word. */
export const NAME_FACTOR = 7_368_787n;
