import { isDateText } from './date-formats.ts';

/** The cells of a row, without the spaces around their texts. */
export type Cells = readonly string[];

/** The columns of a table by the values in them. */
export type TableShape = {
  /** How many cells of a row have a value, usually. */
  readonly filled: number;
  /** The columns that mostly have numbers or dates. */
  readonly measured: readonly number[];
  readonly numbers: readonly number[];
  /** Those that mostly have dates. */
  readonly dates: readonly number[];
  /** Whether the first cell of each row below has a value. */
  readonly hasRowNames: boolean;
};

/** The header of a table among its first rows. */
export type FoundHeader = {
  /** Its index, or that of the first row if there is none. */
  readonly start: number;
  /** The names above it, such as a year for several columns; empty if there are none. */
  readonly above: Cells;
  /** The rows between it and the values, such as units. */
  readonly below: readonly Cells[];
  readonly shape: TableShape;
};

/**
 * Finds the header by what the rows below it have in common. Titles are often padded to the width of the table, so it is
 * not enough to count the cells.
 */
export function findHeader(rows: readonly Cells[], width: number): FoundHeader {
  const shape = shapeOf(rows.filter((row) => row.length >= width));
  const isWide = (row: Cells) => row.length >= width && fullness(row) >= neededCells(shape);
  const wide = Math.max(0, rows.findIndex(isWide));
  const value = rows.findIndex((row) => isWide(row) && isDataRow(row, shape));
  const start = shape.measured.length === 0 || value < 0 ? wide : fullest(rows, { value, width });
  const repeatsNames = repeatsLabels(rows[start] ?? []);
  const upper = rows.slice(0, start).findLast((row) => countFilled(row) > 0);
  const above = (repeatsNames ? upper : rows[start - 1]) ?? [];
  const isNamed = countFilled(above) > 1 && above.length >= width;
  const top = rows[start - 2] ?? [];
  const isNamedTwice = isNamed && !repeatsNames && countFilled(top) > 1 && top.length >= width;
  return {
    start,
    above: isNamedTwice ? joinRows(top, above, rows[start] ?? []) : isNamed ? above : [],
    below: start === value ? [] : rowsBelow(rows.slice(start + 1), shape),
    shape,
  };
}

/** Two rows above the header as one, if only both of them tell its columns apart: sectors over measures over their units. */
function joinRows(top: Cells, above: Cells, header: Cells): Cells {
  const names = joinNames(above, header);
  const isRepeated = names.some((name, index) => name !== '' && names.indexOf(name) !== index);
  // Each group of the upper row has several names below it.
  const isGrouped = countFilled(top) * 2 <= countFilled(above);
  if (!isRepeated || !isGrouped || top.some((cell) => isNumber(cell) && !isPeriod(cell))) {
    return above;
  }
  let group = '';
  return above.map((name, index) => {
    const isNext = (top[index] ?? '') !== '';
    if (isNext) group = top[index] ?? '';
    return name === '' && !isNext ? '' : `${group} ${name}`.trim();
  });
}

/** The row with the most names above the first value; or that of the value if there is none. */
function fullest(
  rows: readonly Cells[],
  { value, width }: { readonly value: number; readonly width: number },
): number {
  const counts = rows.slice(0, value).map((row) => (row.length >= width ? fullness(row) : 0));
  const most = Math.max(0, ...counts);
  const isHeader = most > 1 || (most === 1 && width < 3);
  if (!isHeader) return value;
  const first = counts.indexOf(most);
  const isBelow = counts[first + 1] === most && isGroup(rows[first] ?? [], rows[first + 1] ?? []);
  return isBelow ? first + 1 : first;
}

/** Whether a row repeats names over those of the next one, as merged cells do: each year over its measures. */
function isGroup(row: Cells, next: Cells): boolean {
  const [, ...names] = row;
  const words = next.filter((cell) => cell !== '');
  return (
    new Set(names).size * 2 <= names.length &&
    names.every((name) => name !== '') &&
    // Some repeat the name of the first column too.
    (next[0] === '' || next[0] === row[0]) &&
    !words.some((cell) => UNIT.test(cell) || (isNumber(cell) && !isPeriod(cell)))
  );
}

function neededCells({ filled }: TableShape): number {
  return filled < 2 ? 1 : Math.max(2, Math.ceil(filled * 0.6));
}

export function countFilled(row: Cells): number {
  return row.filter((cell) => cell !== '').length;
}

/** The first column often has no name. */
function fullness(row: Cells): number {
  const count = countFilled(row);
  return row[0] === '' && count > 0 ? count + 1 : count;
}

function shapeOf(rows: readonly Cells[]): TableShape {
  const counts = rows.map(countFilled).filter((count) => count > 0);
  const usual = [...Map.groupBy(counts, (count) => count)]
    .map(([count, same]) => ({ count, rows: same.length }))
    .reduce(
      (left, right) =>
        right.rows > left.rows || (right.rows === left.rows && right.count > left.count)
          ? right
          : left,
      { count: 1, rows: 0 },
    );
  const body = rows.filter((row) => countFilled(row) > 1 || usual.count < 2).slice(1);
  const width = Math.max(0, ...body.map((row) => row.length));
  const mostly = (is: (cell: string) => boolean) =>
    Array.from({ length: width }, (_, index) => index).filter((index) => {
      const cells = body.map((row) => row[index] ?? '').filter((cell) => cell !== '');
      return cells.length > 0 && cells.filter(is).length > cells.length / 2;
    });
  const numbers = mostly(isNumber);
  return {
    filled: usual.count,
    numbers,
    dates: mostly(isDateText),
    measured: mostly((cell) => isNumber(cell) || isDateText(cell)),
    hasRowNames: body.length > 1 && body.every(([cell = '']) => cell !== ''),
  };
}

/** Whether a row has a value where the others have numbers or dates. */
export function isDataRow(row: Cells, shape: TableShape): boolean {
  const { measured } = shape;
  if (namesValues(row, shape)) return false;
  const periods = row.filter(isPeriod).length;
  return measured.some((index) => {
    const cell = row[index] ?? '';
    // Years can be the names of columns, and then there are several.
    return (isNumber(cell) && !(isPeriod(cell) && periods > 1)) || isDateText(cell);
  });
}

/** Whether the numbers of a row can be the names of columns. */
export function namesValues(row: Cells, shape: TableShape): boolean {
  if (repeatsLabels(row)) return true;
  return (
    namesDates(row, shape) ||
    hasDatesOverNumbers(row, shape) ||
    namesNumbers(row, shape) ||
    numbersColumns(row)
  );
}

/** Whether a row has several days or months, and nothing but these, above columns of numbers: 31.12.2021, 31.12.2022. */
function hasDatesOverNumbers(row: Cells, { numbers, dates }: TableShape): boolean {
  const over = numbers.filter((index) => !dates.includes(index)).map((index) => row[index] ?? '');
  return (
    over.filter(isDateText).length > 1 && over.every((cell) => cell === '' || isDateText(cell))
  );
}

/** Whether a row has the same few labels again and again, such as 2024, 2023 and change below each name of a measure. */
function repeatsLabels(row: Cells): boolean {
  const first = row.findIndex((cell) => cell !== '');
  const labels = row.slice(Math.max(0, first));
  const count = labels.indexOf(labels[0] ?? '', 1);
  return (
    count > 1 &&
    labels.length >= count * REPEATS_MIN &&
    labels.length % count === 0 &&
    new Set(labels.slice(0, count)).size === count &&
    labels.some((label) => /\p{L}/u.test(label)) &&
    labels.every((label, index) => label !== '' && label === labels[index % count])
  );
}

const REPEATS_MIN = 3;

/** Whether a row has words above all dates: its numbers can be the names of columns, such as those of sites. */
function namesDates(row: Cells, { measured, numbers }: TableShape): boolean {
  const dated = measured.flatMap((index) => (numbers.includes(index) ? [] : (row[index] ?? '')));
  return (
    dated.length > 0 &&
    dated.every((cell) => /^\p{L}\D*$/u.test(cell) && !ABSENT.test(cell) && !isDateText(cell))
  );
}

/** Whether a row has rising numbers above the columns of a table whose rows have names, and no name itself. */
function namesNumbers([first, ...others]: Cells, { hasRowNames }: TableShape): boolean {
  const numbers = others.map(Number);
  return (
    hasRowNames &&
    first === '' &&
    others.length > 1 &&
    others.every(isNumber) &&
    numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? number))
  );
}

/** Whether a row has words, then the numbers of all months, hours or days of a month. */
export function numbersColumns(row: Cells): boolean {
  const first = row.findIndex(isNumber);
  const numbers = row.slice(first).filter(isNumber).map(Number);
  return (
    first > 0 &&
    row.every((cell) => cell !== '') &&
    row.slice(0, first).every((cell) => /^\p{L}\D*$/u.test(cell)) &&
    (numbers.length === 24 ||
      (numbers[0] === 1 &&
        (numbers.length === 12 || (numbers.length >= 28 && numbers.length <= 31)))) &&
    numbers.every((number, index) => number === index + (numbers[0] ?? 0)) &&
    (numbers[0] === 0 || numbers[0] === 1)
  );
}

/** Rows of units, of descriptions or of lines between the header and the first value. */
function rowsBelow(rows: readonly Cells[], shape: TableShape): readonly Cells[] {
  const described = rowsAboveDates(rows, shape);
  if (described.length > 0) return described;
  const found: Cells[] = [];
  for (const [index, row] of rows.slice(0, BELOW_MAX).entries()) {
    if (!isBelowHeader(row, rows.slice(index + 1), shape)) break;
    found.push(row);
  }
  return found;
}

const BELOW_MAX = 3;

/** Rows that say something about each column of a time series, such as Unit, Frequency and Series ID, above the first date. */
function rowsAboveDates(rows: readonly Cells[], { dates }: TableShape): readonly Cells[] {
  const isAbout = ([first = '']: Cells) =>
    /^\p{L}/u.test(first) && !isDateText(first) && !ABSENT.test(first);
  const count = rows.findIndex((row) => !isAbout(row));
  const [next = ''] = rows[count] ?? [];
  const isSeries = dates.includes(0) && (isDateText(next) || isPeriod(next));
  return isSeries && count <= DESCRIBED_MAX ? rows.slice(0, Math.max(0, count)) : [];
}

const DESCRIBED_MAX = 20;

function isBelowHeader(row: Cells, rest: readonly Cells[], shape: TableShape): boolean {
  const cells = row.filter((cell) => cell !== '');
  if (cells.length === 0 || rest.filter((one) => isDataRow(one, shape)).length < ROWS_MIN) {
    return false;
  }
  if (cells.every((cell) => /^[-=_*~+]{2,}$/.test(cell))) return true;
  if (shape.numbers.length === 0 || isDataRow(row, shape)) return false;
  const words = shape.numbers.flatMap((index) => {
    const cell = row[index] ?? '';
    return cell === '' ? [] : [{ cell, index }];
  });
  const isNew = words.every(({ cell, index }) => !rest.some((one) => one[index] === cell));
  // GEO (Codes) below TIME says what the first columns have.
  const namesPlaces = cells.every((cell) => PLACE_LABEL.test(cell));
  if (words.length === 0 && namesPlaces) return true;
  // A word for an absent value can be in the first row.
  if (words.length === 0 || !isNew || words.some(({ cell }) => ABSENT.test(cell))) return false;
  const areUnits = words.some(({ cell }) => UNIT.test(cell));
  const areDistinct = new Set(words.map(({ cell }) => cell)).size > 1;
  return areUnits || areDistinct || (row[0] ?? '') === '' || lacksCode(row, rest);
}

const PLACE_LABEL = /^(geo|geopolitical entity|region|country|area)?\s*[([](codes?|labels?)[)\]]$/i;

/** Whether a row has a word where all others have a code. */
function lacksCode(row: Cells, rest: readonly Cells[]): boolean {
  return row.some((cell, index) => {
    const others = rest.map((one) => one[index] ?? '').filter((one) => one !== '');
    return (
      cell !== '' && !/\d/.test(cell) && others.length > 1 && others.every((one) => /\d/.test(one))
    );
  });
}

const ROWS_MIN = 1;
const ABSENT =
  /^(n\/?a|n\.?a\.?|nan|null|none|nil|-+|\.+|…|\*+|\?+|x|k\.? ?a\.?|nd|missing|unknown|<.*>|#.*|:)$/i;

/**
 * The names of columns whose header has two rows, such as a year above several measures; empty if the second row has a name of its own for
 * each.
 */
export function joinNames(above: Cells, header: Cells): Cells {
  const isClear = header.every((name, index) => name !== '' && header.indexOf(name) === index);
  if (countFilled(above) === 0 || isClear) return [];
  let group = '';
  return header.map((name, index) => {
    const upper = above[index] ?? '';
    if (upper !== '') group = upper;
    return name === '' || name === group ? upper : `${group} ${name}`.trim();
  });
}

/** The units of the columns, if a row between the header and the values has some. */
export function unitsOf(rows: readonly Cells[]): Cells {
  const count = (row: Cells) =>
    row.filter((cell) => UNIT.test(cell) || /^[([].+[)\]]$/.test(cell)).length;
  const most = Math.max(0, ...rows.map(count));
  const found = rows.find((row) => count(row) === most) ?? [];
  // Descriptions can have a word that is a unit, such as Day.
  if (most * 2 < countFilled(found)) return [];
  return found.map((cell) => /^[([](.+)[)\]]$/.exec(cell)?.[1] ?? cell);
}

/** The descriptions of columns with codes as names, if a row between the header and the values has them for most columns. */
export function labelsOf(rows: readonly Cells[], header: Cells): Cells {
  const areCodes = header.filter((name) => /\d/.test(name)).length * 2 > countFilled(header);
  const found = rows.find((row) => {
    const texts = row.filter((cell) => cell.length >= LABEL_LENGTH && /\p{L}{4}/u.test(cell));
    return texts.length * 2 > countFilled(header);
  });
  return areCodes ? (found ?? []) : [];
}

const LABEL_LENGTH = 12;

/** Texts that are mostly units, also in brackets. */
const UNIT =
  /^[([]?(in )?(grad( c(elsius)?)?|°|º|%|‰|[mckhµμ]?[mgslw]|deg|degc|degf|[kmg]?wh|kw|mw|hpa|mbar|pa|kpa|ppm|ppb|[µμ]g\/m[³3]|m\/s|km\/h|mph|kn|kts|w\/m[²2]|j\/cm[²2]|[ckm]?m[²2³3]|sq ?k?m|ha|km|miles?|feet|ft|in|inch(es)?|lit(er|re)s?|min|hours?|hrs?|days?|years?|sec(onds)?|usd|eur|chf|gbp|[$€£]|count|number|numbers|anzahl|nombre|n[uú]mero|persons?|personen|people|units?|tonn?es?|tons|kg|in 1[ ,.’']?000|1000s?|thousands?|millions?|mio\.?|per .+|pro .+|.+\/.+|°.+)[)\]]?$/i;

export function isNumber(cell: string): boolean {
  return /^[+-]?[$€£]? ?\d[\d.,'’ ]*%?$/.test(cell);
}

/** A year, also one of the Buddhist calendar, a month such as 202401, or a day. */
export function isPeriod(cell: string): boolean {
  return /^(1[6-9]|20|21)\d\d$|^25[4-7]\d$|^(19|20)\d\d(0[1-9]|1[0-2])([0-2]\d|3[01])?$/.test(cell);
}
