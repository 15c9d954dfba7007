import { X509Certificate } from 'node:crypto';
import type { Observe } from '../../../observe/observation.ts';
import {
  type CertificatePair,
  type CertificateSource,
  openCertificateSource,
} from './certificate-source.ts';
import {
  type CertificateFiles,
  checkCertificate,
  readCertificate,
  readCertificateText,
} from './read-certificate.ts';

/**
 * The files are polled, not watched: containers replace files through a link, which notifies no watcher.
 */
const READ_EVERY_MS = 500;

export type WatchedCertificate = CertificateSource & { readonly close: () => void };

/**
 * A certificate that is read again when its files change. A pair that cannot be used, for example because one of
 * the two files is not there yet, is observed once, and the previous certificate stays in use. Throws a
 * CertificateError if the first one cannot be used.
 */
export function watchCertificate(
  files: CertificateFiles,
  { observe, everyMs = READ_EVERY_MS }: { readonly observe: Observe; readonly everyMs?: number },
): WatchedCertificate {
  const source = openCertificateSource(readCertificate(files));
  let complaint = '';
  const poll = (): void => {
    try {
      const pair = readCertificateText(files);
      if (textOf(pair) !== textOf(source.current())) {
        source.change(checkCertificate(pair, files));
        const { validToDate } = new X509Certificate(pair.certificate);
        observe({ kind: 'certificate_reloaded', expires: validToDate.toISOString() });
      }
      complaint = '';
    } catch (error) {
      const message = String(error);
      if (message !== complaint) observe({ kind: 'certificate_refused', error });
      complaint = message;
    }
  };
  const timer = setInterval(poll, everyMs);
  timer.unref();
  return {
    current: source.current,
    onChange: source.onChange,
    close: () => clearInterval(timer),
  };
}

function textOf({ certificate, key }: CertificatePair): string {
  return `${certificate}\n${key}`;
}
