/** Whether a text is in NFC, the composed form of Unicode (UAX #15). */
export function isNfc(text: string): boolean {
  return toNfc(text) === text;
}

/** The text in NFC. Both look the same. */
export function toNfc(text: string): string {
  return text.normalize('NFC');
}

/** A text whose combining marks are escaped, because NFC and other forms look the same. */
export function escapeMarks(text: string): string {
  return text.replaceAll(
    /\p{M}/gu,
    (mark) => `\\u{${mark.codePointAt(0)?.toString(16).toUpperCase()}}`,
  );
}
