/**
 * Cuts a text that is too long. The result is well-formed: half a surrogate pair cannot be encoded as
 * UTF-8.
 *
 * - `characters`: UTF-16 code units.
 * - `bytes`: the size of the percent-encoded text, as `grpc-message` is sent.
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
