import type { DataDirectory } from '../catalog/data-directory.ts';
import { addressText, isLoopback } from '../config/address.ts';
import { ConfigError } from '../config/config-error.ts';
import { type Config, flagOf, SETTINGS } from '../config/settings.ts';
import { CertificateError } from '../edge/listening/tls/certificate-error.ts';
import { keepSelfSigned } from '../edge/listening/tls/keep-self-signed.ts';
import {
  type WatchedCertificate,
  watchCertificate,
} from '../edge/listening/tls/watch-certificate.ts';
import type { Observe } from '../observe/observation.ts';

/** The certificate of the interfaces that are served over TLS. */
export type OpenTls = {
  readonly certificate: WatchedCertificate;
  /** What clients trust, where the certificate was made for this machine. */
  readonly authorityFile: string | undefined;
};

/** Reads the certificate that the settings name, or the one that is kept for this machine. */
export async function openTls({
  config,
  directory,
  observe,
}: {
  readonly config: Config;
  readonly directory: DataDirectory;
  readonly observe: Observe;
}): Promise<OpenTls | undefined> {
  const { tlsCertificate, tlsKey } = config;
  const isUsed = config.https !== undefined || config.grpc !== undefined;
  if (tlsCertificate !== undefined && tlsKey !== undefined) {
    const files = { certificateFile: tlsCertificate, keyFile: tlsKey };
    const certificate = watchOrRefuse(files, observe);
    if (isUsed) return { certificate, authorityFile: undefined };
    certificate.close();
    observe({
      kind: 'setting_questioned',
      notice: 'There is a certificate, but nothing is served over TLS.',
    });
    return undefined;
  }
  if (!isUsed) return undefined;
  checkLoopback(config);
  const files = await keepSelfSigned({ folder: directory.tls, temporary: directory.temporary });
  return { certificate: watchOrRefuse(files, observe), authorityFile: files.authorityFile };
}

function checkLoopback(config: Config): void {
  for (const key of ['https', 'grpc'] as const) {
    const address = config[key];
    if (address === undefined || isLoopback(address.host)) continue;
    throw new ConfigError(
      `${flagOf(SETTINGS[key])} is to listen on ${addressText(address)}, but the certificate that is made for this machine is for localhost alone.`,
      'Give another with --tls-certificate FILE and --tls-key FILE, or listen on 127.0.0.1.',
    );
  }
}

function watchOrRefuse(
  files: Parameters<typeof watchCertificate>[0],
  observe: Observe,
): WatchedCertificate {
  try {
    return watchCertificate(files, { observe });
  } catch (error) {
    throw error instanceof CertificateError ? new ConfigError(error.message, error.hint) : error;
  }
}
