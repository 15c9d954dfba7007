import 'reflect-metadata';
import { KeyObject, randomBytes, webcrypto } from 'node:crypto';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

/** Certificates and the key of the server, in PEM. */
export type IssuedCertificates = {
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
};

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/**
 * Creates a certificate authority and its certificate for this machine, with all that RFC 5280 requires,
 * because Python 3.13 checks that. The key of the authority is discarded, so trust in the authority is trust
 * in only this certificate.
 *
 * The key of the authority is discarded once the certificate is signed, so nobody can sign another one that clients
 * would trust.
 */
export async function issueCertificates(validity: {
  readonly notBefore: Date;
  readonly notAfter: Date;
}): Promise<IssuedCertificates> {
  const authorityKeys = await generateKeys();
  const serverKeys = await generateKeys();
  const authority = await X509CertificateGenerator.createSelfSigned({
    ...validity,
    serialNumber: newSerialNumber(),
    // A unique name, so that no client confuses it with an earlier authority.
    name: `CN=Locmetrics on this machine ${randomBytes(4).toString('hex')}`,
    keys: authorityKeys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(authorityKeys.publicKey),
      await AuthorityKeyIdentifierExtension.create(authorityKeys.publicKey),
    ],
  });
  const server = await X509CertificateGenerator.create({
    ...validity,
    serialNumber: newSerialNumber(),
    subject: 'CN=localhost',
    issuer: authority.subject,
    publicKey: serverKeys.publicKey,
    signingKey: authorityKeys.privateKey,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension([
        { type: 'dns', value: 'localhost' },
        { type: 'ip', value: '127.0.0.1' },
        { type: 'ip', value: '::1' },
      ]),
      await SubjectKeyIdentifierExtension.create(serverKeys.publicKey),
      await AuthorityKeyIdentifierExtension.create(authorityKeys.publicKey),
    ],
  });
  const key = KeyObject.from(serverKeys.privateKey).export({ type: 'pkcs8', format: 'pem' });
  return {
    authority: `${authority.toString('pem')}\n`,
    certificate: `${server.toString('pem')}\n`,
    key: key.toString(),
  };
}

async function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

/** A serial number is positive, so its first bit is 0, and has at most 20 bytes. */
function newSerialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = 0x40 | ((bytes[0] ?? 0) & 0x3f);
  return bytes.toString('hex');
}
