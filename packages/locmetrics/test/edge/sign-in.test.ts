import { expectThisMachine } from '@locmetrics/server/edge/http/request/expect-this-machine';
import { expect, test } from 'vitest';
import { SHOPS } from './shops.ts';
import { useTestServer } from './test-server.ts';

const { data, send, logText } = useTestServer((to) => to.publishFiles(SHOPS));

const makeCode = () => data().store.createSignInLink({ organisationId: 'acme' }).code;

const signIn = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  send('/v1/sign-in', {
    method: 'POST',
    headers: { authorization: '', 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

test('a code is exchanged for a token, which is not kept by caches', async () => {
  const { status, headers, text } = await signIn({ code: makeCode() });
  const answer = JSON.parse(text);
  expect([status, headers.get('cache-control'), answer]).toEqual([
    200,
    'no-store',
    {
      token: expect.stringMatching(/^lm_[0-9A-Za-z]{36}$/),
      expires: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    },
  ]);
  const caller = await send('/v1/caller', { headers: { authorization: `Bearer ${answer.token}` } });
  expect(JSON.parse(caller.text)).toMatchObject({
    organisationId: 'acme',
    tokenName: 'explorer',
    expires: answer.expires,
  });
});

test('a code that was used is refused with what to do', async () => {
  const code = makeCode();
  await signIn({ code });
  const { status, headers, text } = await signIn({ code });
  expect([status, headers.get('www-authenticate'), headers.get('cache-control')]).toEqual([
    401,
    'Bearer realm="locmetrics"',
    'no-store',
  ]);
  expect(JSON.parse(text)).toMatchInlineSnapshot(`
    {
      "code": "UNAUTHENTICATED",
      "detail": "The sign-in code is not accepted: it was used, has expired, or never existed.",
      "errors": [
        {
          "detail": "The sign-in code is not accepted: it was used, has expired, or never existed.",
          "pointer": "/code",
        },
      ],
      "hint": "Make a new link on the machine of the service with locmetrics explore, or sign in with a token.",
      "instance": "/v1/sign-in",
      "reason": "SIGN_IN_CODE_INVALID",
      "requestId": "request-1",
      "status": 401,
      "title": "Sign-in code not accepted",
      "type": "urn:locmetrics:problem:SIGN_IN_CODE_INVALID",
    }
  `);
  const unknown = await signIn({ code: 'x'.repeat(30) });
  expect(JSON.parse(unknown.text)).toEqual(JSON.parse(text));
});

test.each([
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-prefix',
  'x-forwarded-proto',
  'x-real-ip',
])('a request with the header %s came through a proxy, and its code is not used', async (name) => {
  const code = makeCode();
  const { status, text } = await signIn({ code }, { [name]: '127.0.0.1' });
  expect([status, JSON.parse(text)]).toMatchObject([
    403,
    { reason: 'SIGN_IN_NOT_LOCAL', detail: 'The request came through a proxy.' },
  ]);
  expect((await signIn({ code })).status).toBe(200);
});

test.each(['127.0.0.1', '127.8.0.1', '::1', '::ffff:127.0.0.1'])(
  'the address %s is of this machine',
  (remoteAddress) => {
    expect(() => expectThisMachine({ socket: { remoteAddress }, headers: {} })).not.toThrow();
  },
);

test.each(['192.0.2.2', '10.0.0.1', '::', '::2', '::ffff:10.0.0.1', 'fe80::1', undefined])(
  'the address %s is of another machine',
  (remoteAddress) => {
    expect(() => expectThisMachine({ socket: { remoteAddress }, headers: {} })).toThrow(
      'which is another machine.',
    );
  },
);

test.each([
  ['no code', {}],
  ['a number', { code: 1 }],
  ['a long code', { code: 'x'.repeat(101) }],
  ['another field', { code: 'x', token: 'y' }],
])('%s is refused by its shape', async (_, body) => {
  expect((await signIn(body)).status).toBe(400);
});

test.each([
  ['text/plain', {}],
  ['application/json; charset=latin1', {}],
  ['application/json', { 'content-encoding': 'gzip' }],
])('a body declared as %s with %j is refused', async (type, headers) => {
  const { body } = await signIn({ code: makeCode() }, { 'content-type': type, ...headers });
  expect(body.reason).toBe('UNSUPPORTED_MEDIA_TYPE');
});

test('neither the code nor the token is in the log', async () => {
  const code = makeCode();
  const { token } = JSON.parse((await signIn({ code })).text);
  await signIn({ code });
  expect(logText()).toContain('/v1/sign-in');
  expect(logText()).not.toContain(code);
  expect(logText()).not.toContain(token);
});
