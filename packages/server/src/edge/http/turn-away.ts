import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { ServiceError } from '../../domain/service-error.ts';
import { writeRawProblem } from './write-raw-problem.ts';

/** Answers the first request of a connection for which there is no room, without reading it. */
export function turnAway(socket: Socket): void {
  const error = new ServiceError('OVERLOADED', 'There are too many connections.', {
    hint: 'Try again after a second.',
  });
  writeRawProblem(socket, error, randomUUID());
  // A connection with bytes that nobody has read is reset, and its answer lost.
  socket.resume();
}
