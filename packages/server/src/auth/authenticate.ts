import type { Caller } from '@locmetrics/core/domain/caller';
import { ControlError } from '@locmetrics/core/errors/control-error';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { TokenLookup } from './callers.ts';
import type { ControlStore } from './control-store.ts';
import { TokenRefusedError } from './token-refused-error.ts';

/**
 * The caller whose token the `Authorization` header (in gRPC: the metadata key `authorization`)
 * carries, as in RFC 6750: `Bearer <token>`.
 *
 * Throws a ServiceError:
 * - TOKEN_MISSING if there is no bearer token;
 * - TOKEN_EXPIRED if the token has expired, and was not revoked. It reveals nothing: its sender has the token, and
 *   178 random bits are not guessed.
 * - TOKEN_INVALID if the token is not accepted for another reason. The message is always the same, so that nobody
 *   learns whether a text was once a token. The reason is in the cause of the error, a TokenRefusedError, for the
 *   operator only.
 * - ORGANISATION_SUSPENDED if the token is valid and its organisation is suspended. An expired or revoked
 *   token of it is refused like any other, so only a holder of a valid token learns of the suspension.
 * - CONTROL_STORE_UNUSABLE if no token can be checked.
 */
export function authenticate(
  authorizationHeader: string | undefined,
  store: Pick<ControlStore, 'findCaller'>,
): Caller {
  const lookup = findCaller(readBearerToken(authorizationHeader), store);
  if (lookup.isAccepted) return lookup.caller;
  const cause = new TokenRefusedError(lookup.refusal, lookup.tokenId);
  if (lookup.refusal === 'suspended') {
    throw new ServiceError(
      'ORGANISATION_SUSPENDED',
      `The organisation '${lookup.organisationId}' is suspended.`,
      { hint: 'Ask the data owner to resume it. The same token then works again.', cause },
    );
  }
  if (lookup.refusal === 'expired') {
    const expired = new Date(lookup.expires).toISOString();
    throw new ServiceError('TOKEN_EXPIRED', `The token expired at ${expired}.`, {
      hint: 'Ask the data owner for a new one. The time is by the clock of the service.',
      cause,
    });
  }
  throw new ServiceError('TOKEN_INVALID', 'The token is not accepted.', {
    hint: 'Check that the whole token is sent and nothing else; if so, ask the data owner for a new one.',
    cause,
  });
}

function findCaller(tokenText: string, store: Pick<ControlStore, 'findCaller'>): TokenLookup {
  try {
    return store.findCaller(tokenText);
  } catch (error) {
    throw error instanceof ControlError ? error.toServiceError() : error;
  }
}

function readBearerToken(header: string | undefined): string {
  if (header === undefined) throw tokenMissing('The request has no Authorization header.');
  const text = header.trim();
  if (text === '') throw tokenMissing('The Authorization header is empty.');
  const schemeEnd = text.search(/[ \t]/);
  const scheme = schemeEnd === -1 ? text : text.slice(0, schemeEnd);
  if (scheme.toLowerCase() !== 'bearer') throw tokenMissing(describeScheme(scheme, schemeEnd));
  if (schemeEnd === -1) {
    throw tokenMissing('The Authorization header has the scheme Bearer, but no token after it.');
  }
  return text.slice(schemeEnd).trim();
}

/**
 * Describes the word in the place of the scheme `Bearer`. Only a known scheme is quoted: a caller that
 * forgets the scheme sends the token in its place, and messages end up in logs.
 */
function describeScheme(scheme: string, schemeEnd: number): string {
  const known = OTHER_SCHEMES.find((other) => other.toLowerCase() === scheme.toLowerCase());
  if (known !== undefined) {
    return `The Authorization header has the scheme ${known} instead of Bearer.`;
  }
  return schemeEnd === -1
    ? 'The Authorization header has a value without a scheme before it.'
    : 'The Authorization header has an unknown scheme instead of Bearer.';
}

/** The schemes of the IANA registry that clients use by default, and three common unregistered ones. */
const OTHER_SCHEMES = ['Basic', 'Digest', 'DPoP', 'Negotiate', 'NTLM', 'OAuth', 'Token', 'ApiKey'];

function tokenMissing(message: string): ServiceError {
  return new ServiceError('TOKEN_MISSING', message, {
    hint: 'Send the header `Authorization: Bearer <token>`.',
  });
}
