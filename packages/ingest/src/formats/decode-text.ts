import type { Encoding } from '../manifest/read-schema.ts';
import { UnreadableText } from './unreadable-text.ts';
import { byteText } from './utf8-meter.ts';

/**
 * Decodes a text into UTF-8 while it is read. A byte order mark is dropped. Every character becomes one character, so
 * lines keep their numbers. A byte that has no meaning in the encoding is refused with its line.
 */
export async function* decodeText(
  chunks: AsyncIterable<Buffer>,
  encoding: Exclude<Encoding, 'utf-8'>,
): AsyncGenerator<Buffer> {
  const decode = openDecoder(encoding);
  const wrongCharacters = HAS_CONTROLS.has(encoding) ? REPLACEMENT_OR_CONTROL : REPLACEMENT;
  let line = 1;
  let endsWithReturn = false;
  const finish = (text: string): Buffer => {
    const wrong = wrongCharacters.exec(text);
    if (wrong !== null) {
      const before = text.slice(0, wrong.index);
      throw wrongCharacter(encoding, wrong[0], line + countBreaks(before, endsWithReturn));
    }
    line += countBreaks(text, endsWithReturn);
    if (text !== '') endsWithReturn = text.endsWith('\r');
    return Buffer.from(text, 'utf8');
  };
  for await (const chunk of chunks) yield finish(decode(chunk, false));
  yield finish(decode(Buffer.alloc(0), true));
}

/**
 * The replacement character is what the decoders write for bytes without a meaning; in a text of UTF-16 it is also the
 * mark of an earlier damage. The controls C1 are what they write for bytes that windows-1252 leaves open, and what
 * iso-8859-1 has where nearly all files mean windows-1252.
 */
const REPLACEMENT = /\ufffd/;
const REPLACEMENT_OR_CONTROL = /[\ufffd\u0080-\u009f]/;

const HAS_CONTROLS: ReadonlySet<Encoding> = new Set<Encoding>([
  'iso-8859-1',
  'iso-8859-2',
  'iso-8859-15',
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
]);

function openDecoder(encoding: Encoding): (chunk: Buffer, isLast: boolean) => string {
  // The decoders of the WHATWG read iso-8859-1 as windows-1252.
  return encoding === 'iso-8859-1' ? (chunk) => chunk.toString('latin1') : decoder(encoding);
}

function decoder(label: string): (chunk: Buffer, isLast: boolean) => string {
  const text = new TextDecoder(label);
  return (chunk, isLast) => text.decode(chunk, { stream: !isLast });
}

function countBreaks(text: string, followsReturn: boolean): number {
  let count = 0;
  for (let index = text.indexOf('\n'); index >= 0; index = text.indexOf('\n', index + 1)) {
    // The second half of CRLF was counted with the first.
    if (index === 0 ? !followsReturn : text[index - 1] !== '\r') count += 1;
  }
  for (let index = text.indexOf('\r'); index >= 0; index = text.indexOf('\r', index + 1)) {
    count += 1;
  }
  return count;
}

function wrongCharacter(encoding: Encoding, character: string, line: number): UnreadableText {
  if (character === '\ufffd') {
    return new UnreadableText({
      line,
      reason: `the text is not ${encoding}`,
      hint: 'Correct read: { encoding }, or save the file as UTF-8.',
    });
  }
  const byte = character.charCodeAt(0);
  const shown = new TextDecoder('windows-1252').decode(Uint8Array.of(byte));
  return new UnreadableText({
    line,
    reason: `the byte 0x${byteText(byte)} is not a character in ${encoding}`,
    hint:
      encoding === 'iso-8859-1' && !/\p{Cc}/u.test(shown)
        ? `Declare read: { encoding: windows-1252 }, where it is ${shown}.`
        : 'The file has another encoding: save it as UTF-8.',
  });
}

/** The encoding that a byte order mark at the start names. */
export function markedEncoding(start: Buffer): Encoding | undefined {
  return MARKS.find(({ mark }) => start.subarray(0, mark.length).equals(mark))?.encoding;
}

const MARKS: readonly { readonly encoding: Encoding; readonly mark: Buffer }[] = [
  { encoding: 'utf-8', mark: Buffer.from([0xef, 0xbb, 0xbf]) },
  { encoding: 'utf-16le', mark: Buffer.from([0xff, 0xfe]) },
  { encoding: 'utf-16be', mark: Buffer.from([0xfe, 0xff]) },
];
