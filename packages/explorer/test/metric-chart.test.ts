import type { CalendarDate, Period } from '@locmetrics/client';
import { expect, test } from 'vitest';
import { readMetricView } from '../src/data/metric-view.ts';
import { isWithheld } from '../src/data/withheld-queries.ts';
import { toDay } from '../src/format/periods.ts';
import { chartCsv } from '../src/views/metric/chart-csv.ts';
import type { ChartData } from '../src/views/metric/chart-data.ts';
import { toChangeChart, toYearChart } from '../src/views/metric/compare-years.ts';
import { fillPeriods, fromDay, yearBefore } from '../src/views/metric/fill-periods.ts';

test('missing days, weeks, months and quarters are filled in', () => {
  const starts = (cadence: Parameters<typeof fillPeriods>[1]['cadence'], days: string[]) =>
    fillPeriods(days.map(onDay), { cadence, rollingObservationWindow: false }).map(({ start }) =>
      toDay(start),
    );
  expect(starts('DAILY', ['2020-03-01', '2020-02-28'])).toEqual([
    '2020-02-28',
    '2020-02-29',
    '2020-03-01',
  ]);
  expect(starts('WEEKLY', ['2020-01-01', '2020-01-22'])).toHaveLength(4);
  expect(starts('MONTHLY', ['2019-12-01', '2020-02-01'])).toEqual([
    '2019-12-01',
    '2020-01-01',
    '2020-02-01',
  ]);
  expect(starts('QUARTERLY', ['2019-10-01', '2020-07-01'])).toHaveLength(4);
  expect(starts('UNSPECIFIED', ['2019-10-01', '2020-07-01'])).toHaveLength(2);
});

test('a filled period ends where its cadence says', () => {
  const filled = fillPeriods([onDay('2020-01-01'), onDay('2020-03-01')], {
    cadence: 'MONTHLY',
    rollingObservationWindow: false,
  });
  expect(filled.map(({ end }) => toDay(end))[1]).toBe('2020-02-29');
});

test('a day is compared with the same weekday, a month with the same month', () => {
  const rolling = { rollingObservationWindow: false };
  expect(yearBefore('2021-03-01', { cadence: 'DAILY', ...rolling })).toBe('2020-03-02');
  expect(yearBefore('2024-02-29', { cadence: 'MONTHLY', ...rolling })).toBe('2023-02-28');
});

test('a value is withheld by its flag; of several measures, each has a flag of its own', () => {
  const alone = { supportingValuesList: [], flagsList: ['withheld'] };
  expect(isWithheld(alone, { name: 'visits' })).toBe(true);
  expect(isWithheld({ ...alone, flagsList: ['estimate'] }, { name: 'visits' })).toBe(false);
  const staff = { name: 'staff', unit: '', number: null, count: 0, category: '' };
  const both = { supportingValuesList: [staff], flagsList: ['withheld', 'withheld_staff'] };
  expect(isWithheld(both, { name: 'visits' })).toBe(false);
  expect(isWithheld(both, { name: 'staff' })).toBe(true);
});

test('29 February is no gap in the line of a year without it', () => {
  const days = ['2020-02-28', '2020-02-29', '2020-03-01', '2021-02-28', '2021-03-01'];
  const chart = toYearChart(chartOf(days, [1, 2, 3, 4, 5]), 'a', 'DAILY');
  expect(chart.points.map(({ label }) => label)).toEqual(['Feb 28', 'Feb 29', 'Mar 1']);
  expect(chart.series.map(({ name, values }) => [name, values])).toEqual([
    ['2021', [4, undefined, 5]],
    ['2020', [1, 2, 3]],
  ]);
});

test('there is no change from an absent value, from 0 or from a negative one', () => {
  const days = ['2020-01-01', '2020-02-01', '2020-03-01', '2020-04-01'];
  const all = [...days, ...days.map((day) => day.replace('2020', '2021'))];
  const chart = chartOf(all, [100, null, 0, -5, 150, 1, 1, 1]);
  const spec = { cadence: 'MONTHLY', rollingObservationWindow: false } as const;
  // Only these members of a specification are read.
  const metric = { spec } as Parameters<typeof toChangeChart>[1];
  const changes = toChangeChart(chart, metric, undefined);
  expect(changes.points.map(({ key }) => key)[0]).toBe('2021-01-01');
  expect(changes.series[0]?.values).toEqual([50, null, null, null]);
});

test('a name that a spreadsheet would run is text in the file', () => {
  const chart = chartOf(['2020-01-01'], [-1.5]);
  const [series] = chart.series;
  if (series === undefined) throw new Error('The chart has no series.');
  const named = { ...chart, series: [{ ...series, name: '=HYPERLINK("x")', title: 'a' }] };
  expect(chartCsv(named)).toBe(
    '\uFEFFFirst day,Last day,"\'=HYPERLINK(""x"") (a), People"\r\n2020-01-01,2020-01-01,-1.5\r\n',
  );
});

test('an address that cannot be read is refused with the part that is wrong', () => {
  expect(readMetricView({ features: ['a', 'a', 'b'], from: '2020-01-01' })).toEqual({
    features: ['a', 'b'],
    from: '2020-01-01',
  });
  for (const [name, given] of [
    ['features', 'a'],
    ['features', []],
    ['features', ['1', '2', '3', '4', '5', '6', '7']],
    ['components', [{ component: 'a' }]],
    ['dimensions', [{ values: ['a'] }]],
    ['to', 2020],
    ['measure', 1],
    ['compare', 'months'],
  ] as const) {
    expect(() => readMetricView({ [name]: given })).toThrow(`'${name}' in the address`);
  }
});

function onDay(day: string): Period {
  const start: CalendarDate = fromDay(day);
  return { start, end: start };
}

function chartOf(days: readonly string[], values: readonly (number | null)[]): ChartData {
  return {
    points: days.map((key) => ({ key, last: key, time: Date.parse(key) / 1000, label: key })),
    series: [
      {
        id: 'a',
        placeId: 'a',
        name: 'A',
        title: 'a',
        tone: { kind: 'series', index: 0 },
        values,
      },
    ],
    unit: 'People',
    pointWord: 'Day',
    isByYear: false,
    isJoined: true,
    hiddenSeries: 0,
  };
}
