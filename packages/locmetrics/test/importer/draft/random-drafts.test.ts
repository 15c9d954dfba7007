// @module-tag sized

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scopedFolder } from '../../support/temporary-folder.ts';
import { testCount } from '../../support/test-count.ts';
import { announceSeed } from '../../support/test-seed.ts';
import { draftFor, publishDraft } from './draft-under-test.ts';

const RUNS = testCount('DRAFTS', { few: 4, all: 150 });

type Row = {
  readonly code: string;
  readonly name: string;
  readonly day: string;
  readonly amount: number | null;
  readonly area: number;
};

const randomRow = fc.record({
  code: fc.integer({ min: 501, max: 99_999 }).map((number) => String(number).padStart(5, '0')),
  name: fc.constantFrom('Genève', 'Zürich', 'Málaga', 'Oslo', 'Sion; West', 'A, B', 'Ten | two'),
  day: fc
    .date({
      min: new Date('1990-01-01T00:00:00Z'),
      max: new Date('2029-12-31T00:00:00Z'),
      noInvalidDate: true,
    })
    .map((date) => date.toISOString().slice(0, 10)),
  amount: fc.option(fc.integer({ min: 0, max: 9_999_999 }), { freq: 6 }),
  area: fc.integer({ min: 0, max: 4_000_000 }).map((number) => (number * 4 + 1) / 8),
});

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const DATES: readonly ((year: string, month: string, day: string) => string)[] = [
  (year, month, day) => `${year}-${month}-${day}`,
  (year, month, day) => `${month}/${day}/${year}`,
  (year, month, day) => `${day}/${month}/${year}`,
  (year, month, day) => `${Number(day)}.${Number(month)}.${year}`,
  (year, month, day) => `${day}-${MONTHS[Number(month) - 1]}-${year}`,
  (year, month, day) => `${year}-${month}-${day}T00:00:00`,
  (year, month, day) => `${month}/${day}/${year} 12:00:00 AM`,
  // The days of a spreadsheet, and seconds since 1970.
  (year, month, day) => String(Date.parse(`${year}-${month}-${day}Z`) / 86_400_000 + 25_569),
  (year, month, day) => String(Date.parse(`${year}-${month}-${day}Z`) / 1000),
];

/** What other programs make of a code. */
const CODES: readonly ((code: string) => string)[] = [
  (code) => code,
  (code) => String(Number(code)),
  (code) => `${Number(code)}.0`,
  (code) => `="${code}"`,
];

const NUMBERS: readonly { readonly group: string; readonly decimal: string }[] = [
  { group: '', decimal: '.' },
  { group: ',', decimal: '.' },
  { group: '.', decimal: ',' },
  { group: '’', decimal: '.' },
  { group: '', decimal: ',' },
];

const ENCODINGS = [
  'utf-8',
  'utf-8 with a mark',
  'utf-16le with a mark',
  'utf-16le',
  'utf-16be',
  'windows-1252',
];

const randomFile = fc.record({
  rows: fc.uniqueArray(randomRow, { minLength: 20, maxLength: 60, selector: ({ code }) => code }),
  date: fc.constantFrom(...DATES),
  writeCode: fc.constantFrom(...CODES),
  /** Whether millions have no separators, but thousands have. */
  isPartly: fc.boolean(),
  numbers: fc.constantFrom(...NUMBERS),
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  lineEnd: fc.constantFrom('\n', '\r\n'),
  encoding: fc.constantFrom(...ENCODINGS),
  nothing: fc.constantFrom('', 'NaN', 'n/a', '-', 'null', '<undefined>'),
  above: fc.constantFrom(0, 1, 3),
  hasFooter: fc.boolean(),
  endsRows: fc.boolean(),
  sign: fc.constantFrom('', '$'),
});

type RandomFile = typeof randomFile extends fc.Arbitrary<infer File> ? File : never;

function fileBytes(file: RandomFile): Buffer {
  const { rows, delimiter, lineEnd } = file;
  const table = [['Zip', 'Name', 'Opening date', 'Amount', 'Area m2'], ...rows.map(cellsOf(file))];
  const lines = [
    ...Array.from({ length: file.above }, (_, index) => `Line ${index + 1} of a title`),
    ...table.map((cells) =>
      [...cells.map(quoted(delimiter)), ...(file.endsRows ? [''] : [])].join(delimiter),
    ),
    ...(file.hasFooter ? ['', 'Source: nobody'] : []),
  ];
  return encoded(`${lines.join(lineEnd)}${lineEnd}`, file.encoding);
}

function cellsOf({ date, writeCode, isPartly, numbers, nothing, sign }: RandomFile) {
  return ({ code, name, day, amount, area }: Row): readonly string[] => {
    const [year = '', month = '', ofMonth = ''] = day.split('-');
    const isPlain = isPartly && amount !== null && amount >= 1e6;
    return [
      writeCode(code),
      // No character of other alphabets, which windows-1252 does not have.
      name,
      date(year, month, ofMonth),
      amount === null ? nothing : `${sign}${grouped(String(amount), isPlain ? '' : numbers.group)}`,
      `${grouped(String(Math.trunc(area)), numbers.group)}${numbers.decimal}${String(area % 1).slice(2)}`,
    ];
  };
}

function grouped(digits: string, group: string): string {
  return digits.replaceAll(/\B(?=(\d{3})+$)/g, group);
}

function quoted(delimiter: string) {
  return (cell: string): string =>
    cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function encoded(text: string, encoding: string): Buffer {
  switch (encoding) {
    case 'utf-8 with a mark':
      return Buffer.from(`\ufeff${text}`);
    case 'utf-16le with a mark':
      return Buffer.from(`\ufeff${text}`, 'utf16le');
    case 'utf-16le':
      return Buffer.from(text, 'utf16le');
    case 'utf-16be':
      return Buffer.from(text, 'utf16le').swap16();
    case 'windows-1252':
      return Buffer.from(text.replaceAll('’', '\u0092'), 'latin1');
    default:
      return Buffer.from(text);
  }
}

test('files in random encodings and notations are drafted, published and equal', async () => {
  await fc.assert(
    fc.asyncProperty(randomFile, async (file) => {
      await using folder = scopedFolder();
      const path = join(folder.path, 'random.csv');
      await writeFile(path, fileBytes(file));
      const draft = await draftFor(folder.path, [path]);
      const { records } = await publishDraft(folder.path, draft);
      const [found = []] = records.values();
      const expected = file.rows
        .map(({ code, name, day, amount, area }) => ({
          code,
          name,
          day,
          amount: amount === null ? null : Number(amount),
          area,
        }))
        .toSorted((left, right) => (left.code < right.code ? -1 : 1));
      expect(
        found.map((record) => ({
          code: record['zip'],
          name: record['name'],
          day: record['opening_date'],
          amount: record['amount'] === null ? null : Number(record['amount']),
          area: Number(record['area_m2']),
        })),
        draft.text,
      ).toEqual(expected);
    }),
    { numRuns: RUNS, seed: announceSeed('drafts') },
  );
}, 600_000);
