import { ServiceError } from '../../../domain/service-error.ts';
import { escapePointer } from './read-spelling.ts';

/** Parses the bytes of a body as JSON in UTF-8; undefined for an empty body. */
export function readJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  const { text, value } = parse(bytes);
  refuseRepeatedMembers({ bytes, text, value });
  return value;
}

function parse(bytes: Buffer): { readonly text: string; readonly value: unknown } {
  try {
    const text = UTF8.decode(bytes);
    return { text, value: JSON.parse(text) };
  } catch (error) {
    const reason = error instanceof SyntaxError ? whereJsonBreaks(error) : 'it is not UTF-8 text';
    throw new ServiceError('MALFORMED_JSON', `The body is not JSON: ${reason}.`, {
      hint: 'Send a JSON object in UTF-8.',
    });
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** The position of the error, without the text that V8 quotes in some messages. */
function whereJsonBreaks(error: SyntaxError): string {
  const place = /at position [0-9]+( \(line [0-9]+ column [0-9]+\))?/.exec(error.message);
  return place === null ? 'it breaks off or has a misplaced character' : `it breaks ${place[0]}`;
}

/**
 * Refuses a body in which an object has a member twice (RFC 8259 § 4). `JSON.parse` silently keeps the last
 * one, but a proxy or a log in front may keep the first. The text has already been parsed, so it is valid
 * JSON.
 *
 * Each member has one colon outside of strings. So a member is repeated if the text has more colons than
 * the value has members. This check costs a fraction of the parsing; the tokens are only scanned if it
 * finds a difference.
 */
function refuseRepeatedMembers(body: {
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
