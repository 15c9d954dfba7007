import type { ServiceError } from '@locmetrics/core/errors/service-error';
import { TokenRefusedError } from '../../auth/token-refused-error.ts';
import type { Observe } from '../../observe/observation.ts';

/** Observes the error that ends a request: a fault of the service, or a refusal. */
export function observeError(
  observe: Observe,
  error: ServiceError,
  requestId: string,
  { isAlone = false }: { readonly isAlone?: boolean } = {},
): void {
  const { code, reason, cause } = error;
  if (reason === 'INTERNAL') {
    observe({ kind: 'request_failed', requestId, error: cause ?? error });
    return;
  }
  const tokenId = cause instanceof TokenRefusedError ? cause.tokenId : undefined;
  observe({
    kind: 'request_refused',
    requestId,
    code,
    reason,
    ...(cause instanceof TokenRefusedError ? { tokenRefusal: cause.refusal } : {}),
    ...(tokenId === undefined ? {} : { tokenId }),
    ...(isAlone ? { isAlone } : {}),
  });
}
