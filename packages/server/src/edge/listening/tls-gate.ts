import type { Socket } from 'node:net';
import { createServer, type SecureContextOptions, type TLSSocket } from 'node:tls';
import type { CertificatePair, CertificateSource } from './tls/certificate-source.ts';

/** Passes on connections after their TLS handshake. */
export type TlsGate = {
  readonly enter: (socket: Socket) => void;
  /** Closes the connections whose handshake has not finished. */
  readonly endHandshakes: () => void;
};

/** The time limit of a handshake. */
const HANDSHAKE_TIMEOUT_MS = 15_000;

/**
 * - `protocol`: the protocol over TLS, by its name in ALPN, for example `h2`.
 * - `pass`: called with each connection after its handshake.
 */
export function openTlsGate(options: {
  readonly certificate: CertificateSource;
  readonly protocol: 'h2' | 'http/1.1';
  readonly pass: (socket: TLSSocket) => void;
}): TlsGate {
  const { certificate, protocol, pass } = options;
  const handshaking = new Map<string, Socket>();
  const server = createServer(
    {
      ...toContext(certificate.current()),
      ALPNProtocols: [protocol],
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    },
    (socket) => {
      handshaking.delete(peerOf(socket));
      pass(socket);
    },
  );
  // New connections get the new certificate; open ones keep theirs.
  certificate.onChange((pair) => server.setSecureContext(toContext(pair)));
  return {
    enter: (socket) => {
      // A connection that has ended meanwhile has no peer address.
      if (socket.remoteAddress === undefined) {
        socket.destroy();
        return;
      }
      const peer = peerOf(socket);
      handshaking.set(peer, socket);
      socket.once('close', () => handshaking.delete(peer));
      server.emit('connection', socket);
    },
    endHandshakes: () => {
      for (const socket of handshaking.values()) socket.destroy();
    },
  };
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/** TLS 1.3 or 1.2 (RFC 9113 § 9.2), even if Node is configured to allow others. */
function toContext({ certificate, key }: CertificatePair): SecureContextOptions {
  return { cert: certificate, key, minVersion: 'TLSv1.2' };
}
