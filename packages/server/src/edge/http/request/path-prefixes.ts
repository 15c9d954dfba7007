import { ServiceError } from '@locmetrics/core/errors/service-error';
import { pathPrefixProblem } from '@locmetrics/core/network/path-prefix-problem';
import type { FastifyRequest } from 'fastify';

/** The path below which callers reach the service, such as `/metrics-data`; empty for none. */
export type PathPrefixes = {
  /** The prefix of all addresses in the answer to a request. */
  readonly prefixOf: (request: FastifyRequest) => string;
  /** Refuses a header of a trusted proxy that is not a path. */
  readonly check: (request: FastifyRequest) => void;
};

/**
 * The prefix is what a trusted proxy says in `X-Forwarded-Prefix`, because it knows the address that the caller used.
 * Otherwise it is the base path of the settings.
 */
export function pathPrefixes({
  basePath,
  isTrustedProxy,
}: {
  readonly basePath: string;
  readonly isTrustedProxy: (address: string) => boolean;
}): PathPrefixes {
  const forwardedOf = ({ raw }: FastifyRequest): string | undefined => {
    const header = raw.headers['x-forwarded-prefix'];
    // A closed connection has no address.
    if (header === undefined || !isTrustedProxy(raw.socket.remoteAddress ?? '')) return undefined;
    return [header].flat().join(', ').replace(/\/$/, '');
  };
  const problemOf = (forwarded: string): string | undefined =>
    forwarded === '' ? undefined : pathPrefixProblem(forwarded);
  return {
    prefixOf: (request) => {
      const forwarded = forwardedOf(request);
      return forwarded === undefined || problemOf(forwarded) !== undefined ? basePath : forwarded;
    },
    check: (request) => {
      const forwarded = forwardedOf(request) ?? '';
      const problem = problemOf(forwarded);
      if (problem === undefined) return;
      throw new ServiceError(
        'MALFORMED_HTTP',
        `The header X-Forwarded-Prefix is '${forwarded}', which ${problem}.`,
        { hint: 'Set it in the proxy to the path that the proxy removes, or to nothing.' },
      );
    },
  };
}

/** Removes the base path from an address that has it: proxies may have removed it already. */
export function withoutBasePath(url: string, basePath: string): string {
  return url.startsWith(`${basePath}/`) ? url.slice(basePath.length) : url;
}
