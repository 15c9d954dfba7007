import { expect, test } from 'vitest';
import type { Parsed } from '../../src/config/setting-types.ts';
import { SETTINGS, type Setting, type SettingKey } from '../../src/config/settings.ts';

const MiB = 2 ** 20;
const NO_PATH =
  'is not a path such as /metrics-data: parts of letters, digits, -, ., _ and ~, each after a slash';

test.each([
  ['htp://me:hush@h:1', 'is not an HTTP URL', '(hidden)'],
  ['me:hush@h:1/v1?k=hush', 'is not an HTTP URL', '(hidden)'],
  ['htp://h:1?k=hush', 'is not an HTTP URL', '(hidden)'],
  ['http://h:1/?k=hush', 'has a query or a fragment, which is not allowed', 'h:1'],
  ['http://h:1/#', 'has a query or a fragment, which is not allowed', 'h:1'],
  ['http://me:hush@h:1?k', 'has a query or a fragment, which is not allowed', 'h:1'],
])('the refusal of the endpoint %j contains no possible secret', (text, problem, part) => {
  expect(parse('otlpEndpoint', text)).toEqual({ problem, part });
});

test.each([
  ['me:hush@h:1/db', 'is not an HTTP URL', '(hidden)'],
  ['http://me:hush@h:1', 'names no database', 'h:1'],
  ['http://me:hush@h:1/a/b', 'has more than one part in its path', 'h:1'],
  ['http://me:hush@h:1/db?user=me', 'has a query or a fragment, which is not allowed', 'h:1'],
  ['http://me:%zz@h:1/db', 'has a part that is not percent-encoded text', 'h:1'],
])('the refusal of the ClickHouse %j contains no possible secret', (text, problem, part) => {
  expect(parse('clickhouse', text)).toEqual({ problem, part });
});

test.each([
  [
    'clickhouse',
    'http://h:8123/db',
    { url: 'http://h:8123', database: 'db', username: 'default', password: undefined },
  ],
  [
    'clickhouse',
    'https://me:h%40sh@h/my%20db',
    { url: 'https://h', database: 'my db', username: 'me', password: 'h@sh' },
  ],
  ['clickhouse', 'off', undefined],
  ['clickhousePassword', 'none', undefined],
  ['clickhouseCluster', 'all_shards', 'all_shards'],
  ['clickhouseMemoryBytes', '4GiB', 2 ** 32],
  ['clickhouseRowsMax', '10000000000', 10_000_000_000],
  ['clickhouseRowFilesMax', '10000000', 10_000_000],
  ['data', '/srv/data', '/srv/data'],
  ['data', '/srv/../data/', '/data'],
  ['tlsKey', '/etc/key.pem', '/etc/key.pem'],
  ['tlsKey', 'none', undefined],
  ['http', 'off', undefined],
  ['http', '127.0.0.1:0', { host: '127.0.0.1', port: 0 }],
  ['allowPlaintext', 'on', true],
  ['allowPlaintext', 'true', true],
  ['allowPlaintext', 'off', false],
  ['allowPlaintext', 'false', false],
  ['workers', '1', 1],
  ['workers', '256', 256],
  ['workers', '007', 7],
  ['memoryBytes', '128MiB', 128 * MiB],
  ['memoryBytes', '131072KiB', 128 * MiB],
  ['memoryBytes', '16TiB', 2 ** 44],
  ['bodyMaxBytes', '1024B', 1024],
  ['unsentMaxBytes', '1GiB', 2 ** 30],
  ['drainDelayMs', '0ms', 0],
  ['drainDelayMs', '0h', 0],
  ['queryTimeoutMs', '1ms', 1],
  ['queryTimeoutMs', '90s', 90_000],
  ['queryTimeoutMs', '60m', 3_600_000],
  ['queryTimeoutMs', '1h', 3_600_000],
  ['slowQueryMs', 'off', undefined],
  ['slowQueryMs', '2s', 2_000],
  ['traceRatio', '0', 0],
  ['traceRatio', '0.25', 0.25],
  ['traceRatio', '1.0', 1],
  ['hosts', 'none', []],
  ['hosts', '*', ['*']],
  ['hosts', 'maps.example.org, *.tiles.example.org', ['maps.example.org', '*.tiles.example.org']],
  ['corsOrigins', 'none', []],
  ['corsOrigins', '*', ['*']],
  [
    'corsOrigins',
    'https://a.org, http://localhost:3000',
    ['https://a.org', 'http://localhost:3000'],
  ],
  ['trustedProxies', 'none', []],
  ['trustedProxies', '10.0.0.0/8,::1, fd00::/8', ['10.0.0.0/8', '::1', 'fd00::/8']],
  ['basePath', 'none', ''],
  ['basePath', '/metrics-data', '/metrics-data'],
  ['basePath', '/a/v1/B_.~-9', '/a/v1/B_.~-9'],
  ['otlpEndpoint', 'off', undefined],
  ['otlpEndpoint', 'http://127.0.0.1:4318', 'http://127.0.0.1:4318'],
  ['otlpHeaders', 'none', {}],
  ['otlpHeaders', 'a=Bearer%20b, x-c=', { a: 'Bearer b', 'x-c': '' }],
] as const satisfies readonly (readonly [SettingKey, string, unknown])[])(
  '%s may be %j',
  (key, text, value) => {
    expect(parse(key, text)).toEqual({ value });
  },
);

test.each([
  ['data', '~/data', 'begins with ~, which only a shell expands'],
  ['tlsKey', '~', 'begins with ~, which only a shell expands'],
  ['http', 'on', 'has no port'],
  ['http', 'OFF', 'has no port'],
  ['allowPlaintext', 'yes', 'is neither on nor off'],
  ['allowPlaintext', 'On', 'is neither on nor off'],
  ['workers', '0', 'is less than 1'],
  ['workers', '257', 'is more than 256'],
  ['workers', '-1', 'is not a whole number'],
  ['workers', '1.5', 'is not a whole number'],
  ['workers', '1e2', 'is not a whole number'],
  ['workers', 'Auto', 'is not a whole number'],
  ['memoryBytes', '127MiB', 'is less than 128MiB'],
  ['memoryBytes', '17TiB', 'is more than 16TiB'],
  ['memoryBytes', '1GB', 'has an unknown unit'],
  ['memoryBytes', '1gib', 'has an unknown unit'],
  ['memoryBytes', '1024', 'has no unit'],
  ['memoryBytes', '1.5GiB', 'is not a whole number with a unit'],
  ['queryTimeoutMs', '0ms', 'is less than 1ms'],
  ['queryTimeoutMs', '61m', 'is more than 1h'],
  ['queryTimeoutMs', '999999999999999999999s', 'is more than 1h'],
  ['queryTimeoutMs', '5', 'has no unit'],
  ['queryTimeoutMs', '5 s', 'is not a whole number with a unit'],
  ['queryTimeoutMs', '5y', 'has an unknown unit'],
  ['queryTimeoutMs', 'off', 'is not a whole number with a unit'],
  ['traceRatio', '1.1', 'is more than 1'],
  ['traceRatio', '-0.1', 'is not a number from 0 to 1'],
  ['traceRatio', '.5', 'is not a number from 0 to 1'],
  ['traceRatio', '10%', 'is not a number from 0 to 1'],
  ...['metrics-data', '/', '/a/', '//a', '/a b', '/a%20b', '/ä', '/a?b', 'https://a.org/b'].map(
    (text) => ['basePath', text, NO_PATH] as const,
  ),
  ['basePath', '/a/../b', 'has a part . or .., which clients remove'],
  ['basePath', `/${'a'.repeat(200)}`, 'has more than 200 characters'],
  ['basePath', '/v1/x', 'begins with /v1, which the service uses itself'],
  ['basePath', '/docs', 'begins with /docs, which the service uses itself'],
  ['otlpEndpoint', '127.0.0.1:4318', 'is not an HTTP URL'],
  ['otlpEndpoint', 'ftp://127.0.0.1', 'is not an HTTP URL'],
  ['otlpEndpoint', 'http://', 'is not an HTTP URL'],
  ['otlpHeaders', 'authorization', 'has a part that is not name=value'],
  ['otlpHeaders', 'a=b,', 'has a part that is not name=value'],
  ['otlpHeaders', 'a b=c', 'has a part that is not name=value'],
  ['otlpHeaders', 'a=b c', 'has a part that is not name=value'],
  ['otlpHeaders', 'a=%', 'has a value that is not percent-encoded header text'],
  ['otlpHeaders', 'a=%0D%0Ab', 'has a value that is not percent-encoded header text'],
] as const satisfies readonly (readonly [SettingKey, string, string])[])(
  '%s may not be %j: it %s',
  (key, text, problem) => {
    expect(parse(key, text)).toEqual({ problem });
  },
);

test.each([
  ['hosts', 'a.org:8080', 'a.org:8080'],
  ['hosts', 'a.org,https://b.org', 'https://b.org'],
  ['hosts', 'a.*.org', 'a.*.org'],
  ['corsOrigins', 'https://a.org,https://b.org/', 'https://b.org/'],
  ['corsOrigins', 'a.org', 'a.org'],
  ['corsOrigins', 'https://a.org,', ''],
  ['trustedProxies', '10.0.0.0/33', '10.0.0.0/33'],
  ['trustedProxies', '::1/128, ::1/129', '::1/129'],
  ['trustedProxies', '10.0.0.0/8/8', '10.0.0.0/8/8'],
  ['trustedProxies', 'fe80::1%eth0', 'fe80::1%eth0'],
  ['trustedProxies', 'proxy.example.org', 'proxy.example.org'],
] as const satisfies readonly (readonly [SettingKey, string, string])[])(
  '%s may not be %j for one value in it',
  (key, text, part) => {
    expect(parse(key, text)).toEqual({ problem: expect.any(String), part });
  },
);

test('an address for traces with a password is refused, and only its host is quoted', () => {
  expect(parse('otlpEndpoint', 'https://me:secret@traces.example.org:4318/v1')).toEqual({
    problem: 'has a user name or a password, which would be visible',
    part: 'traces.example.org:4318',
  });
});

test.each(Object.values(SETTINGS))('the default of $name can be parsed', (setting) => {
  const { type, defaultText }: Setting<unknown> = setting;
  expect(type.parse(defaultText)).toHaveProperty('value');
});

test.each(['workers', 'memoryBytes', 'threads', 'publishMemoryBytes'] as const)(
  'auto becomes a number for %s, and is shown as a valid value',
  (key) => {
    const { type }: Setting<unknown> = SETTINGS[key];
    expect(parse(key, 'auto')).toEqual({ value: expect.any(Number) });
    expect(type.parse(type.autoText?.() ?? '')).toHaveProperty('value');
  },
);

function parse(key: SettingKey, text: string): Parsed<unknown> {
  const setting: Setting<unknown> = SETTINGS[key];
  return setting.type.parse(text);
}

test.each([
  ['file', undefined],
  ['postgres://localhost/locmetrics', undefined],
  ['postgresql://me:hush@127.0.0.1:5433/locmetrics', undefined],
  ['postgres://me@[::1]/locmetrics', undefined],
  ['postgres:///locmetrics?host=/run/postgresql', undefined],
  ['postgres://me@db.example/locmetrics?sslmode=verify-full&sslrootcert=/etc/ca.pem', undefined],
  ['postgres://me@db.example/locmetrics?sslmode=disable', undefined],
  ['mysql://me:hush@localhost/locmetrics', 'is not a URL of PostgreSQL'],
  ['postgres://me:hush@localhost', 'names no database'],
  ['postgres://me:hush@localhost/', 'names no database'],
  [
    'postgres://me:hush@db.example/locmetrics',
    'names another machine without sslmode; sslmode=disable is for a network that you trust',
  ],
  [
    'postgres:///locmetrics?host=db.example',
    'names another machine without sslmode; sslmode=disable is for a network that you trust',
  ],
  [
    'postgres://localhost/locmetrics?sslmode=require',
    'has an sslmode that is neither verify-full nor disable',
  ],
  [
    'postgres://localhost/locmetrics?options=-c',
    'has a parameter that is not one of sslmode, sslrootcert, sslcert, sslkey, host',
  ],
])('the control store %j is accepted, or refused without its password', (text, problem) => {
  const parsed = parse('control', text);
  if (problem === undefined) expect(parsed).toEqual({ value: text === 'file' ? undefined : text });
  else expect(parsed).toEqual({ problem });
});
