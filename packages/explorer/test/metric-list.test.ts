import type { Metric } from '@locmetrics/client';
import { expect, test } from 'vitest';
import { changeView, readMetricView } from '../src/data/metric-view.ts';
import { changePercent } from '../src/views/metric/change-percent.ts';
import type { ChartData } from '../src/views/metric/chart-data.ts';
import { chartSvg } from '../src/views/metric/chart-svg.ts';
import {
  toAverageChart,
  toIndexChart,
  toPeriodChart,
  toTotalsChart,
} from '../src/views/metric/chart-transforms.ts';
import { mapLayerOf, noMapWords } from '../src/views/metric/map-layer-of.ts';
import { findAgainst } from '../src/views/metric/period-against.ts';
import {
  compareRows,
  type RankedRow,
  rankRows,
  searchRows,
  sortRows,
} from '../src/views/metric/ranking.ts';
import { findStretch, spansOf, stretchesOf } from '../src/views/metric/spans.ts';

test('groups have a map if their component has a layer, and otherwise a sentence', () => {
  const component = (id: string, mapLayerId: string) => ({
    ...{ component: id, catalogId: 'shared', mapLayerId, displayName: id.toUpperCase() },
  });
  // Only these members are read.
  const metric = {
    catalogId: 'own',
    layerId: 'zones',
    layer: { addressComponentsList: [component('state', 'states'), component('kind', '')] },
    dimensionsList: [{ dimensionId: 'age', displayName: 'Age' }],
  } as unknown as Metric;
  const of = (kind: 'component' | 'dimension', id: string) => mapLayerOf(metric, { kind, id });
  expect(mapLayerOf(metric, undefined)).toEqual({ catalogId: 'own', layerId: 'zones' });
  expect(of('component', 'state')).toEqual({ catalogId: 'shared', layerId: 'states' });
  expect([of('component', 'kind'), of('dimension', 'age')]).toEqual([undefined, undefined]);
  expect(noMapWords(metric, { kind: 'dimension', id: 'age' })).toBe(
    'There is no map, because Age is not a place.',
  );
  expect(noMapWords(metric, { kind: 'component', id: 'kind' })).toBe(
    'There is no map, because KIND has no layer with outlines or points.',
  );
});

test('the stretches of a metric cover its days, and the last complete one is shown at first', () => {
  const daily = timed('DAILY', '2020-03-01', '2021-04-20');
  expect(spansOf(daily)).toEqual(['month', 'period', 'year', 'all']);
  const months = stretchesOf(daily, 'month');
  expect(months).toHaveLength(14);
  expect(months[1]).toEqual({ start: '2020-04-01', end: '2020-04-30', label: 'April 2020' });
  expect(months[findStretch(months, undefined, '2021-04-20')]?.label).toBe('March 2021');
  expect(months[findStretch(months, '2020-04-17', '2021-04-20')]?.label).toBe('April 2020');
  expect(months[findStretch(months, '1999-01-01', '2021-04-20')]?.label).toBe('March 2020');
  expect(stretchesOf(daily, 'period')).toHaveLength(416);
  const monthly = timed('MONTHLY', '2022-11-01', '2023-03-31');
  expect(stretchesOf(monthly, 'quarter').map(({ label }) => label)).toEqual(['Q4 2022', 'Q1 2023']);
  const weekly = timed('WEEKLY_MON_SUN', '2024-01-01', '2024-01-21');
  expect(stretchesOf(weekly, 'period').map(({ start, end }) => [start, end])).toEqual([
    ['2024-01-01', '2024-01-07'],
    ['2024-01-08', '2024-01-14'],
    ['2024-01-15', '2024-01-21'],
  ]);
  expect(spansOf(timed('YEARLY', '', ''))).toEqual(['all']);
});

test('windows that overlap are single, and compared with one that ends before', () => {
  const rolling = {
    ...timed('TRIMONTHLY', '2023-01-01', '2023-12-31'),
    spec: { cadence: 'TRIMONTHLY', rollingObservationWindow: true } as Metric['spec'],
  };
  expect(spansOf(rolling)).toEqual(['period']);
  const stretches = stretchesOf(rolling, 'period');
  expect(stretches[1]).toMatchObject({ start: '2023-02-01', end: '2023-04-30' });
  const against = findAgainst(undefined, { stretches, index: 5, span: 'period' });
  expect(against).toMatchObject({ compare: 'PREVIOUS', stretch: { start: '2023-03-01' } });
});

test('a period is compared with the year before, else with the one before, else with nothing', () => {
  const stretches = stretchesOf(timed('MONTHLY', '2022-01-01', '2023-03-31'), 'period');
  const label = (named: string | undefined, index: number): string => {
    const against = findAgainst(named, { stretches, index, span: 'period' });
    return against.kind === 'none' ? 'none' : `${against.kind} ${against.stretch.label}`;
  };
  expect(label(undefined, 13)).toBe('service February 2022');
  expect(label(undefined, 3)).toBe('service March 2022');
  expect(label(undefined, 0)).toBe('none');
  expect(label('none', 13)).toBe('none');
  expect(label('previous', 13)).toBe('service January 2023');
  expect(label('last-year', 3)).toBe('none');
  expect(label('2022-05-09', 13)).toBe('other May 2022');
});

test('rows without a number come last in either direction, and equal numbers share a rank', () => {
  const rows = [row('a', 5), row('b', null), row('c', 9), row('d', 5)];
  const ranks = (sort: '-value' | 'value' | '-name'): unknown =>
    rankRows(sortRows(rows, sort), sort).map(({ row: { id }, rank }) => [id, rank]);
  expect(ranks('-value')).toEqual([
    ['c', 1],
    ['a', 2],
    ['d', 2],
    ['b', undefined],
  ]);
  expect(ranks('value')).toEqual([
    ['a', 1],
    ['d', 1],
    ['c', 3],
    ['b', undefined],
  ]);
  expect(ranks('-name')).toEqual([
    ['d', 1],
    ['c', 2],
    ['b', 3],
    ['a', 4],
  ]);
});

test('a search finds names without their accents, and areas', () => {
  const rows = rankRows([{ ...row('HALE', 1), name: 'Haleakalā', detail: 'Hawaii' }], '-value');
  for (const text of ['haleakala', 'HAWAII', 'hale', ' '])
    expect(searchRows(rows, text)).toEqual(rows);
  expect(searchRows(rows, 'maui')).toEqual([]);
});

test('there is no change in percent from 0, and no change from an absent value', () => {
  const [grown, first, gone] = compareRows(
    [row('a', 5), row('b', 5), row('c', null)],
    [row('a', 4), row('b', 0), row('c', 3)],
  );
  expect(grown).toMatchObject({ compared: 4, change: 1, percent: 25 });
  expect(first).toMatchObject({ compared: 0, change: 5, percent: undefined });
  expect(gone).toMatchObject({ change: undefined, percent: undefined });
});

test('a year that lacks a value has no total, but a mean; a part of a year says so', () => {
  const days = ['01', '02', '03', '04'].flatMap((month) => [
    `2022-${month}-01`,
    `2023-${month}-01`,
  ]);
  const chart = chartOf([...days.sort(), '2024-01-01'], [1, 2, 3, 4, 5, null, 7, 8, 9]);
  const totals = toTotalsChart(chart, { isSum: true });
  expect(totals.points.map(({ label }) => label)).toEqual([
    '2022',
    '2023',
    '2024, only 1 of its months',
  ]);
  expect(totals.series[0]?.values).toEqual([10, null, 9]);
  expect(toTotalsChart(chart, { isSum: false }).series[0]?.values).toEqual([2.5, 20 / 3, 9]);
});

test('a moving average has a gap where one of its periods is absent', () => {
  const days = Array.from(
    { length: 10 },
    (_, day) => `2024-01-${String(day + 1).padStart(2, '0')}`,
  );
  const values = [1, 2, 3, 4, 5, 6, 7, 8, null, 10];
  expect(toAverageChart(chartOf(days, values), 'DAILY').series[0]?.values).toEqual([
    ...[null, null, null, null, null, null],
    4,
    5,
    null,
    null,
  ]);
});

test('an index begins with 100, and there is none of 0', () => {
  const days = ['2024-01-01', '2024-02-01', '2024-03-01'];
  expect(toIndexChart(chartOf(days, [null, 4, 5])).series[0]?.values).toEqual([null, 100, 125]);
  expect(toIndexChart(chartOf(days, [0, 4, 5])).series[0]?.values).toEqual([null, null, null]);
});

test('the same days of each year are added up, also in a leap year', () => {
  const days = ['2023-02-01', '2023-02-28', '2023-03-01', '2024-02-01', '2024-02-29', '2025-02-01'];
  const chart = toPeriodChart(chartOf(days, [1, 2, 100, 3, 4, 5]), {
    stretch: { start: '2024-02-01', end: '2024-02-29', label: 'February 2024' },
    cadence: 'DAILY',
    isSum: true,
  });
  expect(chart.points.map(({ label }) => label)).toEqual([
    'February 2023',
    'February 2024',
    'February 2025',
  ]);
  expect(chart.series[0]?.values).toEqual([3, 7, 5]);
});

test('a picture has the words of a chart as text, and gaps in its lines', () => {
  const chart = chartOf(['2024-01-01', '2024-02-01', '2024-03-01', '2024-04-01'], [1, 2, null, 3]);
  const words = { title: 'A <b>& "c"', subtitle: 'b', source: 'Source: d' };
  const svg = chartSvg(chart, words, () => 'rgb(1, 2, 3)');
  expect(svg).toContain('<title>A &lt;b&gt;&amp; &quot;c&quot;</title>');
  expect(svg).toContain('>Source: d</text>');
  const [, path = ''] = /<path d="([^"]*)" fill="none"/.exec(svg) ?? [];
  expect(path.match(/M/g)).toHaveLength(2);
  expect(path.match(/L/g)).toHaveLength(1);
});

test('the state of the list is read from the address, and refused if it is damaged', () => {
  const view = {
    group: { kind: 'component', id: 'state' },
    groups: ['a'],
    aggregate: 'avg',
    span: 'year',
    at: '2020-04-01',
    against: 'previous',
    sort: '-percent',
    compare: 'index',
    classes: [1, 5],
    hidden: ['#0'],
  };
  expect(readMetricView(view)).toEqual(view);
  expect(readMetricView({ against: '2019-04-01' })).toEqual({ against: '2019-04-01' });
  for (const [name, given] of [
    ['group', { kind: 'place', id: 'a' }],
    ['groups', []],
    ['aggregate', 'total'],
    ['span', 'week'],
    ['at', '2020-04-31'],
    ['against', 'last'],
    ['sort', '+value'],
    ['classes', [2, 1]],
    ['hidden', '#0'],
  ] as const) {
    expect(() => readMetricView({ [name]: given })).toThrow(`'${name}' in the address`);
  }
});

test('entries of the legend stay left out until the map has another legend', () => {
  const view = { at: '2020-04-01', hidden: ['#0'] };
  expect(changeView(view, { at: '2020-05-01' })).toEqual({ at: '2020-05-01', hidden: ['#0'] });
  expect(changeView(view, { group: undefined }).hidden).toBeUndefined();
  expect(changeView(view, { classes: 'intervals' }).hidden).toBeUndefined();
  expect(changeView(view, { hidden: ['none'] }).hidden).toEqual(['none']);
});

type Timed = Parameters<typeof stretchesOf>[0];

function timed(cadence: Metric['spec']['cadence'], first: string, last: string): Timed {
  // Only these members of a specification are read.
  const spec = { cadence, rollingObservationWindow: false } as Metric['spec'];
  return { spec, firstObservationDate: first, lastObservationDate: last };
}

function row(id: string, value: number | null): RankedRow {
  const compared = { compared: undefined, change: undefined, percent: undefined };
  return { id, name: id, detail: '', value, ...compared, periodsWithValues: 1, periods: 1 };
}

function chartOf(days: readonly string[], values: readonly (number | null)[]): ChartData {
  return {
    points: days.map((key) => ({ key, last: key, time: Date.parse(key) / 1000, label: key })),
    series: [
      { id: 'a', placeId: 'a', name: 'A', title: 'a', tone: { kind: 'series', index: 0 }, values },
    ],
    unit: 'People',
    pointWord: 'Month',
    isByYear: false,
    isJoined: true,
    hiddenSeries: 0,
  };
}

test.each([
  [-12.34, '-12.3 %', true],
  [-0.05, '-0.1 %', true],
  [-0.04, '< 0.1 %', false],
  [0, '0.0 %', false],
  [0.0001, '< 0.1 %', false],
  [0.05, '+0.1 %', false],
])('a change of %d %% reads %s', (percent, text, falls) => {
  expect(changePercent(percent)).toEqual({ text, falls });
});
