import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scopedFolder } from '../support/temporary-folder.ts';
import { checks, declaredLines } from './draft-of-files.ts';
import { drafted, draftFor } from './draft-under-test.ts';
import { sheetOf, workbook } from './workbook.ts';

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
