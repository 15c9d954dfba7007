import { ExpectedError } from '@locmetrics/core/errors/expected-error';

/** A certificate or key that cannot be used. */
export class CertificateError extends ExpectedError {
  override readonly name = 'CertificateError';
}
