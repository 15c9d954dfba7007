import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { Observe } from '../../../observe/observation.ts';
import { writeRawProblem } from '../answer/write-raw-problem.ts';

/** Refuses a connection above the maximum, without parsing its request. */
export function turnAway(socket: Socket): void {
  refuseUnread(
    socket,
    new ServiceError('OVERLOADED', 'There are too many connections.', {
      hint: 'Try again after a second.',
    }),
  );
}

/** Refuses a connection on which no whole head arrived in time. */
export function refuseLate(socket: Socket, observe: Observe): void {
  const error = new ServiceError(
    'REQUEST_TIMEOUT',
    'The request did not arrive completely in time.',
    {
      hint: 'Send it again, without pauses between its parts.',
    },
  );
  const { code, reason } = error;
  const requestId = randomUUID();
  observe({ kind: 'request_refused', requestId, code, reason, isAlone: true });
  refuseUnread(socket, error, requestId);
}

function refuseUnread(socket: Socket, error: ServiceError, requestId: string = randomUUID()): void {
  writeRawProblem(socket, error, requestId);
  // A connection that is closed with unread bytes is reset, and its answer is lost.
  socket.resume();
}
