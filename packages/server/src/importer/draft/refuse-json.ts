import { UnreadableText } from '../formats/unreadable-text.ts';

/** Refuses JSON whose rows are not objects, by its start. `isWhole` if this is all of it. */
export function refuseJson(start: string, isWhole: boolean, name: string): void {
  const text = start.replace(/^\uFEFF/, '').trim();
  if (text.startsWith('{') && /"type"\s*:\s*"Topology"/.test(text)) {
    throw new UnreadableText({
      reason: 'is TopoJSON, which is read as boundaries of areas, not as rows',
      hint: 'For fields from the areas that have a point: areas: { NAME: { file: FILE } }. For rows, save it as GeoJSON, for example with mapshaper.',
    });
  }
  if (/^\[\s*\[/.test(text)) {
    throw new UnreadableText({
      reason: 'has arrays for its rows',
      hint: `Write objects, or CSV, for example with jq -r '.[] | @csv' ${name}.`,
    });
  }
  if (text.startsWith('{') && !/"type"\s*:\s*"Feature/.test(text))
    refuseOneObject(text, isWhole, name);
}

/** A file with one object has no rows, unless some of its values are plain. */
function refuseOneObject(text: string, isWhole: boolean, name: string): void {
  const members = isWhole ? membersOf(text) : undefined;
  // The first line of objects on a line each ends with the object.
  if (members === undefined && (isWhole || /^\{.*\}\s*$/m.test(text))) return;
  const entries = members ?? guessMembers(text);
  const rows = entries.find(({ kind }) => kind === 'objects');
  if (rows !== undefined) {
    throw new UnreadableText({
      reason: `has one object of JSON, whose '${rows.key}' is the array of its rows`,
      hint: `Write this array alone, for example with jq '.${JSON.stringify(rows.key)}' ${name}.`,
    });
  }
  const [first] = entries;
  if (first === undefined || entries.some(({ kind }) => kind === 'plain' || kind !== first.kind))
    return;
  const isArray = first.kind === 'array';
  const keys = entries.slice(0, 5).map(({ key }) => `'${key}'`);
  throw new UnreadableText({
    reason: `has one object of JSON with ${isArray ? 'an array for each column' : 'an object for each column or row'} (${keys.join(', ')}${entries.length > 5 ? ', …' : ''})`,
    hint: isArray
      ? "Write an array of objects, in pandas with to_json(orient='records')."
      : `Write an array of objects, in pandas with to_json(orient='records'), or with jq '[.[]]' ${name} if these are the rows.`,
  });
}

type Member = { readonly key: string; readonly kind: 'objects' | 'array' | 'object' | 'plain' };

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
  if (!Array.isArray(value)) return 'object';
  const items: readonly unknown[] = value;
  return items.length > 0 && items.every((item) => kindOf(item) === 'object') ? 'objects' : 'array';
}

/** The first member of a text that is cut, which tells most of them. */
function guessMembers(text: string): readonly Member[] {
  const [, key, open, item] = /^\{\s*"([^"]*)"\s*:\s*([[{]?)\s*(\{?)/.exec(text) ?? [];
  if (key === undefined || open === undefined || open === '') return [];
  if (open === '{') return [{ key, kind: 'object' }];
  return [{ key, kind: item === '{' ? 'objects' : 'array' }];
}
