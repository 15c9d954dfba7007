import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfigFile } from '../../src/config/config-file.ts';
import { useConfigFolder } from './config-folder.ts';
import { refused } from './refused.ts';

const write = useConfigFolder();

function read(content: string): Readonly<Record<string, string>> {
  return Object.fromEntries(readConfigFile(write('c.yaml', content)).values);
}

test.each([
  ['http: 0.0.0.0:80', '0.0.0.0:80'],
  ['http: "0.0.0.0:80"', '0.0.0.0:80'],
  ["http: '[::1]:80'", '[::1]:80'],
  ['{"http": "off"}', 'off'],
  ['http: off # not in plaintext', 'off'],
  ['http: true', 'true'],
  ['http: 010', '010'],
  ['http: 0x10', '0x10'],
  ['http: 12345678901234567890', '12345678901234567890'],
  ['http: null', 'null'],
  ['http: ~', '~'],
  ['http:', ''],
  ['http: ""', ''],
  ['http: [a, b]', 'a,b'],
  ['http:\n  - a\n  - b', 'a,b'],
  ['http: []', 'none'],
  ['http: &here a\n', 'a'],
  ['\ufeffhttp: a', 'a'],
])('%j is read as the text %j', (content, text) => {
  expect(read(content)).toEqual({ http: text });
});

test('a value can have an anchor and be used again', () => {
  expect(read('http: &here a\nhttps: *here')).toEqual({ http: 'a', https: 'a' });
});

test.each(['', '\n', '# nothing\n', '---\n'])('%j has no settings', (content) => {
  expect(read(content)).toEqual({});
});

test('all problems of the file are reported together, with their lines', () => {
  const path = write('c.yaml', 'htttp: off\n\nqueue: 1\nqueue: 2\nbody: {a: b}\nzzzzzzzz: [1]\n');
  const { message, hint } = refused(() => readConfigFile(path));
  expect(message.split('\n')).toEqual([
    `${path}:1: unknown setting 'htttp'. Did you mean 'http'?`,
    `${path}:4: queue is already given in line 3.`,
    `${path}:5: body is neither a value nor a list of values.`,
    `${path}:6: unknown setting 'zzzzzzzz'.`,
  ]);
  expect(hint).toMatch(
    /^Write one setting per line, for example `query-timeout: 10s`\.\nThe settings are data, control, control-away-max, usage-sync, usage-keep, versions-kept, [a-z, -]+\.$/,
  );
});

test('a file of another kind is reported in a few short lines', () => {
  const keys = Array.from({ length: 50 }, (_, index) => `${'zq'.repeat(500)}${index}: 1\n`);
  const { message, hint } = refused(() => readConfigFile(write('c.yaml', keys.join(''))));
  const lines = message.split('\n');
  expect(lines).toHaveLength(6);
  expect(lines[5]).toBe('The file has 50 problems; these are the first.');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(500);
  expect(hint.match(/The settings are /g)).toHaveLength(1);
});

test.each(['LOCMETRICS_HTTP: off', '--http: off', 'config: x', '? [a]\n: b', '1: 2'])(
  '%j is not a setting',
  (content) => {
    expect(refused(() => read(content)).message).toContain(':1: unknown setting ');
  },
);

test.each([
  ['a: b: c', 1],
  ['queue: 1\nbody: "', 2],
  ['queue: [1', 1],
  ['queue: 1\n---\nqueue: 2', 2],
  ['\tqueue: 1', 1],
])('%j is not YAML, and line %i is reported', (content, line) => {
  expect(refused(() => read(content)).message).toMatch(
    new RegExp(`c\\.yaml:${line}: not valid YAML: [^:]+\\.$`),
  );
});

test.each(['http', '- http: off', '"http: off"'])('%j is not a map of settings', (content) => {
  expect(refused(() => read(content)).message).toMatch(
    /c\.yaml is not a list of settings and values\.$/,
  );
});

test('a file that is missing, a directory, not UTF-8 or far too large is reported with a message', () => {
  const path = write('c.yaml', Uint8Array.of(0xff, 0xfe, 0x68));
  const large = write('large.yaml', '#'.repeat(2 ** 20 + 1));
  const missing = join(dirname(path), 'missing.yaml');
  const cannot = (file: string) => refused(() => readConfigFile(file)).message;
  expect(cannot(missing)).toBe(
    `The configuration file ${missing} cannot be read: it does not exist.`,
  );
  expect(cannot(dirname(path))).toMatch(/cannot be read: it is a directory\.$/);
  expect(cannot(path)).toMatch(/cannot be read: it is not UTF-8\.$/);
  expect(cannot(large)).toMatch(/cannot be read: it is larger than 1MiB\.$/);
});
