import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scopedFolder } from '../../support/temporary-folder.ts';
import { text as cell, number, sheetOf, workbook } from '../formats/workbook.ts';
import { checks, declaredLines, totalOf } from './draft-of-files.ts';
import { drafted, draftFor } from './draft-under-test.ts';

const NOTES = [['About these data'], ['Source: the town'], ['Contact: the town']];
const STATIONS = [
  ['id', 'name', 'lat', 'lon'],
  ['s1', 'One', 41.5, -91],
  ['s2', 'Two', 42.5, -92],
];
const RIDERS = [
  ['station', '2024-01', '2024-02', '2024-03'],
  ['s1', 10, 11, 12],
  ['s2', 20, 21, 22],
];

test('all sheets of a workbook that are tables are drafted, also those with a column for each month', async () => {
  const { text, records, metrics } = await drafted({
    'town.xlsx': workbook({
      sheets: {
        Notes: sheetOf(NOTES),
        Stations: sheetOf(STATIONS),
        'Riders 2024': sheetOf(RIDERS),
      },
    }),
  });
  expect([...records].map(([name, rows]) => [name.replace(/.*\./, ''), rows.length])).toEqual([
    ['town_stations', 2],
    ['town_riders_2024', 6],
  ]);
  expect(declaredLines(text)).toContain('sheet: Stations');
  expect(declaredLines(text)).toContain('sheet: Riders 2024');
  expect(checks(text)).toContain("The workbook also has 'Notes'. => sheet: Stations");
  expect(metrics).toHaveLength(1);
});

test('one sheet can be named, and an unknown name is refused with those that there are', async () => {
  await using folder = scopedFolder();
  const path = join(folder.path, 'town.xlsx');
  await writeFile(
    path,
    workbook({ sheets: { Stations: sheetOf(STATIONS), Riders: sheetOf(RIDERS) } }),
  );
  const { datasets } = await draftFor(folder.path, [path], { sheet: 'Riders' });
  expect(datasets.map(({ files }) => files[0]?.reading.sheet)).toEqual(['Riders', 'Riders']);
  await expect(draftFor(folder.path, [path], { sheet: 'Rider' })).rejects.toThrow(
    "has no sheet 'Rider'",
  );
});

test('a list of places without numbers is a table, and the explanations of columns are none', async () => {
  const { text, records, metrics } = await drafted({
    'book.xlsx': workbook({
      sheets: {
        About: sheetOf([
          ['Column', 'Description'],
          ['station', 'The code of the station'],
          ['visits', 'How many people came'],
        ]),
        Stations: sheetOf([
          ['station', 'name', 'operator'],
          ['A', 'Alder', 'North'],
          ['B', 'Birch', 'South'],
          ['C', 'Cedar', 'North'],
        ]),
        Visits: sheetOf([
          ['station', 'month', 'visits'],
          ...['A', 'B', 'C'].flatMap((station, index) =>
            ['2024-01', '2024-02'].map((month) => [station, month, 10 * (index + 1)]),
          ),
        ]),
      },
    }),
  });
  expect([...records.keys()].map((name) => name.replace(/.*\./, ''))).toEqual([
    'book_stations',
    'book_visits',
  ]);
  expect(text).toContain("The workbook also has 'About'.");
  expect(text).toContain('layer: book_stations');
  expect(totalOf(records, 'book_visits', 'visits')).toBe(120);
  expect(metrics).toHaveLength(1);
});

test('numbers that a workbook shows with zeros at the start are codes, and padded', async () => {
  const rows = [1001, 1003, 56_001].map((code, index) => ({
    A: number(String(code), 1),
    B: number(String(10 * index)),
    C: number(String(index), 2),
  }));
  const { text, rows: records } = await drafted({
    'a.xlsx': workbook({
      sheets: {
        S: {
          1: { A: cell('area'), B: cell('visits'), C: cell('share') },
          2: rows[0] ?? {},
          3: rows[1] ?? {},
          4: rows[2] ?? {},
        },
      },
      formats: ['00000', '0.00'],
    }),
  });
  expect(text.replaceAll(/\n +# {3}/g, ' ')).toContain(
    '# CHECK: The workbook shows 5 digits, so these are codes and padded: 1001 is 01001. If they are numbers, write type: integer.\n      area: { type: string, pad: 5 }',
  );
  expect(records.map((row) => row['area'])).toEqual(['01001', '01003', '56001']);
  expect(text).toContain('visits: { type: integer');
});

test('the rows above the table of a sheet say its period, and that its values are means', async () => {
  const dated = await drafted({
    'town.xlsx': workbook({
      sheets: {
        Visits: sheetOf([
          ['Visits in May 2024'],
          [],
          ['station', 'visits'],
          ['s1', 10],
          ['s2', 20],
        ]),
      },
    }),
  });
  expect(checks(dated.text).join(' ')).toContain(
    "The rows have no period, so it is that of the lines above the table, 'May 2024'.",
  );
  expect(dated.metrics).toHaveLength(1);
  const means = await drafted({
    'town.xlsx': workbook({
      sheets: { Riders: sheetOf([['Average Daily Riders'], [], ...RIDERS]) },
    }),
  });
  expect(checks(means.text).join(' ')).toContain("The line 'Average Daily Riders' above the table");
});
