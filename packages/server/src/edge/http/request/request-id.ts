import type { IncomingMessage } from 'node:http';
import { readRequestId } from '../../../observe/request-id.ts';

export function requestIdOf(request: IncomingMessage): string {
  return readRequestId(request.headers['x-request-id']);
}
