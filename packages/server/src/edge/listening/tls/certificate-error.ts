/** A certificate or key that cannot be used. */
export class CertificateError extends Error {
  /** What to do. */
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.name = 'CertificateError';
    this.hint = hint;
  }
}
