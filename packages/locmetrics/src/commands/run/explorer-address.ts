import { isLoopback } from '@locmetrics/core/network/is-loopback';

/** The address that opens the explorer signed in. Browsers do not send what follows `#`, so no log has it. */
export function signInAddress(url: string, code: string): string {
  return `${url}/#sign-in=${code}`;
}

/**
 * The first of these URLs that a browser on the machine of the service opens over loopback, which a sign-in
 * link needs. A service that listens on all addresses listens on loopback too.
 */
export function findLocalUrl(urls: readonly string[]): string | undefined {
  for (const url of urls) {
    if (!/^https?:/.test(url)) continue;
    const { protocol, hostname, port, pathname } = new URL(url);
    const host = LOOPBACK_OF[hostname] ?? hostname;
    if (!isLoopback(host.replace(/^\[(.*)\]$/, '$1'))) continue;
    return `${protocol}//${host}${port === '' ? '' : `:${port}`}${pathname.replace(/\/$/, '')}`;
  }
  return undefined;
}

const LOOPBACK_OF: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '[::]': '[::1]' };
