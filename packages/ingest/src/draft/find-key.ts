import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { numberOf } from '@locmetrics/column-store/publish/result-row';

/** A field that may be a part of a key. */
export type KeyField = {
  readonly name: string;
  /** The column of the table of values. */
  readonly value: string;
  readonly type: string;
  /** Whether it is a code, an id, or the start of a period. */
  readonly isCode: boolean;
  readonly isPeriod: boolean;
  /** Whether it only counts the rows of the file. */
  readonly isRowNumber: boolean;
  readonly isMeasure: boolean;
  /** Whether it is how many there are of something, which tells no rows apart. */
  readonly isCount: boolean;
  readonly filledCount: number;
  readonly isFilled: boolean;
  readonly distinctCount: number;
};

/** The rows whose key is looked for. */
type KeyRows = {
  readonly connection: ImportConnection;
  /** The table of values. */
  readonly table: string;
  readonly rowCount: number;
};

export type FoundKey = {
  readonly fields: readonly string[];
  /** Rows beyond the first of each key. */
  readonly repeatedCount: number;
  /** Of these rows, those that differ from the first in another field. */
  readonly conflictCount: number;
  /** Whether rows with one key differ in number fields only. */
  readonly canAddUp: boolean;
  /** A field of the key that a few rows lack, and their number. */
  readonly lacking?: { readonly field: string; readonly count: number };
};

/** The smallest combination of fields that is unique over all rows, with ids and periods preferred. */
export async function findKey(
  connection: ImportConnection,
  fields: readonly KeyField[],
  {
    mayLeaveOut,
    ...counted
  }: Omit<KeyRows, 'connection'> & {
    /** Whether rows without a key can be left out. */
    readonly mayLeaveOut: boolean;
  },
): Promise<FoundKey> {
  const rows = { connection, ...counted };
  const usable = fields.filter((field) => field.isFilled && isExact(field));
  const [preferred, others] = candidateGroups(usable, rows.rowCount);
  const unique = await firstUnique(rows, preferred);
  if (unique !== undefined) return wholeKey(unique);
  const lacking = mayLeaveOut ? await keyOfMost(rows, fields) : undefined;
  if (lacking !== undefined) return lacking;
  const other = await firstUnique(rows, others);
  if (other !== undefined) return wholeKey(other);
  return repeatedKey(rows, fields);
}

function wholeKey(fields: readonly KeyField[]): FoundKey {
  return { fields: namesOf(fields), repeatedCount: 0, conflictCount: 0, canAddUp: true };
}

/** The first combination that no two rows share. */
async function firstUnique(
  rows: KeyRows,
  candidates: readonly (readonly KeyField[])[],
): Promise<readonly KeyField[] | undefined> {
  const possible = candidates.filter(
    (combination) =>
      combination.reduce((product, { distinctCount }) => product * distinctCount, 1) >=
      rows.rowCount,
  );
  for (const combination of possible.slice(0, TESTS_MAX)) {
    if ((await countDistinct(rows, combination)) === rows.rowCount) return combination;
  }
  return undefined;
}

const TESTS_MAX = 200;

/** A key with a code that all but a few rows have, such as a row of totals. */
async function keyOfMost(
  rows: KeyRows,
  fields: readonly KeyField[],
): Promise<FoundKey | undefined> {
  const { rowCount } = rows;
  const codes = fields.filter(
    ({ isCode, isFilled, filledCount, distinctCount, type }) =>
      isCode &&
      !isFilled &&
      type === 'string' &&
      distinctCount > 1 &&
      rowCount - filledCount <= Math.max(1, rowCount * LACKING_MAX),
  );
  const usable = fields.filter((field) => field.isFilled && isExact(field));
  const periods = usable.filter(({ isPeriod }) => isPeriod);
  const parts = usable.filter(
    ({ isPeriod, isMeasure, isRowNumber, distinctCount }) =>
      !isPeriod && !isMeasure && !isRowNumber && distinctCount > 1,
  );
  for (const code of codes) {
    const candidates = [
      [code],
      ...periods.flatMap((period) => [
        [code, period],
        ...parts.slice(0, 8).map((part) => [code, part, period]),
      ]),
    ];
    const table = `(SELECT * FROM ${rows.table} WHERE ${code.value} IS NOT NULL)`;
    const filled = { ...rows, table, rowCount: code.filledCount };
    const found = await firstUnique(filled, candidates);
    if (found === undefined) continue;
    const lacking = { field: code.name, count: rowCount - code.filledCount };
    return { ...wholeKey(found), lacking };
  }
  return undefined;
}

/** The share of rows that may lack a key. */
const LACKING_MAX = 0.05;

function candidateGroups(
  fields: readonly KeyField[],
  rowCount: number,
): readonly [preferred: Combinations, others: Combinations] {
  const ids = fields.filter(({ isCode, isRowNumber }) => isCode && !isRowNumber);
  const periods = fields.filter(({ isPeriod }) => isPeriod);
  const parts = fields.filter(
    ({ isPeriod, isRowNumber, isMeasure, distinctCount }) =>
      !isPeriod && !isRowNumber && !isMeasure && distinctCount > 1,
  );
  const others = parts.toSorted(
    (left, right) =>
      Number(right.isCode) - Number(left.isCode) || right.distinctCount - left.distinctCount,
  );
  const several = [1, 2, 3, 4].flatMap((size) => combinations(others.slice(0, 10), size));
  // In few rows other combinations are unique by chance.
  const withCode = several.filter((combination) => combination.some(({ isCode }) => isCode));
  const withoutCode = several.filter((combination) => !withCode.includes(combination));
  const withPeriod = periods.flatMap((period) =>
    [...withCode, ...withoutCode].map((combination) => [...combination, period]),
  );
  const inFileOrder = (combination: readonly KeyField[]): readonly KeyField[] =>
    combination.toSorted(
      (left, right) =>
        Number(left.isPeriod) - Number(right.isPeriod) ||
        fields.indexOf(left) - fields.indexOf(right),
    );
  const preferred = [
    ...ids.map((field) => [field]),
    ...periods.map((field) => [field]),
    ...withPeriod,
  ];
  const rest = [
    ...others.filter(({ type }) => type === 'string').map((field) => [field]),
    // A first column of numbers that never repeat is an id, also without a name.
    ...fields
      .slice(0, 1)
      .filter((field) => field.distinctCount === rowCount && !field.isRowNumber)
      .map((field) => [field]),
    ...[2, 3, 4].flatMap((size) => combinations(others.slice(0, 10), size)),
    ...fields.filter(({ isRowNumber }) => isRowNumber).map((field) => [field]),
    ...fields
      .filter(({ distinctCount, isMeasure }) => distinctCount === rowCount && !isMeasure)
      .map((field) => [field]),
  ];
  return [preferred.map(inFileOrder), rest.map(inFileOrder)];
}

type Combinations = readonly (readonly KeyField[])[];

function combinations<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  if (size === 0) return [[]];
  return items.flatMap((item, index) =>
    combinations(items.slice(index + 1), size - 1).map((rest) => [item, ...rest]),
  );
}

function namesOf(fields: readonly KeyField[]): readonly string[] {
  return fields.map(({ name }) => name);
}

async function countDistinct(
  { connection, table }: KeyRows,
  fields: readonly KeyField[],
): Promise<number> {
  const values = fields.map(({ value }) => value).join(', ');
  const [row] = await connection.list(
    `SELECT count(*)::DOUBLE AS count FROM (SELECT DISTINCT ${values} FROM ${table})`,
  );
  return row === undefined ? 0 : numberOf(row, 'count');
}

/** No combination is unique: the best of them, with what its repeated rows differ in. */
async function repeatedKey(rows: KeyRows, fields: readonly KeyField[]): Promise<FoundKey> {
  const { rowCount } = rows;
  const usable = fields.filter(({ isFilled, isRowNumber }) => isFilled && !isRowNumber);
  const preferred = usable.filter(
    ({ isCode, isPeriod, isMeasure, type }) =>
      isPeriod || isCode || (!isMeasure && isExact({ type })),
  );
  const all = preferred.length > 0 ? preferred : usable.filter(isExact);
  const key = all.length > 0 ? all : fields.slice(0, 1);
  const distinct = await countDistinct(rows, key);
  if (distinct === rowCount) return wholeKey(await withoutNeedless(rows, key));
  const grid = await gridKey(rows, usable);
  if (grid !== undefined) return wholeKey(grid);
  const number = await numberOfRow(rows, key, usable);
  if (number !== undefined) return wholeKey(await withoutNeedless(rows, [...key, number]));
  const rest = fields.filter((field) => !key.includes(field));
  const texts = rest.filter(({ type }) => type !== 'integer' && type !== 'float');
  const [whole, unlike] = [
    await countDistinct(rows, fields),
    await countDistinct(rows, [...key, ...texts]),
  ];
  return {
    fields: namesOf(key),
    repeatedCount: rowCount - distinct,
    conflictCount: whole - distinct,
    canAddUp: unlike === distinct && rest.some(({ type }) => type !== 'string'),
  };
}

/** A whole number that has a row in each period, such as a code that has lost its zeros. */
async function gridKey(
  rows: KeyRows,
  usable: readonly KeyField[],
): Promise<readonly KeyField[] | undefined> {
  const periods = usable.filter(({ isPeriod }) => isPeriod);
  const numbers = usable.filter(
    ({ type, isCount, isPeriod, distinctCount }) =>
      type === 'integer' && !isCount && !isPeriod && distinctCount > 1,
  );
  for (const period of periods) {
    for (const number of numbers) {
      if (number.distinctCount * period.distinctCount !== rows.rowCount) continue;
      if (period.distinctCount < 2) continue;
      const key = [number, period];
      if ((await countDistinct(rows, key)) === rows.rowCount) return key;
    }
  }
  return undefined;
}

/** A whole number, such as that of a flight, that tells all rows of a key apart. */
async function numberOfRow(
  rows: KeyRows,
  key: readonly KeyField[],
  usable: readonly KeyField[],
): Promise<KeyField | undefined> {
  const numbers = usable.filter(
    (field) => !key.includes(field) && !field.isCount && NUMBER_NAME.test(field.name),
  );
  for (const number of numbers) {
    if ((await countDistinct(rows, [...key, number])) === rows.rowCount) return number;
  }
  return undefined;
}

const NUMBER_NAME = /(^|_)(number|num|no|nr|flight|line|route|unit|lane|seq|sequence|minute|hour)$/;

/** The fields of a unique key that are needed for it, tried from the last one on. */
async function withoutNeedless(
  rows: KeyRows,
  key: readonly KeyField[],
): Promise<readonly KeyField[]> {
  let needed = key;
  for (const field of key.toReversed()) {
    const fewer = needed.filter((one) => one !== field);
    if (fewer.length === 0) break;
    if ((await countDistinct(rows, fewer)) === rows.rowCount) needed = fewer;
  }
  return needed;
}

/** Numbers with a fraction cannot be in a key. */
function isExact({ type }: Pick<KeyField, 'type'>): boolean {
  return type !== 'float' && type !== 'point';
}
