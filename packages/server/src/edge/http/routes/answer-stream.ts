import { pipeline } from 'node:stream';
import { lineFormatOf } from '@locmetrics/core/encoding/line-format-of';
import type { RecordLineFormat } from '@locmetrics/core/encoding/record-lines';
import type { MeteredPieces, MeteredRequest } from '../../../service/meter.ts';
import type { StreamPiece } from '../../../service/streams/read-ahead.ts';
import type { TableStream } from '../../../service/streams/stream-records.ts';
import { findTags, setTag, tagInCoding } from '../answer/answer-tags.ts';
import { openPieces } from '../answer/send-pieces.ts';
import { openCoder } from '../request/content-coding.ts';
import { stateOf } from '../request/request-state.ts';
import { answerFile } from './answer-file.ts';
import type { AskedStream } from './asked-stream.ts';
import { licenceHeaders } from './licence-headers.ts';
import type { Received } from './route.ts';
import type { RouteContext } from './route-context.ts';

/** Answers a request for a stream: its headers, then its pieces. */
export async function answerStream(
  context: RouteContext,
  { request, reply }: Pick<Received, 'request' | 'reply'>,
  stream: AskedStream,
): Promise<unknown> {
  const { service, release, observe, taking, checkSameRights } = context;
  const state = stateOf(request);
  const { isHead, metered, accepted } = state;
  if (metered === undefined) throw new Error('A stream is metered.');
  const { format, answerParts } = stream;
  const nothing = { operation: stream.operation, request: stream.asked, rows: 0, bytes: 0 };
  const tags = findTags(request, release, [format.extension, ...answerParts]);
  const isHeld = request.method !== 'POST' && tags.held !== undefined;
  if (isHeld) {
    await metered.complete(nothing);
    setTag(request, reply, tags);
    return reply.code(304).send();
  }
  // Refused: a full queue, a missed deadline.
  const table = await stream.open();
  reply
    .type(`${format.mediaType}${format.parameters}`)
    .header('content-disposition', disposition(stream))
    .header('data-version', table.metadata.version)
    .headers(licenceHeaders(table.metadata.licences));
  if (table.totalSize !== undefined) reply.header('total-size', String(table.totalSize));
  setTag(request, reply, { ...tags, held: undefined });
  if (isHead) {
    await table.pieces.return();
    await metered.complete(nothing);
    return reply.send('');
  }
  const { extension } = format;
  if (extension === 'parquet') {
    return answerFile(context, { request, reply }, { ...stream, table });
  }
  const pieces = meteredPieces(table, lineFormatOf(extension, table), {
    ...stream,
    openPieces: metered.openPieces,
    checkSameRights: () => checkSameRights(request),
    onPiece: ({ size }) => {
      state.rows = (state.rows ?? 0) + size;
    },
  });
  const { answers } = service;
  const body = await openPieces(pieces, { request, reply, observe, answers, taking });
  const { coding } = accepted;
  if (coding === 'identity') return reply.send(body);
  reply.header('content-encoding', coding).header('etag', tagInCoding(tags.identity, coding));
  // An error of the body ends the answer.
  return reply.send(pipeline(body, openCoder(coding), () => {}));
}

function disposition({ name, format }: AskedStream): string {
  return `attachment; filename="${name.replaceAll(/[^\w.-]/g, '_')}.${format.extension}"`;
}

/** The pieces of a stream as bytes, each charged and recorded before it is sent; the first one with the head. */
async function* meteredPieces(
  table: TableStream,
  { head, lines, tail }: RecordLineFormat,
  steps: Pick<MeteredRequest, 'openPieces'> &
    Pick<AskedStream, 'operation' | 'asked'> & {
      readonly checkSameRights: () => void;
      readonly onPiece: (piece: StreamPiece) => void;
    },
): AsyncGenerator<Buffer, void> {
  const { columns, pieces, totalSize } = table;
  const { operation, asked } = steps;
  let usage: MeteredPieces | undefined;
  try {
    // Refused: more rows than are left.
    usage = await steps.openPieces(totalSize);
    let before: Buffer | undefined = head(columns);
    let isFirst = true;
    for await (const piece of pieces) {
      if (piece.size === 0 && before === undefined) continue;
      const encoded = 'bytes' in piece ? piece.bytes : await lines(columns, piece, isFirst);
      const bytes = before === undefined ? encoded : Buffer.concat([before, encoded]);
      before = undefined;
      isFirst &&= piece.size === 0;
      // Refused: a token that was revoked, rights that have changed.
      steps.checkSameRights();
      // Refused: usage that cannot be recorded.
      await usage.add({ operation, request: asked, rows: piece.size, bytes: bytes.length });
      steps.onPiece(piece);
      if (bytes.length > 0) yield bytes;
    }
    if (tail.length > 0) {
      await usage.add({ operation, request: asked, rows: 0, bytes: tail.length });
      yield Buffer.from(tail);
    }
  } finally {
    usage?.end();
  }
}
