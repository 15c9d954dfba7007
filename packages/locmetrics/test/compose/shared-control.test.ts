// @module-tag slow

import { join } from 'node:path';
import { dataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { openLedger } from '@locmetrics/server/metering/open-ledger';
import { beforeEach, expect, test } from 'vitest';
import { linesOf, runCommand as run } from '../commands/run-command.ts';
import { type Service, startService } from '../commands/start-service.ts';
import { RECORD } from '../metering/usage-record.ts';
import { prepareStop } from '../postgres/prepare-stop.ts';
import { usePostgres } from '../postgres/use-postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const server = usePostgres();
let folder = '';
let url = '';
beforeEach(async () => {
  folder = temporaryFolder();
  url = await server().createDatabase();
});

/** Runs a command on a node, and expects that it succeeds. */
async function onNode(name: string, ...parameters: readonly string[]): Promise<string> {
  const { code, data, messages } = await run([...parameters, '--data', join(folder, name)], {
    environment: { LOCMETRICS_CONTROL: url },
  });
  expect({ code, messages: code === 0 ? '' : messages }).toEqual({ code: 0, messages: '' });
  return data;
}

test('commands on any machine work on the same store', async () => {
  await onNode('first', 'org', 'create', 'Acme', '--id', 'acme');
  const created = await onNode(
    'second',
    'token',
    'create',
    '--org',
    'acme',
    '--name',
    'x',
    '--json',
  );
  const { tokenId } = JSON.parse(created) as { tokenId: string };
  expect(await onNode('first', 'token', 'list')).toContain(tokenId);
  await onNode('first', 'grant', 'add', 'acme', '*');
  expect(JSON.parse(await onNode('second', 'grant', 'list', '--json'))).toMatchObject({
    grants: [{ pattern: '*' }],
  });
  await onNode('second', 'limits', 'set', 'acme', '--rows-per-day', '5');
  expect(await onNode('third', 'limits', 'list')).toContain('acme');
  expect(await onNode('third', 'token', 'revoke', tokenId)).toContain(
    `Revoked the token ${tokenId}`,
  );
  const { entries } = JSON.parse(await onNode('first', 'audit', '--json')) as {
    entries: readonly { action: string }[];
  };
  expect(entries.map(({ action }) => action)).toEqual([
    'token.revoke',
    'limits.set',
    'grant.add',
    'token.create',
    'organisation.create',
  ]);
});

test('a revocation is refused soon while PostgreSQL is stopped', async () => {
  await onNode('node', 'org', 'create', 'Acme', '--id', 'acme');
  const created = await onNode('node', 'token', 'create', '--org', 'acme', '--name', 'x', '--json');
  const { tokenId } = JSON.parse(created) as { tokenId: string };
  const stopped = await prepareStop(server(), url);
  stopped.stop();
  try {
    const revoked = await run(['token', 'revoke', tokenId, '--data', join(folder, 'node')], {
      environment: { LOCMETRICS_CONTROL: url },
    });
    expect(revoked).toMatchObject({
      code: 1,
      messages: expect.stringContaining('cannot be reached: it did not answer in time'),
    });
    expect(stopped.hasLongestWaitEnded()).toBe(false);
  } finally {
    await stopped.resume();
  }
  expect(await onNode('node', 'token', 'revoke', tokenId)).toContain('Revoked the token');
});

test('the password is in no output', async () => {
  const secret = url.replace('tests@', 'nobody:hunter2@');
  const flags = ['--data', join(folder, 'node'), '--control', secret];
  const printed = await run(['config', 'print', ...flags]);
  expect(printed.data).toMatch(/^control +\(hidden\) +flag$/m);
  const refused = await run(['token', 'list', ...flags]);
  expect(refused).toMatchObject({
    code: 1,
    messages: expect.stringContaining('PostgreSQL at 127.0.0.1'),
  });
  const wrong = await run([
    'token',
    'list',
    '--data',
    folder,
    '--control',
    'postgres://a:hunter2@',
  ]);
  expect(wrong.messages).toContain('--control: the value');
  for (const { data, messages } of [printed, refused, wrong]) {
    expect(data + messages).not.toContain('hunter2');
  }
});

test('a data directory with organisations is not mixed with a database, nor a mirror used alone', async () => {
  const at = (name: string) => ['--data', join(folder, name)];
  expect((await run(['org', 'create', 'Acme', ...at('own')])).code).toBe(0);
  const mixed = await run(['org', 'list', ...at('own'), '--control', url]);
  expect(mixed.messages).toContain('locmetrics control copy --to URL');
  await onNode('node', 'org', 'create', 'Acme', '--id', 'acme');
  const alone = await run(['org', 'list', ...at('node')]);
  expect(alone.messages).toContain('is a mirror of the control store in PostgreSQL at 127.0.0.1');
});

test('control copy moves a store into PostgreSQL and back: tokens, secrets and audit log are the same', async () => {
  const at = (name: string) => ['--data', join(folder, name)];
  const own = async (...parameters: readonly string[]) =>
    (await run([...parameters, ...at('own')])).data;
  await own('org', 'create', 'Acme', '--id', 'acme');
  const { tokenId } = JSON.parse(
    await own('token', 'create', '--org', 'acme', '--name', 'x', '--json'),
  ) as { tokenId: string };
  await own('token', 'rotate', tokenId);
  await own('grant', 'add', 'acme', '*');
  await own('limits', 'set', 'acme', '--rows-per-day', '5');
  await recordRequests(join(folder, 'own'), ['one', 'two', 'three']);
  const copied = await run(['control', 'copy', '--to', url, ...at('own'), '--json']);
  expect(JSON.parse(copied.data)).toEqual({
    copied: {
      organisation: 1,
      token: 2,
      access_grant: 1,
      organisation_limit: 1,
      sign_in_link: 0,
      secret: 0,
      audit: 5,
      usage_record: 3,
      usage_sum: 1,
      usage_segment: expect.any(Number),
    },
  });
  const lists = [
    ['token', 'list'],
    ['grant', 'list'],
    ['limits', 'list'],
    ['audit'],
    ['org', 'list'],
  ];
  for (const list of lists) {
    expect(await onNode('node', ...list, '--json')).toBe(await own(...list, '--json'));
  }
  const usage = ['usage', '--records', '--from', '2020-01-01', '--to', '2099-12-31', '--csv'];
  const recorded = await onNode('node', ...usage);
  expect(recorded.match(/one|two|three/g)).toEqual(['one', 'two', 'three']);
  const again = await run(['control', 'copy', '--to', url, ...at('own')]);
  expect(again).toMatchObject({
    code: 1,
    messages: expect.stringContaining(
      'already has a control store: 1 rows in the table organisation.',
    ),
  });
  const intoOwn = await run(['control', 'copy', '--from', url, ...at('own')]);
  expect(intoOwn.messages).toContain('already has 1 organisations, which would be lost');
  // A mirror becomes a store of its own.
  for (const name of ['node', 'new']) {
    expect((await run(['control', 'copy', '--from', url, ...at(name)])).code).toBe(0);
    for (const list of lists) {
      const back = await run([...list, '--json', ...at(name)]);
      expect(back).toMatchObject({ code: 0, data: await own(...list, '--json') });
    }
    expect((await run([...usage, ...at(name)])).data).toBe(recorded);
  }
  const neither = await run(['control', 'copy', ...at('own')]);
  expect(neither.messages).toContain('Neither --to nor --from is given.');
});

async function recordRequests(data: string, requestIds: readonly string[]): Promise<void> {
  const ledger = openLedger({
    files: dataDirectory(data).usage,
    sync: 'normal',
    observe: () => {},
  });
  for (const requestId of requestIds) {
    await ledger.record({ ...RECORD, organisationId: 'acme', time: Date.now(), requestId });
  }
  await ledger.close();
}

type Answer = { readonly status: number; readonly reason?: string };

test('services share tokens, answer while the database is away, and refuse when it has been too long', {
  tags: 'slow',
  timeout: 600_000,
}, async () => {
  await onNode('admin', 'org', 'create', 'Acme', '--id', 'acme');
  const create = async (...flags: readonly string[]) =>
    JSON.parse(
      await onNode('admin', 'token', 'create', '--org', 'acme', '--name', 'x', '--json', ...flags),
    ) as { token: string; tokenId: string };
  const [kept, leaked, admin] = [await create(), await create(), await create('--scope', 'admin')];
  const first = await serve('first', '--control-away-max', '60s');
  const second = await serve('second', '--control-away-max', '0s');
  expect(await ask(first, leaked.token)).toEqual({ status: 200 });
  expect(await ask(second, leaked.token)).toEqual({ status: 200 });

  await onNode('admin', 'token', 'revoke', leaked.tokenId);
  await expect.poll(() => ask(first, leaked.token)).toMatchObject({ status: 401 });
  await expect.poll(() => ask(second, leaked.token)).toMatchObject({ status: 401 });
  const made = await post(first, '/v1/admin/organisations', admin.token, { name: 'B', id: 'b' });
  expect(made.status).toBe(200);
  expect(await onNode('admin', 'org', 'list')).toContain('\nb ');

  const stopped = await prepareStop(server(), url);
  stopped.stop();
  const revocation = `/v1/admin/tokens/${kept.tokenId}/revoke`;
  expect(await post(first, revocation, admin.token, {})).toEqual({
    status: 503,
    reason: 'CONTROL_STORE_AWAY',
  });
  expect(stopped.hasLongestWaitEnded()).toBe(false);
  await stopped.resume();

  await server().stop('immediate');
  await expect
    .poll(() => ask(second, kept.token))
    .toEqual({
      status: 503,
      reason: 'CONTROL_STORE_AWAY',
    });
  expect(await ask(first, kept.token)).toEqual({ status: 200 });
  expect(await post(first, '/v1/admin/organisations', admin.token, { name: 'C' })).toEqual({
    status: 503,
    reason: 'CONTROL_STORE_AWAY',
  });
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
  await expect.poll(async () => (await fetch(`${second.url}/readyz`)).status).toBe(503);
  expect(linesOf(first).map(({ kind }) => kind)).toContain('control_away');

  // A node that restarts within the time comes up, and one that was not up to date does not.
  first.kill('SIGTERM');
  await first.ended;
  const restarted = await serve('first', '--control-away-max', '60s');
  expect(await ask(restarted, kept.token)).toEqual({ status: 200 });
  expect(await ask(restarted, leaked.token)).toMatchObject({ status: 401 });
  await expect(serve('new')).rejects.toThrow('was not up to date within --control-away-max');

  await server().start();
  await expect.poll(() => ask(second, kept.token)).toEqual({ status: 200 });
  await expect.poll(() => linesOf(second).map(({ kind }) => kind)).toContain('control_back');
  const later = await create();
  await expect.poll(() => ask(restarted, later.token)).toEqual({ status: 200 });
});

const serve = (name: string, ...flags: readonly string[]): Promise<Service> =>
  startService(join(folder, name), flags, { environment: { LOCMETRICS_CONTROL: url } });

function ask(service: Service, token: string): Promise<Answer> {
  return post(service, '/v3/catalog/listDataReferences', token, { billingContext: 'acme' });
}

async function post(
  { url: http }: Service,
  path: string,
  token: string,
  body: unknown,
): Promise<Answer> {
  const response = await fetch(http + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { status } = response;
  if (status === 200) return { status };
  const problem = (await response.json()) as { reason?: string };
  return { status, ...(problem.reason === undefined ? {} : { reason: problem.reason }) };
}
