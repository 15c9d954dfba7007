import type { TokenRefusal } from './tokens.ts';

/**
 * Why a token was refused, for what the operator observes: the cause of a TOKEN_INVALID. It never
 * has the token's text, and `tokenId` only when the token exists (expired or revoked).
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
