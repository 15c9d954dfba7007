import { createServer, type Server, type Socket } from 'node:net';

/** A listening port. */
export type OpenPort = {
  /** The bound `host:port`, with brackets around an IPv6 address: `127.0.0.1:8443`. */
  readonly address: string;
  /** Stops listening; connections that were accepted stay open. */
  readonly close: () => void;
};

/**
 * Listens, and passes on each connection before any byte is read from it, so that another process can take it. A
 * `highWaterMark` of 1 makes Node stop reading a connection as soon as a byte of it is not consumed.
 * Throws the error of the system if it cannot listen.
 *
 * - `onFailed`: called with the reason when a connection could not be accepted.
 */
export async function listen(
  {
    host,
    port,
    highWaterMark,
  }: {
    readonly host: string;
    readonly port: number;
    readonly highWaterMark?: number;
  },
  take: (socket: Socket) => void,
  onFailed: (error: Error) => void = () => {},
): Promise<OpenPort> {
  const listener = createServer(
    {
      noDelay: true,
      pauseOnConnect: true,
      ...(highWaterMark === undefined ? {} : { highWaterMark }),
    },
    take,
  );
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject);
    listener.listen({ host, port }, resolve);
  });
  // After a failed accept the next connection may succeed.
  listener.on('error', onFailed);
  return { address: boundAddress(listener), close: () => listener.close() };
}

/** `host:port` of a listening server, with brackets around an IPv6 address. */
export function boundAddress(listener: Server): string {
  const bound = listener.address();
  // Only a listener on a pipe has a string as its address.
  const { address, family, port } = bound as Exclude<typeof bound, string | null>;
  return `${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
