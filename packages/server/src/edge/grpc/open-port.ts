import { createServer, type Socket } from 'node:net';
import { type Server, ServerCredentials } from '@grpc/grpc-js';
import type { CertificateSource } from './tls/certificate-source.ts';
import { TlsCredentials } from './tls/tls-credentials.ts';

/** Where to listen; without a certificate in plaintext. */
export type GrpcListener = {
  readonly host: string;
  readonly port: number;
  readonly certificate?: CertificateSource;
};

export type OpenPort = {
  /** Where it listens, for example `127.0.0.1:8443`. */
  readonly address: string;
  readonly stopListening: () => void;
  /** Closes the connections that are left, on which no HTTP/2 is spoken. */
  readonly close: () => Promise<void>;
};

/**
 * Listens for a server. grpc-js could do it, but it hides the error of the system, listens on each
 * address of a name whatever becomes of the others, and when it stops waits for connections that
 * never said anything.
 */
export async function openPort(
  server: Server,
  { host, port, certificate }: GrpcListener,
): Promise<OpenPort> {
  const injector = server.createConnectionInjector(
    certificate === undefined
      ? ServerCredentials.createInsecure()
      : new TlsCredentials(certificate),
  );
  const sockets = new Set<Socket>();
  const listener = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    injector.injectConnection(socket);
  });
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject);
    listener.listen({ host, port }, resolve);
  });
  const closed = new Promise<void>((resolve) => listener.once('close', resolve));
  const bound = listener.address();
  // Only the listener of a pipe has an address that is a text.
  const { address, family, port: boundPort } = bound as Exclude<typeof bound, string | null>;
  return {
    address: `${family === 'IPv6' ? `[${address}]` : address}:${boundPort}`,
    stopListening: () => listener.close(),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
