import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { numberOf } from '@locmetrics/column-store/publish/result-row';
import { type Fallback, fillBlanks, filledSql } from './fill-blanks.ts';
import type { KeyField, KeyRows } from './key-field.ts';
import { isAreaName, type KeyRole, PLACE_NAME } from './key-roles.ts';

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
  /** Fields that together identify the place of each row, though each of them is blank in some: the first of `fields`. */
  readonly fallback?: Fallback;
  /** Texts of the key that are blank in some rows, and get a word there. */
  readonly filled?: readonly string[];
};

/** The smallest combination of fields that is unique over all rows: codes before names, with the period. */
export async function findKey(
  connection: ImportConnection,
  fields: readonly KeyField[],
  {
    mayLeaveOut,
    hasPoint,
    hasLists,
    ...counted
  }: Omit<KeyRows, 'connection'> & {
    /** Whether rows without a key can be left out, and blanks filled. */
    readonly mayLeaveOut: boolean;
    readonly hasPoint: boolean;
    /** Whether there are lists or maps of numbers, which are no fields. */
    readonly hasLists: boolean;
  },
): Promise<FoundKey> {
  const rows = { connection, ...counted };
  const usable = fields.filter((field) => field.isFilled && isExact(field));
  const found = await findWhole(rows, fields, { usable, mayLeaveOut, hasPoint, hasLists });
  if (found !== undefined) return found;
  return repeatedKey(rows, fields);
}

/**
 * The key of a table whose columns say what its rows are divided by: all of these that have several values, and the
 * area in any case, with the period. Undefined if rows share it.
 */
export async function keyOfDimensions(
  rows: KeyRows,
  fields: readonly KeyField[],
  names: readonly string[],
): Promise<FoundKey | undefined> {
  const isDimension = ({ name, isFilled }: KeyField) => names.includes(name) && isFilled;
  const used = fields.filter(
    (field) =>
      (isDimension(field) && (field.distinctCount > 1 || isAreaName(field.name))) ||
      (field.role === 'period' && field.isFilled),
  );
  if (!used.some(isDimension) || !used.some(({ role }) => role === 'period')) return undefined;
  const count = await countDistinct(rows, used);
  return count === rows.rowCount ? wholeKey(inFileOrder(fields, used)) : undefined;
}

/** A key of which each row has another one. */
export function wholeKey(fields: readonly { readonly name: string }[]): FoundKey {
  return {
    fields: fields.map(({ name }) => name),
    repeatedCount: 0,
    conflictCount: 0,
    canAddUp: true,
  };
}

/** The first unique combination, from the best kind to the worst. */
async function findWhole(
  rows: KeyRows,
  fields: readonly KeyField[],
  {
    usable,
    mayLeaveOut,
    hasPoint,
    hasLists,
  }: {
    readonly usable: readonly KeyField[];
    readonly mayLeaveOut: boolean;
    readonly hasPoint: boolean;
    readonly hasLists: boolean;
  },
): Promise<FoundKey | undefined> {
  const of = candidatesOf(usable);
  const periods = periodsOf(fields, usable, { rowCount: rows.rowCount, hasPoint, hasLists });
  const first = async (list: Combinations) => {
    const unique = await firstUnique(rows, list);
    return unique && wholeKey(inFileOrder(usable, unique));
  };
  const filled = async (kind: 'codes' | 'names' | 'points') => {
    const found = mayLeaveOut ? await fillBlanks(rows, fields, { periods, kind }) : undefined;
    if (found === undefined) return undefined;
    return { ...wholeKey(inFileOrder(usable, found.others)), fallback: found.fallback };
  };
  const worded = async () => (mayLeaveOut ? wordedKey(rows, fields, periods) : undefined);
  const lacking = async () => (mayLeaveOut ? keyOfMost(rows, fields) : undefined);
  if (periods.length === 0) {
    return (
      (await first(ofOne(of.codes))) ??
      (mayLeaveOut ? await keyOfDated(rows, fields) : undefined) ??
      (await first(of.codes)) ??
      (await lacking()) ??
      (await first(ofOne(of.names))) ??
      (await first(of.codesAndDimensions)) ??
      (await first(of.names)) ??
      (await filled('names')) ??
      (await worded()) ??
      (await filled('points')) ??
      (await first(of.dimensions.filter(({ length }) => length > 1))) ??
      (await first(of.texts)) ??
      (await first(of.firstNumber)) ??
      (await first(ofOne(of.rowNumbers))) ??
      (await first(of.dimensions))
    );
  }
  const within = (list: Combinations): Combinations =>
    list.flatMap((combination) => periods.map((period) => [...combination, period]));
  const named = () => first(within(of.names));
  const series = async () => {
    const unique = await firstUnique(rows, within([[], ...of.dimensions]));
    return unique && wholeKey(inFileOrder(fields, [...placeOfAll(usable), ...unique]));
  };
  const isFirst = isNameFirst(usable, periods, rows.rowCount);
  return (
    (await first(within(of.codesAndDimensions))) ??
    (await filled('codes')) ??
    (isFirst ? ((await named()) ?? (await series())) : ((await series()) ?? (await named()))) ??
    (await filled('names')) ??
    (await worded()) ??
    (await lacking()) ??
    (await filled('points')) ??
    (await first(within(of.texts))) ??
    (await first(within(await placeNumbers(rows, usable, periods)))) ??
    (await first(of.firstNumber)) ??
    (await first(ofOne(of.rowNumbers)))
  );
}

/** A unique key with texts that are blank in some rows. */
async function wordedKey(
  rows: KeyRows,
  fields: readonly KeyField[],
  periods: readonly KeyField[],
): Promise<FoundKey | undefined> {
  const isBlank = ({ type, isFilled, filledCount, role }: KeyField) =>
    type === 'string' && !isFilled && filledCount > 0 && FILLED_ROLES.includes(role);
  if (!fields.some(isBlank)) return undefined;
  const worded = fields.map((field) =>
    isBlank(field)
      ? {
          ...field,
          value: filledSql(field.value),
          isFilled: true,
          distinctCount: field.distinctCount + 1,
        }
      : field,
  );
  const usable = worded.filter((field) => field.isFilled && isExact(field));
  const { codesAndDimensions, names, dimensions } = candidatesOf(usable);
  for (const list of [codesAndDimensions, names, dimensions]) {
    const within =
      periods.length === 0
        ? list
        : list.flatMap((combination) => periods.map((period) => [...combination, period]));
    const unique = await firstUnique(rows, within);
    if (unique === undefined) continue;
    const filled = fields.filter(
      (field) => isBlank(field) && unique.some(({ name }) => name === field.name),
    );
    return {
      ...wholeKey(inFileOrder(usable, unique)),
      filled: filled.map(({ name }) => name),
    };
  }
  return undefined;
}

const FILLED_ROLES: readonly KeyRole[] = ['code', 'place', 'name', 'dimension'];

type Combinations = readonly (readonly KeyField[])[];

function ofOne(combined: Combinations): Combinations {
  return combined.filter(({ length }) => length === 1);
}

/**
 * The periods that belong to the key. A table of places or of events, whose rows have an id, has none: unless all rows
 * have the same one, because the next file has another.
 */
function periodsOf(
  fields: readonly KeyField[],
  usable: readonly KeyField[],
  {
    rowCount,
    hasPoint,
    hasLists,
  }: { readonly rowCount: number; readonly hasPoint: boolean; readonly hasLists: boolean },
): readonly KeyField[] {
  const periods = usable
    .filter(({ role }) => role === 'period')
    .toSorted((left, right) => right.distinctCount - left.distinctCount);
  const isId = ({ role, distinctCount }: KeyField) =>
    distinctCount === rowCount && (CODES.includes(role) || (hasPoint && role === 'name'));
  if (!usable.some(isId)) return periods;
  const hasMeasures = fields.some(
    ({ role, type }) => (role === 'measure' || role === 'number') && NUMBER_TYPES.includes(type),
  );
  if (!hasMeasures && !hasLists) return [];
  const isOfPlace = usable.some((field) => isId(field) && isPlaceCode(field.name));
  // The year of events, whose days differ, tells nothing apart.
  const isDated = periods.some(({ distinctCount }) => distinctCount > 1);
  return periods.filter(
    ({ distinctCount, span }) =>
      (span !== undefined || hasLists) &&
      ((distinctCount === 1 && (isOfPlace || !isDated)) ||
        (!hasPoint && (span === 'declared' || isOfPlace))),
  );
}

/** Whether it is the code of a place, and not that of a trip or another event. */
function isPlaceCode(name: string): boolean {
  return PLACE_NAME.test(name) || AREA_CODE.test(name);
}

const AREA_CODE = /^(placekey|geoid|fips\w*|iso\w*|iata\w*|icao\w*|cbsa\w*|ags|insee\w*|nuts\w*)$/;

const NUMBER_TYPES = ['integer', 'float'];

const CODES: readonly KeyRole[] = ['code', 'place', 'other_code'];

/** Whether a name belongs to the key though days alone are unique, as they can be in a few rows by chance. */
function isNameFirst(
  usable: readonly KeyField[],
  periods: readonly KeyField[],
  rowCount: number,
): boolean {
  const start = Math.min(...periods.map((period) => usable.indexOf(period)));
  return (
    rowCount < CHANCE_ROWS &&
    usable.some(
      (field, index) =>
        field.role === 'name' &&
        field.distinctCount > 1 &&
        (index < start || field.distinctCount * 2 <= rowCount),
    )
  );
}

const CHANCE_ROWS = 30;

/** The place of a file about one place: the next file has another. */
function placeOfAll(usable: readonly KeyField[]): readonly KeyField[] {
  const constants = usable.filter(({ distinctCount }) => distinctCount === 1);
  const found =
    constants.find(
      ({ role, name }) => role === 'code' || role === 'place' || isPlaceName(role, name),
    ) ?? constants.find(({ role, name }) => role === 'name' && AREA_WORD.test(name));
  return found === undefined ? [] : [found];
}

/** Such as abbreviation_canton_and_fl. */
const AREA_WORD =
  /(^|_)(state|county|region|district|province|provincia|provincie|canton|kanton|municipality|municipio|commune|comune|gemeinde|city|town|ville|stadt|ciudad|cidade|borough|ward|station|stop|site|store)(_|$)/;

function isPlaceName(role: KeyRole, name: string): boolean {
  return role === 'name' && PLACE_NAME.test(name);
}

/** Whole numbers that most periods have again: those of firms or other things that are observed. */
async function placeNumbers(
  rows: KeyRows,
  usable: readonly KeyField[],
  periods: readonly KeyField[],
): Promise<Combinations> {
  const [period] = periods;
  if (period === undefined) return [];
  const times = await countDistinct(rows, [period]);
  return usable
    .filter(
      (field) =>
        isNumber(field) &&
        field.distinctCount > 1 &&
        rows.rowCount >= field.distinctCount * Math.max(2, times * DENSE_MIN),
    )
    .map((field) => [field]);
}

/** The share of the periods in which a number is, in the mean. Measures with a date have it by chance in far fewer. */
const DENSE_MIN = 0.3;

/** The first combination that no two rows share. */
async function firstUnique(
  rows: KeyRows,
  candidates: Combinations,
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
    ({ role, isFilled, filledCount, distinctCount, type }) =>
      CODES.includes(role) &&
      !isFilled &&
      type === 'string' &&
      distinctCount > 1 &&
      rowCount - filledCount <= Math.max(1, rowCount * LACKING_MAX),
  );
  const usable = fields.filter((field) => field.isFilled && isExact(field));
  const periods = usable.filter(({ role }) => role === 'period');
  const parts = usable.filter(
    ({ role, distinctCount }) => RANKS.has(role) && role !== 'number' && distinctCount > 1,
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

/** A key with a period that some rows lack, such as those with the totals of each place. */
async function keyOfDated(
  rows: KeyRows,
  fields: readonly KeyField[],
): Promise<FoundKey | undefined> {
  const { connection, rowCount } = rows;
  const period = fields.find(
    ({ role, isFilled, filledCount, distinctCount }) =>
      role === 'period' && !isFilled && distinctCount > 1 && filledCount * 2 >= rowCount,
  );
  if (period === undefined) return undefined;
  const table = `(SELECT * FROM ${rows.table} WHERE ${period.value} IS NOT NULL)`;
  const counts = fields.map(({ value }, index) => `count(${value})::DOUBLE AS filled_${index}`);
  const [row] = await connection.list(`SELECT ${counts.join(', ')} FROM ${table}`);
  if (row === undefined) return undefined;
  const dated = fields.filter(
    (field, index) => isExact(field) && numberOf(row, `filled_${index}`) === period.filledCount,
  );
  const { codesAndDimensions, names } = candidatesOf(dated);
  const found = await firstUnique(
    { ...rows, table, rowCount: period.filledCount },
    [...codesAndDimensions, ...names].map((combination) => [...combination, period]),
  );
  if (found === undefined) return undefined;
  const lacking = { field: period.name, count: rowCount - period.filledCount };
  return { ...wholeKey(inFileOrder(fields, found)), lacking };
}

/** The share of rows that may lack a key. */
const LACKING_MAX = 0.05;

/** The combinations of fields by their best part, the smallest and best ones first. */
function candidatesOf(usable: readonly KeyField[]) {
  const parts = usable
    .filter(({ role, distinctCount }) => RANKS.has(role) && distinctCount > 1)
    .toSorted(
      (left, right) => rankOf(left) - rankOf(right) || right.distinctCount - left.distinctCount,
    );
  const ofRoles = (roles: readonly KeyRole[]) =>
    parts.filter(({ role }) => roles.includes(role)).slice(0, PARTS_MAX);
  const combine = (roles: readonly KeyRole[], needed: readonly KeyRole[]): Combinations =>
    [1, 2, 3, 4]
      .flatMap((size) => combinations(ofRoles(roles), size))
      .filter((combination) => combination.some(({ role }) => needed.includes(role)))
      .toSorted((left, right) => compareCombinations(usable, left, right));
  const named: readonly KeyRole[] = [...CODES, 'name', 'dimension'];
  return {
    codes: combine(CODES, CODES),
    codesAndDimensions: combine([...CODES, 'dimension'], CODES),
    names: combine(named, ['name']),
    dimensions: combine(['dimension'], ['dimension']),
    texts: combine([...named, 'text'], ['text']),
    // A first column of numbers that never repeat is an id, also without a name.
    firstNumber: usable
      .filter((field) => isNumber(field) && field.value === 'v0')
      .map((field) => [field]),
    rowNumbers: usable.filter(({ role }) => role === 'row_number').map((field) => [field]),
  };
}

function isNumber({ role }: KeyField): boolean {
  return role === 'number';
}

const PARTS_MAX = 10;

/** How well a field identifies something; the lower, the better. */
const RANKS: ReadonlyMap<KeyRole, number> = new Map([
  ['code', 1],
  ['place', 1.5],
  ['other_code', 2],
  ['dimension', 3],
  ['name', 4],
  ['text', 6],
  ['number', 8],
]);

function rankOf({ role }: KeyField): number {
  return RANKS.get(role) ?? 9;
}

function compareCombinations(
  usable: readonly KeyField[],
  left: readonly KeyField[],
  right: readonly KeyField[],
): number {
  const sum = (fields: readonly KeyField[]) =>
    fields.reduce((total, field) => total + rankOf(field), 0);
  const place = (fields: readonly KeyField[]) =>
    fields.reduce((total, field) => total + usable.indexOf(field), 0);
  return left.length - right.length || sum(left) - sum(right) || place(left) - place(right);
}

/** The period last, the others as they are in the file. */
function inFileOrder(
  fields: readonly KeyField[],
  combination: readonly KeyField[],
): readonly KeyField[] {
  return combination.toSorted(
    (left, right) =>
      Number(left.role === 'period') - Number(right.role === 'period') ||
      fields.indexOf(left) - fields.indexOf(right),
  );
}

function combinations<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  if (size === 0) return [[]];
  return items.flatMap((item, index) =>
    combinations(items.slice(index + 1), size - 1).map((rest) => [item, ...rest]),
  );
}

async function countDistinct(
  { connection, table }: KeyRows,
  fields: readonly Pick<KeyField, 'value'>[],
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
  const usable = fields.filter(({ isFilled, role }) => isFilled && role !== 'row_number');
  const preferred = usable.filter(
    (field) =>
      isExact(field) && (field.role === 'period' || field.role === 'dimension' || isPlace(field)),
  );
  const all = preferred.length > 0 ? preferred : usable.filter(isExact);
  const key = all.length > 0 ? all : fields.slice(0, 1);
  const distinct = await countDistinct(rows, key);
  const blank = key.find(({ isFilled }) => !isFilled);
  if (distinct === rowCount && blank !== undefined) {
    const lacking = { field: blank.name, count: rowCount - blank.filledCount };
    return { ...wholeKey(key), lacking };
  }
  if (distinct === rowCount) return wholeKey(await withoutNeedless(rows, key, distinct));
  const grid = await gridKey(rows, key, usable);
  if (grid !== undefined) return wholeKey(grid);
  const number = await numberOfRow(rows, key, usable);
  if (number !== undefined) {
    return wholeKey(await withoutNeedless(rows, [...key, number], rowCount));
  }
  const short = await withoutNeedless(rows, key, distinct);
  const rest = fields.filter((field) => !short.includes(field));
  const texts = rest.filter(({ type }) => !NUMBER_TYPES.includes(type));
  const [whole, unlike] = [
    await countDistinct(rows, fields),
    await countDistinct(rows, [...short, ...texts]),
  ];
  return {
    fields: inFileOrder(fields, short).map(({ name }) => name),
    repeatedCount: rowCount - distinct,
    conflictCount: whole - distinct,
    canAddUp: unlike === distinct && rest.some(({ type }) => NUMBER_TYPES.includes(type)),
  };
}

/** A whole number that has a row for each of the other values, such as a code that has lost its zeros. */
async function gridKey(
  rows: KeyRows,
  key: readonly KeyField[],
  usable: readonly KeyField[],
): Promise<readonly KeyField[] | undefined> {
  const numbers = usable.filter((field) => isNumber(field) && field.distinctCount > 1);
  const bases = [key, ...usable.filter(({ role }) => role === 'period').map((one) => [one])];
  for (const base of bases) {
    const distinct = await countDistinct(rows, base);
    if (distinct < 2) continue;
    for (const number of numbers) {
      if (number.distinctCount * distinct !== rows.rowCount) continue;
      const grid = [...base, number];
      if ((await countDistinct(rows, grid)) === rows.rowCount) {
        return inFileOrder(usable, await withoutNeedless(rows, grid, rows.rowCount));
      }
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
    (field) => !key.includes(field) && isNumber(field) && NUMBER_NAME.test(field.name),
  );
  for (const number of numbers) {
    if ((await countDistinct(rows, [...key, number])) === rows.rowCount) return number;
  }
  return undefined;
}

const NUMBER_NAME = /(^|_)(number|num|no|nr|flight|line|route|unit|lane|seq|sequence|minute|hour)$/;

/** The fields of a key without those that tell no more rows apart, the worst ones tried first. */
async function withoutNeedless(
  rows: KeyRows,
  key: readonly KeyField[],
  distinct: number,
): Promise<readonly KeyField[]> {
  let needed = key;
  const worstFirst = key.toReversed().toSorted((left, right) => rankOf(right) - rankOf(left));
  for (const field of worstFirst) {
    const fewer = needed.filter((one) => one !== field);
    // Without any place left, days alone could tell as many rows apart by chance.
    const isLast = isPlace(field) && !fewer.some(isPlace);
    if (field.role === 'period' || fewer.length === 0 || isLast) continue;
    if ((await countDistinct(rows, fewer)) === distinct) needed = fewer;
  }
  return needed;
}

function isPlace({ role }: KeyField): boolean {
  return role === 'name' || CODES.includes(role);
}

/** Numbers with a fraction cannot be in a key. */
function isExact({ type }: Pick<KeyField, 'type'>): boolean {
  return type !== 'float' && type !== 'point';
}
