import { expect, test } from 'vitest';
import { checks, valuesOfFields } from './draft-of-files.ts';
import { drafted } from './draft-under-test.ts';

const twoWeeks = (header: string, first: string, second: string) =>
  `place_id,${header},visits\np1,${first},5\np1,${second},6\np2,${first},7\np2,${second},8\n`;

test.each([
  ['2024-01-01/2024-01-07', '2024-01-08/2024-01-14'],
  ['01.01.2024 - 07.01.2024', '08.01.2024 - 14.01.2024'],
  ['13 Jan 2024 bis 19 Jan 2024', '20 Jan 2024 bis 26 Jan 2024'],
])('%s is a period with its first and last day', async (first, second) => {
  const { text, records, metrics } = await drafted({ 'a.csv': twoWeeks('week', first, second) });
  expect(text).toContain('period: { start: week_start, end: week_end }');
  const [rows = []] = records.values();
  const spans = valuesOfFields(rows, ['week_start', 'week_end']).map(([start = '', end = '']) =>
    [start, end].map((day) => Date.parse(day ?? '') / 86_400_000),
  );
  expect(new Set(spans.map(([start = 0, end = 0]) => end - start))).toEqual(new Set([6]));
  expect(metrics).toHaveLength(1);
});

test.each([
  ['a list of days', '2024-01-01/2024-01-07/2024-01-09', '2024-01-08/2024-01-14/2024-01-16'],
  ['days and words', '2024-01-01/now', '2024-01-08/now'],
  ['ranges of numbers', '1 - 5', '6 - 10'],
])('%s are texts', async (_, first, second) => {
  const { text } = await drafted({ 'a.csv': twoWeeks('span', first, second) });
  expect(text).toContain('span: { type: string }');
});

test('one wrong interval among many keeps the column a text', async () => {
  const rows = Array.from({ length: 2100 }, (_, row) => {
    const day = new Date(Date.UTC(2000, 0, 1 + row)).toISOString().slice(0, 10);
    return `p1,${day}/${row === 2099 ? '2010-13-45' : day},${row}`;
  });
  const { text } = await drafted({ 'a.csv': `place_id,span,n\n${rows.join('\n')}\n` });
  expect(text).toContain('span: { type: string }');
});

test.each([
  [
    'date',
    'in Jan/15/2024',
    'in Jan/16/2024',
    "seem to be dates, but in no format that is known: 'in",
  ],
  ['date', '"March 1st 9h, 2023"', '"March 2nd 9h, 2023"', 'seem to be dates'],
])('%s: %s is a CHECK', async (header, first, second, doubt) => {
  const { text } = await drafted({ 'a.csv': twoWeeks(header, first, second) });
  expect(checks(text).filter((check) => check.includes(doubt))).toHaveLength(1);
});

test.each([
  ['date', '2024-01-15', '2024-01-16'],
  ['model', 'T 2024 12', 'T 2023 11'],
])('%s: %s is none', async (header, first, second) => {
  const { text } = await drafted({ 'a.csv': twoWeeks(header, first, second) });
  expect(checks(text).filter((check) => /seem to be dates/.test(check))).toEqual([]);
});

test('years and months in Japanese are a period', async () => {
  const { text, records } = await drafted({
    'a.csv': 'place_id,年月,n\np1,2023年1月,5\np1,2023年2月,6\np2,2023年1月,7\np2,2023年2月,8\n',
  });
  expect(text).toContain('format: YYYY年M月');
  const [rows = []] = records.values();
  const start = Object.keys(rows[0] ?? {}).find((name) => name.endsWith('start')) ?? '';
  expect(new Set(valuesOfFields(rows, [start]).flat())).toEqual(
    new Set(['2023-01-01', '2023-02-01']),
  );
});

test('codes of several levels whose numbers add up are a CHECK', async () => {
  const lines = (codes: readonly (readonly [string, number])[]) =>
    codes.flatMap(([code, n]) => [2021, 2022].map((year) => `${code},${year},${n * year}`));
  const levels = lines([
    ['AT', 6],
    ['AT1', 6],
    ['AT11', 1],
    ['AT12', 2],
    ['AT13', 3],
  ]);
  const { text } = await drafted({ 'a.csv': `geo,year,n\n${levels.join('\n')}\n` });
  expect(checks(text)).toEqual([
    `The codes of geo have several levels, such as AT, AT1, AT11: longer codes begin with shorter ones, and their numbers add up. So that callers do not count twice, leave all but one level out: add to rows: - where: 'length("geo") = 4' => key: [geo, year_start]`,
  ]);
  const numbered = lines(
    Array.from({ length: 15 }, (_, index) => [`S${index + 1}`, index] as const),
  );
  const other = await drafted({ 'a.csv': `site,year,n\n${numbered.join('\n')}\n` });
  expect(checks(other.text)).toEqual([]);
});

test('county 000 is the sum of the counties of its state, even in a small table', async () => {
  const { text } = await drafted({
    'a.csv':
      'STATE,COUNTY,CTYNAME,BIRTHS2020,BIRTHS2021\n01,000,Alabama,30,33\n01,001,Autauga,10,11\n01,003,Baldwin,20,22\n02,000,Alaska,5,6\n02,013,Aleutians,5,6\n',
  });
  expect(checks(text).filter((check) => check.includes("county '000'"))).toHaveLength(1);
  expect(text).toContain("totals: { county: '000' }");
});

test('intervals of an hour are its day and hour, with a CHECK, and days can be summed', async () => {
  const times = [
    '00:00 - 01.01.2024 01:00',
    '01:00 - 01.01.2024 02:00',
    '23:00 - 02.01.2024 00:00',
  ];
  const content = `zone,Time (CET),load\n${['A', 'B']
    .flatMap((zone) => times.map((time, index) => `${zone},01.01.2024 ${time},${10 + index}`))
    .join('\n')}\n`;
  const { text, rows } = await drafted({ 'a.csv': content });
  expect(checks(text)).toContain(
    'Each is an interval of 60 minutes, and the day and hour are those of its start. => time_cet_day:',
  );
  expect(valuesOfFields(rows, ['zone', 'time_cet_day', 'hour', 'load']).slice(0, 3)).toEqual([
    ['A', '2024-01-01', '00', '10'],
    ['A', '2024-01-01', '01', '11'],
    ['A', '2024-01-01', '23', '12'],
  ]);
  const days = await drafted({ 'a.csv': content }, { hours: 'days' });
  expect(days.rows.map((row) => row['load'])).toEqual(['33', '33']);
});

test('intervals of several days and an hour are texts', async () => {
  const { text } = await drafted({
    'a.csv':
      'zone,span,n\nA,2024-01-13 00:00 - 2024-01-15 01:00,1\nA,2024-01-15 01:00 - 2024-01-17 02:00,2\n',
  });
  expect(text).toContain('span: { type: string }');
});

test('intervals of several lengths are texts', async () => {
  const { text } = await drafted({
    'a.csv':
      'zone,span,n\nA,2024-01-13 00:00 - 2024-01-13 01:00,1\nA,2024-01-13 01:00 - 2024-01-13 03:00,2\n',
  });
  expect(text).toContain('span: { type: string }');
});

test('columns from one month to another become rows with the first and the last day', async () => {
  const { text, records } = await drafted({
    'stations.csv': `nlc,name,Apr 2021 to Mar 2022,Apr 2022 to Mar 2023
5131,Abbey Wood,"1,200","2,300"
3813,Aber,100,250
`,
  });
  expect(text).toContain('cadence: yearly');
  expect([...records.values()][0]).toMatchObject([
    { nlc: '3813', period_start: '2021-04-01', period_end: '2022-03-31', value: '100' },
    { nlc: '3813', period_start: '2022-04-01', period_end: '2023-03-31', value: '250' },
    { nlc: '5131', period_start: '2021-04-01', period_end: '2022-03-31', value: '1200' },
    { nlc: '5131', period_start: '2022-04-01', period_end: '2023-03-31', value: '2300' },
  ]);
});
