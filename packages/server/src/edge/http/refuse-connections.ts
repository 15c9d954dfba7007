import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ServiceError } from '../../domain/service-error.ts';
import type { Observe } from '../../observe/observation.ts';
import { writeRawProblem } from './write-raw-problem.ts';

/** Answers bytes that never became a request, which Node does not give to the routes. */
export type ConnectionRefuser = {
  /** Learns which requests of a connection are being answered. Call it before the server serves any. */
  readonly watch: (server: Pick<Server, 'prependListener'>) => void;
  /** Answers what is not HTTP, headers that are too large, and requests that do not arrive. */
  readonly refuse: (failure: ConnectionFailure, socket: Socket) => void;
};

type ConnectionFailure = Error & { readonly code?: string };

/** A request, and its answer that has not been sent yet. */
type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse };

/**
 * A client may send requests without waiting for answers, which come in the same order (RFC 9112
 * § 9.3.2): those before the bytes that are refused are answered first.
 */
export function connectionRefuser(observe: Observe): ConnectionRefuser {
  const exchanges = new WeakMap<Socket, Set<Exchange>>();
  const refused = new WeakSet<Socket>();

  const answer = (failure: ConnectionFailure, socket: Socket): void => {
    // The last answer may have ended the connection.
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    const pending = [...(exchanges.get(socket) ?? [])].find((exchange) => !isBroken(exchange));
    if (pending !== undefined) {
      pending.response.once('close', () => answer(failure, socket));
      return;
    }
    const error = toConnectionError(failure.code);
    const requestId = randomUUID();
    const { code, reason } = error;
    observe({ kind: 'request_refused', requestId, code, reason, isAlone: true });
    writeRawProblem(socket, error, requestId);
  };

  return {
    watch: (server) => {
      server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
        const { socket } = request;
        const open = exchanges.get(socket) ?? new Set();
        exchanges.set(socket, open);
        const exchange = { request, response };
        open.add(exchange);
        response.once('close', () => open.delete(exchange));
      });
    },
    refuse: (failure, socket) => {
      if (failure.code === 'ECONNRESET' || !socket.writable) {
        socket.destroy();
        return;
      }
      // Node tells it again with what comes after, and while it waits for the rest of a request.
      if (refused.has(socket)) return;
      refused.add(socket);
      answer(failure, socket);
    },
  };
}

/** A request of which no more will arrive, so that the refusal is its answer, unless another has begun. */
function isBroken({ request, response }: Exchange): boolean {
  return !request.complete && !response.headersSent;
}

function toConnectionError(code: string | undefined): ServiceError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ServiceError('HEADERS_TOO_LARGE', 'The address and the headers are too large.', {
        hint: 'Send at most 16 KiB of them; long filters go into the body.',
      });
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ServiceError('REQUEST_TIMEOUT', 'The whole request did not arrive in time.', {
        hint: 'Send it again, without waiting between its parts.',
      });
    default:
      return new ServiceError('MALFORMED_HTTP', 'The bytes are not a request of HTTP/1.1.', {
        hint: 'Send HTTP/1.1 in plaintext to this port.',
      });
  }
}
