import { expect, test } from 'vitest';
import { checks, declaredLines, draftText, valuesOfFields } from './draft-of-files.ts';
import { drafted } from './draft-under-test.ts';

const MONTHS = ['2023-01', '2023-02', '2023-03'];

/** Each label in the first row of its group only. */
function grouped(labels: readonly string[], rowsOf: readonly string[]): string {
  return labels
    .flatMap((label, group) =>
      rowsOf.map((row, index) => `${index === 0 ? label : ''},${row},${10 * group + index}\n`),
    )
    .join('');
}

test('labels in the first row of a group are filled down, with a CHECK', async () => {
  const { text, rows, metrics } = await drafted({
    'a.csv': `District,Month,Incidents\n${grouped(['Central', 'Harbour'], MONTHS)}`,
  });
  expect(checks(text)).toContain(
    "4 rows without a label get that of the row above, such as 'Central'. If blanks are absent values, remove this step. => - fill_down: [District]",
  );
  expect(valuesOfFields(rows, ['district', 'month_start', 'incidents'])).toEqual([
    ['Central', '2023-01-01', '0'],
    ['Central', '2023-02-01', '1'],
    ['Central', '2023-03-01', '2'],
    ['Harbour', '2023-01-01', '10'],
    ['Harbour', '2023-02-01', '11'],
    ['Harbour', '2023-03-01', '12'],
  ]);
  expect(metrics).toHaveLength(1);
});

test('labels of two levels, columns without names, blank rows and columns for years are filled too', async () => {
  const levels = ['North', 'South'].flatMap((region, group) => [
    `${region},${region}ern Hill,M,${group},1,2`,
    `,,W,${group},3,4`,
    `,${region}ern Bay,M,${group},5,6`,
    `,,W,${group},7,8`,
    ',,,,,',
  ]);
  const { text, rows, records } = await drafted({
    'a.csv': `,,sex,group,2021,2022\n${levels.join('\n')}\n`,
  });
  expect(declaredLines(text)).toContain('- fill_down: [column 1, column 2]');
  expect(rows).toHaveLength(16);
  expect(valuesOfFields(rows, ['column_2', 'sex', 'value'])).toContainEqual([
    'Southern Bay',
    'W',
    '8',
  ]);
  const [, places = []] = [...records.values()];
  expect(valuesOfFields(places, ['column_2', 'column_1'])).toEqual([
    ['Northern Bay', 'North'],
    ['Northern Hill', 'North'],
    ['Southern Bay', 'South'],
    ['Southern Hill', 'South'],
  ]);
});

test('labels start again in each file', async () => {
  const content = (year: number) =>
    `District,Month,n\n${grouped(['A', 'B'], [`${year}-01`, `${year}-02`])}`;
  const { rows } = await drafted({ 'a1.csv': content(2022), 'a2.csv': content(2023) });
  expect(rows.map((row) => row['district'])).toEqual(['A', 'A', 'A', 'A', 'B', 'B', 'B', 'B']);
});

test('labels that no key needs can be absent values, so they are a CHECK', async () => {
  const text = await draftText({
    'a.csv': `Region,District,n\n${grouped(['North', 'South'], ['Hill', 'Bay']).replace(',Bay,11', ',Cove,11').replace('Hill,10', 'Dale,10')}`,
  });
  expect(declaredLines(text)).not.toContain('fill_down: [');
  expect(checks(text)).toContain(
    "2 rows have no Region. If each stands for the rows below it, as 'North' may, add the step fill_down: [Region] under rows. => region: { type: string, column: Region }",
  );
});

test.each([
  ['labels that repeat', 'flag,id,n\np,S1,10\n,S2,20\np,S3,30\n,S4,40\n'],
  ['a blank first row', 'note,id,n\n,S1,10\nx,S2,20\n,S3,30\ny,S4,40\n,S5,50\n'],
  ['more labels than blanks', 'code,id,n\na,S1,10\nb,S2,20\n,S3,30\nc,S4,40\n'],
])('a column with %s is not filled', async (_, content) => {
  expect(await draftText({ 'a.csv': content })).not.toContain('fill_down: [');
});
