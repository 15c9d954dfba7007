import type { FastifyReply, FastifyRequest } from 'fastify';
import { releaseBuffer } from '../../../encoding/buffer-pool.ts';
import { inSpanUntil } from '../../../observe/request-scope.ts';
import type { MeteredRequest } from '../../../service/meter.ts';
import { JSON_MEDIA_TYPE } from '../http-app.ts';
import { stateOf } from '../request/request-state.ts';

/** The operation and request of an answer, for the usage record. */
type Answered = Pick<Parameters<MeteredRequest['complete']>[0], 'operation' | 'request'>;

/** Makes the bytes of an answer, in JSON unless another media type is given, and records its usage. */
export async function encodeAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  { answered, ...made }: Made & { readonly answered: Answered },
): Promise<Buffer> {
  const { rows } = made;
  const answer = await encodeUnrecorded(request, reply, made);
  // The answer to HEAD has no content.
  const sent = request.method === 'HEAD' ? NOTHING : { rows, bytes: answer.length };
  await recordAnswer(request, { ...answered, rows: sent.rows ?? 0, bytes: sent.bytes });
  return answer;
}

/** The same for the admin interface, whose answers are not usage. */
export async function encodeUnrecorded(
  request: FastifyRequest,
  reply: FastifyReply,
  { mediaType = JSON_MEDIA_TYPE, rows, encode }: Made,
): Promise<Buffer> {
  if (rows !== undefined) stateOf(request).rows = rows;
  const answer = await inSpanUntil('encoding', async () => encode());
  reply.type(mediaType);
  // Then the system has taken all bytes; an answer that is broken off is garbage.
  reply.raw.once('finish', () => releaseBuffer(answer));
  return answer;
}

/** An answer that is to be encoded. */
export type Made = {
  readonly mediaType?: string;
  readonly rows?: number;
  readonly encode: () => Buffer | Promise<Buffer>;
};

const NOTHING = { rows: 0, bytes: 0 } as const;

/** Records the usage of an answer before it is sent. */
export async function recordAnswer(
  request: FastifyRequest,
  answer: Parameters<MeteredRequest['complete']>[0],
): Promise<void> {
  const { metered } = stateOf(request);
  if (metered === undefined) throw new Error('A route that is recorded is public.');
  await metered.complete(answer);
}
