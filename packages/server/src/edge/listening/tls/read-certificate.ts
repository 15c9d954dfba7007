import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { CertificateError } from './certificate-error.ts';
import type { CertificatePair } from './certificate-source.ts';

/** The files of a certificate chain and its key, in PEM. */
export type CertificateFiles = { readonly certificateFile: string; readonly keyFile: string };

/** Reads a certificate and its key; throws a CertificateError if TLS cannot use them. */
export function readCertificate(files: CertificateFiles): CertificatePair {
  return checkCertificate(readCertificateText(files), files);
}

/** The content of the files, not checked. */
export function readCertificateText({
  certificateFile,
  keyFile,
}: CertificateFiles): CertificatePair {
  return {
    certificate: readText(certificateFile, 'certificate'),
    key: readText(keyFile, 'key of the certificate'),
  };
}

export function checkCertificate(
  pair: CertificatePair,
  { certificateFile, keyFile }: CertificateFiles,
): CertificatePair {
  const certificate = parseCertificate(pair.certificate, certificateFile);
  const key = parseKey(pair.key, keyFile);
  if (!certificate.checkPrivateKey(key)) {
    throw new CertificateError(
      `The key ${keyFile} does not match the certificate ${certificateFile}.`,
      'Give the key of the first certificate in the file.',
    );
  }
  if (certificate.validToDate.getTime() <= Date.now()) {
    throw new CertificateError(
      `The certificate ${certificateFile} has expired: ${certificate.validTo}.`,
      'Renew it.',
    );
  }
  try {
    createSecureContext({ cert: pair.certificate, key: pair.key });
  } catch {
    throw new CertificateError(
      `The certificate ${certificateFile} cannot be used for TLS.`,
      'A key may be too short, or a certificate of the chain may be damaged.',
    );
  }
  return pair;
}

function readText(file: string, what: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new CertificateError(
      code === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read: ${code}.`,
      `Name a PEM file with the ${what} that the service can read.`,
    );
  }
}

function parseCertificate(text: string, file: string): X509Certificate {
  try {
    return new X509Certificate(text);
  } catch {
    throw new CertificateError(
      `${file} is not a certificate in PEM.`,
      'It starts with the line -----BEGIN CERTIFICATE-----, and the certificate of the server is first.',
    );
  }
}

function parseKey(text: string, file: string): KeyObject {
  try {
    return createPrivateKey(text);
  } catch {
    throw new CertificateError(
      `${file} is not a private key in PEM without a passphrase.`,
      'It starts with the line -----BEGIN PRIVATE KEY-----, or with the kind of key before PRIVATE KEY.',
    );
  }
}
