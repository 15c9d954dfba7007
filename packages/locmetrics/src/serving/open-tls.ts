import type { DataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { keepSelfSigned } from '@locmetrics/server/edge/listening/tls/keep-self-signed';
import {
  type WatchedCertificate,
  watchCertificate,
} from '@locmetrics/server/edge/listening/tls/watch-certificate';
import type { Observe } from '@locmetrics/server/observe/observation';
import type { Config } from '../config/settings.ts';

/** The certificate of the interfaces that are served over TLS. */
export type OpenTls = {
  readonly certificate: WatchedCertificate;
  /** The authority that clients trust, if the certificate was generated. */
  readonly authorityFile: string | undefined;
};

/** Reads the certificate of the settings, or the generated one of this machine. */
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
    if (isUsed) {
      const files = { certificateFile: tlsCertificate, keyFile: tlsKey };
      return { certificate: watchCertificate(files, { observe }), authorityFile: undefined };
    }
    observe({
      kind: 'setting_questioned',
      notice: 'A certificate is given, but nothing is served over TLS.',
    });
    return undefined;
  }
  if (!isUsed) return undefined;
  const files = await keepSelfSigned({ folder: directory.tls, temporary: directory.temporary });
  return { certificate: watchCertificate(files, { observe }), authorityFile: files.authorityFile };
}
