import { openQuotes, type Quoting } from './join-header.ts';

/**
 * Replaces an escape before a quote by the doubled quote that all readers know, and two escapes by one. Lines stay lines, so
 * that messages name those of the file.
 */
export async function* unescapeQuotes(
  chunks: AsyncIterable<Buffer>,
  { character, ...quoting }: Quoting & { readonly character: string },
): AsyncGenerator<Buffer> {
  const escapeByte = character.charCodeAt(0);
  const quoteByte = quoting.quote === '' ? -1 : quoting.quote.charCodeAt(0);
  const follow = openQuotes(quoting);
  let isOpen = false;
  let isEscaped = false;
  for await (const chunk of chunks) {
    // An escape that is pending comes from the chunk before.
    const plain = Buffer.alloc(2 * chunk.length + 1);
    let length = 0;
    const write = (byte: number) => {
      plain[length] = byte;
      length += 1;
    };
    for (const byte of chunk) {
      if (byte === escapeByte && !isEscaped) {
        isEscaped = true;
        continue;
      }
      if (isEscaped) {
        isEscaped = false;
        if (byte === quoteByte) {
          if (isOpen) write(quoteByte);
          write(quoteByte);
          continue;
        }
        write(escapeByte);
        if (byte === escapeByte) continue;
      }
      isOpen = follow(byte);
      write(byte);
    }
    if (length > 0) yield plain.subarray(0, length);
  }
  if (isEscaped) yield Buffer.from(character);
}
