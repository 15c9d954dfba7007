import { ServiceError } from '../../../domain/service-error.ts';
import { escapePointer } from './read-spelling.ts';

/**
 * Refuses a body in which an object has a member twice (RFC 8259 § 4). `JSON.parse` silently keeps the last
 * one, but a proxy or a log in front may keep the first. The text has already been parsed, so it is valid
 * JSON.
 *
 * Each member has one colon outside of strings. So a member is repeated if the text has more colons than
 * the value has members. This check costs a fraction of the parsing; the tokens are only scanned if it
 * finds a difference.
 */
export function refuseRepeatedMembers(body: {
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly value: unknown;
}): void {
  if (countColons(body.bytes) === countMembers(body.value)) return;
  const { name, pointer } = findRepeatedMember(body.text);
  throw ServiceError.atPointer(
    'DUPLICATE_REQUEST_FIELD',
    pointer,
    `The field '${name.slice(0, 100)}' appears twice in the same object of the body.`,
    'Send it once.',
  );
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/** Bytes of non-ASCII characters never equal these three. */
function countColons(bytes: Uint8Array): number {
  let count = 0;
  let isInString = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) isInString = !isInString;
    else if (byte === BACKSLASH) at += 1;
    else if (byte === COLON && !isInString) count += 1;
  }
  return count;
}

/** Counts the members of all objects in a value, without recursion because the nesting can be deep. */
function countMembers(value: unknown): number {
  let count = 0;
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next !== 'object' || next === null) continue;
    const members: readonly unknown[] = Array.isArray(next) ? next : Object.values(next);
    if (members !== next) count += members.length;
    for (const member of members) if (typeof member === 'object') waiting.push(member);
  }
  return count;
}

type Opened = {
  /** The members of an object so far. */
  readonly names?: Set<string>;
  /** The name or the index of the next value. */
  at: string | number;
};

/** The first repeated member, in the order of the text. */
function findRepeatedMember(text: string): { readonly name: string; readonly pointer: string } {
  const open: Opened[] = [];
  let isName = false;
  for (const [token] of text.matchAll(TOKENS)) {
    const inside = open.at(-1);
    if (token === '{') open.push({ names: new Set(), at: '' });
    else if (token === '[') open.push({ at: 0 });
    else if (token === '}' || token === ']') open.pop();
    else if (token === ',' && typeof inside?.at === 'number') inside.at += 1;
    else if (isName && inside?.names !== undefined && token !== ',') {
      const name = String(JSON.parse(token));
      inside.at = name;
      if (inside.names.has(name)) return { name, pointer: pointerTo(open) };
      inside.names.add(name);
    }
    isName = token === '{' || token === ',';
  }
  throw new Error('A value has fewer members than its text, and no member is there twice.');
}

const TOKENS = /"(?:[^"\\]+|\\.)*"|[{}[\],]/g;

function pointerTo(open: readonly Opened[]): string {
  return open.map(({ at }) => `/${escapePointer(String(at))}`).join('');
}
