// @module-tag slow

import { Agent, request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SHOPS } from '../edge/shops.ts';
import { createTestData, type TestData } from '../edge/test-data.ts';
import { runCommand } from './run-command.ts';
import { startService } from './start-service.ts';

let data: TestData;
beforeAll(async () => {
  data = await createTestData();
  await data.publishFiles(SHOPS);
});
afterAll(async () => {
  await data.remove();
});

const explore = (...flags: readonly string[]) =>
  runCommand(['explore', '--org', 'acme', ...flags, '--data', data.directory.root]);

/** Serves with a worker, unless a flag says more. Returns the URL. */
async function serve(host = '127.0.0.1', flags: readonly string[] = []): Promise<string> {
  const all = ['--http', `${host}:0`, '--allow-plaintext', ...flags];
  return (await startService(data.directory.root, all)).url;
}

type Answer = { readonly status: number | undefined; readonly body: Record<string, unknown> };

/** Each use has a connection of its own, so that they spread over the workers. */
function signIn(url: string, code: string): Promise<Answer> {
  const agent = new Agent();
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const sent = request(
    `${url}/v1/sign-in`,
    { method: 'POST', agent, headers: { 'content-type': 'application/json' } },
    (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      answer.once('end', () => {
        agent.destroy();
        resolve({ status: answer.statusCode, body: JSON.parse(text) });
      });
    },
  );
  sent.once('error', reject);
  sent.end(JSON.stringify({ code }));
  return promise;
}

const codeOf = (address: string): string => /#sign-in=(\w+)$/.exec(address)?.[1] ?? '';

test('of 20 simultaneous uses of a code, over two workers, exactly one gets a token', {
  tags: 'slow',
}, async () => {
  const url = await serve('127.0.0.1', ['--workers', '2']);
  for (let round = 0; round < 3; round += 1) {
    const before = data.store.listTokens().length;
    const { address } = JSON.parse((await explore('--json')).data);
    expect(address).toMatch(new RegExp(`^${url}/#sign-in=\\w{30}$`));
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => signIn(url, codeOf(address))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(401)]);
    expect(data.store.listTokens()).toHaveLength(before + 1);
  }
});

test('the address is printed alone, and the rest is told beside it', async () => {
  const url = await serve();
  const printed = await explore('--scope', 'admin,catalog');
  expect(printed).toMatchObject({ code: 0 });
  expect(printed.data).toMatch(new RegExp(`^${url}/#sign-in=\\w{30}\n$`));
  expect(printed.messages).toMatch(
    /^Open it in a browser on this machine until \S+Z\. It works once and signs you in for 12 hours\.\n$/,
  );
  const { body } = await signIn(url, codeOf(printed.data.trim()));
  expect(data.store.findCaller(String(body['token']))).toMatchObject({
    caller: { organisationId: 'acme', scopes: ['catalog', 'admin'] },
  });
});

test('the link of a service with a base path is below it, and works', {
  tags: 'slow',
}, async () => {
  const url = await serve('127.0.0.1', ['--base-path', '/metrics-data']);
  expect(url).toMatch(/:\d+\/metrics-data$/);
  const { address } = JSON.parse((await explore('--json')).data);
  expect(address).toMatch(new RegExp(`^${url}/#sign-in=\\w{30}$`));
  expect((await signIn(url, codeOf(address))).status).toBe(200);
});

test('without a running service no link is made', async () => {
  const before = data.store.listAudit({ limit: 1 });
  expect(await explore()).toEqual({
    code: 1,
    data: '',
    messages: `No service runs on ${data.directory.root}.\nStart it: locmetrics serve --data ${data.directory.root}\n`,
  });
  expect(data.store.listAudit({ limit: 1 })).toEqual(before);
});

const foreign = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

test.skipIf(foreign === undefined)(
  'from an address other than loopback a code is refused, and stays unused',
  async () => {
    const url = await serve('0.0.0.0');
    const { address } = JSON.parse((await explore('--json')).data);
    const local = url.replace('0.0.0.0', '127.0.0.1');
    expect(address.startsWith(`${local}/#`)).toBe(true);
    const refused = await signIn(url.replace('0.0.0.0', String(foreign)), codeOf(address));
    expect(refused).toMatchObject({
      status: 403,
      body: {
        reason: 'SIGN_IN_NOT_LOCAL',
        detail: `The request came from ${foreign}, which is another machine.`,
      },
    });
    expect((await signIn(local, codeOf(address))).status).toBe(200);
  },
);

test.skipIf(foreign === undefined)(
  'a service that does not listen on loopback gets no link, and the message says what to do',
  { tags: 'slow' },
  async () => {
    const url = await serve(String(foreign));
    expect(await explore()).toEqual({
      code: 1,
      data: '',
      messages: `The service listens on ${url}, but not on an HTTP address of loopback.\nOpen its address and sign in with a token: locmetrics token create\n`,
    });
  },
);
