import { periodText, readPeriodText } from '@locmetrics/core/dates/period-text';
import { expect, test } from 'vitest';

test.each([
  ['2024', '2024-01-01', '2024-12-31'],
  ['2024-01', '2024-01-01', '2024-01-31'],
  ['2024-02', '2024-02-01', '2024-02-29'],
  ['2023-02', '2023-02-01', '2023-02-28'],
  ['1900-02', '1900-02-01', '1900-02-28'],
  ['2024-04', '2024-04-01', '2024-04-30'],
  ['2024-01-05', '2024-01-05', '2024-01-05'],
  ['2024-01-15/2024-03-31', '2024-01-15', '2024-03-31'],
])('%s means the days from %s to %s, and is written in the same form', (text, start, end) => {
  expect(readPeriodText(text)).toEqual({ start, end });
  expect(periodText({ start, end })).toBe(text);
});

test('a period can start and end with months and years', () => {
  expect(readPeriodText('2024-01/2024-02')).toEqual({ start: '2024-01-01', end: '2024-02-29' });
  expect(readPeriodText('2023/2024-06')).toEqual({ start: '2023-01-01', end: '2024-06-30' });
  expect(periodText({ start: '2024-01-01', end: '2024-02-29' })).toBe('2024-01-01/2024-02-29');
});

test.each([
  '',
  '/',
  '2024-1',
  '2024-13',
  '2024-00',
  '2024-02-30',
  '0000',
  'January',
  '2024-01/',
  '/2024-01',
  '2024-02/2024-01',
  '2024-01/2024-02/2024-03',
  ' 2024',
  '2024-01-01T00:00',
])("'%s' is not a period", (text) => {
  expect(readPeriodText(text)).toBeUndefined();
});
