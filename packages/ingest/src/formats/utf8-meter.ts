import { isUtf8 } from 'node:buffer';

/** A byte that is invalid at its position in UTF-8. */
export type WrongByte = { readonly offset: number; readonly byte: number };

/** The maximum number of recorded bytes; a file in another encoding has millions. */
const WRONG_BYTES_MAX = 1000;

/** Checks that a file is UTF-8 while it is read. */
export function openUtf8Meter(): {
  readonly add: (chunk: Buffer) => void;
  readonly end: () => void;
  readonly wrongBytes: readonly WrongByte[];
} {
  const wrongBytes: WrongByte[] = [];
  let offset = 0;
  /** The start of a character whose end is in the next chunk. */
  let begun = Buffer.alloc(0);
  const check = (bytes: Buffer): void => {
    if (!isUtf8(bytes) && wrongBytes.length < WRONG_BYTES_MAX) {
      for (const index of wrongIndexes(bytes)) {
        wrongBytes.push({ offset: offset + index, byte: bytes[index] ?? 0 });
        if (wrongBytes.length === WRONG_BYTES_MAX) break;
      }
    }
    offset += bytes.length;
  };
  return {
    add: (chunk) => {
      const bytes = begun.length === 0 ? chunk : Buffer.concat([begun, chunk]);
      const end = endOfCharacters(bytes);
      // A copy, because the stream may use its buffer again.
      begun = Buffer.from(bytes.subarray(end));
      check(bytes.subarray(0, end));
    },
    end: () => {
      check(begun);
      begun = Buffer.alloc(0);
    },
    wrongBytes,
  };
}

/** The offset of an incomplete last character, or else the end. */
function endOfCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte >= 0xc0) return byte >= leastFirstByte(back + 1) ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** The smallest first byte of a character with this many bytes. */
function leastFirstByte(length: number): number {
  return 0x100 - 2 ** (8 - length);
}

/** The first byte of each wrong sequence, by table 3-7 of the Unicode Standard. */
export function* wrongIndexes(bytes: Uint8Array): Generator<number> {
  let index = 0;
  while (index < bytes.length) {
    const length = characterLength(bytes, index);
    if (length === 0) yield index;
    index += Math.max(1, length);
  }
}

/** The length of the character; 0 for invalid bytes. */
function characterLength(bytes: Uint8Array, index: number): number {
  const first = bytes[index] ?? 0;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const second = bytes[index + 1] ?? 0;
  const [least, greatest] = SECOND_BYTES.get(first) ?? [0x80, 0xbf];
  if (second < least || second > greatest) return 0;
  for (let place = 2; place < length; place += 1) {
    const byte = bytes[index + place] ?? 0;
    if (byte < 0x80 || byte > 0xbf) return 0;
  }
  return length;
}

/** Restricted second bytes: they exclude overlong forms, surrogates, and code points above U+10FFFF. */
const SECOND_BYTES: ReadonlyMap<number, readonly [number, number]> = new Map([
  [0xe0, [0xa0, 0xbf]],
  [0xed, [0x80, 0x9f]],
  [0xf0, [0x90, 0xbf]],
  [0xf4, [0x80, 0x8f]],
]);

/** The reason under which invalid UTF-8 is counted. */
export const NOT_UTF8_REASON = 'the text is not UTF-8';

/** The same, with the position of the byte. */
export function notUtf8Reason(
  { offset, byte }: WrongByte,
  { firstByte }: { readonly firstByte: number | undefined },
): string {
  const place =
    firstByte === undefined
      ? ''
      : ` at offset ${(firstByte + offset).toLocaleString('en-US')} of the file`;
  return `${NOT_UTF8_REASON} (byte 0x${byteText(byte)}${place})`;
}

/**
 * A hint on a text in an unknown encoding. Nearly all old exports are in windows-1252 or in iso-8859-1, and their
 * bytes mean the same in both.
 */
export function encodingHint({ byte }: Pick<WrongByte, 'byte'>): string {
  const shown = new TextDecoder('windows-1252').decode(Uint8Array.of(byte));
  const meaning = /\p{Cc}/u.test(shown) ? '' : `, where this byte is ${shown},`;
  return `Declare the encoding: read: { encoding: windows-1252 }${meaning} or save the file as UTF-8.`;
}

/** Two hexadecimal digits. */
export function byteText(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, '0');
}
