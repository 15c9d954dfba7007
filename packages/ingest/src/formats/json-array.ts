import { UnreadableText } from './unreadable-text.ts';

/** Whether a text begins with an array of objects, and not with an object on its line. */
export async function startsJsonArray(text: AsyncGenerator<Buffer>): Promise<boolean> {
  const { value: start } = await text.next();
  await text.return(undefined);
  return start !== undefined && /^\uFEFF?\s*\[\s*(\{|\]|$)/.test(start.toString('utf8'));
}

/** Writes each element of an array of JSON on a line, in bounded memory. Element 1 is on line 1. */
export async function* jsonArrayLines(text: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let place: 'before' | 'between' | 'element' | 'after' = 'before';
  let depth = 0;
  let isString = false;
  let isEscaped = false;
  let elements = 0;
  for await (const chunk of text) {
    // No byte becomes more than one.
    const lines = Buffer.alloc(chunk.length);
    let length = 0;
    const write = (byte: number) => {
      lines[length] = byte;
      length += 1;
    };
    for (const byte of chunk) {
      if (isString) {
        write(byte);
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isString = false;
        continue;
      }
      if (place === 'before') {
        if (byte === OPEN_ARRAY) place = 'between';
        continue;
      }
      if (byte <= SPACE) {
        if (place === 'element') write(SPACE);
        continue;
      }
      if (place === 'after') {
        throw new UnreadableText({
          reason: 'has text after the end of its JSON array',
          hint: 'Write one array of objects, or an object on each line.',
        });
      }
      if (depth === 0 && byte === CLOSE_ARRAY) {
        place = 'after';
        continue;
      }
      if (depth === 0 && byte === COMMA) {
        write(LINE_FEED);
        place = 'between';
        continue;
      }
      if (place === 'between') {
        elements += 1;
        place = 'element';
      }
      if (byte === QUOTE) isString = true;
      if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth += 1;
      if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth -= 1;
      write(byte);
    }
    if (length > 0) yield lines.subarray(0, length);
  }
  if (place !== 'after') {
    throw new UnreadableText({
      reason: `ends in the middle of element ${elements.toLocaleString('en-US')} of its JSON array`,
      hint: 'It may be cut short: export it again.',
    });
  }
}

const LINE_FEED = 0x0a;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
