import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { Observe } from '../../../observe/observation.ts';
import { writeRawProblem } from '../answer/write-raw-problem.ts';
import { explainRequestLine, unknownMethod } from './explain-request-line.ts';

/** Answers bytes that are not a valid request, which Node does not pass to the routes. */
export type ConnectionRefuser = {
  /** Tracks the running requests of each connection. Call it before the server serves any. */
  readonly watch: (server: Pick<Server, 'prependListener'>) => void;
  /** Answers invalid HTTP, headers that are too large, and requests that do not arrive in time. */
  readonly refuse: (failure: ConnectionFailure, socket: Socket) => void;
};

type ConnectionFailure = Error & {
  readonly code?: string;
  readonly rawPacket?: unknown;
  readonly bytesParsed?: number;
};

/** A request whose answer has not been sent yet. */
type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse };

/**
 * With pipelining a client sends requests without waiting for answers, which come in the same order (RFC
 * 9112 § 9.3.2). So requests before the refused bytes are answered first.
 */
export function connectionRefuser(observe: Observe): ConnectionRefuser {
  const exchanges = new WeakMap<Socket, Exchange[]>();
  const refused = new WeakSet<Socket>();

  const write = (socket: Socket, error: ServiceError): void => {
    const requestId = randomUUID();
    const { code, reason } = error;
    observe({ kind: 'request_refused', requestId, code, reason, isAlone: true });
    writeRawProblem(socket, error, requestId);
  };

  const answer = (failure: ConnectionFailure, socket: Socket): void => {
    // The last answer may have ended the connection.
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    const pending = exchanges
      .get(socket)
      ?.find((exchange) => !exchange.response.closed && !isBroken(exchange));
    if (pending !== undefined) {
      pending.response.once('close', () => answer(failure, socket));
      return;
    }
    write(socket, explainRequestLine(failure) ?? toConnectionError(failure.code));
  };

  return {
    watch: (server) => {
      server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
        const { socket } = request;
        const running = exchanges.get(socket)?.filter(({ response: { closed } }) => !closed) ?? [];
        exchanges.set(socket, [...running, { request, response }]);
      });
      // Without a listener Node closes the connection without an answer.
      server.prependListener('connect', ({ method = '' }: IncomingMessage, socket: Socket) => {
        write(socket, unknownMethod(method));
      });
    },
    refuse: (failure, socket) => {
      if (failure.code === 'ECONNRESET' || !socket.writable) {
        socket.destroy();
        return;
      }
      // Node reports the error again for later bytes, and while it waits for the rest of a request.
      if (refused.has(socket)) return;
      refused.add(socket);
      answer(failure, socket);
    },
  };
}

/** An incomplete request whose rest will not arrive. The refusal is its answer, unless one was started. */
function isBroken({ request, response }: Exchange): boolean {
  return !request.complete && !response.headersSent;
}

function toConnectionError(code: string | undefined): ServiceError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ServiceError('HEADERS_TOO_LARGE', 'The URL and the headers are too large.', {
        hint: 'Send at most 16 KiB of them; long filters go into the body.',
      });
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ServiceError('REQUEST_TIMEOUT', 'The request did not arrive completely in time.', {
        hint: 'Send it again, without pauses between its parts.',
      });
    default:
      return new ServiceError('MALFORMED_HTTP', 'The bytes are not an HTTP/1.1 request.', {
        hint: 'Send HTTP/1.1 in plaintext to this port.',
      });
  }
}
