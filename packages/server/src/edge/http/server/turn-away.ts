import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { ServiceError } from '../../../domain/service-error.ts';
import { writeRawProblem } from '../answer/write-raw-problem.ts';

/** Refuses the first request of a connection above the maximum, without parsing it. */
export function turnAway(socket: Socket): void {
  const error = new ServiceError('OVERLOADED', 'There are too many connections.', {
    hint: 'Try again after a second.',
  });
  writeRawProblem(socket, error, randomUUID());
  // A connection that is closed with unread bytes is reset, and its answer is lost.
  socket.resume();
}
