/** Whether a text has each word of another, in any order. Case and diacritics do not count. */
export function hasWords(text: string, words: string): boolean {
  const folded = foldText(text);
  return foldText(words)
    .split(/\s+/)
    .every((word) => folded.includes(word));
}

/** A text by which others are found: without case, diacritics, vowel points of Hebrew and Arabic, and outer spaces. */
export function foldText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]/g, '')
    .toLowerCase()
    .trim();
}
