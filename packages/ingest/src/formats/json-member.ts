import { repeatedMemberReason } from './json-keys.ts';
import { UnreadableText } from './unreadable-text.ts';

/** The text of an array within an object of JSON, from its bracket to its last one. Its path has a name for each level. */
export async function* jsonMemberText(
  text: AsyncIterable<Buffer>,
  path: readonly string[],
): AsyncGenerator<Buffer> {
  const search = openSearch(path);
  for await (const chunk of text) {
    const { start, end } = search.add(chunk);
    if (start < end) yield chunk.subarray(start, end);
    const repeated = search.repeated();
    if (repeated !== undefined) {
      throw new UnreadableText({
        reason: repeatedMemberReason(repeated.join('.')),
        hint: 'Write it once, so that it is clear which one has the rows.',
      });
    }
  }
  if (search.isFound()) return;
  const shown = path.join('.');
  throw new UnreadableText({
    reason: `has no array '${shown}' in a JSON object`,
    hint: 'Correct read: { member }, which has a name for each level, such as result.records; or leave it out.',
  });
}

/** Follows the brackets and keys of JSON, byte by byte. */
function openSearch(path: readonly string[]) {
  /** How many names of the path lead to the present place. */
  let matched = 0;
  let depth = 0;
  let isString = false;
  let isEscaped = false;
  let isValue = false;
  let text: number[] = [];
  /** The depth of the array; 0 if it was not found yet. */
  let found = 0;
  let isDone = false;
  /** The names of the path that were seen in their object. */
  const seen = new Set<number>();
  let repeated: readonly string[] | undefined;
  const isWithin = (): boolean => found > 0 && !isDone;
  const isWanted = (): boolean => {
    if (depth !== matched + 1 || matched === path.length) return false;
    return toText(text) === path[matched];
  };
  const addByte = (byte: number): void => {
    if (isString) {
      if (isEscaped) isEscaped = false;
      else if (byte === BACKSLASH) isEscaped = true;
      else if (byte === QUOTE) isString = false;
      if (isString && !isWithin() && text.length < KEY_BYTES_MAX) text.push(byte);
      return;
    }
    if (byte === QUOTE) {
      isString = true;
      text = [];
    } else if (byte === COLON) {
      isValue = !isWithin() && isWanted();
      if (!isValue) return;
      if (seen.has(matched)) repeated ??= path.slice(0, matched + 1);
      seen.add(matched);
      matched += 1;
      return;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      depth += 1;
      if (found === 0 && isValue && byte === OPEN_ARRAY && matched === path.length) found = depth;
      // Names within an array are not those of the path.
      else if (isValue && byte === OPEN_ARRAY) matched -= 1;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      if (depth === found) isDone = true;
      depth -= 1;
      // The members of the root are at the depth 1, where no name has led anywhere yet.
      matched = Math.max(0, Math.min(matched, depth - 1));
    } else if (isValue && byte > SPACE) {
      // A plain value has no members.
      matched -= 1;
    }
    if (byte > SPACE) isValue = false;
  };
  return {
    /** The part of a chunk that is in the array. */
    add: (chunk: Buffer): { readonly start: number; readonly end: number } => {
      let start = isWithin() ? 0 : chunk.length;
      let end = chunk.length;
      for (const [index, byte] of chunk.entries()) {
        const wasWithin = isWithin();
        const wasDone = isDone;
        addByte(byte);
        if (!wasWithin && isWithin()) start = index;
        if (!wasDone && isDone) end = index + 1;
      }
      return { start, end };
    },
    isFound: () => found > 0,
    /** A name of the path that its object has twice. */
    repeated: () => repeated,
  };
}

function toText(bytes: readonly number[]): string | undefined {
  try {
    const value: unknown = JSON.parse(`"${Buffer.from(bytes).toString('utf8')}"`);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

const KEY_BYTES_MAX = 1000;
const BACKSLASH = 0x5c;
const QUOTE = 0x22;
const COLON = 0x3a;
const SPACE = 0x20;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
