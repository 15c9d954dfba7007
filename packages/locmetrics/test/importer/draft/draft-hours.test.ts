// @module-tag slow

import { expect, test } from 'vitest';
import { parquetOf } from '../formats/parquet-of.ts';
import { checks, declaredLines, totalOf, valuesOfFields } from './draft-of-files.ts';
import { drafted } from './draft-under-test.ts';

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const two = (number: number) => String(number).padStart(2, '0');

/** Two sites with values for each hour of three days; the value tells the hour. */
function hourly(header: string, row: (day: string, hour: number) => string): string {
  const rows = ['S1', 'S2'].flatMap((site) =>
    [1, 2, 3].flatMap((day) => HOURS.map((hour) => `${site},${row(`2024-03-0${day}`, hour)}`)),
  );
  return `${header}\n${rows.join('\n')}\n`;
}

/** The same with a column for each hour. */
function wide(columns: readonly string[]): string {
  const rows = ['S1', 'S2'].flatMap((site) =>
    [1, 2, 3].map((day) => `${site},2024-03-0${day},${HOURS.map((hour) => hour + 1).join(',')}`),
  );
  return `site,date,${columns.join(',')}\n${rows.join('\n')}\n`;
}

/** 1 to 24, at two sites, on three days. */
const TOTAL = 2 * 3 * 300;

const halves = (hour: number) => `${hour % 12 === 0 ? 12 : hour % 12} ${hour < 12 ? 'AM' : 'PM'}`;

test.each([
  ['0 to 23', hourly('site,date,hour,count', (day, hour) => `${day},${hour},${hour + 1}`)],
  ['1 to 24', hourly('site,date,hour,count', (day, hour) => `${day},${hour + 1},${hour + 1}`)],
  ['00:00', hourly('site,date,time,count', (day, hour) => `${day},${two(hour)}:00,${hour + 1}`)],
  ['0:00:00', hourly('site,date,time,count', (day, hour) => `${day},${hour}:00:00,${hour + 1}`)],
  ['12 AM', hourly('site,date,hour,count', (day, hour) => `${day},${halves(hour)},${hour + 1}`)],
  [
    '00:00-01:00',
    hourly(
      'site,date,hour,count',
      (day, hour) => `${day},${two(hour)}:00-${two(hour + 1)}:00,${hour + 1}`,
    ),
  ],
  ['0 to 2300', hourly('site,date,time,count', (day, hour) => `${day},${hour * 100},${hour + 1}`)],
  ['times', hourly('site,time,count', (day, hour) => `${day} ${two(hour)}:00,${hour + 1}`)],
  ['columns 0:00', wide(HOURS.map((hour) => `${hour}:00`))],
  ['columns h1', wide(HOURS.map((hour) => `h${hour + 1}`))],
  ['columns 12 AM', wide(HOURS.map(halves))],
  ['columns 00:00-01:00', wide(HOURS.map((hour) => `${two(hour)}:00-${two(hour + 1)}:00`))],
])(
  'hours as %s are a dimension or days, and both have the total of the file',
  async (_, content) => {
    const measure = content.includes(',count') ? 'count' : 'value';
    const hours = await drafted({ 'counts.csv': content });
    const [dimension = ''] = /(?<= dimensions:\n {6})\w+/.exec(hours.text) ?? [];
    expect(checks(hours.text)[0]).toContain('--hours days');
    expect(hours.metrics).toHaveLength(1);
    expect(totalOf(hours.records, 'counts', measure)).toBe(TOTAL);
    const values = hours.rows.map((row) => [row[dimension], row[measure]]);
    for (const hour of HOURS) expect(values).toContainEqual([two(hour), String(hour + 1)]);

    const days = await drafted({ 'counts.csv': content }, { hours: 'days' });
    expect(days.rows).toHaveLength(6);
    expect(days.rows.every((row) => row[measure] === '300')).toBe(true);
    expect(totalOf(days.records, 'counts', measure)).toBe(TOTAL);
    expect(days.metrics).toHaveLength(1);
    expect(declaredLines(days.text)).not.toContain('dimensions:');
  },
);

test('a chosen dimension is not doubtful, and the other choice stays a comment', async () => {
  const content = hourly('site,date,hour,count', (day, hour) => `${day},${hour},${hour + 1}`);
  const { text } = await drafted({ 'counts.csv': content }, { hours: 'dimension' });
  expect(checks(text)).toEqual([]);
  expect(text).toContain(
    '    # rows:\n    #   - aggregate: { by: [site, date], values: { count: { sum: count } } }\n',
  );
  expect(text).toContain('hour: { type: string, pad: 2 }');
});

test('days have means of what has no sum, keep what is the same all day, and leave out the rest', async () => {
  const rows = ['S1', 'S2'].flatMap((site) =>
    [1, 2].flatMap((day) =>
      HOURS.map(
        (hour) =>
          `${site},North ${site},2024-03-0${day},${hour},"1,${two(hour)}0",${hour},2,${hour % 2 ? 'rain' : 'sun'}`,
      ),
    ),
  );
  const header = 'site,name,date,hour,vehicles,temperature,lanes,weather';
  const { text, rows: records } = await drafted(
    { 'a.csv': `${header}\n${rows.slice(1).join('\n')}\n` },
    { hours: 'days' },
  );
  const [check = ''] = checks(text);
  expect(check).toContain('1 of them have fewer than 24 rows.');
  expect(check).toContain('Of temperature there are means, because a sum has no meaning.');
  expect(check).toContain('Not added up, because it is the same all day: lanes.');
  expect(check).toContain('Left out, because they change in a day: weather.');
  expect(text).toContain("vehicles: { sum: vehicles, format: '1,234' }");
  expect(valuesOfFields(records, ['site', 'date', 'vehicles', 'temperature', 'lanes'])).toEqual([
    ['S1', '2024-03-01', '25760', '12.0', '2'],
    ['S1', '2024-03-02', '26760', '11.5', '2'],
    ['S2', '2024-03-01', '26760', '11.5', '2'],
    ['S2', '2024-03-02', '26760', '11.5', '2'],
  ]);
});

test('numbers in parentheses are added up as negative', async () => {
  const content = hourly('site,date,hour,change', (day, hour) => `${day},${hour},(${hour})`);
  const { rows } = await drafted({ 'a.csv': content.replaceAll('(5)', '5') }, { hours: 'days' });
  expect(rows.map((row) => row['change'])).toEqual(Array.from({ length: 6 }, () => '-266'));
});

test('copies are not added up, and each hour stays a record', async () => {
  const content = hourly('site,date,hour,count', (day, hour) => `${day},${hour},${hour + 1}`);
  const [header = '', first = '', ...rest] = content.split('\n');
  const { text, records } = await drafted(
    { 'counts.csv': [header, first, first, ...rest].join('\n') },
    { hours: 'days' },
  );
  expect(checks(text).join(' ')).toContain('rows with the same key would be counted twice');
  expect(text).toContain('- duplicates: same');
  expect(totalOf(records, 'counts', 'count')).toBe(TOTAL);
});

test('the two hours at the end of summer time are in the sum of their day', async () => {
  const hours = [0, 1, 1, 2, 3].map((hour, index) => `11/02/2014 0${hour}:00,${index + 1}`);
  const { text, rows } = await drafted(
    { 'a.csv': `Date,NB\n${hours.join('\n')}\n` },
    { hours: 'days' },
  );
  expect(text).not.toContain('duplicates');
  expect(rows).toMatchObject([{ date: '2014-11-02', nb: '15' }]);
});

test('quarters of an hour are times of day, and also add up to days', async () => {
  const rows = ['A', 'B'].flatMap((site) =>
    [1, 2].flatMap((day) =>
      [7, 8].flatMap((hour) =>
        ['00', '15', '30', '45'].map((minute) => `${site},2024-01-0${day},${hour}:${minute},3`),
      ),
    ),
  );
  const content = `site,date,time,bikes\n${rows.join('\n')}\n`;
  const times = await drafted({ 'a.csv': content });
  expect(times.rows.map((row) => row['time'])).toContain('07:15');
  const days = await drafted({ 'a.csv': content }, { hours: 'days' });
  expect(days.rows.map((row) => row['bikes'])).toEqual(['24', '24', '24', '24']);
});

test('quarters of an hour as numbers are times of day', async () => {
  const rows = ['A', 'B'].flatMap((site) =>
    [0, 15, 30, 45, 100, 115, 2345].map((time) => `${site},2024-01-01,${time},3`),
  );
  const { rows: records } = await drafted({
    'a.csv': `site,date,time,bikes\n${rows.join('\n')}\n`,
  });
  expect(records.slice(0, 7).map((row) => row['time'])).toEqual([
    '00:00',
    '00:15',
    '00:30',
    '00:45',
    '01:00',
    '01:15',
    '23:45',
  ]);
});

test.each(['dimension', 'days'] as const)('whole hours of Parquet are a %s', async (hours) => {
  const { rows, metrics } = await drafted(
    {
      'a.parquet': await parquetOf(`SELECT 's' || s AS site, DATE '2024-03-01' + d::INTEGER AS date,
        h AS hour, h + 1 AS count FROM range(2) AS a(s), range(3) AS b(d), range(24) AS c(h)`),
    },
    { hours },
  );
  expect(rows).toHaveLength(hours === 'days' ? 6 : 144);
  expect(rows[0]).toMatchObject(hours === 'days' ? { count: '300' } : { hour: '00', count: '1' });
  expect(rows.reduce((sum, row) => sum + Number(row['count']), 0)).toBe(TOTAL);
  expect(metrics).toHaveLength(1);
});

test('a total beside the hours is declared as such, and no absent value', async () => {
  const rows = ['S1', 'S2'].flatMap((site) =>
    [1, 2].flatMap((day) => [
      ...HOURS.map((hour) => `${site},2024-03-0${day},${hour},${hour + 1}`),
      `${site},2024-03-0${day},Total,300`,
    ]),
  );
  const { text, records } = await drafted({
    'counts.csv': `site,date,hour,count\n${rows.join('\n')}\n`,
  });
  expect(declaredLines(text)).not.toContain('nulls');
  expect(text).toContain('totals: { hour: Total }');
  expect([...records.values()][0]).toHaveLength(100);
});

test('hours of a month have two digits too', async () => {
  const lines = ['2024-01', '2024-02'].flatMap((month) =>
    Array.from({ length: 24 }, (_, hour) => `A,${month},${hour},${hour * 2}`),
  );
  const { text, rows } = await drafted({
    'a.csv': `site,month,hour,visits\n${lines.join('\n')}\n`,
  });
  expect(text).toContain('hour: { type: string, pad: 2 }');
  expect(new Set(rows.map(({ hour }) => hour))).toContain('09');
  expect(rows.reduce((sum, { visits }) => sum + Number(visits), 0)).toBe(1104);
});

test.each([
  ['2024-03-0#', ''],
  ['0#.03.2024', ':00'],
])('days %s between times lack midnight, with a CHECK', async (day, seconds) => {
  const content = hourly('site,time,bikes', (date, hour) => {
    const written = day.replace('#', date.slice(-1));
    return `${hour === 0 ? written : `${written} ${two(hour)}:00${seconds}`},${hour + 1}`;
  });
  const { text, records } = await drafted({ 'bikes.csv': content });
  expect(checks(text)[0]).toMatch(/^Days between times are read as their midnight: '.*' in time/);
  expect(text).toContain('key: [site, hour, time]');
  expect(totalOf(records, 'bikes', 'bikes')).toBe(TOTAL);
});

test('hours without a name are no places beside stations', async () => {
  const rows = ['2024-01-01', '2024-01-02'].flatMap((day) =>
    [0, 3, 6].flatMap((hour) =>
      ['12TH,EMBR', 'EMBR,12TH', 'MONT,12TH', '12TH,MONT'].map(
        (way, index) => `${day},${hour},${way},${hour + index + 1}`,
      ),
    ),
  );
  const { text } = await drafted({ 'ways.csv': `${rows.join('\n')}\n` });
  expect(declaredLines(text)).toContain('feature_id: column_3');
  expect(declaredLines(text)).toContain('dimensions:\n      column_2: {');
});

test('hours such as 0000 UTC are read, and a unit in brackets says what has no sum', async () => {
  const content = hourly('site,date,hora_utc,Umidade (%),Bikes', (day, hour) =>
    [day, `${two(hour)}00 UTC`, 50 + hour, hour + 1].join(','),
  );
  const { text, records } = await drafted({ 'bikes.csv': content });
  expect(text).toContain('key: [site, hora_utc, date]');
  expect(declaredLines(text)).toContain(
    "umidade: { type: integer, column: 'Umidade (%)', additive: none }",
  );
  expect(totalOf(records, 'bikes', 'bikes')).toBe(TOTAL);
});
