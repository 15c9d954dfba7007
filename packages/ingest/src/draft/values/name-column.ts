import { basename, dirname } from 'node:path';
import { monthPattern } from '../../manifest/month-names.ts';
import type { NameColumn } from '../../manifest/name-pattern.ts';
import type { InspectedFile } from '../files/inspect-file.ts';
import { onlyPeriod } from './period-of-file.ts';
import { dates } from './propose-types.ts';
import { wordedDates } from './worded-dates.ts';

/** The column that files of several periods need, if only their names or those of their sheets have them. */
export type FoundNames = {
  readonly of: 'file' | 'sheet';
  readonly column: NameColumn;
  /** What the names have, in the order of the files. */
  readonly periods: readonly string[];
};

/** Finds a part that differs in all names, is a period, and is all that differs. */
export function findNames(files: readonly InspectedFile[]): FoundNames | undefined {
  const [first, ...others] = files;
  if (first === undefined || others.length === 0) return undefined;
  const areSheets = others.every(({ named }) => named === first.named);
  const sheets = files.flatMap(({ reading: { sheet } }) => sheet ?? []);
  if (areSheets) {
    const found = sheets.length === files.length ? periodsOf(sheets) : undefined;
    return found && { of: 'sheet', ...found };
  }
  const paths = files.map(({ named }) => named);
  const names = paths.map((path) => basename(path));
  const found =
    new Set(names).size === 1
      ? periodsOf(paths.map((path) => `${basename(dirname(path))}/${basename(path)}`))
      : periodsOf(names);
  return found && { of: 'file', ...found };
}

function periodsOf(names: readonly string[]): Omit<FoundNames, 'of'> | undefined {
  const stems = names.map((name) => name.replace(/(\.[a-z]{2,8})+$/i, ''));
  const found = wordedParts(stems) ?? stems.map((stem) => onlyPeriod([stem])?.text ?? '');
  const as = columnOf(found);
  const [pattern, ...others] = new Set(
    names.map((name, index) => {
      const text = found[index] ?? '';
      const hidden = text.replaceAll(/\d/g, '#').replaceAll(/\p{L}+[.]?/gu, '*');
      return name.replace(text, hidden);
    }),
  );
  const isClear = !found.includes('') && new Set(found).size === names.length;
  const hasMarks = names.some((name) => /[#*]/.test(name));
  if (!isClear || hasMarks || pattern === undefined || others.length > 0 || as === undefined) {
    return undefined;
  }
  return { column: { column: as, pattern }, periods: found };
}

/** The name of a column with periods; undefined if they cannot be read together. */
function columnOf(texts: readonly string[]): string | undefined {
  const isLong = (length: number) =>
    texts.every((text) => /^\d+$/.test(text) && text.length === length);
  if (isLong(4) || areSchoolYears(texts)) return 'year';
  if (isLong(6)) return 'month';
  if (isLong(8)) return 'date';
  const [period] = [...dates(texts), ...wordedDates(texts)];
  if (period === undefined) return undefined;
  const { as = 'date' } = 'document' in period ? period.document : period;
  return as;
}

/** Months and quarters with words, and school years: jan_2023, 2023-Q1, 2022-23. */
function wordedParts(stems: readonly string[]): readonly string[] | undefined {
  for (const expression of [...WORDED, SCHOOL_YEAR]) {
    const found = stems.map((stem) => [...stem.matchAll(expression)]);
    if (!found.every((matches) => matches.length === 1)) continue;
    const parts = found.map(([match]) => match?.[0] ?? '');
    if (expression !== SCHOOL_YEAR) return parts;
    // 2010-11 can be a month, unless others of them are none.
    if (areSchoolYears(parts))
      return parts.some((part) => Number(part.slice(-2)) > 12) ? parts : parts.map(() => '');
  }
  return undefined;
}

function areSchoolYears(texts: readonly string[]): boolean {
  return texts.every(
    (text) =>
      /^20\d\d-(20)?\d\d$/.test(text) &&
      (Number(text.slice(2, 4)) + 1) % 100 === Number(text.slice(-2)),
  );
}

/** What is equal in the names of files of several periods: digits, and the names of months. */
export function withoutPeriods(name: string): string {
  return name.replaceAll(MONTH, '#').replaceAll(/\d+/g, '#');
}

const NAMES = `${monthPattern('MMMM')}|${monthPattern('MMM')}`;
const MONTH = new RegExp(`(?<!\\p{L})(?:${NAMES})(?!\\p{L})`, 'giu');
const SCHOOL_YEAR = /(?<!\d)20\d\d-(?:20)?\d\d(?!\d|-)/g;
const WORDED = [
  `(?:${NAMES})[ _-]?20\\d\\d`,
  `20\\d\\d[ _-]?(?:${NAMES}|Q[1-4])`,
  `Q[1-4][ _-]?20\\d\\d`,
].map((pattern) => new RegExp(`(?<![\\p{L}\\d])(?:${pattern})(?![\\p{L}\\d])`, 'giu'));
