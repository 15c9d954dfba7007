import type { CertificateSource } from '@locmetrics/server/edge/listening/tls/certificate-source';
import { issueCertificates } from '@locmetrics/server/edge/listening/tls/issue-certificates';

const HOUR_MS = 3_600_000;

const { authority, certificate, key } = await issueCertificates({
  notBefore: new Date(Date.now() - HOUR_MS),
  notAfter: new Date(Date.now() + HOUR_MS),
});

/** A certificate for this machine, and the authority that a client must trust. */
export const TEST_CERTIFICATE: CertificateSource = {
  current: () => ({ certificate, key }),
  onChange: () => {},
};
export const TEST_AUTHORITY = authority;
