import type { FastifyReply, FastifyRequest } from 'fastify';
import { inSpan } from '../../observe/request-scope.ts';
import { JSON_MEDIA_TYPE } from './http-app.ts';
import { stateOf } from './request-state.ts';

/** Makes the JSON of an answer, of so many rows where it has rows. */
export function encodeAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  { rows, encode }: { readonly rows?: number; readonly encode: () => string },
): string {
  if (rows !== undefined) stateOf(request).rows = rows;
  reply.type(JSON_MEDIA_TYPE);
  return inSpan('encoding', encode);
}
