/*
 * Grams: the three letters at each place of a folded text. A text contains another one only if it has all its
 * grams. A mark before the first letter makes the begin of a text a gram too.
 */

/** A text that has it itself is found for one more begin, and left out when it is compared. */
const BEGIN = '\u0001';
const GRAM_LETTERS = 3;
const SURROGATE = /[\ud800-\udfff]/;

/** The grams that a value has that contains the text; none if the text is too short. */
export function gramsOf(folded: string): readonly string[] {
  const grams: string[] = [];
  if (!SURROGATE.test(folded)) {
    for (let at = 0; at + GRAM_LETTERS <= folded.length; at += 1) {
      grams.push(folded.substring(at, at + GRAM_LETTERS));
    }
    return grams;
  }
  const letters = [...folded];
  for (let at = 0; at + GRAM_LETTERS <= letters.length; at += 1) {
    grams.push(letters.slice(at, at + GRAM_LETTERS).join(''));
  }
  return grams;
}

/** The gram that a value has that begins with the text, besides those of the text. */
export function beginGram(folded: string): string {
  return BEGIN + [...folded].slice(0, GRAM_LETTERS - 1).join('');
}

/** Collects which values have which grams. Values must be added by ascending numbers. */
export type GramIndex = {
  readonly add: (folded: string, number: number) => void;
  /** Each gram with the bytes of its numbers, sorted by gram. */
  readonly entries: () => readonly (readonly [string, Uint8Array])[];
};

export function openGramIndex(): GramIndex {
  // Most letters are ASCII: their grams need no text, which is ten times faster.
  const byCode: (NumberList | undefined)[] = new Array(2 ** (ASCII_BITS * GRAM_LETTERS));
  const byText = new Map<string, NumberList>();
  const listOf = (gram: string): NumberList => {
    const list = byText.get(gram) ?? openNumberList();
    byText.set(gram, list);
    return list;
  };
  const codeOf = (text: string, at: number): number => {
    let code = 0;
    for (let letter = at; letter < at + GRAM_LETTERS; letter += 1) {
      code = (code << ASCII_BITS) | text.charCodeAt(letter);
    }
    return code;
  };
  return {
    add: (folded, number) => {
      const marked = BEGIN + folded;
      if (!ASCII_ONLY.test(marked)) {
        for (const gram of gramsOf(marked)) listOf(gram).add(number);
        return;
      }
      for (let at = 0; at + GRAM_LETTERS <= marked.length; at += 1) {
        const code = codeOf(marked, at);
        let list = byCode[code];
        if (list === undefined) {
          // A value with other letters can have the same gram.
          list = listOf(marked.substring(at, at + GRAM_LETTERS));
          byCode[code] = list;
        }
        list.add(number);
      }
    },
    entries: () => [...byText.keys()].sort().map((gram) => [gram, listOf(gram).bytes()] as const),
  };
}

const ASCII_BITS = 7;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII starts with them.
const ASCII_ONLY = /^[\u0000-\u007f]*$/;

/** Ascending numbers, as the differences to the one before in groups of seven bits, the lowest first. */
type NumberList = {
  readonly add: (number: number) => void;
  readonly bytes: () => Uint8Array;
};

function openNumberList(): NumberList {
  let bytes = new Uint8Array(16);
  let length = 0;
  let last = -1;
  return {
    /** A number that is repeated is added once. */
    add: (number) => {
      if (number === last) return;
      let rest = number - last;
      last = number;
      if (length + 5 > bytes.length) {
        const larger = new Uint8Array(bytes.length * 2);
        larger.set(bytes);
        bytes = larger;
      }
      while (rest > 0x7f) {
        bytes[length++] = (rest & 0x7f) | 0x80;
        rest >>>= 7;
      }
      bytes[length++] = rest;
    },
    bytes: () => bytes.subarray(0, length),
  };
}

export function readNumberList(bytes: Uint8Array): Uint32Array {
  // Each number has at least a byte.
  const numbers = new Uint32Array(bytes.length);
  let count = 0;
  let last = -1;
  for (let at = 0; at < bytes.length; at += 1) {
    let byte = bytes[at] ?? 0;
    let difference = byte & 0x7f;
    for (let shift = 7; byte > 0x7f; shift += 7) {
      at += 1;
      byte = bytes[at] ?? 0;
      difference |= (byte & 0x7f) << shift;
    }
    last += difference;
    numbers[count] = last;
    count += 1;
  }
  return numbers.subarray(0, count);
}
