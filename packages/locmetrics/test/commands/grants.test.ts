import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { dataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { openControlStore } from '@locmetrics/server/auth/control-store';
import { beforeAll, expect, test } from 'vitest';
import { STATES } from '../edge/states.ts';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { type CommandResult, runCommand } from './run-command.ts';

const inFolder = useTemporaryFolder();
const MANIFEST = fileURLToPath(new URL('../fixtures/trips/locmetrics.yaml', import.meta.url));

const run = (...parameters: readonly string[]): Promise<CommandResult> =>
  runCommand([...parameters, '--data', inFolder('data')]);

beforeAll(async () => {
  await run('publish', MANIFEST);
  for (const [name, text] of Object.entries(STATES)) writeFileSync(inFolder(name), text);
  await run('publish', inFolder('locmetrics.yaml'));
  await run('org', 'create', 'Acme', '--id', 'acme', '--json');
});

test('a grant is added, listed and removed', async () => {
  const added = await run(
    ...['grant', 'add', 'acme', 'trips.towns', '--filter', 'canton in ZH,BE'],
    ...['--filter', 'founded >= 1100-01-01', '--field', 'town_id,name', '--field', 'canton'],
    ...['--from', '2020-01-01', '--until', '2099-12-31', '--show-small-cells'],
  );
  expect(added).toEqual({
    code: 0,
    data: expect.stringMatching(
      /^Granted acme 'trips\.towns' \(canton in ZH,BE; founded >= 1100-01-01; fields town_id,name,canton; small cells too\): the grant [0-9a-v]{12}\.\n {2}canton in\n {4}ZH {10}\d+ records?\n {4}BE {10}\d+ records?\n {2}founded >=\n {4}1100-01-01 {2}\d+ records?\n$/,
    ),
    messages: '',
  });
  const grantId = /[0-9a-v]{12}(?=\.\n)/.exec(added.data)?.[0] ?? '';
  const listed = await run('grant', 'list', 'acme');
  expect(listed.data).toBe(
    'ID            ORGANISATION  PATTERN      FROM        UNTIL       STATE  WHAT\n' +
      `${grantId}  acme          trips.towns  2020-01-01  2099-12-31  fits   canton in ZH,BE; founded >= 1100-01-01; fields town_id,name,canton; small cells too\n`,
  );
  expect(await run('grant', 'remove', grantId)).toEqual({
    code: 0,
    data: `Removed the grant ${grantId} of acme ('trips.towns').\n`,
    messages: '',
  });
  expect((await run('grant', 'list')).messages).toBe(
    'There are no grants. Add one: locmetrics grant add ORG PATTERN\n',
  );
});

test('a filter means the same in every spelling', async () => {
  const filters = [
    ['canton == ZH', { fieldName: 'canton', operator: '==', value: 'ZH', values: [] }],
    [
      'canton in "ZH, BE" ,BE, "6"" pipe"',
      { fieldName: 'canton', operator: 'in', value: '', values: ['ZH, BE', 'BE', '6" pipe'] },
    ],
    ['canton=="ZH, BE"', { fieldName: 'canton', operator: '==', value: 'ZH, BE', values: [] }],
    ['canton in ZH, BE', { fieldName: 'canton', operator: 'in', value: '', values: ['ZH', 'BE'] }],
    [
      'name not in ["A, B","C"]',
      { fieldName: 'name', operator: 'not_in', value: '', values: ['A, B', 'C'] },
    ],
    ['merged is_empty', { fieldName: 'merged', operator: 'is_empty', value: '', values: [] }],
    [
      'name starts_with St. ',
      { fieldName: 'name', operator: 'starts_with', value: 'St.', values: [] },
    ],
    ['latitude>=46.5', { fieldName: 'latitude', operator: '>=', value: '46.5', values: [] }],
    [
      '{"field_name": "is_obfuscated", "operator": "==", "value": false}',
      { fieldName: 'is_obfuscated', operator: '==', value: false, values: [] },
    ],
  ] as const;
  const given = filters.flatMap(([text]) => ['--filter', text]);
  const { data } = await run('grant', 'add', 'acme', 'trips.towns', ...given, '--yes', '--json');
  const { grant, names } = JSON.parse(data);
  expect(names).toEqual(['trips.towns']);
  expect(grant.filters).toEqual(filters.map(([, clause]) => clause));
  await run('grant', 'remove', grant.grantId);
});

test.each([
  { given: ['--filter', 'canton'], said: "--filter: 'canton' is not a field, an operator" },
  { given: ['--filter', 'canton = ZH'], said: "--filter: Unknown operator '='.\nDid you mean" },
  { given: ['--filter', 'canton in ,'], said: "--filter: ',' is not a list of values." },
  {
    given: ['--filter', 'canton in "ZH, BE,BE'],
    said: "--filter: '\"ZH, BE,BE' has a double quote without its pair in '\"ZH, BE,BE'.\nPut a value with a comma into double quotes",
  },
  { given: ['--filter', 'canton in ZH, B"E'], said: 'has a double quote without its pair in' },
  { given: ['--filter', 'canton in "ZH" BE'], said: 'has a text after the double quotes in' },
  { given: ['--filter', 'canton == "ZH","BE"'], said: '"BE"\' is more than one value.' },
  { given: ['--field', '"name'], said: "--field: '\"name' has a double quote without its pair" },
  { given: ['--filter', 'merged is_empty x'], said: '--filter: The operator is_empty takes no' },
  { given: ['--filter', '{"name": "x"}'], said: "--filter: A filter has no member 'name'." },
  { given: ['--filter', '{'], said: "--filter: '{' is not JSON." },
  { given: ['--component', 'canton'], said: "--component: 'canton' is not an id and a value" },
  { given: ['--period', '2024-01-01'], said: "--period: '2024-01-01' is not two days" },
  { given: ['--until', '2024-02-30'], said: "--until: '2024-02-30' is not a calendar date." },
])('$given is wrong usage', async ({ given, said }) => {
  const { code, messages } = await run('grant', 'add', 'acme', 'trips.towns', ...given);
  expect([code, messages]).toEqual([2, expect.stringContaining(said)]);
});

test.each([
  {
    given: ['trips.towns', '--filter', 'cantn == ZH'],
    said: "Unknown field 'cantn' in trips.towns.\nDid you mean 'canton'?\n",
  },
  {
    given: ['trips.*', '--field', 'purpose'],
    said: "Unknown field 'purpose' in trips.towns.\n",
  },
  {
    given: ['trips.towns', '--filter', 'latitude == north'],
    said: "The value 'north' does not fit the float field 'latitude'.\n",
  },
  {
    given: ['trips/*', '--component', 'cantn:ZH'],
    said: "The layer 'town' has no component 'cantn'.\nDid you mean 'canton'?\n",
  },
  {
    given: ['trips/*', '--field', 'median_minutes'],
    said: "leaves out 'trip_count', the main value of 'trips/trips_daily'.\n",
  },
  { given: ['trips', '--field', 'x'], said: '"trips" is not a pattern.\n' },
  {
    given: ['trips.towns', '--period', '2024-01-01/'],
    said: 'Only metrics can be narrowed by period, dimension, component or feature, not',
  },
  {
    given: ['*', '--filter', 'canton == ZH'],
    said: "Filters cannot be combined with the pattern '*'.\n",
  },
])('a grant of $given is refused', async ({ given, said }) => {
  const { code, data, messages } = await run('grant', 'add', 'acme', ...given);
  expect([code, data, messages]).toEqual([1, '', expect.stringContaining(said)]);
});

test('a second grant of the same pattern is refused with the first one, unless the days differ', async () => {
  const first = await run('grant', 'add', 'acme', 'trips.*', '--until', '2098-12-31', '--json');
  const { grantId } = JSON.parse(first.data).grant;
  const second = await run('grant', 'add', 'acme', 'trips.*', '--from', '2098-12-31');
  expect([second.code, second.messages]).toEqual([
    1,
    expect.stringContaining(
      `already has a grant of 'trips.*' for some of these days: ${grantId}.\n`,
    ),
  ]);
  expect((await run('grant', 'add', 'acme', 'trips.*', '--from', '2099-01-01')).code).toBe(0);
});

test('the terms of a grant are replaced, with those before and now', async () => {
  const first = await run('grant', 'add', 'acme', 'trips.places', '--json');
  const { grantId } = JSON.parse(first.data).grant;
  expect(
    await run('grant', 'replace', grantId, 'trips.towns', '--filter', 'canton in ZH,BE'),
  ).toEqual({
    code: 0,
    data: [
      `Replaced the grant ${grantId} of acme.\n`,
      "  before  'trips.places' (all of it)\n",
      "  now     'trips.towns' (canton in ZH,BE)\n",
      '  canton in\n    ZH  2 records\n    BE  1 record\n',
    ].join(''),
    messages: '',
  });
  const { data } = await run('grant', 'replace', grantId, 'trips.towns', '--json');
  expect(JSON.parse(data)).toMatchObject({
    grant: { grantId, filters: [] },
    before: { filters: [{ values: ['ZH', 'BE'] }] },
    names: ['trips.towns'],
  });
  expect(await run('grant', 'replace', grantId, 'trips.towns', '--field', 'nme')).toMatchObject({
    code: 1,
    messages: expect.stringContaining("Did you mean 'name'?"),
  });
  expect(await run('grant', 'replace', 'nothing', 'trips.towns')).toMatchObject({
    code: 1,
    messages: expect.stringContaining("Unknown grant 'nothing'."),
  });
  await run('grant', 'remove', grantId);
});

test('a grant of unpublished data is added with a notice', async () => {
  const { code, messages } = await run('grant', 'add', 'acme', 'later.*', '--field', 'anything');
  expect([code, messages]).toEqual([
    0,
    "No published dataset or metric matches 'later.*' yet. The grant takes effect when one does.\n",
  ]);
});

test.each([
  ['trip.*', 'trips.*'],
  ['trip/*', 'trips/*'],
  ['trips.town', 'trips.towns'],
])(
  'a grant of %s, which matches nothing, is added with the nearest name',
  async (given, nearest) => {
    const { messages } = await run('grant', 'add', 'acme', given);
    expect(messages).toBe(
      `No published dataset or metric matches '${given}' yet. The grant takes effect when one does. Did you mean '${nearest}'?\n`,
    );
  },
);

test('limits are set one by one, removed and listed', async () => {
  const set = (...flags: readonly string[]) => run('limits', 'set', 'acme', ...flags);
  expect((await run('limits', 'list')).messages).toContain('No organisation has limits.');
  expect((await set('--requests-per-second', '0.5', '--burst', '10')).data).toBe(
    'The limits of acme: 0.5 requests per second, 10 at once.\n',
  );
  expect((await set('--rows-per-month', '1000000', '--concurrent', '2')).data).toBe(
    'The limits of acme: 0.5 requests per second, 10 at once, 1000000 rows per month, 2 requests at the same time.\n',
  );
  expect((await set('--viewed-rows', '500')).data).toContain(', 500 rows to look at per day.');
  expect((await run('limits', 'list')).data).toBe(
    'ORGANISATION  REQUESTS/S  BURST  ROWS/DAY  ROWS/MONTH  CONCURRENT  VIEWED/DAY\n' +
      'acme          0.5         10     none      1000000     2           500\n',
  );
  const none = [
    '--requests-per-second',
    '0',
    '--rows-per-month',
    'none',
    '--concurrent',
    '0',
    '--viewed-rows',
    'none',
  ];
  expect((await set(...none)).data).toBe('The limits of acme: none.\n');
  expect(await set()).toMatchObject({ code: 2, messages: expect.stringContaining('No limit is') });
  expect(await set('--burst', 'x')).toMatchObject({ code: 2 });
  expect(await set('--burst', '1')).toMatchObject({ code: 1 });
});

test('a token has only the named scopes', async () => {
  const create = (...scopes: readonly string[]) =>
    run('token', 'create', '--org', 'acme', '--name', 'x', ...scopes, '--json');
  const { data } = await create('--scope', 'usage,catalog', '--scope', 'admin');
  expect(JSON.parse(data).scopes).toEqual(['catalog', 'usage', 'admin']);
  expect(await create('--scope', 'metric')).toMatchObject({
    code: 2,
    messages: "--scope: There is no scope 'metric'.\nDid you mean 'metrics'?\n",
  });
});

test('a rotation prints only the new token on standard output, and on standard error when the old one ends', async () => {
  const created = await run('token', 'create', '--org', 'acme', '--name', 'y', '--json');
  const { tokenId } = JSON.parse(created.data);
  const { code, data, messages } = await run('token', 'rotate', tokenId, '--overlap', '0s');
  expect([code, data]).toEqual([0, expect.stringMatching(/^lm_[0-9A-Za-z]{36}\n$/)]);
  expect(messages).toMatch(
    new RegExp(
      `^Save the token now: .* Its id is [0-9a-v]{12}, and it does not expire\\.\nThe old token ${tokenId} expires at \\d{4}-.*Z\\. `,
    ),
  );
  expect(await run('token', 'rotate', tokenId)).toMatchObject({
    code: 1,
    messages: expect.stringContaining('was replaced by'),
  });
});

test('the audit log has each change with the user of the operating system, and no text of a token', async () => {
  await run('org', 'create', 'Logged', '--id', 'logged', '--json');
  const made = await run('token', 'create', '--org', 'logged', '--name', 'z', '--json');
  const { token, tokenId } = JSON.parse(made.data);
  await run('token', 'revoke', tokenId);
  const { data } = await run('audit', '--org', 'logged', '--since', '1h', '--json');
  const { entries } = JSON.parse(data);
  expect(entries).toMatchObject([
    { action: 'token.revoke', subject: tokenId, actor: { kind: 'command line' } },
    { action: 'token.create', subject: tokenId, details: { name: 'z' } },
    { action: 'organisation.create', subject: 'logged', details: { name: 'Logged' } },
  ]);
  expect(entries[0].actor.user).not.toBe('');
  expect(data).not.toContain(token);
  const table = await run('audit', '--org', 'logged', '--limit', '1');
  expect(table.data).toMatch(/^TIME +WHO +ACTION +ORGANISATION +SUBJECT +DETAILS\n\S+Z {2}/);
  expect(table.data.trimEnd().split('\n')).toHaveLength(2);
  expect(await run('audit', '--since', '2099-01-01')).toMatchObject({
    data: '',
    messages: 'No changes are recorded.\n',
  });
  expect(await run('audit', '--limit', '0')).toMatchObject({ code: 2 });
});

test('an open store sees a grant of the command line at once', async () => {
  const store = openControlStore(dataDirectory(inFolder('data')).control);
  store.createOrganisation({ id: 'live', name: 'Live' });
  const { tokenText } = store.createToken({ organisationId: 'live', name: 'x' });
  const patterns = () => {
    const lookup = store.findCaller(tokenText);
    return lookup.isAccepted ? lookup.caller.rights.grants.map(({ pattern }) => pattern) : [];
  };
  expect(patterns()).toEqual([]);
  await run('grant', 'add', 'live', 'trips.*');
  expect(patterns()).toEqual(['trips.*']);
  store.close();
});

test('lists take the organisation as an argument or as --org, but not both', async () => {
  await run('org', 'create', 'Named', '--id', 'named');
  await run('grant', 'add', 'named', 'trips.*');
  await run('token', 'create', '--org', 'named', '--name', 'x');
  await run('limits', 'set', 'named', '--burst', '2', '--requests-per-second', '1');
  for (const list of [['token', 'list'], ['grant', 'list'], ['limits', 'list'], ['audit']]) {
    const [argument, flag, both, two] = await Promise.all([
      run(...list, 'named', '--json'),
      run(...list, '--org', 'named', '--json'),
      run(...list, 'named', '--org', 'named', '--json'),
      run(...list, 'named', '--org', 'other'),
    ]);
    expect(argument.data).toContain('named');
    expect([argument.code, flag.data, both.data]).toEqual([0, argument.data, argument.data]);
    expect(two?.code).toBe(2);
    expect(two?.messages).toContain(
      "Two organisations are named: 'named' and, with --org, 'other'.",
    );
  }
}, 600_000);

test('a value that matches nothing is named with the nearest one, and needs a confirmation', async () => {
  const add = (...more: readonly string[]) =>
    run('grant', 'add', 'acme', 'town.places', ...FILTER, ...more);
  const FILTER = ['--filter', 'state in "Washington, D.C.",Washington,Califronia,D.C.'];
  const refused = await add();
  expect(refused).toEqual({
    code: 2,
    data: '',
    messages: [
      '2 values match nothing that is published:\n',
      "  state in: 'Califronia'. Did you mean 'California'?\n",
      "  state in: 'D.C.'. Did you mean 'Washington, D.C.'?\n",
      'There is no terminal to ask for confirmation.\n',
      'Correct them, or confirm them with --yes.\n',
    ].join(''),
  });
  expect((await run('grant', 'list', 'acme')).data).not.toContain('town.places');
  const { code, data, messages } = await add('--yes');
  expect([code, messages]).toEqual([0, expect.stringContaining('2 values match nothing')]);
  expect(data.split('\n').slice(1)).toEqual([
    '  state in',
    '    Washington, D.C.  1 record',
    '    Washington        2 records',
    '    Califronia        0 records',
    '    D.C.              0 records',
    '',
  ]);
  const { data: listed } = await run('grant', 'list', 'acme', '--json');
  const { grants } = JSON.parse(listed);
  const { grantId } = grants.find((one: { pattern: string }) => one.pattern === 'town.places');
  const replaced = await run(
    'grant',
    'replace',
    grantId,
    'town/visits',
    '--json',
    '--yes',
    ...[
      ...['--component', 'state:Washington, D.C.', '--feature', 'a,1', '--dimension', 'kind:wrk'],
    ],
  );
  expect(JSON.parse(replaced.data).values).toMatchObject([
    { member: 'featureFilter', value: 'a,1', rowCount: 1, nearest: null },
    { member: 'addressComponentFilter', value: 'Washington, D.C.', rowCount: 1 },
    { member: 'dimensionFilter', value: 'wrk', rowCount: 0, nearest: 'work' },
  ]);
  await run('grant', 'remove', grantId);
});
