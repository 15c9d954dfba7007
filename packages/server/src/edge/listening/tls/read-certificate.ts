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
      `The key ${keyFile} is not that of the certificate ${certificateFile}.`,
      'Give the key that the certificate was made with; the first certificate of the file is meant.',
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
      `TLS cannot be spoken with the certificate ${certificateFile}.`,
      'A key may be too short, or a certificate of the chain damaged.',
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
      `Name the file with the ${what}, in PEM, which the service may read.`,
    );
  }
}

function parseCertificate(text: string, file: string): X509Certificate {
  try {
    return new X509Certificate(text);
  } catch {
    throw new CertificateError(
      `${file} is not a certificate in PEM.`,
      'It begins with the line -----BEGIN CERTIFICATE-----, with the certificate of the server first.',
    );
  }
}

function parseKey(text: string, file: string): KeyObject {
  try {
    return createPrivateKey(text);
  } catch {
    throw new CertificateError(
      `${file} is not a private key in PEM without a passphrase.`,
      'It begins with the line -----BEGIN PRIVATE KEY----- or names its kind before PRIVATE KEY.',
    );
  }
}
