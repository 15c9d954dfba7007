import { earlierPeriod, stepOf } from '@locmetrics/core/dates/compared-period';
import { bucketSpan } from '@locmetrics/core/domain/date-bucket';
import { expect, test } from 'vitest';

const earlier = (
  written: string,
  comparison: 'PREVIOUS' | 'SAME_PERIOD_LAST_YEAR',
  isWeekly = false,
): string | undefined => {
  const [start = '', end = start] = written.split('/');
  const found = earlierPeriod({ start, end }, stepOf({ start, end }, comparison, { isWeekly }));
  return found && `${found.start}/${found.end}`;
};

test.each([
  ['2020-04-01', '2020-03-31/2020-03-31'],
  ['2020-03-01/2020-03-31', '2020-02-01/2020-02-29'],
  ['2020-01-01/2020-03-31', '2019-10-01/2019-12-31'],
  ['2020-01-01/2020-12-31', '2019-01-01/2019-12-31'],
  ['2020-04-06/2020-04-12', '2020-03-30/2020-04-05'],
  ['2020-04-10/2020-04-12', '2020-04-07/2020-04-09'],
  ['0001-01-01', undefined],
])('the period before %s is %s', (period, expected) => {
  expect(earlier(period, 'PREVIOUS')).toBe(expected);
});

test.each([
  ['2020-04-01/2020-04-30', '2019-04-01/2019-04-30'],
  ['2020-04-10/2020-04-20', '2019-04-10/2019-04-20'],
  ['2020-02-01/2020-02-29', '2019-02-01/2019-02-28'],
  ['2021-02-01/2021-02-28', '2020-02-01/2020-02-29'],
  ['2021-02-28', '2020-02-28/2020-02-28'],
  // 29 February is compared with nothing.
  ['2020-02-29', undefined],
  // Week 15, and week 53, which 2019 does not have.
  ['2020-04-06/2020-04-12', '2019-04-08/2019-04-14'],
  ['2020-12-28/2021-01-03', undefined],
  ['2021-01-04/2021-01-10', '2019-12-30/2020-01-05'],
])('the period of last year of %s is %s', (period, expected) => {
  expect(earlier(period, 'SAME_PERIOD_LAST_YEAR')).toBe(expected);
});

test('seven days of a weekly metric are a week, also from another day than Monday', () => {
  expect(earlier('2020-04-07/2020-04-13', 'SAME_PERIOD_LAST_YEAR', true)).toBe(
    '2019-04-09/2019-04-15',
  );
  expect(earlier('2020-04-07/2020-04-13', 'SAME_PERIOD_LAST_YEAR')).toBe('2019-04-07/2019-04-13');
});

test.each([
  ['2020-02-10', 'DAY', '2020-02-10'],
  ['2020-02-24', 'WEEK', '2020-03-01'],
  ['2020-02-01', 'MONTH', '2020-02-29'],
  ['2020-10-01', 'QUARTER', '2020-12-31'],
  ['2020-01-01', 'YEAR', '2020-12-31'],
] as const)('the bucket %s of %s ends on %s', (start, bucket, end) => {
  expect(bucketSpan(start, bucket)).toEqual({ start, end });
});
