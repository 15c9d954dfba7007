import type { Socket } from 'node:net';
import type { ServiceError } from '@locmetrics/core/errors/service-error';
import { STATUS_CODES } from '@locmetrics/core/network/node-http';
import { PROBLEM_MEDIA_TYPE, toProblem } from './to-problem.ts';

/** The time after which the descriptor is closed if the client does not close its side. */
const LINGER_MS = 2000;

/** Answers bytes that are not a request with an error, and ends the connection. */
export function writeRawProblem(socket: Socket, error: ServiceError, requestId: string): void {
  const { httpStatus, retryAfterSeconds } = error;
  const body = JSON.stringify(toProblem(error, { path: '', requestId, details: [] }));
  const headers = [
    `content-type: ${PROBLEM_MEDIA_TYPE}`,
    `content-length: ${Buffer.byteLength(body)}`,
    ...(retryAfterSeconds === undefined ? [] : [`retry-after: ${retryAfterSeconds}`]),
    `x-request-id: ${requestId}`,
    'x-content-type-options: nosniff',
    'connection: close',
  ];
  const head = [`HTTP/1.1 ${httpStatus} ${STATUS_CODES[httpStatus]}`, ...headers].join('\r\n');
  socket.end(`${head}\r\n\r\n${body}`);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}
