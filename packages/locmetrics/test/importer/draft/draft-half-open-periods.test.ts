// @module-tag slow

import { expect, test } from 'vitest';
import { declaredLines, valuesOfFields } from './draft-of-files.ts';
import { drafted } from './draft-under-test.ts';

const PLACES = 'id,name,lat,lng\np1,North,40.1,-75.1\np2,South,40.2,-75.2\n';

/** Visits of two places in these periods. */
function visits(...periods: readonly (readonly [start: string, end: string])[]): string {
  const rows = periods.flatMap(([start, end], index) =>
    ['p1', 'p2'].map((place, number) => `${place},${start},${end},${100 * index + number + 5}`),
  );
  return `place_id,date_range_start,date_range_end,visits\n${rows.join('\n')}\n`;
}

async function periodsOf(content: string) {
  const { text, rows, metrics, records } = await drafted({
    'places.csv': PLACES,
    'visits.csv': content,
  });
  const found = [...records.values()].at(-1) ?? rows;
  const days = found.map((row) => `${row['date_range_start']} ${row['date_range_end']}`);
  return { text, metrics, days: [...new Set(days)], found };
}

test('a week from midnight to midnight, with an offset, has seven local days', async () => {
  const { text, days, metrics, found } = await periodsOf(
    visits(['2020-09-07T00:00:00-05:00', '2020-09-14T00:00:00-05:00']),
  );
  expect(days).toEqual(['2020-09-07 2020-09-13']);
  expect(text).toContain('zone: local, end: exclusive');
  expect(text).not.toContain('hour');
  expect(text).toContain('key: [place_id, date_range_start]');
  expect(text).toContain('cadence: weekly_mon_sun');
  expect(metrics.map(({ metric }) => metric.metricId)).toEqual(['visits']);
  expect(found.map((row) => row['visits'])).toEqual(['5', '6']);
});

test('offsets east of Greenwich, and those of summer and winter, keep the days as they are written', async () => {
  const { days } = await periodsOf(
    visits(
      ['2020-10-19T00:00:00+02:00', '2020-10-26T00:00:00+01:00'],
      ['2020-10-26T00:00:00+01:00', '2020-11-02T00:00:00+01:00'],
    ),
  );
  expect(days.toSorted()).toEqual(['2020-10-19 2020-10-25', '2020-10-26 2020-11-01']);
});

test('an end that is the start of another row is exclusive, also without a time', async () => {
  const { text, days } = await periodsOf(
    visits(['2020-09-01', '2020-10-01'], ['2020-10-01', '2020-11-01']),
  );
  expect(days.toSorted()).toEqual(['2020-09-01 2020-09-30', '2020-10-01 2020-10-31']);
  expect(text).toContain('cadence: monthly');
  expect(text).toContain(
    '# Each end is the start of another period, so it does not belong to the period.',
  );
});

test('one period that is a week or a month only without its end is read so, with a CHECK', async () => {
  const { text, days } = await periodsOf(visits(['2020-09-07', '2020-09-14']));
  expect(days).toEqual(['2020-09-07 2020-09-13']);
  expect(text).toContain('# CHECK: The end is read as the day after the period');
});

test('ends that belong to their period stay as they are', async () => {
  for (const [periods, expected] of [
    [
      [
        ['2020-09-07', '2020-09-13'],
        ['2020-09-14', '2020-09-20'],
      ],
      '2020-09-07 2020-09-13',
    ],
    [[['2020-09-07 00:00:00', '2020-09-13 00:00:00']], '2020-09-07 2020-09-13'],
    [[['2020-09-07T00:00:00', '2020-09-13T23:59:59']], '2020-09-07 2020-09-13'],
    // Windows of seven days that move by a day.
    [
      [
        ['2020-09-01', '2020-09-07'],
        ['2020-09-02', '2020-09-08'],
        ['2020-09-07', '2020-09-13'],
      ],
      '2020-09-01 2020-09-07',
    ],
  ] as const) {
    const { text, days } = await periodsOf(visits(...periods));
    expect(declaredLines(text)).not.toContain('exclusive');
    expect(text).not.toContain('hour');
    expect(days).toContain(expected);
  }
});

test('times of day with an offset keep the hour and the day of the place', async () => {
  const { text, rows } = await drafted({
    'a.csv': `sensor,at,n\n${[22, 23].flatMap((hour) => ['A', 'B'].map((one) => `${one},2024-01-05T${hour}:00:00-05:00,${hour}`)).join('\n')}\n`,
  });
  expect(text).toContain('zone: local');
  expect(rows.map((row) => [row['at'], row['hour']])).toContainEqual(['2024-01-05', '22']);
});

test('the last hour of a day ends at midnight, and is on that day', async () => {
  const hours = [21, 22, 23].flatMap((hour) =>
    [7, 8].map((sensor) => {
      const end = hour === 23 ? '2024-03-02 00:00' : `2024-03-01 ${hour + 1}:00`;
      return `${sensor},2024-03-01 ${hour}:00,${end},${hour * sensor}`;
    }),
  );
  const { text, rows } = await drafted({
    'a.csv': `sensor,time_start,time_end,cars\n${hours.join('\n')}\n`,
  });
  expect(text).toContain("time_end: { type: date, format: 'YYYY-MM-DD HH:mm', end: exclusive }");
  expect(text).toContain('cadence: daily');
  expect(new Set(rows.map((row) => row['time_end']))).toEqual(new Set(['2024-03-01']));
});

test('midnights in UTC are the days that are written, without a CHECK for the zone', async () => {
  const { text, days } = await periodsOf(
    visits(
      ['2024-01-01T00:00:00Z', '2024-02-01T00:00:00Z'],
      ['2024-02-01T00:00:00Z', '2024-03-01T00:00:00Z'],
    ),
  );
  expect(days.toSorted()).toEqual(['2024-01-01 2024-01-31', '2024-02-01 2024-02-29']);
  expect(text).not.toContain('time zone');
});

test('times in UTC that are all midnights of a time zone are its days, in summer too', async () => {
  const months = ['01-01T08', '02-01T08', '04-01T07', '07-01T07', '12-01T08'];
  const rows = months.flatMap((at, index) => [
    { site: 'Pier', date: `2020-${at}:00:00.000Z`, count: index + 1 },
    { site: 'Park', date: `2020-${at}:00:00.000Z`, count: 10 },
  ]);
  const { text, rows: values } = await drafted({ 'counts.json': JSON.stringify(rows) });
  expect(text).toContain(`        zone: America/Los_Angeles
        as: month
`);
  expect(text).toContain('# CHECK: All times are midnights in America/Los_Angeles');
  expect(text).not.toContain('hour:');
  expect(valuesOfFields(values, ['month_start', 'month_end']).slice(0, 1)).toEqual([
    ['2020-01-01', '2020-01-31'],
  ]);
});

test('times of which some are no midnights keep their hour', async () => {
  const rows = [1, 2, 3, 4].map((day) => ({
    site: 'Pier',
    date: `2020-01-0${day}T0${day}:00:00Z`,
    count: day,
  }));
  const { text } = await drafted({ 'counts.json': JSON.stringify(rows) });
  expect(text).toContain('zone: UTC');
  expect(text).toContain('hour:');
});

test('midnights at the end of whole months are the last days, with a CHECK', async () => {
  const rows = ['A', 'B'].flatMap((place) => [
    `${place},2024-01-01T00:00:00,2024-01-31T00:00:00,5`,
    `${place},2024-02-01T00:00:00,2024-02-29T00:00:00,6`,
  ]);
  const { text, rows: records } = await drafted({
    'a.csv': `place_id,date_range_start,date_range_end,visits\n${rows.join('\n')}\n`,
  });
  expect(records[0]).toMatchObject({ date_range_end: '2024-01-31' });
  expect(text.replaceAll(/\n +# {3}/g, ' ')).toContain(
    '# CHECK: Each end is a midnight, and its day is read as the last one of the period',
  );
});
