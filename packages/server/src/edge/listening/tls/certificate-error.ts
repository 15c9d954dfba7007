import { ExpectedError } from '../../../domain/expected-error.ts';

/** A certificate or key that cannot be used. */
export class CertificateError extends ExpectedError {
  override readonly name = 'CertificateError';
}
