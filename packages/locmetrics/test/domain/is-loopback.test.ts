import { isLoopback } from '@locmetrics/core/network/is-loopback';
import { expect, test } from 'vitest';

test.each([
  '127.0.0.1',
  '127.9.9.9',
  'localhost',
  'LOCALHOST',
  '::1',
  '0:0::1',
  '::ffff:127.0.0.1',
])('only this machine reaches %s', (host) => {
  expect(isLoopback(host)).toBe(true);
});

test.each(['0.0.0.0', '10.0.0.1', '128.0.0.1', '::', '::2', '127.example.org', 'localhost.org'])(
  'other machines may reach %s',
  (host) => {
    expect(isLoopback(host)).toBe(false);
  },
);
