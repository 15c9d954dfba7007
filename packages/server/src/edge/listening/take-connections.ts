import type { Socket } from 'node:net';
import { createServer, type SecureContextOptions, type TLSSocket } from 'node:tls';
import type { ConnectionRoom } from './connection-room.ts';
import { type OpenConnections, trackConnections } from './open-connections.ts';
import type { CertificatePair, CertificateSource } from './tls/certificate-source.ts';

/** Connections that another process has accepted, in plaintext or with TLS to be negotiated first. */
export type TakenConnections = {
  readonly accept: (socket: Socket) => void;
  /** Without a certificate the connection is closed. */
  readonly acceptTls: (socket: Socket) => void;
  readonly open: OpenConnections;
  /** Closes the connections whose TLS handshake has not finished. */
  readonly endHandshakes: () => void;
};

/** A server of connections that are passed to it. */
export type ConnectionServer = Pick<TakenConnections, 'accept' | 'acceptTls'> & {
  /** Accepts new requests within the grace time, completes the running ones, then ends the connections. */
  readonly close: (graceMs?: number) => Promise<void>;
};

/**
 * - `protocol`: the protocol over TLS, by its name in ALPN.
 * - `serve`: called with each connection when it can be read; with TLS, after the handshake.
 */
export function takeConnections({
  certificate,
  protocol,
  serve,
  room,
  refuse = (socket) => socket.destroy(),
  handshakeTimeoutMs = 15_000,
}: {
  readonly certificate: CertificateSource | undefined;
  readonly protocol: 'h2' | 'http/1.1';
  readonly serve: (socket: Socket) => void;
  readonly room?: ConnectionRoom | undefined;
  /** Answers a connection in plaintext for which there is no room. Default: it is closed. */
  readonly refuse?: (socket: Socket) => unknown;
  readonly handshakeTimeoutMs?: number | undefined;
}): TakenConnections {
  const open = trackConnections(room);
  const resume = (socket: Socket): void => {
    serve(socket);
    // A passed connection starts paused. HTTP/2 takes the bytes that came with it in a later tick, and would lose them.
    if (protocol === 'h2' && socket.readableLength > 0) setImmediate(() => socket.resume());
    else socket.resume();
  };
  const gate =
    certificate === undefined
      ? undefined
      : openTlsGate({
          certificate,
          protocol,
          handshakeTimeoutMs,
          pass: (socket) => {
            room?.renew(socket);
            resume(socket);
          },
        });
  return {
    accept: (socket) => {
      if (open.add(socket)) resume(socket);
      else refuse(socket);
    },
    acceptTls: (socket) => {
      if (gate !== undefined && open.add(socket)) gate.enter(socket);
      else socket.destroy();
    },
    open,
    endHandshakes: () => gate?.endHandshakes(),
  };
}

/** Passes on connections after their TLS handshake. */
type TlsGate = {
  readonly enter: (socket: Socket) => void;
  /** Closes the connections whose handshake has not finished. */
  readonly endHandshakes: () => void;
};

/**
 * - `protocol`: the protocol over TLS, by its name in ALPN, for example `h2`.
 * - `pass`: called with each connection after its handshake.
 */
function openTlsGate(options: {
  readonly certificate: CertificateSource;
  readonly protocol: 'h2' | 'http/1.1';
  readonly handshakeTimeoutMs: number;
  readonly pass: (socket: TLSSocket) => void;
}): TlsGate {
  const { certificate, protocol, handshakeTimeoutMs, pass } = options;
  const handshaking = new Map<string, Socket>();
  const server = createServer(
    {
      ...toContext(certificate.current()),
      ALPNProtocols: [protocol],
      handshakeTimeout: handshakeTimeoutMs,
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
