import type { SecureContextOptions } from 'node:tls';
import { ServerCredentials } from '@grpc/grpc-js';
import type { CertificatePair, CertificateSource } from './certificate-source.ts';

/**
 * Credentials whose certificate can be replaced while the server runs: new connections get the new
 * one, those that are open stay. The certificate providers of grpc-js do that too, but drop what
 * connects before their first reading, and refuse every connection once a reading fails.
 */
export class TlsCredentials extends ServerCredentials {
  constructor(source: CertificateSource) {
    super({}, toContext(source.current()));
    source.onChange((pair) => this.updateSecureContextOptions(toContext(pair)));
  }

  override _equals(other: ServerCredentials): boolean {
    return other === this;
  }
}

/** TLS 1.3 or 1.2 (RFC 9113 § 9.2), whatever Node was told to allow. */
function toContext({ certificate, key }: CertificatePair): SecureContextOptions {
  return { cert: certificate, key, minVersion: 'TLSv1.2' };
}
