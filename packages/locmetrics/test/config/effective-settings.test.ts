// @module-tag slow

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { effectiveSettings } from '../../src/config/effective-settings.ts';
import { readConfig, type SettingFlags } from '../../src/config/read-config.ts';
import type { SettingKey } from '../../src/config/settings.ts';
import { announceSeed } from '../support/test-seed.ts';
import { useConfigFolder } from './config-folder.ts';

const SEED = announceSeed('effective settings');

const write = useConfigFolder();

test('the effective settings, written into a file, give the same values', () => {
  fc.assert(
    fc.property(fc.record(TEXTS, { requiredKeys: [] }), (flags: SettingFlags) => {
      const given = readConfig(flags, {});
      const lines = effectiveSettings(given).map(({ name, value }) => [name, value]);
      const config = write('c.yaml', stringify(Object.fromEntries(lines)));
      expect(readConfig({ config }, {}).config).toEqual(given.config);
    }),
    { seed: SEED, numRuns: 200 },
  );
});

test('the password in the URL of ClickHouse is hidden', () => {
  const settings = effectiveSettings(readConfig({ clickhouse: 'http://me:hush@h:1/db' }, {}));
  expect(settings.find(({ name }) => name === 'clickhouse')).toMatchObject({
    value: 'http://me:(hidden)@h:1/db',
  });
});

const number = (min: number, max: number) => fc.integer({ min, max }).map(String);
const orWord = (word: string, text: fc.Arbitrary<string>) => fc.oneof(fc.constant(word), text);
const quantity = (min: number, max: number, ...units: readonly string[]) =>
  fc.tuple(number(min, max), fc.constantFrom(...units)).map(([digits, unit]) => digits + unit);
const list = (...values: readonly string[]) =>
  fc.array(fc.constantFrom(...values), { maxLength: 4 }).map((some) => some.join(', ') || 'none');
const address = orWord(
  'off',
  fc
    .tuple(
      fc.oneof(
        fc.ipV4(),
        fc.ipV6().map((host) => `[${host}]`),
        fc.domain(),
      ),
      number(0, 65_535),
    )
    .map(([host, port]) => `${host}:${port}`),
);
const path = fc.string({ unit: 'grapheme', minLength: 1 }).map((name) => `/${name}`);
const onOff = fc.constantFrom('on', 'off', 'true', 'false');

/** Texts of every type of setting, without secrets, because secrets are not printed. */
const TEXTS = {
  data: path,
  tlsKey: orWord('none', path),
  http: address,
  metrics: address,
  allowPlaintext: onOff,
  accessLog: onOff,
  workers: orWord('auto', number(1, 256)),
  memoryBytes: orWord('auto', quantity(1, 1024, 'GiB')),
  bodyMaxBytes: quantity(1024, 65_536, 'B', 'KiB'),
  drainTimeoutMs: quantity(1, 60, 's', 'm'),
  slowQueryMs: orWord('off', quantity(1, 3_600_000, 'ms')),
  hosts: list('*', 'maps.example.org', '*.example.org'),
  corsOrigins: list('*', 'https://a.org', 'http://localhost:3000'),
  trustedProxies: list('10.0.0.0/8', '::1', 'fd00::/8'),
  basePath: orWord('none', fc.stringMatching(/^(\/[a-u][a-z0-9_~-]{0,9}){1,3}$/)),
  otlpEndpoint: orWord('off', fc.webUrl()),
  traceRatio: fc.double({ min: 0, max: 1, noNaN: true }).map((share) => share.toFixed(6)),
} as const satisfies { readonly [Key in SettingKey]?: fc.Arbitrary<string> };
