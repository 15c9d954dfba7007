import { dirname, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { effectiveSettings } from '../../src/config/effective-settings.ts';
import { readConfig } from '../../src/config/read-config.ts';
import { SETTING_KEYS, SETTINGS } from '../../src/config/settings.ts';
import { useConfigFolder } from './config-folder.ts';
import { refused } from './refused.ts';

const write = useConfigFolder();

const SOURCES = {
  flag: { queryTimeoutMs: '1s' },
  environment: { LOCMETRICS_QUERY_TIMEOUT: '2s' },
  file: 'query-timeout: 3s',
};

test('a flag overrides the environment, which overrides the file, which overrides the default', () => {
  const config = write('c.yaml', SOURCES.file);
  const { flag, environment } = SOURCES;
  const timeouts = [
    readConfig({ ...flag, config }, environment),
    readConfig({ config }, environment),
    readConfig({ config }, {}),
    readConfig({}, {}),
  ];
  expect(timeouts.map(({ config: { queryTimeoutMs } }) => queryTimeoutMs)).toEqual([
    1_000, 2_000, 3_000, 30_000,
  ]);
  expect(timeouts.map(({ written }) => written.get('queryTimeoutMs')?.origin)).toEqual([
    'flag',
    'environment',
    'file',
    'default',
  ]);
});

test('an overridden value is not checked', () => {
  const config = write('c.yaml', 'query-timeout: never');
  const { config: values } = readConfig({ queryTimeoutMs: '1s', config }, {});
  expect(values.queryTimeoutMs).toBe(1_000);
});

test('without flags, environment and file all settings have their defaults', () => {
  const { config, file, notices, written } = readConfig({}, {});
  expect(config).toMatchObject({
    data: resolve('.locmetrics'),
    http: { host: '127.0.0.1', port: 8080 },
    https: undefined,
    allowPlaintext: false,
  });
  expect(Object.keys(config)).toEqual(SETTING_KEYS);
  expect([...written.values()].filter(({ origin }) => origin !== 'default')).toEqual([]);
  expect({ file, notices }).toEqual({ file: undefined, notices: [] });
});

test('the file is config.yaml of the data directory, if it exists', () => {
  const path = write('config.yaml', 'queue: 7');
  const data = dirname(path);
  expect(readConfig({ data }, {})).toMatchObject({ file: path, config: { queueMax: 7 } });
  expect(readConfig({}, { LOCMETRICS_DATA: data })).toMatchObject({ file: path });
});

test('a named file is read instead of the one in the data directory, and --config overrides LOCMETRICS_CONFIG', () => {
  const data = dirname(write('config.yaml', 'queue: 7'));
  const LOCMETRICS_CONFIG = write('a.yaml', 'queue: 8');
  const config = write('b.yaml', 'queue: 9');
  expect(readConfig({ data }, { LOCMETRICS_CONFIG }).config.queueMax).toBe(8);
  expect(readConfig({ data, config }, { LOCMETRICS_CONFIG }).config.queueMax).toBe(9);
});

test('a named file may set the data directory; the file in that directory is then not read', () => {
  const data = dirname(write('config.yaml', 'queue: 7'));
  const config = write('c.yaml', `data: ${data}`);
  expect(readConfig({ config }, {}).config).toMatchObject({ data, queueMax: 1_000 });
});

test('the file in the data directory cannot set the data directory', () => {
  const path = write('config.yaml', 'queue: 7\ndata: /elsewhere');
  expect(refused(() => readConfig({ data: dirname(path) }, {}))).toEqual({
    message: `${path}:2: the configuration file in the data directory cannot set the data directory.`,
    hint: 'Remove data from it, or name the file with --config.',
  });
});

test('all errors are reported together, each with its place, its value and a hint', () => {
  const config = write('c.yaml', '# limits\nqueue: many\nbody: 65MiB');
  const flags = { http: 'localhost', config };
  expect(refused(() => readConfig(flags, { LOCMETRICS_WORKERS: '0' }))).toEqual({
    message: `--http: 'localhost' has no port. Write an address with its port, such as 127.0.0.1:8080 or [::1]:8080, or off.
LOCMETRICS_WORKERS: '0' is less than 1. Write a whole number from 1 to 256, or auto.
${config}:2: queue: 'many' is not a whole number. Write a whole number from 0 to 100000.
${config}:3: body: '65MiB' is more than 64MiB. Write a whole number of B, KiB, MiB, GiB or TiB, from 1KiB to 64MiB.`,
    hint: 'For all settings, run: locmetrics serve --help',
  });
});

test('an empty value is refused everywhere, and never means the default', () => {
  const config = write('c.yaml', 'body:');
  const environment = { LOCMETRICS_WORKERS: '' };
  expect(refused(() => readConfig({ queueMax: '', config }, environment)).message).toBe(
    `LOCMETRICS_WORKERS is empty. Write a whole number from 1 to 256, or auto.
--queue is empty. Write a whole number from 0 to 100000.
${config}:1: body is empty. Write a whole number of B, KiB, MiB, GiB or TiB, from 1KiB to 64MiB.`,
  );
  expect(refused(() => readConfig({ config: '' }, {})).message).toBe(
    'The path of the configuration file is empty.',
  );
});

test('a long value is cut in the message, and control characters are made visible', () => {
  const { message } = refused(() => readConfig({ http: `a\n${'b'.repeat(1_000)}` }, {}));
  expect(message).toMatch(/^--http: 'a\ufffdb{198}' has no valid host\. .*$/);
});

const SECRET = 'authorization Basic hush';

test.each([
  ['flag', () => readConfig({ otlpHeaders: SECRET }, {})],
  ['variable', () => readConfig({}, { LOCMETRICS_OTLP_HEADERS: SECRET })],
  ['file', () => readConfig({ config: write('c.yaml', `otlp-headers: ${SECRET}`) }, {})],
  ['list', () => readConfig({ config: write('c.yaml', `otlp-headers: [${SECRET}]`) }, {})],
  ['map', () => readConfig({ config: write('c.yaml', `otlp-headers: {a: ${SECRET}}`) }, {})],
  ['no YAML', () => readConfig({ config: write('c.yaml', `otlp-headers: *${SECRET}`) }, {})],
  ['no YAML', () => readConfig({ config: write('c.yaml', `otlp-headers: "${SECRET}`) }, {})],
  ['no YAML', () => readConfig({ config: write('c.yaml', `otlp-headers: a: ${SECRET}`) }, {})],
  ['no YAML', () => readConfig({ config: write('c.yaml', `otlp-headers: 'a' ${SECRET}`) }, {})],
])('an invalid secret is not in the message: %s', (_, read) => {
  const { message, hint } = refused(read);
  expect(message + hint).not.toMatch(/Basic|hush/);
  expect(message).toMatch(/headers|YAML/i);
});

test('the effective settings show that a secret is set, but not the secret', () => {
  const read = readConfig({ otlpHeaders: 'authorization=hush' }, {});
  const settings = effectiveSettings(read);
  expect(settings.find(({ name }) => name === 'otlp-headers')).toEqual({
    name: 'otlp-headers',
    value: '(hidden)',
    origin: 'flag',
  });
  expect(JSON.stringify(settings)).not.toContain('hush');
  expect(effectiveSettings(readConfig({}, {})).map(({ value }) => value)).toEqual(
    Object.values(SETTINGS).map(({ defaultText }) => defaultText),
  );
});

test.each([
  ['LOCMETRICS_DTA', 'LOCMETRICS_DATA'],
  ['LOCMETRICS_HTTPS_', 'LOCMETRICS_HTTPS'],
  ['LOCMETRICS_QUERY_TIMEOUT_MS', 'LOCMETRICS_QUERY_TIMEOUT'],
  ['LOCMETRICS_TLS_CERT', 'LOCMETRICS_TLS_KEY'],
  ['LOCMETRICS_QUERYTIMEOUT', 'LOCMETRICS_QUERY_TIMEOUT'],
])('%s is reported as an unknown setting, with the nearest one %s', (name, nearest) => {
  expect(readConfig({}, { [name]: '1' }).notices).toEqual([
    `${name} in the environment is not a setting. Did you mean ${nearest}?`,
  ]);
});

test.each([
  'LOCMETRICS_SERVICE_HOST',
  'LOCMETRICS_SERVICE_PORT',
  'LOCMETRICS_SERVICE_PORT_HTTP',
  'LOCMETRICS_PORT',
  'LOCMETRICS_PORT_8080_TCP',
  'LOCMETRICS_PORT_8080_TCP_ADDR',
  'LOCMETRICS_URL',
  'LOCMETRICS_TOKEN',
  'LOCMETRICS_CONFIG_OF_ANOTHER_PROGRAM',
  'HTTP',
  'PATH',
])('%s causes no message', (name) => {
  expect(readConfig({}, { [name]: '1' }).notices).toEqual([]);
});
