/**
 * The text, cut where it is longer than it may be. It is well-formed after that: a character in two
 * halves cannot be written as UTF-8.
 *
 * - `characters`: UTF-16 code units.
 * - `bytes`: what the text takes percent-encoded, as `grpc-message` is sent.
 */
export function cutText(
  text: string,
  limits: { readonly characters: number; readonly bytes: number },
): string {
  const whole = text.toWellFormed();
  if (whole.length <= limits.characters && encodedBytes(whole) <= limits.bytes) return whole;
  let cut = '';
  let bytes = encodedBytes(CUT_MARK);
  for (const character of whole) {
    bytes += encodedBytes(character);
    if (bytes > limits.bytes || cut.length + character.length >= limits.characters) break;
    cut += character;
  }
  return cut + CUT_MARK;
}

const CUT_MARK = '…';

function encodedBytes(text: string): number {
  return encodeURI(text).length;
}
