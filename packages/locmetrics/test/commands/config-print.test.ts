// @module-tag slow

import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { SETTINGS } from '../../src/config/settings.ts';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { runCommand } from './run-command.ts';

const inFolder = useTemporaryFolder();

const SECRET = 'authorization=Bearer%20hush';

test('config print shows every setting, its value and its source, but no secret', async () => {
  const data = inFolder('print');
  await mkdir(data);
  await writeFile(inFolder('print/config.yaml'), `queue: 7\notlp-headers: ${SECRET}\n`);
  const {
    code,
    data: table,
    messages,
  } = await runCommand(['config', 'print', '--data', data, '--workers', '3', '--memory', '1GiB'], {
    environment: { LOCMETRICS_QUERY_TIMEOUT: '5s', LOCMETRICS_SERVICE_HOST: '10.0.0.1' },
  });
  expect({ code, messages }).toEqual({
    code: 0,
    messages: `The configuration file is ${inFolder('print/config.yaml')}.\n`,
  });
  const rows = table
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/));
  expect(rows.map(([name]) => name)).toEqual([
    'SETTING',
    ...Object.values(SETTINGS).map(({ name }) => name),
  ]);
  expect(rows).toEqual(
    expect.arrayContaining([
      ['SETTING', 'VALUE', 'FROM'],
      ['data', data, 'flag'],
      ['http', '127.0.0.1:8080', 'default'],
      ['workers', '3', 'flag'],
      ['threads', expect.stringMatching(/^auto \([0-9]+\)$/), 'default'],
      ['query-timeout', '5s', 'environment'],
      ['queue', '7', 'file'],
      ['otlp-headers', '(hidden)', 'file'],
    ]),
  );
});

test('config print --json has the same, for programs', async () => {
  const { code, data, messages } = await runCommand([
    ...['config', 'print', '--json', '--data', inFolder('none')],
    ...['--otlp-headers', SECRET],
  ]);
  expect({ code, messages }).toEqual({ code: 0, messages: '' });
  expect(data).not.toContain('hush');
  const { file, settings, problems } = JSON.parse(data);
  expect({ file, problems }).toEqual({ file: null, problems: [] });
  expect(settings).toEqual(
    expect.arrayContaining([
      { name: 'http', value: '127.0.0.1:8080', origin: 'default' },
      {
        name: 'workers',
        value: 'auto',
        auto: expect.stringMatching(/^[0-9]+$/),
        origin: 'default',
      },
      { name: 'otlp-headers', value: '(hidden)', origin: 'flag' },
    ]),
  );
});

test('config print says why the service would not start, and lists probable typing errors', async () => {
  const { code, data, messages } = await runCommand(
    ['config', 'print', '--http', '0.0.0.0:80', '--metrics', '0.0.0.0:81', '--memory', '128MiB'],
    {
      environment: { LOCMETRICS_DTA: '/srv', LOCMETRICS_WORKERS: '3' },
      directory: inFolder('.'),
    },
  );
  expect(code).toBe(2);
  expect(data).toMatch(/^http +0\.0\.0\.0:80 +flag$/m);
  expect(messages).toBe(`There is no configuration file.
LOCMETRICS_DTA in the environment is not a setting. Did you mean LOCMETRICS_DATA?
"locmetrics serve" cannot start with these settings:
--http 0.0.0.0:80 can be reached from other machines in plaintext: tokens and data could be read on the network.
--metrics 0.0.0.0:81 can be reached from other machines in plaintext: tokens and data could be read on the network.
--memory 128MiB for 3 workers is less than 64MiB per worker.
Use --https 0.0.0.0:80 with --http off, listen on 127.0.0.1, or add --allow-plaintext if you trust the network.
Listen on 127.0.0.1, or add --allow-plaintext if you trust the network.
Give more with --memory, or run fewer workers with --workers.
`);
});

test.each([
  { flags: ['--grpc', '0.0.0.0:8443'], said: 'is only valid for localhost.' },
  { flags: ['--tls-certificate', 'a.pem', '--tls-key', 'b.pem'], said: 'There is no file ' },
  {
    flags: ['--http', 'localhost:9000', '--grpc', '127.0.0.1:9000'],
    said: 'port 9000 of the same address',
  },
])(
  'config print refuses what serve refuses, and creates no data directory: $flags',
  async ({ flags, said }) => {
    const given = [...flags, '--data', inFolder('not-made')];
    const served = await runCommand(['serve', ...given], { directory: inFolder('.') });
    expect([served.code, served.messages]).toEqual([2, expect.stringContaining(said)]);
    const printed = await runCommand(['config', 'print', '--json', ...given], {
      directory: inFolder('.'),
    });
    expect([printed.code, printed.messages]).toEqual([
      2,
      `"locmetrics serve" cannot start with these settings:\n${served.messages}`,
    ]);
    const { problems } = JSON.parse(printed.data);
    expect(problems).toEqual([
      { message: expect.stringContaining(said), hint: expect.stringMatching(/^(Give|Name) /) },
    ]);
    expect(existsSync(inFolder('not-made'))).toBe(false);
  },
);

test('config print refuses settings that cannot be read', async () => {
  const config = inFolder('wrong.yaml');
  await writeFile(config, 'query-timeout: 5\nworkers: 0\n');
  expect(await runCommand(['config', 'print', '--config', config])).toEqual({
    code: 2,
    data: '',
    messages: `${config}:2: workers: '0' is less than 1. Write a whole number from 1 to 256, or auto.
${config}:1: query-timeout: '5' has no unit. Write a whole number of ms, s, m, h, d or w, from 1ms to 1h.
For all settings, run: locmetrics serve --help
`,
  });
});
