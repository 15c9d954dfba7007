import type { Socket } from 'node:net';
import { type OpenConnections, trackConnections } from './open-connections.ts';
import type { CertificateSource } from './tls/certificate-source.ts';
import { openTlsGate } from './tls-gate.ts';

/** Connections that another process has accepted, in plaintext or with TLS to be negotiated first. */
export type TakenConnections = {
  readonly accept: (socket: Socket) => void;
  /** Without a certificate the connection is closed. */
  readonly acceptTls: (socket: Socket) => void;
  readonly open: OpenConnections;
  /** Closes the connections whose TLS handshake has not finished. */
  readonly endHandshakes: () => void;
};

/**
 * - `protocol`: the protocol over TLS, by its name in ALPN.
 * - `serve`: called with each connection when it can be read; with TLS, after the handshake.
 */
export function takeConnections({
  certificate,
  protocol,
  serve,
}: {
  readonly certificate: CertificateSource | undefined;
  readonly protocol: 'h2' | 'http/1.1';
  readonly serve: (socket: Socket) => void;
}): TakenConnections {
  const open = trackConnections();
  const resume = (socket: Socket): void => {
    serve(socket);
    // A passed connection starts paused.
    socket.resume();
  };
  const gate =
    certificate === undefined ? undefined : openTlsGate({ certificate, protocol, pass: resume });
  return {
    accept: (socket) => {
      open.add(socket);
      resume(socket);
    },
    acceptTls: (socket) => {
      open.add(socket);
      if (gate === undefined) socket.destroy();
      else gate.enter(socket);
    },
    open,
    endHandshakes: () => gate?.endHandshakes(),
  };
}
