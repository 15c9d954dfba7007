/** A regular expression of RE2 that matches a text, without quotes. */
export function literalPattern(text: string): string {
  return Array.from(text, (character) =>
    /[A-Za-z0-9]/.test(character)
      ? character
      : `\\x{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  ).join('');
}
