import { isJsonSequence } from '../../formats/json-sequence.ts';
import { UnreadableText } from '../../formats/unreadable-text.ts';

/**
 * Looks at JSON by its start; `isWhole` if this is all of it. Returns the path of its rows, if they are an array within
 * an object, and refuses what has no objects for its rows.
 */
export function findJsonRows(start: string, isWhole: boolean, name: string): string | undefined {
  if (isJsonSequence(start)) return undefined;
  const text = start.replace(/^\uFEFF/, '').trim();
  if (text.startsWith('{') && /"type"\s*:\s*"Topology"/.test(text)) {
    throw new UnreadableText({
      reason: 'is TopoJSON, which is read as boundaries of areas, not as rows',
      hint: 'To compute fields from the area that contains a point, declare areas: { NAME: { file: FILE } }. To read rows, convert the file to GeoJSON, for example with mapshaper.',
    });
  }
  if (/^\[\s*\[/.test(text)) {
    throw new UnreadableText({
      reason: 'has rows that are arrays',
      hint: `Write objects, or CSV, for example with jq -r '.[] | @csv' ${name}.`,
    });
  }
  const isPlain = text.startsWith('{') && !/"type"\s*:\s*"Feature/.test(text);
  return isPlain ? rowsOfObject(text, isWhole, name) : undefined;
}

/** The rows of a file with one object. Without any, its values are rows only if some are plain. */
function rowsOfObject(text: string, isWhole: boolean, name: string): string | undefined {
  const members = isWhole ? membersOf(text) : undefined;
  // The first line of objects on a line each ends with the object.
  if (members === undefined && (isWhole || /^\{.*\}\s*$/m.test(text))) return undefined;
  const path = longestArray(text);
  if (path !== undefined) return path;
  const entries = members ?? guessMembers(text);
  const [first] = entries;
  if (first === undefined || entries.some(({ kind }) => kind === 'plain' || kind !== first.kind))
    return undefined;
  const isArray = first.kind === 'array';
  const keys = entries.slice(0, 5).map(({ key }) => `'${key}'`);
  throw new UnreadableText({
    reason: `has one JSON object with ${isArray ? 'an array for each column' : 'an object for each column or row'} (${keys.join(', ')}${entries.length > 5 ? ', …' : ''})`,
    hint: isArray
      ? "Write an array of objects, in pandas with to_json(orient='records')."
      : `Write an array of objects, in pandas with to_json(orient='records'), or with jq '[.[]]' ${name} if these are the rows.`,
  });
}

/** The path of the longest array of objects that is within objects alone, by a text that may be cut. */
function longestArray(text: string): string | undefined {
  const open: { readonly key: string | undefined; readonly start: number }[] = [];
  let best: { readonly path: string; readonly length: number } | undefined;
  let key: string | undefined;
  const close = (end: number): void => {
    const last = open.pop();
    if (last === undefined || !/^\[\s*\{/.test(text.slice(last.start, last.start + 100))) return;
    const names = [...open.slice(1), last].map((one) => one.key);
    // Names with a point cannot be in a path.
    if (names.some((one) => one === undefined || one.includes('.'))) return;
    const length = end - last.start;
    if (best === undefined || length > best.length) best = { path: names.join('.'), length };
  };
  for (const { 0: token, 1: name, index } of text.matchAll(TOKENS)) {
    if (token === '{' || token === '[') {
      open.push({ key, start: index });
      key = undefined;
    } else if (token === '}' || token === ']') close(index);
    else key = name;
  }
  while (open.length > 0) close(text.length);
  return best?.path;
}

/** Brackets, and keys; texts that are values are passed over. */
const TOKENS = /"((?:[^"\\]|\\.)*)"\s*:|"(?:[^"\\]|\\.)*"|[{}[\]]/g;

type Member = { readonly key: string; readonly kind: 'array' | 'object' | 'plain' };

/** The members of a text that is one object; undefined if it is something else, such as an object on each line. */
function membersOf(text: string): readonly Member[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    return Object.entries(value).map(([key, member]: readonly [string, unknown]) => ({
      key,
      kind: kindOf(member),
    }));
  } catch {
    return undefined;
  }
}

function kindOf(value: unknown): Member['kind'] {
  if (typeof value !== 'object' || value === null) return 'plain';
  return Array.isArray(value) ? 'array' : 'object';
}

/** The first member of a text that is cut, which tells most of them. */
function guessMembers(text: string): readonly Member[] {
  const [, key, open] = /^\{\s*"([^"]*)"\s*:\s*([[{]?)/.exec(text) ?? [];
  if (key === undefined || open === undefined || open === '') return [];
  return [{ key, kind: open === '{' ? 'object' : 'array' }];
}
