import { ServiceError } from '@locmetrics/core/errors/service-error';
import { authenticate } from '@locmetrics/server/auth/authenticate';
import { type FileControlStore, openControlStore } from '@locmetrics/server/auth/control-store';
import type { CreatedToken } from '@locmetrics/server/auth/insert-token';
import { createTokenText } from '@locmetrics/server/auth/token-text';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';

const inFolder = useTemporaryFolder('test');
let now = 0;
let store: FileControlStore;
let token: CreatedToken;

beforeEach(() => {
  now = 1_000;
  store = openControlStore(inFolder('control.sqlite'), { clock: () => now });
  store.createOrganisation({ id: 'acme', name: 'Acme' });
  token = store.createToken({ organisationId: 'acme', name: 'x', expiresAfterMs: 60_000 });
});

afterEach(() => {
  store.close();
});

describe('a request with a token', () => {
  test.each([
    ['as in RFC 6750', (text: string) => `Bearer ${text}`],
    ['with the scheme in lower case', (text: string) => `bearer ${text}`],
    ['with the scheme in upper case', (text: string) => `BEARER ${text}`],
    ['after several spaces', (text: string) => `Bearer   ${text}`],
    ['after a tab', (text: string) => `Bearer\t${text}`],
    ['with space around the header', (text: string) => `  Bearer ${text} \t`],
  ])('is accepted %s', (_, header) => {
    expect(authenticate(header(token.tokenText), store)).toMatchObject({
      organisationId: 'acme',
      tokenId: token.tokenId,
    });
  });
});

describe('a request without a bearer token', () => {
  test.each([
    [undefined, 'The request has no Authorization header.'],
    ['', 'The Authorization header is empty.'],
    [' \t ', 'The Authorization header is empty.'],
    ['Bearer', 'The Authorization header has the scheme Bearer, but no token after it.'],
    ['bearer  ', 'The Authorization header has the scheme Bearer, but no token after it.'],
    ['basic YTpi', 'The Authorization header has the scheme Basic instead of Bearer.'],
    ['Token abc', 'The Authorization header has the scheme Token instead of Bearer.'],
    ['Bearer: abc', 'The Authorization header has an unknown scheme instead of Bearer.'],
    ['Bearerabc', 'The Authorization header has a value without a scheme before it.'],
  ])('is refused: %j', (header, message) => {
    expect(refusal(header)).toMatchObject({
      reason: 'TOKEN_MISSING',
      code: 'UNAUTHENTICATED',
      message,
      hint: 'Send the header `Authorization: Bearer <token>`.',
    });
  });

  test.each([
    ['alone', (text: string) => text],
    ['before another word', (text: string) => `${text} x`],
    ['after another scheme', (text: string) => `Token ${text}`],
    ['after Bearer without a space', (text: string) => `Bearer${text}`],
  ])('is refused without repeating the token when the token is %s', (_, header) => {
    const error = refusal(header(token.tokenText));
    expect(error.reason).toBe('TOKEN_MISSING');
    expect(`${error.message} ${error.hint}`).not.toContain(token.tokenText);
  });
});

describe('a request with a token of a suspended organisation', () => {
  test('learns of the suspension, and whom to ask', () => {
    store.suspendOrganisation('acme');
    const error = refusal(`Bearer ${token.tokenText}`);
    expect(error).toMatchObject({
      reason: 'ORGANISATION_SUSPENDED',
      code: 'PERMISSION_DENIED',
      httpStatus: 403,
      message: "The organisation 'acme' is suspended.",
      hint: 'Ask the data owner to resume it. The same token then works again.',
      cause: { refusal: 'suspended', tokenId: token.tokenId },
    });
  });

  test('learns nothing of it if the token has ended or never existed', () => {
    const revoked = store.createToken({ organisationId: 'acme', name: 'revoked' });
    store.revokeToken(revoked.tokenId);
    const ended = [`Bearer ${revoked.tokenText}`, `Bearer ${createTokenText()}`, 'Bearer abc'];
    const before = ended.map((header) => refusal(header));
    store.suspendOrganisation('acme');
    for (const [index, header] of ended.entries()) {
      const { reason, message, hint } = refusal(header);
      expect({ reason, message, hint }).toEqual({
        reason: 'TOKEN_INVALID',
        message: before[index]?.message,
        hint: before[index]?.hint,
      });
    }
    now = 61_000;
    expect(refusal(`Bearer ${token.tokenText}`).reason).toBe('TOKEN_EXPIRED');
  });
});

describe('a request with an expired token', () => {
  test('learns when it expired, and not a millisecond earlier', () => {
    now = 60_999;
    expect(authenticate(`Bearer ${token.tokenText}`, store).tokenId).toBe(token.tokenId);
    now = 61_000;
    const error = refusal(`Bearer ${token.tokenText}`);
    expect(answer(error)).toEqual({
      reason: 'TOKEN_EXPIRED',
      message: 'The token expired at 1970-01-01T00:01:01.000Z.',
      hint: 'Ask the data owner for a new one. The time is by the clock of the service.',
      details: [],
    });
    expect(error.code).toBe('UNAUTHENTICATED');
    expect(error.cause).toMatchObject({ refusal: 'expired', tokenId: token.tokenId });
  });

  test('learns nothing of that if it was revoked too', () => {
    store.revokeToken(token.tokenId);
    now = 61_000;
    expect(refusal(`Bearer ${token.tokenText}`).reason).toBe('TOKEN_INVALID');
  });
});

describe('a request with a token that is not accepted', () => {
  test('gets the same answer unless it has expired; only the operator sees the reason', () => {
    const revoked = store.createToken({ organisationId: 'acme', name: 'revoked' });
    store.revokeToken(revoked.tokenId);
    const errors = ['Bearer abc', `Bearer ${createTokenText()}`, `Bearer ${revoked.tokenText}`].map(
      refusal,
    );

    expect(errors.map(answer)).toEqual(
      errors.map(() => ({
        reason: 'TOKEN_INVALID',
        message: 'The token is not accepted.',
        hint: 'Check that the whole token is sent and nothing else; if so, ask the data owner for a new one.',
        details: [],
      })),
    );
    expect(errors.map(({ cause }) => cause)).toMatchObject([
      { refusal: 'malformed', tokenId: undefined },
      { refusal: 'unknown', tokenId: undefined },
      { refusal: 'revoked', tokenId: revoked.tokenId },
    ]);
  });

  test.each([
    ['twice', (text: string) => `Bearer ${text} ${text}`],
    ['in quotes', (text: string) => `Bearer "${text}"`],
    ['before a comma', (text: string) => `Bearer ${text},`],
    ['after the scheme twice', (text: string) => `Bearer Bearer ${text}`],
    ['in lower case', (text: string) => `Bearer ${text.toLowerCase()}`],
    ['without its last character', (text: string) => `Bearer ${text.slice(0, -1)}`],
  ])('is refused with the token %s', (_, header) => {
    const error = refusal(header(token.tokenText));
    expect(error.reason).toBe('TOKEN_INVALID');
    expect(error.cause).toMatchObject({ refusal: 'malformed' });
    expect(String(error.cause)).not.toContain(token.tokenText);
  });
});

function refusal(header: string | undefined): ServiceError {
  try {
    authenticate(header, store);
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error('The request was accepted.');
}

function answer({ reason, message, hint, details }: ServiceError) {
  return { reason, message, hint, details };
}
