import { parseDuration } from '@locmetrics/server/auth/duration';
import { expect, test } from 'vitest';

test.each([
  ['1s', 1_000],
  ['10s', 10_000],
  ['30m', 1_800_000],
  ['24h', 86_400_000],
  ['90d', 7_776_000_000],
  ['2w', 1_209_600_000],
  ['1500ms', 1_500],
  ['007d', 604_800_000],
  ['36500d', 3_153_600_000_000],
])('the duration %s is %d ms', (text, durationMs) => {
  expect(parseDuration(text)).toBe(durationMs);
});

test.each([
  '',
  '90',
  'd',
  '90D',
  '90 d',
  ' 90d',
  '-1d',
  '1.5h',
  '1y',
  '90d12h',
  '1e3s',
  '٣d',
  '90d\n',
])('the text %j is not a duration', (text) => {
  expect(() => parseDuration(text)).toThrow('is not a duration.');
});

test.each(['0s', '0w', '36501d', '5215w', '99999999999999999999s'])(
  'the duration %s is out of range',
  (text) => {
    expect(() => parseDuration(text)).toThrow('is out of range.');
  },
);

test('the error contains the text and the right form', () => {
  expect(() => parseDuration('3 months')).toThrow(
    expect.objectContaining({
      name: 'ControlError',
      message: "'3 months' is not a duration.",
      hint: 'Write a whole number of ms, s, m, h, d or w; for example 90d.',
    }),
  );
});
