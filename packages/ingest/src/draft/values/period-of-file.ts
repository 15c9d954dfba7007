import { basename } from 'node:path';
import { quoteLiteral } from '@locmetrics/core/sql/quote-identifier';
import { monthPattern } from '../../manifest/month-names.ts';
import type { InspectedFile } from '../files/inspect-file.ts';
import type { DraftField } from './draft-fields.ts';
import { isCategoryName } from './measure-kind.ts';
import type { FieldDocument } from './open-rows.ts';
import { dates, type TypedColumn } from './propose-types.ts';
import { wordedDates } from './worded-dates.ts';

/**
 * The period of a table whose rows have none, if the name of its file, or else the lines above it, tell exactly one:
 * `population_2023.csv`. A file of the next year then is another period.
 */
export function periodOfFile(
  seen: InspectedFile,
  fields: readonly DraftField[],
): DraftField | undefined {
  // Names with years say more: Jan 2021-Dec 2021.
  const years = /(?<!\d)(19|20)\d\d(?!\d)/;
  if (fields.some(({ column = '' }) => years.test(column) && !TABLE_CODE.test(column))) {
    return undefined;
  }
  const isDated = fields.some(
    ({ document, name }) =>
      (document.type === 'date' && !RECORDED_NAME.test(name)) || TIME_NAME.test(name),
  );
  const hasMeasure = fields.some(
    ({ document, name, isCode }) =>
      (document.type === 'integer' || document.type === 'float') &&
      !isCode &&
      !isCategoryName(name),
  );
  const hasPoint = fields.some(({ part }) => part !== undefined);
  if (isDated || !hasMeasure || hasPoint) return undefined;
  const found = foundPeriod(seen);
  if (found === undefined) return undefined;
  return {
    name: found.period.as ?? 'date',
    document: documentOf(found),
    column: undefined,
    isCode: false,
    hasTime: false,
    part: undefined,
    doubts: [doubtOf(found)],
    notes: [],
  };
}

/** The year of columns for months, as a column of the table. */
export function yearOfFile(
  seen: Pick<InspectedFile, 'named' | 'reading' | 'ownSheet' | 'titles'>,
): TypedColumn | undefined {
  const found = foundPeriod(seen);
  if (found?.period.as !== 'year') return undefined;
  return {
    column: 'year',
    place: 'year',
    document: documentOf(found),
    doubts: [doubtOf(found)],
    isCode: false,
    hasTime: false,
    moment: undefined,
    texts: [found.period.text],
    filledCount: 0,
  };
}

type FoundInFile = { readonly period: FoundPeriod; readonly source: string };

function foundPeriod({
  named,
  reading: { sheet },
  ownSheet,
  titles = [],
}: Pick<InspectedFile, 'named' | 'reading' | 'ownSheet' | 'titles'>): FoundInFile | undefined {
  const ofSheet = sheet === undefined ? undefined : onlyPeriod([sheet]);
  if (ofSheet !== undefined) return { period: ofSheet, source: 'name of the sheet' };
  // Several sheets of a file can be parts of its period.
  if (ownSheet !== undefined) return undefined;
  const ofName = onlyPeriod([basename(named).replace(/(\.[a-z]{2,8})+$/i, '')]);
  if (ofName !== undefined) return { period: ofName, source: 'name of the file' };
  const ofTitles = onlyPeriod(titles);
  return ofTitles && { period: ofTitles, source: 'lines above the table' };
}

function documentOf({ period: { text, format, as } }: FoundInFile): FieldDocument {
  return {
    type: 'date',
    expression: quoteLiteral(text),
    ...(format === undefined ? {} : { format }),
    ...(as === undefined ? {} : { as }),
  };
}

function doubtOf({ period, source }: FoundInFile): string {
  return `The rows have no ${period.as === 'year' ? 'year' : 'period'}, so it is that of the ${source}, '${period.text}'. If that is when the file was written, change it, and change it for each new file.`;
}

/** S1903_C01_001E is a column of the table S1903. */
const TABLE_CODE = /^[A-Z]{1,3}\d{4,5}[A-Z]*_/i;

/** Such a column has times that no format reads, or starts and ends. */
export const TIME_NAME =
  /(^|_)(year|yr|jahr|jaar|annee|ano|anio|anno|rok|date|datum|fecha|day|month|monat|mois|mes|mese|maand|week|time|zeit|period|periodo|periode|quarter|season|start|end|since|until|opened|built)($|_)/;

/** When a row was written, and not what it is about. */
const RECORDED_NAME = /creat|updat|modif|retriev|downloaded/;

export type FoundPeriod = {
  readonly text: string;
  readonly format: string | undefined;
  readonly as: 'year' | 'month' | undefined;
};

export function onlyPeriod(texts: readonly string[]): FoundPeriod | undefined {
  const years = new Set(texts.flatMap((text) => text.match(YEAR) ?? []));
  if (years.size !== 1) return undefined;
  const found = texts.flatMap(
    (text) => text.match(DAY) ?? text.match(MONTH) ?? text.match(YEAR) ?? [],
  );
  const [first, ...others] = new Set(found);
  if (first === undefined || others.length > 0) return undefined;
  if (/^\d{4}$/.test(first)) return { text: first, format: 'YYYY', as: 'year' };
  if (/^\d{6}$/.test(first)) return { text: first, format: 'YYYYMM', as: 'month' };
  if (/^\d{8}$/.test(first)) return { text: first, format: 'YYYYMMDD', as: undefined };
  const [date] = [...dates([first]), ...wordedDates([first])];
  const document = date === undefined ? undefined : 'document' in date ? date.document : date;
  if (document === undefined || (document.as !== undefined && document.as !== 'month'))
    return undefined;
  return { text: first, format: document.format, as: document.as };
}

const NAMES = monthPattern('MMMM');
const YEAR = /(?<!\d)(?:199\d|20[0-4]\d)(?=\D|$|(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])?(?!\d))/g;
const DAY = new RegExp(
  `(?<!\\d)(?:(?:199\\d|20[0-4]\\d)([-_]?)(?:0[1-9]|1[0-2])\\1(?:0[1-9]|[12]\\d|3[01])(?!\\d)|(?<!\\d)\\d{1,2}[.]? (?:${NAMES}) \\d{4}(?!\\d)|(?:${NAMES}) \\d{1,2}, \\d{4}(?!\\d)|\\d{1,2}[.]\\d{1,2}[.]\\d{4}(?!\\d))`,
  'giu',
);
const MONTH = new RegExp(
  `(?<!\\d)(?:199\\d|20[0-4]\\d)[-_]?(?:0[1-9]|1[0-2])(?!\\d)|(?<!\\p{L})(?:${NAMES}) \\d{4}(?!\\d)`,
  'giu',
);
