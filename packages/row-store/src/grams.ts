import { addNumber, bytesOfList, type NumberList, openNumberList } from './number-list.ts';

/*
 * Grams: the four letters at each place of a folded text, or three at its end. A text contains another one of four
 * letters or more only if it has all grams of four letters of it, and one of three only if a gram starts with it. A
 * mark before the first three letters makes the start of a text a gram too.
 */

/** A text that has it itself is found for one more start, and left out when it is compared. */
const START = '\u0001';
const GRAM_LETTERS = 4;
/** A term of fewer letters has no gram. */
const TERM_LETTERS_MIN = 3;
const SURROGATE = /[\ud800-\udfff]/;

/** Grams that a value has that contains a term. */
export type TermGrams = {
  /** All of these. None for a term of three letters. */
  readonly inside: readonly string[];
  /** One that starts with these letters. */
  readonly prefix: string;
  /** If it starts with the term, this one too. */
  readonly start: string;
};

/** Undefined if the term is too short. */
export function gramsOfTerm(folded: string): TermGrams | undefined {
  const letters = lettersOf(folded);
  if (letters.length < TERM_LETTERS_MIN) return undefined;
  const inside = new Set<string>();
  for (let at = 0; at + GRAM_LETTERS <= letters.length; at += 1) {
    inside.add(textOf(letters, at, GRAM_LETTERS));
  }
  const prefix = textOf(letters, 0, TERM_LETTERS_MIN);
  return { inside: [...inside], prefix, start: START + prefix };
}

/** The letters that a term starts with that is too short for a gram. */
export function firstLetters(text: string): readonly string[] {
  // A letter is up to two code units.
  return [...text.slice(0, 2 * (TERM_LETTERS_MIN - 1))].slice(0, TERM_LETTERS_MIN - 1);
}

function lettersOf(text: string): string | readonly string[] {
  return SURROGATE.test(text) ? [...text] : text;
}

function textOf(letters: string | readonly string[], at: number, length: number): string {
  const some = letters.slice(at, at + length);
  return typeof some === 'string' ? some : some.join('');
}

/** Collects which values have which grams. Values must be added by ascending numbers. */
export type GramIndex = {
  readonly add: (folded: string, number: number) => void;
  /** Each gram with the bytes of its numbers, sorted by gram. */
  readonly entries: () => Iterable<readonly [string, Uint8Array]>;
};

export function openGramIndex(): GramIndex {
  const byText = new Map<string, NumberList>();
  const listOf = (gram: string): NumberList => {
    const list = byText.get(gram) ?? openNumberList();
    byText.set(gram, list);
    return list;
  };
  // Most letters are ASCII: their grams need no text, which is faster. By the first three letters, then by the
  // fourth. A value with other letters can have the same gram.
  const byCode: ((NumberList | undefined)[] | undefined)[] = new Array(2 ** (ASCII_BITS * 3));
  const addAscii = (marked: string, number: number): void => {
    let code = (marked.charCodeAt(0) << ASCII_BITS) | marked.charCodeAt(1);
    for (let at = 0; at + TERM_LETTERS_MIN <= marked.length; at += 1) {
      code = ((code << ASCII_BITS) | marked.charCodeAt(at + 2)) & CODE_MASK;
      const last = at + TERM_LETTERS_MIN < marked.length ? marked.charCodeAt(at + 3) : 0;
      // The mark and two letters are no gram of a value of two letters.
      if (at === 0 && last === 0) return;
      const lists = byCode[code] ?? new Array<NumberList | undefined>(2 ** ASCII_BITS);
      byCode[code] = lists;
      const list = lists[last] ?? listOf(marked.substring(at, at + GRAM_LETTERS));
      lists[last] = list;
      addNumber(list, number);
    }
  };
  return {
    add: (folded, number) => {
      if (ASCII_ONLY.test(folded)) {
        addAscii(START + folded, number);
        return;
      }
      for (const gram of gramsOfValue(folded)) addNumber(listOf(gram), number);
    },
    *entries() {
      for (const gram of [...byText.keys()].sort()) yield [gram, bytesOfList(listOf(gram))];
    },
  };
}

const ASCII_BITS = 7;
const CODE_MASK = 2 ** (ASCII_BITS * 3) - 1;
// U+0000 is in no stored text.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII starts with them.
const ASCII_ONLY = /^[\u0001-\u007f]*$/;

function gramsOfValue(folded: string): readonly string[] {
  const letters = lettersOf(folded);
  if (letters.length < TERM_LETTERS_MIN) return [];
  const grams = [START + textOf(letters, 0, TERM_LETTERS_MIN)];
  for (let at = 0; at + TERM_LETTERS_MIN <= letters.length; at += 1) {
    grams.push(textOf(letters, at, GRAM_LETTERS));
  }
  return grams;
}
