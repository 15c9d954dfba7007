import type { IncomingMessage } from 'node:http';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { isLoopback } from '@locmetrics/core/network/is-loopback';

/**
 * Refuses a request from another machine. The address of the connection decides, because any client can send
 * a header. A proxy on this machine has such an address too, so a request that came through one is refused.
 */
export function expectThisMachine({
  socket,
  headers,
}: {
  readonly socket: Pick<IncomingMessage['socket'], 'remoteAddress'>;
  readonly headers: IncomingMessage['headers'];
}): void {
  const isProxied = PROXY_HEADERS.some((name) => headers[name] !== undefined);
  // A closed connection has no address.
  if (isLoopback(socket.remoteAddress ?? '') && !isProxied) return;
  throw new ServiceError(
    'SIGN_IN_NOT_LOCAL',
    isProxied
      ? 'The request came through a proxy.'
      : `The request came from ${socket.remoteAddress}, which is another machine.`,
    {
      hint: 'A sign-in link works only in a browser on the machine of the service, at its own address. Sign in with a token instead.',
    },
  );
}

const PROXY_HEADERS = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-prefix',
  'x-forwarded-proto',
  'x-real-ip',
];
