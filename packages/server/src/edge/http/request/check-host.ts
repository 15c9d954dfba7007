import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { isLoopback } from '@locmetrics/core/network/is-loopback';
import { memoize } from '@locmetrics/core/runtime/memoize';

export type HostNames = {
  /** Names under which the service is called: `maps.example`, `*.example` for all names below it, or `*` for all. */
  readonly called: readonly string[];
  /** The hosts on which it listens. Default: addresses. */
  readonly listening?: readonly string[];
};

/**
 * Refuses a request for a host that is not the service. A page of any site can make its own name point to this machine
 * (DNS rebinding); the browser then lets it read answers of listeners on loopback, such as `/metrics`, which needs no
 * token there.
 *
 * - Addresses, `localhost` and names below it are always accepted: nobody can point them elsewhere.
 * - Another name must be known if the request came over loopback, or if any name is given. Otherwise other machines may
 *   use every name, because what they reach needs a token.
 */
export function hostCheck({
  called,
  listening = [],
}: HostNames): (request: CheckedRequest) => void {
  const known = [...called, ...listening].map((name) => name.toLowerCase());
  const isOurs = memoize((host: string): boolean => {
    const name = nameOf(host);
    if (name === '' || isIP(name) !== 0 || LOCALHOST.test(name)) return true;
    return known.some((one) => matches(name, one));
  }, KEPT_HOSTS_MAX);
  return ({ headers: { host = '' }, socket }) => {
    if (isOurs(host)) return;
    // A closed connection has no address.
    if (called.length === 0 && !isLoopback(socket.remoteAddress ?? '127.0.0.1')) return;
    throw new ServiceError(
      'HOST_NOT_ALLOWED',
      `The request is for the host '${nameOf(host).slice(0, 253)}', which is not a name of this service.`,
      {
        hint: 'Send it to the address of the service. If the name is right, the operator adds it to --hosts.',
      },
    );
  };
}

/** Callers mostly use a few names. */
const KEPT_HOSTS_MAX = 100;

export const ADDRESSES_ALONE: HostNames = { called: [] };

type CheckedRequest = {
  readonly headers: Pick<IncomingMessage['headers'], 'host'>;
  readonly socket: { readonly remoteAddress?: string | undefined };
};

/** The host without its port, brackets, and the dot of an absolute name. */
function nameOf(host: string): string {
  return host
    .replace(/:[0-9]*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase();
}

/** RFC 6761 § 6.3. */
const LOCALHOST = /(^|\.)localhost$/;

function matches(name: string, known: string): boolean {
  if (known === '*') return true;
  return known.startsWith('*.') ? name.endsWith(known.slice(1)) : name === known;
}
