import { quoteIdentifier, quoteLiteral } from '@locmetrics/core/sql/quote-identifier';
import { jsonPointer } from '../../formats/json-reading.ts';

/** The members of columns with objects: their paths as columns of the manifest, and their texts in SQL. */
export type Members = ReadonlyMap<string, { readonly column: string; readonly sql: string }>;

/** Finds the members of columns whose texts are all objects of the same kind. Maps have other keys in each row. */
export function findMembers(
  columns: readonly { readonly name: string; readonly texts: readonly string[] }[],
): Members {
  const names = columns.map(({ name }) => name);
  return new Map(
    columns.flatMap(({ name, texts }) => {
      const objects = texts.map(parseObject);
      const known = objects.filter((object) => object !== undefined);
      if (known.length === 0 || known.length < objects.length) return [];
      const paths = pathsOf(known, 0);
      const found = paths.map((keys) => [name, ...keys].join('.'));
      if (paths.length === 0 || found.some((path) => names.includes(path))) return [];
      return paths.map((keys, index) => {
        const sql = `(${quoteIdentifier(name)}->>${quoteLiteral(jsonPointer(keys))})`;
        return [found[index] ?? '', { column: name, sql }] as const;
      });
    }),
  );
}

/** SQL in which the members are named like columns, as an owner writes it. */
export function withMemberSql(sql: string, members: Members): string {
  return [...members].reduce(
    (text, [path, { sql: member }]) => text.replaceAll(quoteIdentifier(path), member),
    sql,
  );
}

type JsonObject = Readonly<Record<string, unknown>>;

/** The keys that lead to each plain value, if the objects are of one kind. */
function pathsOf(objects: readonly JsonObject[], depth: number): readonly (readonly string[])[] {
  const keys = [...new Set(objects.flatMap((object) => Object.keys(object)))];
  const isKnown = keys.every((key) => NAME.test(key)) && keys.length <= KEYS_MAX;
  // A shape is a whole.
  if (!isKnown || depth > DEPTH_MAX || keys.includes('coordinates')) return [];
  const shared = keys.filter((key) => objects.every((object) => key in object));
  if (shared.length * 2 < keys.length) return [];
  return keys.flatMap((key) => {
    const values = objects.flatMap((object) => object[key] ?? []);
    const inner = values.filter(isObject);
    if (inner.length === 0) return values.some((value) => Array.isArray(value)) ? [] : [[key]];
    if (inner.length < values.length) return [];
    return pathsOf(inner, depth + 1).map((rest) => [key, ...rest]);
  });
}

/** A name that a program gave, and neither a code nor a proper name such as Monday. A dot would be read as another level. */
const NAME = /^[a-z_][A-Za-z0-9_-]*$/;
const KEYS_MAX = 30;
const DEPTH_MAX = 3;

function parseObject(text: string): JsonObject | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
