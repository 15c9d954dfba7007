// @module-tag slow

import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { takeServingLock } from '@locmetrics/data-directory/versions/serving-lock';
import { openVersionLease } from '@locmetrics/data-directory/versions/version-lease';
import { openControlStore } from '@locmetrics/server/auth/control-store';
import { openLedger } from '@locmetrics/server/metering/open-ledger';
import { expect, test } from 'vitest';
import COMMAND_OUTPUT from '../../scripts/command-output.json' with { type: 'json' };
import { whereIn } from '../conformance/filter-clause.ts';
import { replaceParts } from '../manifest/manifest-under-test.ts';
import { RECORD } from '../metering/usage-record.ts';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { publishStores, STORES_MANIFEST } from './publish-stores.ts';
import { runCommand } from './run-command.ts';

const inFolder = useTemporaryFolder();

const BUSES = {
  dataReferenceName: 'trips.town_day',
  filters: [{ fieldName: 'mode', operator: '==', value: 'bus' }],
};
const TRIPS = fileURLToPath(new URL('../fixtures/trips/', import.meta.url));

/** Trips with rows that appear, vanish, jump or are wrong, compared with those of the fixture. */
async function changeTrips(folder: string): Promise<void> {
  const change = async (file: string, parts: Parameters<typeof replaceParts>[1]): Promise<void> => {
    const path = join(folder, file);
    await writeFile(path, replaceParts(await readFile(path, 'utf8'), parts));
  };
  const period = '    period: { start: day, end: day }\n';
  await change('locmetrics.yaml', [
    [period, `${period}    description: Trips of a day.\n    accept: { rejected_rows: 1 }\n`],
  ]);
  await change('town_day.csv', [
    ['BE,ZH,2024-01-01,work,Work,5,', 'BE,ZH,2024-01-01,work,Work,500,'],
    ['X1,ZH,2024-01-01,work,Work,99,', 'NEW,ZH,2024-01-03,work,Work,99,'],
    ['OLD,ZH,2023-12-31,work,Work,4,', 'OLD,ZH,2024-01-03,work,Work,many,'],
  ]);
}

test('--json prints one line with exactly the names of the reference', async () => {
  const run = async (...parameters: readonly string[]): Promise<unknown> => {
    const given = [...parameters, '--json', '--data', inFolder('data')];
    const { code, data } = await runCommand(given);
    expect([code, data.split('\n').length]).toEqual([0, 2]);
    return JSON.parse(data);
  };
  await cp(TRIPS, inFolder('trips'), { recursive: true });
  const manifest = inFolder('trips/locmetrics.yaml');
  await run('publish', manifest);
  await changeTrips(inFolder('trips'));
  const published = await run('publish', manifest, 'trips.town_day');
  const switched = await switchStores(run);
  const made = await run('org', 'create', 'A', '--id', 'a');
  const token = await run('token', 'create', '--org', 'a', '--name', 'x', '--expires', '1d');
  const listed = await run('token', 'list');
  const grant = await run(
    ...['grant', 'add', 'a', 'trips/trips_daily', '--filter', 'mode in bus,train'],
    ...['--field', 'trip_count,canton', '--component', 'canton:ZH', '--dimension', 'purpose:work'],
    ...['--period', '2024-01-01/2024-12-31', '--feature', '1', '--until', '2099-12-31'],
    ...['--related-component', 'canton:BE', '--related-feature', '2', '--yes'],
  );
  const replaced = await run(
    ...['grant', 'replace', grantIdOf(grant), 'trips/trips_daily', '--filter', 'mode in bus,train'],
    ...['--field', 'trip_count,canton', '--component', 'canton:ZH', '--dimension', 'purpose:work'],
    ...['--period', '2024-01-01/2024-12-31', '--feature', '1', '--until', '2099-12-31'],
    ...['--related-component', 'canton:BE', '--related-feature', '2', '--yes'],
  );
  const grants = await run('grant', 'list');
  const store = openControlStore(dataDirectory(inFolder('data')).control);
  store.createOrganisation({ id: 'b', name: 'B' });
  for (const { grant: terms } of store.listGrants({ organisationId: 'a' })) {
    store.addGrant('b', { ...terms, filters: [whereIn('gone', 'in', ['x'])] });
  }
  store.close();
  const checked = await runCommand(['grant', 'check', '--json', '--data', inFolder('data')]);
  const removed = await run(...['dataset', 'remove', 'trips.towns', '--with-metrics', '--yes']);
  const limits = await run('limits', 'set', 'a', '--requests-per-second', '1');
  const files = dataDirectory(inFolder('data')).usage;
  const ledger = openLedger({ files, sync: 'normal', observe: () => {} });
  await ledger.record({ ...RECORD, time: Date.now() });
  await ledger.close();
  const refused = await runCommand(['config', 'print', '--json', '--tls-key', 'key.pem']);
  expect({
    publish: namesOf(published),
    ...Object.fromEntries(Object.entries(switched).map(([name, one]) => [name, namesOf(one)])),
    backup: namesOf(await run('backup', inFolder('backup'))),
    'dataset remove': namesOf(removed),
    'org create': namesOf(made),
    'org list': namesOf(await run('org', 'list')),
    'org suspend': namesOf(await run('org', 'suspend', 'a')),
    'org resume': namesOf(await run('org', 'resume', 'a')),
    'token create': namesOf(token),
    'token list': namesOf(listed),
    'token rotate': namesOf(await run('token', 'rotate', idOf(token))),
    'grant add': namesOf(grant),
    'grant replace': namesOf(replaced),
    'grant list': namesOf(grants),
    'grant check': namesOf(JSON.parse(checked.data)),
    'grant remove': namesOf(await run('grant', 'remove', grantIdOf(grant))),
    'token revoke': namesOf(await run('token', 'revoke', idOf(token))),
    'limits set': namesOf(limits),
    'limits list': namesOf(await run('limits', 'list')),
    audit: namesOf(await run('audit', '--limit', '1')),
    usage: namesOf(await run('usage')),
    'usage merge': namesOf(await run('usage', 'merge')),
    explore: namesOf(await exploreServed(run)),
    explain: namesOf(await run('explain', 'listRecords', JSON.stringify(BUSES))),
    'config print': namesOf(JSON.parse(refused.data)),
  }).toEqual(
    Object.fromEntries(
      Object.entries(COMMAND_OUTPUT).map(([name, output]) => [name, namesOf(output)]),
    ),
  );
});

/** A link for a service that runs. */
async function exploreServed(
  run: (...parameters: readonly string[]) => Promise<unknown>,
): Promise<unknown> {
  const lock = takeServingLock(dataDirectory(inFolder('data')));
  lock.describe(['http://127.0.0.1:8080']);
  try {
    return await run('explore', '--org', 'a');
  } finally {
    lock.release();
  }
}

/** Publishes two versions with every kind of difference, compares them and switches between them. */
async function switchStores(
  run: (...parameters: readonly string[]) => Promise<unknown>,
): Promise<Readonly<Record<string, unknown>>> {
  const publishAt = (time: string, manifest: string, stores: string) =>
    publishStores(inFolder('.'), { manifest, files: { 'stores.csv': stores }, time });
  const withNote = `${STORES_MANIFEST}      note: { type: string }\n`;
  const before = 'id,city,visits,note\n2,Springfield,1,x\n4,A,1,x\n';
  await publishAt('2026-01-01T00:00:00.000Z', withNote, before);
  const after = 'id,city,visits,note\n2,Shelbyville,1,x\n3,A,1,x\n';
  const [version = ''] = await publishAt('2026-01-02T00:00:00.000Z', STORES_MANIFEST, after);
  const looked = {
    versions: await run('versions', 'shop.stores'),
    verify: await run('verify', 'shop.stores'),
    diff: await run('diff', 'shop.stores'),
    rollback: await run('rollback', 'shop.stores'),
  };
  await run('rollback', 'shop.stores', version);
  // A version that is still in use is not removed.
  const lease = openVersionLease({ directory: dataDirectory(inFolder('data')), holdMs: 60_000 });
  lease.use({ datasetName: 'shop.stores', version });
  const withdrawn = await run('versions', 'withdraw', version);
  const gc = await run('gc', '--versions-kept', '1', '--versions-kept-for', '0s');
  lease.close();
  await writeFile(dataDirectory(inFolder('data')).current, '{');
  const recover = await run('recover', '--yes');
  return { ...looked, 'versions withdraw': withdrawn, gc, recover };
}

/** The names in a value with their paths: `versions[].dataset`. */
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
