import { expect, test } from 'vitest';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { runCommand } from './run-command.ts';

const inFolder = useTemporaryFolder();

const run = (...parameters: readonly string[]) =>
  runCommand([...parameters, '--data', inFolder('data')]);

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

test('an organisation and its tokens are created, listed and revoked', async () => {
  expect(await run('org', 'create', 'Acme', '--id', 'acme', '--json')).toEqual({
    code: 0,
    data: '{"id":"acme"}\n',
    messages: '',
  });
  const listed = await run('org', 'list', '--json');
  expect(JSON.parse(listed.data)).toEqual({
    organisations: [{ id: 'acme', name: 'Acme', created: TIME, suspended: null }],
  });

  const created = await run('token', 'create', '--org', 'acme', '--name', 'a', '--json');
  expect(created).toMatchObject({ code: 0, messages: '' });
  const { token, tokenId } = JSON.parse(created.data);
  expect(JSON.parse(created.data)).toEqual({
    token: expect.stringMatching(/^lm_[0-9A-Za-z]{36}$/),
    tokenId: expect.stringMatching(/^[0-9a-v]{12}$/),
    scopes: ['catalog', 'metrics', 'usage'],
    expires: null,
  });

  const tokens = await run('token', 'list', '--json');
  expect(tokens.data).not.toContain(token);
  expect(JSON.parse(tokens.data)).toEqual({
    tokens: [
      {
        tokenId,
        organisationId: 'acme',
        name: 'a',
        scopes: ['catalog', 'metrics', 'usage'],
        state: 'active',
        created: TIME,
        expires: null,
        lastUsed: null,
        revoked: null,
        replacedBy: null,
      },
    ],
  });

  const revoked = await run('token', 'revoke', token, '--json');
  expect(JSON.parse(revoked.data)).toEqual({ tokenId, revoked: TIME });
  const again = await run('token', 'revoke', tokenId);
  expect(again.data).toMatch(
    new RegExp(`^The token ${tokenId} was already revoked at \\d{4}-.*Z\\.\n$`),
  );
});

test('an organisation is suspended and resumed by its id', async () => {
  const data = ['--data', inFolder('suspended')];
  const run = (...given: readonly string[]) => runCommand([...given, ...data]);
  await run('org', 'create', 'Acme', '--id', 'acme');
  expect(await run('org', 'suspend', 'acme')).toEqual({
    code: 0,
    data: 'Suspended the organisation acme. All its tokens are refused from the next request on.\n',
    messages: 'To accept its tokens again: locmetrics org resume acme\n',
  });
  const suspended = JSON.parse((await run('org', 'suspend', 'acme', '--json')).data);
  expect(suspended).toEqual({ id: 'acme', name: 'Acme', created: TIME, suspended: TIME });
  expect((await run('org', 'suspend', 'acme')).data).toBe(
    `The organisation acme has been suspended since ${suspended.suspended}.\n`,
  );
  expect((await run('org', 'list')).data).toMatch(/^ID .* SUSPENDED\nacme .* \d{4}-\S+Z\n$/);
  expect((await run('org', 'resume', 'acme')).data).toBe(
    'Resumed the organisation acme. Its tokens are accepted from the next request on.\n',
  );
  expect((await run('org', 'resume', 'acme')).data).toBe(
    'The organisation acme is not suspended.\n',
  );
  expect((await run('org', 'list')).data).toMatch(/ no\n$/);
  expect((await run('audit')).data).toContain(`"suspended":"${suspended.suspended}"`);
  const entries = JSON.parse((await run('audit', '--json')).data).entries;
  expect(entries.map(({ action }: { readonly action: string }) => action)).toEqual([
    'organisation.resume',
    'organisation.suspend',
    'organisation.create',
  ]);
  expect(entries[1]).toMatchObject({ actor: { kind: 'command line' }, subject: 'acme' });
});

test.each(['suspend', 'resume'])('an unknown organisation to %s is refused', async (command) => {
  await run('org', 'create', 'Acme', '--id', 'acme');
  expect(await run('org', command, 'acmee')).toMatchObject({
    code: 1,
    data: '',
    messages: "Unknown organisation 'acmee'.\nDid you mean 'acme'?\n",
  });
});

test('without --json only the token is on standard output, so that a script can save it', async () => {
  await run('org', 'create', 'Globex', '--id', 'globex');
  const { code, data, messages } = await run(
    'token',
    'create',
    '--org',
    'globex',
    '--name',
    'b',
    '--expires',
    '90d',
  );
  expect(code).toBe(0);
  expect(data).toMatch(/^lm_[0-9A-Za-z]{36}\n$/);
  expect(messages).toMatch(
    /^Save the token now: it is not stored and cannot be shown again\. It expires at \d{4}-.*Z\.\nIts id is ([0-9a-v]{12}); revoke it with: locmetrics token revoke \1\n$/,
  );
});

test('without --json the lists are tables', async () => {
  const data = inFolder('tables');
  await runCommand(['org', 'create', 'City of Somewhere', '--id', 'city', '--data', data]);
  await runCommand(['token', 'create', '--org', 'city', '--name', 'job', '--data', data]);
  const organisations = await runCommand(['org', 'list', '--data', data]);
  expect(organisations.data).toMatch(
    /^ID {4}NAME {15}CREATED {19}SUSPENDED\ncity {2}City of Somewhere {2}\d{4}-\S+Z {2}no\n$/,
  );
  const tokens = await runCommand(['token', 'list', '--data', data]);
  expect(tokens.data).toMatch(
    /^ID {12}ORGANISATION {2}NAME {2}SCOPES {17}STATE {3}CREATED {19}EXPIRES {2}LAST USED\n[0-9a-v]{12} {2}city {10}job {3}catalog,metrics,usage {2}active {2}\S+Z {2}never {4}never\n$/,
  );
});

test.each([
  {
    given: ['token', 'create', '--org', 'acmee', '--name', 'x'],
    said: "Unknown organisation 'acmee'.\nDid you mean 'acme'?\n",
  },
  {
    given: ['org', 'create', 'Acme', '--id', 'acme'],
    said: "An organisation with the id 'acme' already exists.\nChoose another id, or leave it out to have one generated.\n",
  },
  {
    given: ['org', 'create', 'Acme', '--id', 'a/b'],
    said: "'a/b' cannot be the id of an organisation.\nUse 1 to 64 letters, digits, dots, underscores and hyphens, the first a letter or digit; or leave the id out to have one generated.\n",
  },
  {
    given: ['token', 'revoke', 'lm_mistyped'],
    said: 'The text starts like a token, but its length or checksum is wrong.\nGive the whole token, or its id. List the tokens to see their ids.\n',
  },
])('$given fails and says why', async ({ given, said }) => {
  expect(await run(...given)).toEqual({ code: 1, data: '', messages: said });
});

test.each([
  {
    expires: '90',
    said: "--expires: '90' is not a duration.\nWrite a whole number of ms, s, m, h, d or w",
  },
  { expires: '0s', said: "--expires: The duration '0s' is out of range.\nChoose one from 1s to" },
])('the expiry $expires of a token is wrong usage', async ({ expires, said }) => {
  const given = ['token', 'create', '--org', 'acme', '--name', 'x', '--expires', expires];
  const { code, data, messages } = await run(...given);
  expect([code, data, messages]).toEqual([2, '', expect.stringContaining(said)]);
});
