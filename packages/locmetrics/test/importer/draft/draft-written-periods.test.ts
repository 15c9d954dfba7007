// @module-tag slow

import { expect, test } from 'vitest';
import { checks, declaredLines } from './draft-of-files.ts';
import { drafted } from './draft-under-test.ts';

/** Periods as statistics offices and other calendars write them. */

test.each([
  ['TID', ['2023K1', '2023K4', '2024K1'], 'quarter', ['2023-01-01', '2023-10-01', '2024-01-01']],
  ['trimestre', ['2023-T1', '2023-T2'], 'quarter', ['2023-01-01', '2023-04-01']],
  ['periodo', ['1T2023', '2T2023'], 'quarter', ['2023-01-01', '2023-04-01']],
  ['Quartal', ['1. Quartal 2023', '2. Quartal 2023'], 'quarter', ['2023-01-01', '2023-04-01']],
  ['Perioden', ['2021JJ00', '2022JJ00'], 'year', ['2021-01-01', '2022-01-01']],
  ['Perioden', ['2021KW03', '2021KW04'], 'quarter', ['2021-07-01', '2021-10-01']],
  ['Perioden', ['2021MM11', '2021MM12'], 'month', ['2021-11-01', '2021-12-01']],
  ['Zeit', ['2021', '2022'], 'year', ['2021-01-01', '2022-01-01']],
  ['시점', ['2021년 1월', '2021년 12월'], 'month', ['2021-01-01', '2021-12-01']],
  ['месяц', ['январь 2023', 'декабрь 2023'], 'month', ['2023-01-01', '2023-12-01']],
  ['miesiąc', ['styczeń 2023', 'październik 2023'], 'month', ['2023-01-01', '2023-10-01']],
  ['Period', ['2023.09', '2023.10'], 'month', ['2023-09-01', '2023-10-01']],
  ['Woche', ['KW 05/2024', 'KW 06/2024'], 'week', ['2024-01-29', '2024-02-05']],
  ['week', ['2024 W05', '2024 W06'], 'week', ['2024-01-29', '2024-02-05']],
  ['period', ['Jan-Mar 2023', 'Oct-Dec 2023'], 'quarter', ['2023-01-01', '2023-10-01']],
  ['period', ['Jan 2022-Dec 2022', 'Jan 2023-Dec 2023'], 'year', ['2022-01-01', '2023-01-01']],
  ['year', ['CY2022', 'CY2023'], 'year', ['2022-01-01', '2023-01-01']],
  ['period', ['2021/Q3', '2021/Q4'], 'quarter', ['2021-07-01', '2021-10-01']],
  ['month', ['2023M12', '2024M01*'], 'month', ['2023-12-01', '2024-01-01']],
])('%s such as %j is a %s', async (name, texts, unit, starts) => {
  const { text, rows } = await drafted({ 'a.csv': tableOf(name, texts) });
  expect(declaredLines(text)).toContain(`period: { start: ${unit}_start, end: ${unit}_end }`);
  expect([...new Set(rows.map((row) => row[`${unit}_start`]))].toSorted()).toEqual(starts);
  expect(checks(text).filter((check) => /calendar|Read as|dates/.test(check))).toEqual([]);
});

test.each([
  ['ปี', ['2565', '2566'], ['2022-01-01', '2023-01-01'], "'2565' is 2022"],
  ['วันที่', ['14/02/2566', '28/02/2567'], ['2023-02-14', '2024-02-28'], "'14/02/2566' is 14/02/2023"],
  [
    'date',
    ['2566-01-31', '2566-02-01'],
    ['2023-01-31', '2023-02-01'],
    "'2566-01-31' is 2023-01-31",
  ],
  ['เดือน', ['ม.ค. 2566', 'ธ.ค. 2566'], ['2023-01-01', '2023-12-01'], 'is ธ.ค. 2023'],
  ['統計期', ['111年01月', '112年12月'], ['2022-01-01', '2023-12-01'], "'111年01月' is 2022年01月"],
  ['年', ['民國110年', '民國111年'], ['2021-01-01', '2022-01-01'], "'民國110年' is 2021年"],
  ['年度', ['109', '112'], ['2020-01-01', '2023-01-01'], "'109' is 2020"],
  ['年次', ['平成30年', '令和元年'], ['2018-01-01', '2019-01-01'], "'令和元年' is 2019年"],
  ['Period', ['2023.09', '2023.1'], ['2023-09-01', '2023-10-01'], '2023.1 is 2023.10'],
  ['Week', ['2024 Week 5', '2024 Week 6'], ['2024-01-29', '2024-02-05'], 'those of ISO 8601'],
  ['Quarter', ['Mar 2023', 'Jun 2023'], ['2023-01-01', '2023-04-01'], 'the last one of a quarter'],
  [
    'Date',
    ['Mar 2023', 'Jun 2023', 'Sep 2023', 'Dec 2023'],
    ['2023-01-01', '2023-04-01', '2023-07-01', '2023-10-01'],
    'the last one of a quarter',
  ],
  ['School Year', ['2021-22', '2022-23'], ['2021-01-01', '2022-01-01'], "'2021-22' is 2021"],
  ['Week', ['Wk 34 2021', 'Wk 35 2021'], ['2021-08-23', '2021-08-30'], 'those of ISO 8601'],
  ['year', ['CY 22', 'CY 23'], ['2022-01-01', '2023-01-01'], "'CY 22' is 2022"],
  ['year', ['FY22', 'FY23'], ['2022-01-01', '2023-01-01'], "'FY22' is 2022"],
  ['year', ['FY22/23', 'FY23/24'], ['2022-01-01', '2023-01-01'], "'FY22/23' is 2022"],
  ['season', ['2021/2022', '2022/2023'], ['2021-01-01', '2022-01-01'], "'2021/2022' is 2021"],
  ['time_period', ['201819', '202021'], ['2018-01-01', '2020-01-01'], "'201819' is 2018"],
  ['C-TIT-0', ['TIT-202311', 'TIT-202312'], ['2023-11-01', '2023-12-01'], "'TIT-202311' is 202311"],
])('%s such as %j says in a CHECK how it is read', async (name, texts, starts, doubt) => {
  const { text, rows } = await drafted({ 'a.csv': tableOf(name, texts) });
  const [, start = ''] = /period: \{ start: (\w+)/.exec(text) ?? [];
  expect([...new Set(rows.map((row) => row[start]))].toSorted()).toEqual(starts);
  expect(checks(text).filter((check) => check.includes(doubt))).toHaveLength(1);
});

test.each([
  ['day', 'Mon, 15 Jan 2024 00:00:00 GMT', 'Tue, 16 Jan 2024 00:00:00 GMT'],
  ['day', '2024/01/15 00:00:00+00', '2024/01/16 00:00:00+00'],
])('%s such as %s is a day', async (name, first, second) => {
  const { text, rows } = await drafted({ 'a.csv': tableOf(name, [first, second]) });
  expect(declaredLines(text)).toContain('period: { start: day, end: day }');
  expect([...new Set(rows.map(({ day }) => day))]).toEqual(['2024-01-15', '2024-01-16']);
});

test.each([
  ['numbers with a mark', 'day', 'visits', ['2021*', '1999'], 'visits_flag:'],
  [
    'codes of places with the number of a year',
    'site',
    'day',
    ['ST-2001', 'ST-2002'],
    'site: { type: string }',
  ],
])('%s are no years', async (_, first, second, texts, line) => {
  const isSite = first === 'site';
  const rows = texts.map((text, index) =>
    isSite ? `${text},2024-01-0${index + 1},12` : `2024-01-0${index + 1},${text},12`,
  );
  const { text } = await drafted({ 'a.csv': `${first},${second},n\n${rows.join('\n')}\n` });
  expect(declaredLines(text)).toContain(line);
  expect(declaredLines(text)).not.toContain('as: year');
});

test('numbers that look like years of another calendar are no periods without a name', async () => {
  const { text } = await drafted({
    'a.csv': 'site_id,day,n\nA,2024-01-01,2565\nA,2024-01-02,2566\n',
  });
  expect(declaredLines(text)).toContain('n: { type: integer, additive: all }');
});

test('columns for years of another calendar, school years and preliminary months become rows', async () => {
  for (const [names, start] of [
    ['2564,2565,2566', '2021-01-01'],
    ['2020-21,2021-22,2022-23', '2020-01-01'],
    ['2023M11,2023M12,2024M01*', '2023-11-01'],
    ['2023K1,2023K2,2024K1', '2023-01-01'],
    ['Jan-Mar 2023,Apr-Jun 2023,Jul-Sep 2023', '2023-01-01'],
    ['Jan 2021-Dec 2021,Jan 2022-Dec 2022,Jan 2023-Dec 2023', '2021-01-01'],
    ['янв.23,фев.23,мар.23', '2023-01-01'],
  ] as const) {
    const { rows } = await drafted({
      'a.csv': `province,${names}\nNorth,1000,1100,1200\nSouth,2000,2100,2200\n`,
    });
    expect(rows).toHaveLength(6);
    const firsts = rows.filter((row) => Object.values(row).includes(start));
    expect(firsts.map(({ value }) => value).toSorted()).toEqual(['1000', '2000']);
  }
});

function tableOf(name: string, periods: readonly string[]): string {
  const rows = periods.flatMap((period) => ['A', 'B'].map((site) => `${site};${period};12`));
  return `site_id;${name};visits\n${rows.join('\n')}\n`;
}

test.each([
  ['Anno;Giorno', ['2023;30/12', '2023;31/12', '2024;01/01'], ['2023-12-30', '2024-01-01']],
  ['year;day', ['2023;12/30', '2023;12/31', '2024;01/01'], ['2023-12-30', '2024-01-01']],
  ['year;date', ['2023;Dec 30', '2023;Dec 31', '2024;Jan 1'], ['2023-12-30', '2024-01-01']],
  ['Jahr;Tag', ['2023;30.12.', '2023;31.12.', '2024;1.1.'], ['2023-12-30', '2024-01-01']],
  ['Year_Record;Month_Record;Day_Record', ['22;03;01', '22;03;13'], ['2022-03-01', '2022-03-13']],
  ['ปี;เดือน', ['2565;1', '2566;12'], ['2022-01-01', '2023-12-01']],
  ['Fiscal Year;Quarter', ['FY2023;Q1', 'FY2024;Q4'], ['2023-01-01', '2024-10-01']],
  ['year;period', ['2022;M01', '2022;M12'], ['2022-01-01', '2022-12-01']],
])('the columns %s such as %j are a date together', async (names, days, [first, last]) => {
  const { text, rows } = await drafted({ 'a.csv': tableOf(names, days) });
  const [, start = ''] = /period: \{ start: (\w+)/.exec(text) ?? [];
  const found = [...new Set(rows.map((row) => row[start]))].toSorted();
  expect([found[0], found.at(-1)]).toEqual([first, last]);
});

test('a day and a month that could be swapped stay a text beside the year, with a CHECK', async () => {
  const { text } = await drafted({
    'a.csv': tableOf('year;date', ['2023;02/03', '2023;03/04', '2023;04/05']),
  });
  expect(checks(text).filter((check) => check.includes('days without a year'))).toHaveLength(1);
});

test.each([
  ['2023-01-31', '2023-02-28', '2023-03-31', 'month'],
  ['2023-03-31', '2023-06-30', '2023-12-31', 'quarter'],
  ['2021-12-31', '2022-12-31', '2023-12-31', 'year'],
])(
  'days such as %s, %s and %s are those of a period that ends then, with a CHECK',
  async (first, second, third, unit) => {
    const { text, rows } = await drafted({ 'a.csv': tableOf('date', [first, second, third]) });
    expect(declaredLines(text)).toContain(`period: { start: ${unit}_start, end: ${unit}_end }`);
    expect([...new Set(rows.map((row) => row[`${unit}_end`]))].toSorted()).toEqual([
      first,
      second,
      third,
    ]);
    const found = checks(text).filter((check) =>
      check.startsWith(`All dates are the last day of a ${unit}`),
    );
    expect(found).toHaveLength(1);
  },
);

test('counts with zeros at the start are numbers, with a CHECK', async () => {
  const { text, rows } = await drafted({
    'a.csv': 'site_id,day,entries\nA,2024-01-01,0000012\nA,2024-01-02,0003421\n',
  });
  expect(rows.map(({ entries }) => entries).toSorted()).toEqual(['12', '3421']);
  expect(checks(text).filter((check) => check.startsWith('Read as a number'))).toHaveLength(1);
});

test('a part of the year that is not known is a CHECK', async () => {
  const { text } = await drafted({
    'a.csv': tableOf('yr;period', ['2022;1', '2022;2', '2022;4', '2023;1']),
  });
  const found = checks(text).filter((check) =>
    check.startsWith('It seems to be a part of the year'),
  );
  expect(found).toHaveLength(1);
  expect(found[0]).toContain('=> period:');
});

test('an interval of times that no format reads is a CHECK', async () => {
  const { text } = await drafted({
    'load.csv':
      'Time (CET/CEST),load\n01.01.2024 00:00 - 01.01.2024 01:00,11\n01.01.2024 01:00 - 01.01.2024 03:00,12\n',
  });
  const found = checks(text).filter((check) => check.startsWith('They seem to be dates'));
  expect(found).toHaveLength(1);
});

test('the last days of quarters in a column of ends alone are these quarters', async () => {
  const ends = ['2023-03-31', '2023-06-30', '2023-09-30', '2023-12-31'];
  const rows = ['3053', '3065'].flatMap((code) =>
    ends.map((end, index) => `${code},${end},${index}`),
  );
  const { text } = await drafted({ 'rents.csv': `postcode,qtr_end,bonds\n${rows.join('\n')}\n` });
  expect(text).toContain('key: [postcode, quarter_start]');
  expect(text).toContain('cadence: quarterly');
});
