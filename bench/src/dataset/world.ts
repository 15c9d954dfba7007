import { createHash } from 'node:crypto';

/** What the dataset is made of: all of it follows from these numbers. */
export type World = {
  readonly seed: number;
  readonly places: number;
  readonly months: number;
  /** Distinct texts that the typeahead looks in. */
  readonly names: number;
};

/** Raised whenever the same parameters make other rows, so that no older files are taken for them. */
const FORMAT_VERSION = 1;

/** The same for the same rows, for names of folders. */
export function worldName({ seed, places, months, names }: World): string {
  const parameters = `${FORMAT_VERSION}/${seed}/${places}/${months}/${names}`;
  const digest = createHash('sha256').update(parameters).digest('hex').slice(0, 8);
  return `${places}x${months}-${digest}`;
}

/** Ids sort like their indexes, so the row at a position of the key order can be named. */
export function placeId(index: number): string {
  return `pl_${String(index).padStart(PLACE_ID_DIGITS, '0')}`;
}

export const PLACE_ID_DIGITS = 8;

/** The first day of a month; the last month is December 2023. */
export function monthStart({ months }: World, index: number): string {
  return new Date(Date.UTC(2024, index - months, 1)).toISOString().slice(0, 10);
}

/** The unique word in the name with this index: four syllables. */
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

export const CONSONANTS = 'bcdfghjklmnprstv';
export const VOWELS = 'aeiou';
export const SYLLABLES = CONSONANTS.length * VOWELS.length;
export const NAME_SYLLABLES = 4;
export const NAME_WORDS = SYLLABLES ** NAME_SYLLABLES;
/** Has no divisor in common with the number of words, so each index has a word of its own. */
export const NAME_FACTOR = 7_368_787n;
