import type { ServiceError } from '@locmetrics/core/errors/service-error';
import { ScopeMissingError } from '../../../auth/check-scope.ts';

/**
 * The header `WWW-Authenticate` of a refusal because of the token (RFC 6750 § 3). It names the error only
 * if a token was sent.
 */
export function challengeOf(error: ServiceError): string | undefined {
  const realm = 'Bearer realm="locmetrics"';
  if (error instanceof ScopeMissingError) {
    return `${realm}, error="insufficient_scope", scope="${error.scope}"`;
  }
  const invalid = `${realm}, error="invalid_token"`;
  if (error.reason === 'TOKEN_INVALID') return invalid;
  if (error.reason === 'TOKEN_EXPIRED') return `${invalid}, error_description="The token expired"`;
  return error.code === 'UNAUTHENTICATED' ? realm : undefined;
}
