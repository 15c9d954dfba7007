import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import type { MeteredPieces } from '../../../service/meter.ts';
import type { TableStream } from '../../../service/streams/stream-records.ts';
import { writeTableFile } from '../../../service/streams/write-table-file.ts';
import { tagInCoding } from '../answer/answer-tags.ts';
import { openPieces } from '../answer/send-pieces.ts';
import { openCoder } from '../request/content-coding.ts';
import { stateOf } from '../request/request-state.ts';
import type { AskedStream } from './asked-stream.ts';
import type { Received } from './route.ts';
import type { RouteContext } from './route-context.ts';

/** So many bytes are charged, recorded and sent at a time. */
const PIECE_BYTES = 256 * 1024;

/**
 * Answers with a table as a file, which is complete before its first byte is sent. All its rows are charged before it is
 * written, and those that were not sent are refunded.
 */
export async function answerFile(
  { service, observe, taking, checkSameRights }: RouteContext,
  { request, reply }: Pick<Received, 'request' | 'reply'>,
  { operation, asked, call, table }: AskedStream & { readonly table: TableStream },
): Promise<unknown> {
  const state = stateOf(request);
  const { metered } = state;
  const { totalSize } = table;
  if (metered === undefined || totalSize === undefined) throw new Error('A file is metered.');
  // Refused: more rows than are left.
  const usage = await metered.openPieces(totalSize).catch(async (error: unknown) => {
    await table.pieces.return();
    throw error;
  });
  const file = await writeTableFile(service, call, table).catch((error: unknown) => {
    usage.end();
    throw error;
  });
  const { size } = await file.stat();
  const parts = filePieces(file, size, {
    usage,
    onPiece: async (sentBytes, bytes) => {
      // Refused: a token that was revoked, rights that have changed.
      checkSameRights(request);
      const sent = Math.floor((totalSize * sentBytes) / size);
      const rows = sent - (state.rows ?? 0);
      // Refused: usage that cannot be recorded.
      await usage.add({ operation, request: asked, rows, bytes });
      state.rows = sent;
    },
  });
  const { answers } = service;
  const body = await openPieces(parts, { request, reply, observe, answers, taking });
  const { coding, isIdentityAccepted } = state.accepted;
  // Parquet is compressed already, so it is coded for a caller who refuses anything else.
  if (isIdentityAccepted || coding === 'identity') {
    return reply.header('content-length', size).send(body);
  }
  reply
    .header('content-encoding', coding)
    .header('etag', tagInCoding(String(reply.getHeader('etag')), coding));
  // An error of the body ends the answer.
  return reply.send(pipeline(body, openCoder(coding), () => {}));
}

async function* filePieces(
  file: FileHandle,
  size: number,
  {
    usage,
    onPiece,
  }: {
    readonly usage: MeteredPieces;
    readonly onPiece: (sentBytes: number, bytes: number) => Promise<void>;
  },
): AsyncGenerator<Buffer, void> {
  try {
    for (let at = 0; at < size; ) {
      const length = Math.min(PIECE_BYTES, size - at);
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, at);
      if (bytesRead === 0) throw new Error('A file ended before its size.');
      at += bytesRead;
      await onPiece(at, bytesRead);
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    usage.end();
    await file.close();
  }
}
