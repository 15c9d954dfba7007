import { expect, test } from 'vitest';
import { checks, totalOf, valuesOfFields } from './draft-of-files.ts';
import { drafted } from './draft-under-test.ts';

const PLACES = 'placekey\nzzw-222@8f\nzzw-223@8f\n';

const lists = (period: string, ...weeks: readonly string[]) =>
  `placekey,${period},visits_by_day\n${weeks.map((week) => `zzw-222@8f,${week},"[1,2,3,4,5,6,7]"\nzzw-223@8f,${week},"[2,2,3,4,5,6,8]"\n`).join('')}`;

test.each([
  ['with an end', lists('date_range_start,date_range_end', '2024-01-01,2024-01-08'), 58],
  ['with a start alone', lists('date_range_start', '2024-01-01'), 58],
  ['of several weeks', lists('date_range_start', '2024-01-01', '2024-01-08'), 116],
  ['of a week by name', lists('week', '2024-01-01', '2024-01-08'), 116],
])('lists of days %s are a metric of places that have only an id', async (_, visits, total) => {
  const { text, records, metrics } = await drafted({ 'places.csv': PLACES, 'visits.csv': visits });
  expect(metrics).toHaveLength(1);
  expect(text).toContain('layers:\n  places:');
  expect(text).toContain('    layer: places\n    feature_id: placekey\n    cadence: daily');
  expect(totalOf(records, 'visits_daily', 'visits')).toBe(total);
});

test('lists of days are a metric without a file of the places too', async () => {
  const { text, records, metrics } = await drafted({
    'visits.csv': lists('date_range_start', '2024-01-01', '2024-01-08'),
  });
  expect(metrics).toHaveLength(1);
  const [rows = []] = records.values();
  expect(valuesOfFields(rows, ['placekey', 'date_range_start'])).toHaveLength(4);
  expect(totalOf(records, 'visits_daily', 'visits')).toBe(116);
  expect(
    checks(text).some((check) => check.startsWith('The lists of visits_by_day have 7 days')),
  ).toBe(true);
});

test('values of places that have only an id need no second layer', async () => {
  const { text, metrics } = await drafted({
    'stores.csv': 'store_id\n1001\n1002\n',
    'sales.csv': 'store_id,date,sales\n1001,2024-01-01,5\n1002,2024-01-01,6\n1001,2024-01-02,7\n',
  });
  expect(metrics).toHaveLength(1);
  expect(text).toContain('layer: stores');
  expect(text).not.toContain('_places');
});

test('a list of categories is no layer of places', async () => {
  const { text } = await drafted({
    'sexes.csv': 'sex\nF\nM\n',
    'counts.csv':
      'station,sex,month,visits\nA1,F,2024-01,5\nA1,M,2024-01,6\nB2,F,2024-01,7\nB2,M,2024-01,8\n',
  });
  expect(text).toContain('feature_id: station');
  expect(text).not.toContain('layer: sexes');
});
