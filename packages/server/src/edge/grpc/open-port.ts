import { createServer, type Server as Listener, type Socket } from 'node:net';
import { createServer as createTlsServer, type SecureContextOptions } from 'node:tls';
import { type ConnectionInjector, type Server, ServerCredentials } from '@grpc/grpc-js';
import type { CertificatePair, CertificateSource } from './tls/certificate-source.ts';

/** Where to listen; without a certificate in plaintext. */
export type GrpcListener = {
  readonly host: string;
  readonly port: number;
  readonly certificate?: CertificateSource;
};

export type OpenPort = {
  /** Where it listens, for example `127.0.0.1:8443`. */
  readonly address: string;
  /** Stops listening; resolves when the last connection has ended. */
  readonly close: () => Promise<void>;
};

/**
 * Listens for a server. grpc-js could do it, but it hides the error of the system, and when it stops
 * it waits for connections that never finish their handshake.
 */
export async function openPort(
  server: Server,
  { host, port, certificate }: GrpcListener,
): Promise<OpenPort> {
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  const { listener, endHandshakes } =
    certificate === undefined ? listenInPlaintext(injector) : listenOverTls(injector, certificate);
  const closed = new Promise<void>((resolve) => listener.once('close', resolve));
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject);
    listener.listen({ host, port }, resolve);
  });
  const bound = listener.address();
  // Only the listener of a pipe has an address that is a text.
  const { address, family, port: boundPort } = bound as Exclude<typeof bound, string | null>;
  return {
    address: `${family === 'IPv6' ? `[${address}]` : address}:${boundPort}`,
    close: async () => {
      listener.close();
      endHandshakes();
      await closed;
    },
  };
}

type Listening = {
  readonly listener: Listener;
  /** Ends the connections on which no HTTP/2 is spoken yet. */
  readonly endHandshakes: () => void;
};

function listenInPlaintext(injector: ConnectionInjector): Listening {
  const listener = createServer({ noDelay: true }, (socket) => inject(injector, socket));
  return { listener, endHandshakes: () => {} };
}

function listenOverTls(injector: ConnectionInjector, certificate: CertificateSource): Listening {
  const handshaking = new Map<string, Socket>();
  const options = { ...toContext(certificate.current()), ALPNProtocols: ['h2'], noDelay: true };
  const listener = createTlsServer(options, (socket) => {
    handshaking.delete(peerOf(socket));
    inject(injector, socket);
  });
  listener.on('connection', (socket: Socket) => {
    const peer = peerOf(socket);
    handshaking.set(peer, socket);
    socket.once('close', () => handshaking.delete(peer));
  });
  // New connections get the new certificate, those that are open stay.
  certificate.onChange((pair) => listener.setSecureContext(toContext(pair)));
  return {
    listener,
    endHandshakes: () => {
      for (const socket of handshaking.values()) socket.destroy();
    },
  };
}

function inject(injector: ConnectionInjector, socket: Socket): void {
  // A connection that breaks ends its calls, which is observed; Node wants to hear it besides.
  socket.on('error', () => {});
  injector.injectConnection(socket);
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/** TLS 1.3 or 1.2 (RFC 9113 § 9.2), whatever Node was told to allow. */
function toContext({ certificate, key }: CertificatePair): SecureContextOptions {
  return { cert: certificate, key, minVersion: 'TLSv1.2' };
}
