import { expect, test } from 'vitest';
import { addressText, parseAddress } from '../../src/config/listen-address.ts';

test.each([
  ['127.0.0.1:8080', { host: '127.0.0.1', port: 8080 }],
  ['0.0.0.0:0', { host: '0.0.0.0', port: 0 }],
  ['localhost:65535', { host: 'localhost', port: 65_535 }],
  ['data-1.example.org:443', { host: 'data-1.example.org', port: 443 }],
  ['[::1]:8080', { host: '::1', port: 8080 }],
  ['[::ffff:10.0.0.1]:1', { host: '::ffff:10.0.0.1', port: 1 }],
])('%s is an address, and is written back the same', (text, address) => {
  expect(parseAddress(text)).toEqual(address);
  expect(addressText(address)).toBe(text);
});

test.each([
  ['8080', 'has no host, such as 127.0.0.1'],
  [':8080', 'has no host, such as 127.0.0.1'],
  ['localhost', 'has no port'],
  ['localhost:', 'has no valid host'],
  ['127.0.0.1:65536', 'has a port above 65535'],
  ['127.0.0.1:-1', 'has no valid host'],
  ['256.1.1.1:80', 'has no valid host'],
  ['127.1:80', 'has no valid host'],
  ['::1', 'is an IPv6 address without brackets and port'],
  ['[::1]', 'has no port'],
  ['[127.0.0.1]:80', 'has no valid host'],
  ['[:::]:80', 'has no valid host'],
  ['http://127.0.0.1:80', 'has no valid host'],
  ['a b:80', 'has no valid host'],
])('%s %s', (text, problem) => {
  expect(parseAddress(text)).toBe(problem);
});
