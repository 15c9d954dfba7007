/**
 * Folds the case of a text for `contains`, `starts_with`, `ends_with` and search terms: the simple
 * lower case of each code point, independent of its neighbours. Diacritics are kept.
 *
 * `String.prototype.toLowerCase` alone would not do: it turns a final `Σ` into `ς` and `İ` into two
 * code points, and no database engine does the same.
 *
 * No database folds text like this, so the importer stores the folded text beside the text.
 */
export function foldText(text: string): string {
  if (ASCII_ONLY.test(text)) return text.toLowerCase();
  let folded = '';
  for (const character of text) folded += foldCharacter(character);
  return folded;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII starts with them.
const ASCII_ONLY = /^[\u0000-\u007f]*$/;

/** The simple lower case of one code point, given as a text of one code point. */
export function foldCharacter(character: string): string {
  const lower = character.toLowerCase();
  const first = lower.codePointAt(0);
  // Only U+0130 has a full lower case of two code points; its simple one is the first of them.
  return first === undefined ? lower : String.fromCodePoint(first);
}
