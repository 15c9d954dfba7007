import { createServer, type Server, type Socket } from 'node:net';

/** A port that is listened on. */
export type OpenPort = {
  /** `host:port` as it is bound, with brackets around an IPv6 address: `127.0.0.1:8443`. */
  readonly address: string;
  /** Stops listening; the connections that were taken stay. */
  readonly close: () => void;
};

/**
 * Listens, and has each connection taken before anything is read from it, so that it can be taken by
 * another process. Throws the error of the system where it cannot listen.
 *
 * - `onFailed`: told why a connection could not be accepted.
 */
export async function listen(
  { host, port }: { readonly host: string; readonly port: number },
  take: (socket: Socket) => void,
  onFailed: (error: Error) => void = () => {},
): Promise<OpenPort> {
  const listener = createServer({ noDelay: true, pauseOnConnect: true }, take);
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject);
    listener.listen({ host, port }, resolve);
  });
  // Where a connection could not be accepted, the next one may be.
  listener.on('error', onFailed);
  return { address: boundAddress(listener), close: () => listener.close() };
}

/** `host:port` of a server that listens, with brackets around an IPv6 address. */
export function boundAddress(listener: Server): string {
  const bound = listener.address();
  // Only the listener of a pipe has an address that is a text.
  const { address, family, port } = bound as Exclude<typeof bound, string | null>;
  return `${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
