import { foldText } from './text-fold.ts';

/**
 * Folds a text for searches: canonical decomposition (NFD), without the marks U+0300 to U+036F, in simple lower case, with
 * the letters of a fixed table replaced. `Zürich` and `ZURICH` are both `zurich`, in NFC and in NFD.
 *
 * No database decomposes text like this, so the importer stores the folded text beside the text.
 */
export function foldForSearch(text: string): string {
  if (ASCII_ONLY.test(text)) return text.toLowerCase();
  const letters = foldText(text.normalize('NFD').replace(MARKS, ''));
  return letters.replace(REPLACED, (letter) => REPLACEMENTS[letter] ?? letter);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII starts with them.
const ASCII_ONLY = /^[\u0000-\u007f]*$/;
const MARKS = /[\u0300-\u036f]+/g;

/** Letters that are no base letter with a mark, but are typed as others where a keyboard lacks them. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
};
const REPLACED = new RegExp(`[${Object.keys(REPLACEMENTS).join('')}]`, 'g');
