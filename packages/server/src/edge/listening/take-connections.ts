import type { Socket } from 'node:net';
import { type OpenConnections, trackConnections } from './open-connections.ts';
import type { CertificateSource } from './tls/certificate-source.ts';
import { openTlsGate } from './tls-gate.ts';

/** The connections that somebody else has accepted, in plaintext or to speak TLS on them first. */
export type TakenConnections = {
  readonly accept: (socket: Socket) => void;
  /** Where there is no certificate the connection is closed. */
  readonly acceptTls: (socket: Socket) => void;
  readonly open: OpenConnections;
  /** Ends the connections on which keys are not agreed on yet. */
  readonly endHandshakes: () => void;
};

/**
 * - `protocol`: what is spoken over TLS, by its name in ALPN.
 * - `serve`: is given each connection when it can be read from, over TLS once it is secure.
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
    // What was connected before somebody looked at it begins paused.
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
