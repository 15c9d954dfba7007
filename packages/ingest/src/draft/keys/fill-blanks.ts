import { numberOf } from '@locmetrics/column-store/publish/result-row';
import type { KeyField, KeyRows } from './key-field.ts';
import { isAreaName } from './key-roles.ts';

/** Fields of which the first one that a row has identifies its place; if it has none, the joined ones together do. */
export type Fallback = {
  readonly first: readonly string[];
  readonly joined: readonly string[];
};

type Parts = { readonly first: readonly KeyField[]; readonly joined: readonly KeyField[] };

/**
 * A key for rows of several kinds, such as countries and states, of which each has another code: the blanks of one are
 * filled with the next.
 */
export async function fillBlanks(
  rows: KeyRows,
  fields: readonly KeyField[],
  {
    periods,
    kind,
  }: {
    readonly periods: readonly KeyField[];
    /** Whether the first field is a code; or the coordinates identify a place, because nothing else does. */
    readonly kind: 'codes' | 'names' | 'points';
  },
): Promise<{ readonly fallback: Fallback; readonly others: readonly KeyField[] } | undefined> {
  const possible = fields.filter(
    ({ name, role, filledCount }) =>
      PLACES.includes(role) && filledCount > 0 && !WAY_NAME.test(name),
  );
  const crossed = kind === 'codes' ? await crossedFields(rows, possible) : [];
  const places = possible.filter((field) => !crossed.includes(field));
  const codes = bySize(places.filter(({ role }) => role !== 'name'));
  const names = bySize(places.filter(({ role }) => role === 'name'));
  const points = fields.filter(({ type, isFilled }) => type === 'point' && isFilled);
  const started = { codes, names, points: [] }[kind];
  const canStart =
    kind === 'points' ? points.length > 0 : started.some(({ isFilled }) => !isFilled);
  if (!canStart) return undefined;
  // The finest name has a value in all rows, and the blank ones are the areas around it.
  const isFinest = ({ isFilled, distinctCount }: KeyField) =>
    isFilled && names.every((other) => other.isFilled || other.distinctCount < distinctCount);
  const isWithin = names.some(isFinest);
  const chains: Readonly<Record<typeof kind, readonly Parts[]>> = {
    codes: [
      { first: codes, joined: [] },
      { first: [...codes, ...names], joined: [] },
      { first: codes.filter(({ isFilled }) => !isFilled), joined: inOrder(fields, places) },
      { first: [], joined: inOrder(fields, codes) },
      { first: [], joined: inOrder(fields, places) },
    ],
    names: [
      ...(isWithin ? [] : [{ first: names, joined: [] }]),
      { first: [], joined: inOrder(fields, places) },
    ],
    points: [
      { first: [], joined: points },
      // Two places at one point, such as two shops of a mall, have different names.
      ...names
        .filter(({ isFilled }) => isFilled)
        .map((name) => ({ first: [], joined: [name, ...points] })),
    ],
  };
  const dimensions = fields.filter(
    ({ role, isFilled, distinctCount }) => role === 'dimension' && isFilled && distinctCount > 1,
  );
  const sets = [[], ...dimensions.map((one) => [one]), dimensions.slice(0, 3)];
  for (const parts of chains[kind]) {
    for (const set of sets) {
      for (const period of periods.length === 0 ? [[]] : periods.map((one) => [one])) {
        const others = [...set, ...period];
        if (!(await isUnique(rows, parts, others))) continue;
        const { first, joined } = kind === 'points' ? parts : await shortest(rows, parts, others);
        const namesOf = (list: readonly KeyField[]) => list.map(({ name }) => name);
        return { fallback: { first: namesOf(first), joined: namesOf(joined) }, others };
      }
    }
  }
  return undefined;
}

/** Codes with blanks that occur for every place. They are dimensions, such as a sex with a blank for the total, and no level of a place. */
async function crossedFields(
  { connection, table }: KeyRows,
  fields: readonly KeyField[],
): Promise<readonly KeyField[]> {
  const whole = fields.filter(({ isFilled, distinctCount }) => isFilled && distinctCount > 1);
  const crossed: KeyField[] = [];
  for (const field of fields) {
    if (field.isFilled || field.distinctCount < 2 || isAreaName(field.name)) continue;
    for (const other of whole) {
      const [row] = await connection.list(
        `SELECT count(DISTINCT (${field.value}, ${other.value}))::DOUBLE AS pairs FROM ${table} WHERE ${field.value} IS NOT NULL`,
      );
      const all = field.distinctCount * other.distinctCount;
      if (row !== undefined && numberOf(row, 'pairs') >= all * CROSSED_MIN) crossed.push(field);
    }
  }
  return crossed;
}

const CROSSED_MIN = 0.9;

/** The two ends of a way are no levels of one place. */
export const WAY_NAME =
  /(^|_)(origin|orig|destination|dest|origen|destino|origine|destinazione|herkunft|ziel|from|to|home|work|source|target)($|_)/;

const PLACES: readonly KeyField['role'][] = ['code', 'place', 'name'];

/** The most specific ones first: they have the most values. */
function bySize(fields: readonly KeyField[]): readonly KeyField[] {
  return fields.toSorted(
    (left, right) =>
      Number(left.isFilled) - Number(right.isFilled) || right.distinctCount - left.distinctCount,
  );
}

function inOrder(fields: readonly KeyField[], some: readonly KeyField[]): readonly KeyField[] {
  return fields.filter((field) => some.includes(field));
}

/** Leaves out the parts that are not needed, from the last on, but no code that most rows have for names alone. */
async function shortest(rows: KeyRows, parts: Parts, others: readonly KeyField[]): Promise<Parts> {
  let needed = parts;
  for (const field of [...parts.joined.toReversed(), ...parts.first.toReversed()]) {
    const fewer = {
      first: needed.first.filter((one) => one !== field),
      joined: needed.joined.filter((one) => one !== field),
    };
    // A field can be in both.
    const isOnce = needed.joined.includes(field) && needed.first.includes(field);
    const isLastCode =
      field.role !== 'name' &&
      field.filledCount * 2 > rows.rowCount &&
      [...fewer.first, ...fewer.joined].every(({ role }) => role === 'name');
    if (isLastCode) continue;
    const next = isOnce ? { first: needed.first, joined: fewer.joined } : fewer;
    if (next.first.length + next.joined.length === 0) continue;
    if (await isUnique(rows, next, others)) needed = next;
  }
  return needed;
}

async function isUnique(
  { connection, table, rowCount }: KeyRows,
  { first, joined }: Parts,
  others: readonly KeyField[],
): Promise<boolean> {
  const place = fallbackSql(
    first.map(({ value }) => `${value}::VARCHAR`),
    joined.map(({ value }) => `${value}::VARCHAR`),
  );
  const values = [place, ...others.map(({ value }) => value)].join(', ');
  const [row] = await connection.list(
    `SELECT count(DISTINCT (${values}))::DOUBLE AS count, count(${place})::DOUBLE AS filled FROM ${table}`,
  );
  return (
    row !== undefined && numberOf(row, 'count') === rowCount && numberOf(row, 'filled') === rowCount
  );
}

/** SQL of the first text that a row has. */
export function fallbackSql(first: readonly string[], joined: readonly string[]): string {
  const [only] = joined;
  const last =
    joined.length === 0
      ? []
      : [joined.length === 1 ? (only ?? '') : `nullif(concat_ws(' / ', ${joined.join(', ')}), '')`];
  const all = [...first, ...last];
  return all.length === 1 ? (all[0] ?? '') : `coalesce(${all.join(', ')})`;
}

/** The word that stands for a blank in a key. */
export const BLANK = 'none';

/** SQL of a text of the key, or the word for a blank one. */
export function filledSql(text: string): string {
  return `coalesce(${text}, '${BLANK}')`;
}
