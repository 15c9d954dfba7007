import { resolve } from 'node:path';
import type { DataDirectory } from '../catalog/data-directory.ts';
import type { ServeFlags } from '../cli/program.ts';
import {
  type Address,
  ConfigError,
  isLoopback,
  parseTlsFiles,
  resolveSetting,
  SETTINGS,
} from '../config/settings.ts';
import { CertificateError } from '../edge/grpc/tls/certificate-error.ts';
import { keepSelfSigned } from '../edge/grpc/tls/keep-self-signed.ts';
import { type WatchedCertificate, watchCertificate } from '../edge/grpc/tls/watch-certificate.ts';
import type { Observe } from '../observe/observation.ts';

/** The certificate of the gRPC interface. */
export type OpenTls = {
  readonly certificate: WatchedCertificate;
  /** What clients trust, where the certificate was made for this machine. */
  readonly authorityFile: string | undefined;
};

/** Reads the certificate that the settings name, or the one that is kept for this machine. */
export async function openTls({
  flags,
  address,
  directory,
  observe,
}: {
  readonly flags: ServeFlags;
  /** Where gRPC is to be served over TLS; undefined where it is off. */
  readonly address: Address | undefined;
  readonly directory: DataDirectory;
  readonly observe: Observe;
}): Promise<OpenTls | undefined> {
  const given = parseTlsFiles(
    resolveSetting(SETTINGS.tlsCertificate, flags.tlsCertificate, process.env),
    resolveSetting(SETTINGS.tlsKey, flags.tlsKey, process.env),
  );
  if (address === undefined) return undefined;
  if (given !== undefined) {
    const files = {
      certificateFile: resolve(given.certificateFile),
      keyFile: resolve(given.keyFile),
    };
    return { certificate: watchOrRefuse(files, observe), authorityFile: undefined };
  }
  if (!isLoopback(address.host)) {
    throw new ConfigError(
      `gRPC is to listen on ${address.host}, but the certificate that is made for this machine is for localhost alone.`,
      'Give another with --tls-certificate FILE and --tls-key FILE, or listen on 127.0.0.1.',
    );
  }
  const files = await keepSelfSigned({ folder: directory.tls, temporary: directory.temporary });
  return { certificate: watchOrRefuse(files, observe), authorityFile: files.authorityFile };
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
