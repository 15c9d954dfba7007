import type { TokenRefusal } from './callers.ts';

/**
 * The cause of a TOKEN_INVALID, TOKEN_EXPIRED or ORGANISATION_SUSPENDED: why a token was refused, for the operator. It never
 * contains the text of the token, and has a `tokenId` only if the token exists.
 */
export class TokenRefusedError extends Error {
  readonly refusal: TokenRefusal;
  readonly tokenId: string | undefined;

  constructor(refusal: TokenRefusal, tokenId: string | undefined) {
    super(tokenId === undefined ? `The token is ${refusal}.` : `Token ${tokenId} is ${refusal}.`);
    this.name = 'TokenRefusedError';
    this.refusal = refusal;
    this.tokenId = tokenId;
  }
}
