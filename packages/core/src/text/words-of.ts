/**
 * The signs between words, as the inside of a class of a regular expression: all of ASCII but letters and digits. It is a
 * fixed list, because engines know different versions of Unicode. A word so has no character with a meaning in an
 * expression. Signs beyond ASCII are part of words: expressions of wrong letters would be several times as large.
 */
export const SEPARATORS = '\\x01-\\/:-@\\[-`\\{-\\x7f';

/** Signs that are typed in place of those of ASCII: spaces, dashes, quotation marks, points. */
const OTHER_SIGNS = '\u00a0\u00ab\u00b7\u00bb\u2010-\u2015\u2018-\u201f\u2022\u2026\u3000-\u3002';

const BETWEEN_WORDS = new RegExp(`[${SEPARATORS}]+`, 'u');
const BETWEEN_TYPED_WORDS = new RegExp(`[${SEPARATORS}${OTHER_SIGNS}]+`, 'u');

/** The words of a folded text. */
export function wordsOf(folded: string): readonly string[] {
  return folded.split(BETWEEN_WORDS).filter((word) => word !== '');
}

/** The words of a folded query. */
export function typedWords(folded: string): readonly string[] {
  return folded.split(BETWEEN_TYPED_WORDS).filter((word) => word !== '');
}
