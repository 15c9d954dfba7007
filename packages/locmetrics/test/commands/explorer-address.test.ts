import { expect, test } from 'vitest';
import { findLocalUrl, signInAddress } from '../../src/commands/run/explorer-address.ts';

test('the code is behind #, which browsers do not send', () => {
  const address = signInAddress('http://127.0.0.1:8080', 'abc');
  expect(address).toBe('http://127.0.0.1:8080/#sign-in=abc');
  expect(new URL(address).pathname).toBe('/');
});

test.each([
  [['http://127.0.0.1:8080', 'grpcs://127.0.0.1:8443'], 'http://127.0.0.1:8080'],
  [['http://[::1]:8080'], 'http://[::1]:8080'],
  [['http://0.0.0.0:8080'], 'http://127.0.0.1:8080'],
  [['https://[::]:443'], 'https://[::1]'],
  [['http://127.0.0.1:8080/metrics-data'], 'http://127.0.0.1:8080/metrics-data'],
  [['http://192.0.2.2:80', 'https://127.0.0.1:8444'], 'https://127.0.0.1:8444'],
  [['http://192.0.2.2:80', 'grpc://127.0.0.1:8443'], undefined],
  [[], undefined],
])('of %j a browser on the machine opens %s', (urls, expected) => {
  expect(findLocalUrl(urls)).toBe(expected);
});
