/** A member that an object of JSON has twice: its name, and the names and indexes that lead to it. */
export type RepeatedMember = {
  readonly name: string;
  readonly path: readonly (string | number)[];
};

/**
 * The first member that an object in a JSON text has twice; undefined if there is none. Parsers silently keep the last
 * one, or the first (RFC 8259 § 4). The text must be valid JSON, and the value is what it was parsed to.
 *
 * Each member has one colon outside of strings. So a member is repeated if the text has more colons than
 * the value has members. This check costs a fraction of the parsing; the tokens are only scanned if it
 * finds a difference.
 */
export function findRepeatedMember(text: string, value: unknown): RepeatedMember | undefined {
  return countColons(text) === countMembers(value) ? undefined : searchTokens(text);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

function countColons(text: string): number {
  let count = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) isInString = !isInString;
    else if (code === BACKSLASH) at += 1;
    else if (code === COLON && !isInString) count += 1;
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

function searchTokens(text: string): RepeatedMember | undefined {
  const open: Opened[] = [];
  let isName = false;
  for (let at = 0; at < text.length; at += 1) {
    const inside = open.at(-1);
    switch (text[at]) {
      case '{':
        open.push({ names: new Set(), at: '' });
        isName = true;
        break;
      case '[':
        open.push({ at: 0 });
        isName = false;
        break;
      case '}':
      case ']':
        open.pop();
        isName = false;
        break;
      case ',':
        if (typeof inside?.at === 'number') inside.at += 1;
        isName = true;
        break;
      case ':':
        isName = false;
        break;
      case '"': {
        const end = stringEnd(text, at);
        if (isName && inside?.names !== undefined) {
          const name = String(JSON.parse(text.slice(at, end)));
          inside.at = name;
          if (inside.names.has(name)) return { name, path: open.map((one) => one.at) };
          inside.names.add(name);
        }
        at = end - 1;
        break;
      }
    }
  }
  return undefined;
}

/** The offset after the quote that closes a string. */
function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}
