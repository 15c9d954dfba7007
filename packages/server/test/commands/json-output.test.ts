import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { dataDirectory } from '../../src/catalog/data-directory.ts';
import { COMMAND_TEXTS } from '../../src/cli/command-texts.ts';
import { openLedger } from '../../src/metering/open-ledger.ts';
import { RECORD } from '../metering/usage-record.ts';
import { runCommand } from './run-command.ts';
import { useTemporaryFolder } from './temporary-folder.ts';

const inFolder = useTemporaryFolder();

const MANIFEST = fileURLToPath(new URL('../fixtures/trips/locmetrics.yaml', import.meta.url));

test('--json prints one line with the names that the reference shows, and no other', async () => {
  const run = async (...parameters: readonly string[]): Promise<unknown> => {
    const given = [...parameters, '--json', '--data', inFolder('data')];
    const { code, data } = await runCommand(given);
    expect([code, data.split('\n').length]).toEqual([0, 2]);
    return JSON.parse(data);
  };
  const published = await run('publish', MANIFEST);
  const made = await run('org', 'create', 'A', '--id', 'a');
  const token = await run('token', 'create', '--org', 'a', '--name', 'x', '--expires', '1d');
  const listed = await run('token', 'list');
  const grant = await run(
    ...['grant', 'add', 'a', 'trips/trips_daily', '--filter', 'mode in bus,train'],
    ...['--field', 'trip_count,canton', '--component', 'canton:ZH', '--dimension', 'purpose:work'],
    ...['--period', '2024-01-01/2024-12-31', '--feature', '1', '--until', '2099-12-31'],
    ...['--related-component', 'canton:BE', '--related-feature', '2'],
  );
  const grants = await run('grant', 'list');
  const limits = await run('limits', 'set', 'a', '--requests-per-second', '1');
  const files = dataDirectory(inFolder('data')).usage;
  const ledger = openLedger({ files, sync: 'normal', observe: () => {} });
  await ledger.record({ ...RECORD, time: Date.now() });
  await ledger.close();
  const refused = await runCommand(['config', 'print', '--json', '--tls-key', 'key.pem']);
  expect({
    publish: namesOf(published),
    'org create': namesOf(made),
    'org list': namesOf(await run('org', 'list')),
    'token create': namesOf(token),
    'token list': namesOf(listed),
    'token rotate': namesOf(await run('token', 'rotate', idOf(token))),
    'grant add': namesOf(grant),
    'grant list': namesOf(grants),
    'grant remove': namesOf(await run('grant', 'remove', grantIdOf(grant))),
    'token revoke': namesOf(await run('token', 'revoke', idOf(token))),
    'limits set': namesOf(limits),
    'limits list': namesOf(await run('limits', 'list')),
    audit: namesOf(await run('audit', '--limit', '1')),
    usage: namesOf(await run('usage')),
    'config print': namesOf(JSON.parse(refused.data)),
  }).toEqual(
    Object.fromEntries(
      Object.entries(COMMAND_TEXTS).flatMap(([name, text]) =>
        'json' in text ? [[name, namesOf(text.json)]] : [],
      ),
    ),
  );
});

/** The names in a value and where they stand: `versions[].dataset`. */
function namesOf(value: unknown, path = ''): readonly string[] {
  const names = Array.isArray(value)
    ? value.flatMap((one) => namesOf(one, `${path}[]`))
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, one]) => namesOf(one, `${path}.${name}`))
      : [path];
  return [...new Set(names)].sort();
}

function grantIdOf(answer: unknown): string {
  return String(Object(Object(answer).grant).grantId);
}

function idOf(token: unknown): string {
  return typeof token === 'object' && token !== null && 'tokenId' in token
    ? String(token.tokenId)
    : '';
}
