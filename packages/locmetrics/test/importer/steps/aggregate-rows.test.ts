import { expect, test } from 'vitest';
import { importByManifest, refusalByManifest, valuesOf } from '../import-by-manifest.ts';

const HOURS = `Time,Place,Visits,Share
01/31/2024 10:00:00 PM,a,"1,200",0.1
01/31/2024 11:00:00 PM,a,34,0.2
01/31/2024 11:00:00 PM,b,,0.5
02/01/2024 01:00:00 AM,a,5, 
02/01/2024 02:00:00 AM,a,7,0.25
`;

const DAY = `strptime("Time", '%m/%d/%Y %I:%M:%S %p')::DATE`;

const hourly = (values: string, fields: string) => `files: p.csv
rows:
  - aggregate:
      by: { day: ${JSON.stringify(DAY)}, place: Place }
      values:
${values.replaceAll(/^/gm, '        ')}
key: [day, place]
fields:
  day: { type: date }
  place: { type: string }
${fields.replaceAll(/^/gm, '  ')}`;

test('hours are aggregated by place and day, also by a new column', async () => {
  const declaration = hourly(
    `visits: { sum: Visits, format: '1,234' }
shares: { sum: Share }
mean: { mean: Share }
median: { median: Share }
least: { min: Share }
greatest: { max: Visits, format: '1,234' }
present: { count: Visits }
hours: { count: '*' }`,
    `visits: { type: integer }
shares: { type: float }
mean: { type: float }
median: { type: float }
least: { type: float }
greatest: { type: integer }
present: { type: integer }
hours: { type: integer }`,
  );
  expect(await valuesOf(declaration, { 'p.csv': HOURS })).toEqual([
    ['2024-01-31', 'a', '1234', '0.3', '0.15', '0.15', '0.1', '1200', '2', '2'],
    ['2024-01-31', 'b', null, '0.5', '0.5', '0.5', '0.5', null, '0', '1'],
    ['2024-02-01', 'a', '12', '0.25', '0.25', '0.25', '0.25', '7', '2', '2'],
  ]);
  const { notices } = await importByManifest(declaration, { 'p.csv': HOURS });
  expect(notices).toEqual(['The steps made 3 rows from the 5 rows of the files.']);
});

test('days become months by an aggregation of an aggregation', async () => {
  const declaration = `files: p.csv
rows:
  - aggregate:
      by: { day: ${JSON.stringify(DAY)}, Place: Place }
      values: { visits: { sum: Visits, format: '1,234' } }
  - where: visits IS NOT NULL
  - aggregate:
      by: { month: 'left(day, 7)', Place: Place }
      values: { visits: { mean: visits } }
key: [month, place]
fields:
  month: { type: date, format: YYYY-MM }
  place: { type: string, column: Place }
  visits: { type: float }`;
  expect(await valuesOf(declaration, { 'p.csv': HOURS })).toEqual([
    ['2024-01-01', 'a', '1234.0'],
    ['2024-02-01', 'a', '12.0'],
  ]);
});

test.each([
  ['0.1 0.2', 'sum', '0.3'],
  ['1e-1 0.2', 'sum', '0.30000000000000004'],
  ['12345678901234567890123456789012345 5', 'sum', '12345678901234567890123456789012350'],
  ['12345678901234567890123456789012345678 5', 'sum', '1.2345678901234568e+37'],
  ['9223372036854775807 9223372036854775807', 'sum', '18446744073709551614'],
  ['9223372036854775807 9223372036854775806', 'median', '9223372036854775806.5'],
  ['+1 -2.50 .5 3.', 'sum', '2'],
  ['1 2', 'median', '1.5'],
  ['1 2 4', 'median', '2'],
  ['0.001 0.002', 'median', '0.0015'],
  ['-1 -2', 'median', '-1.5'],
  ['1 2', 'mean', '1.5'],
  ['1 3', 'mean', '2'],
  ['1 1 2', 'mean', '1.3333333333333333'],
  ['10 9 100', 'min', '9'],
  ['10 9 100', 'max', '100'],
  ['1e2 3', 'max', '100'],
  ['100 -0', 'min', '0'],
])('%s: the %s is %s', async (numbers, name, expected) => {
  const declaration = `files: p.csv
rows:
  - aggregate: { by: [id], values: { n: { ${name}: n } } }
key: [id]
fields:
  id: { type: string }
  n: { type: string }`;
  const text = `id,n\n${numbers
    .split(' ')
    .map((number) => `x,${number}`)
    .join('\n')}\n`;
  expect(await valuesOf(declaration, { 'p.csv': text })).toEqual([['x', expected]]);
});

test('a text that is no number is refused with its line', async () => {
  const plain = hourly('visits: { sum: Visits }', 'visits: { type: integer }');
  const format = hourly("visits: { mean: Visits, format: '1,234' }", 'visits: { type: float }');
  const nulls = plain.replace('rows:', 'read: { nulls: [x] }\nrows:');
  const texts = HOURS.replace('34,', 'x,');
  expect(
    [
      await refusalByManifest(plain, { 'p.csv': texts }),
      await refusalByManifest(format, { 'p.csv': texts }),
      await refusalByManifest(nulls, { 'p.csv': texts }),
    ].join('\n'),
  ).toMatchInlineSnapshot(`
    "p.csv:2: rows[0].aggregate.values.visits.sum: '1,200' is not a number. If the files write numbers in another way, declare how they write 1234.5: { sum: Visits, format: "1,234.5" }. To make other texts absent, declare read: { nulls: [...] }. To leave their rows out, add a where step first.
    p.csv:3: rows[0].aggregate.values.visits.sum: 'x' is not a number. If the files write numbers in another way, declare how they write 1234.5: { sum: Visits, format: "1,234.5" }. To make other texts absent, declare read: { nulls: [...] }. To leave their rows out, add a where step first.
    p.csv:3: rows[0].aggregate.values.visits.mean: 'x' is not a number as in 1,234. If the files write numbers in another way, declare how they write 1234.5: { sum: Visits, format: "1,234.5" }. To make other texts absent, declare read: { nulls: [...] }. To leave their rows out, add a where step first.
    p.csv:2: rows[0].aggregate.values.visits.sum: '1,200' is not a number. If the files write numbers in another way, declare how they write 1234.5: { sum: Visits, format: "1,234.5" }. To make other texts absent, declare read: { nulls: [...] }. To leave their rows out, add a where step first."
  `);
});

test('a wrong value after an aggregation is reported with the first line of its group', async () => {
  const declaration = hourly('visits: { mean: Share }', 'visits: { type: integer }');
  expect(await refusalByManifest(declaration, { 'p.csv': HOURS })).toMatchInlineSnapshot(`
    "p.csv:2: visits: '0.15' is not a whole number, where day is '2024-01-31', place is 'a'. Write it without a fraction, or declare the field as float.
    p.csv:4: visits: '0.5' is not a whole number, where day is '2024-01-31', place is 'b'. Write it without a fraction, or declare the field as float.
    p.csv:5: visits: '0.25' is not a whole number, where day is '2024-02-01', place is 'a'. Write it without a fraction, or declare the field as float."
  `);
});

test('an expression of an aggregation that fails names the row', async () => {
  const declaration = hourly("visits: { count: '*' }", 'visits: { type: integer }');
  expect(
    await refusalByManifest(declaration, { 'p.csv': HOURS.replace('02/01/2024 02', 'soon') }),
  ).toMatchInlineSnapshot(
    `"p.csv:6: rows[0].aggregate.by.day: cannot be computed (Could not parse string "soon:00:00 AM" according to format specifier "%m/%d/%Y %I:%M:%S %p"). TRY_CAST returns an absent value for a text that cannot be cast; TRY(…) does so for any expression."`,
  );
});

const AGES = `Region,Month,Age,Sex,Visitors
west,2024-01,child,f,1
west,2024-01,child,m,2
west,2024-01,adult,f,4
west,2024-01,adult,m,8
east,2024-01,adult,m,16
`;

const totals = (list: string, where = '1 = 1') => `files: p.csv
rows:
  - where: ${where}
  - aggregate:
      by: [Region, Month, Age, Sex]
      values: { Visitors: { sum: Visitors } }
      totals: ${list}
key: [region, month, age, sex]
fields:
  region: { type: string, column: Region }
  month: { type: string, column: Month }
  age: { type: string, column: Age }
  sex: { type: string, column: Sex }
  visitors: { type: integer, column: Visitors }`;

test('there are totals over one column', async () => {
  const rows = await valuesOf(totals('{ Age: All ages }'), { 'p.csv': AGES });
  expect(rows.map(([region, , age, sex, visitors]) => [region, age, sex, visitors])).toEqual([
    ['east', 'All ages', 'm', '16'],
    ['east', 'adult', 'm', '16'],
    ['west', 'All ages', 'f', '5'],
    ['west', 'All ages', 'm', '10'],
    ['west', 'adult', 'f', '4'],
    ['west', 'adult', 'm', '8'],
    ['west', 'child', 'f', '1'],
    ['west', 'child', 'm', '2'],
  ]);
});

test('there are totals over two columns, each alone and both together', async () => {
  const rows = await valuesOf(totals('{ Age: all, Sex: all }', `Region = 'west'`), {
    'p.csv': AGES,
  });
  expect(rows.map(([, , age, sex, visitors]) => [age, sex, visitors])).toEqual([
    ['adult', 'all', '12'],
    ['adult', 'f', '4'],
    ['adult', 'm', '8'],
    ['all', 'all', '15'],
    ['all', 'f', '5'],
    ['all', 'm', '10'],
    ['child', 'all', '3'],
    ['child', 'f', '1'],
    ['child', 'm', '2'],
  ]);
});

test('the name of a total that is already a value is refused', async () => {
  expect(
    await refusalByManifest(totals('{ Age: adult }'), { 'p.csv': AGES }),
  ).toMatchInlineSnapshot(`
    "p.csv:4: rows[1].aggregate.totals.Age: 'adult' is already a value of 'Age'. Leave these rows out first with a where step, or give the total another text.
    … and 2 more: rows[1].aggregate.totals.Age is already a value of 'Age'."
  `);
});

test.each([
  'by: [Plac], values: { n: { sum: Visits } }',
  'by: [Place], values: { n: { sum: visits } }',
  'by: [Place], values: { n: { sum: "*" } }',
  'by: { p: upper(Plac) }, values: { n: { sum: Visits } }',
  'by: { p: count(*) }, values: { n: { sum: Visits } }',
  'by: [Place, place], values: { n: { sum: Visits } }',
  'by: [Place, Place], values: { n: { sum: Visits } }',
  'by: [Place], values: { place: { sum: Visits } }',
  'by: [Place], values: { n: { sum: Visits, mean: Visits } }',
  'by: [Place], values: { n: { format: "1,234" } }',
  'by: [Place], values: { n: { total: Visits } }',
  'by: [Place], values: { n: { sum: Visits, format: "#" } }',
  'by: [Place], values: { n: { count: Visits, format: "1,234" } }',
  'by: [Place], values: { n: { sum: Visits } }, totals: { Plac: all }',
  'by: Place, values: { n: { sum: Visits } }',
  'by: [Place], values: {}',
])('an aggregation is refused: %s', async (step) => {
  const declaration = `files: p.csv
rows:
  - aggregate: { ${step} }
key: [id]
fields:
  id: { type: string, column: Place }`;
  expect(await refusalByManifest(declaration, { 'p.csv': HOURS })).toMatchSnapshot();
});
