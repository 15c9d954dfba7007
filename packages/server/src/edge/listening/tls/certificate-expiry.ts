import { X509Certificate } from 'node:crypto';
import type { CertificateSource } from './certificate-source.ts';

/** When the current certificate expires, in ms since 1970. */
export function certificateExpiryMs({ current }: CertificateSource): number {
  return new X509Certificate(current().certificate).validToDate.getTime();
}
