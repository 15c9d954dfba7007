import { pipeline } from 'node:stream';
import { FeatureCollectionSchema } from '@locmetrics/contract';
import { TABLE_FORMATS } from '@locmetrics/contract/table-formats';
import type { LineFormat } from '@locmetrics/core/domain/line-format';
import { LINE_FORMATS, type RecordLineFormat } from '@locmetrics/core/encoding/record-lines';
import { geojsonLines } from '@locmetrics/core/encoding/records-geojson';
import type { TSchema } from 'typebox';
import type { MeteredPieces, MeteredRequest } from '../../../service/meter.ts';
import type { StreamPiece } from '../../../service/read-ahead.ts';
import type { TableStream } from '../../../service/stream-records.ts';
import { findTags, setTag, tagInCoding } from '../answer/answer-tags.ts';
import { openPieces } from '../answer/send-pieces.ts';
import { openCoder } from '../request/content-coding.ts';
import { stateOf } from '../request/request-state.ts';
import { licenceHeaders } from './licence-headers.ts';
import type { Received } from './route.ts';
import type { RouteContext } from './route-context.ts';

export type StreamFormat = {
  /** At the end of paths and names of files. */
  readonly extension: LineFormat | 'geojson';
  /** A format in which the engine may write the records; absent: it returns their values. */
  readonly lines?: LineFormat;
  /** At the end of the ids of operations. */
  readonly idEnd: string;
  readonly title: string;
  readonly mediaType: string;
  readonly parameters: string;
  readonly description: string;
  /** Absent: a text. */
  readonly answer?: TSchema;
};

/** The formats of streams of records and of metric values. */
export const STREAM_FORMATS: readonly StreamFormat[] = [
  {
    extension: 'csv',
    lines: 'csv',
    idEnd: 'Csv',
    ...TABLE_FORMATS.csv,
    description:
      'The first line has the names of the columns. A text that a spreadsheet would run as a formula gets an apostrophe before it.',
  },
  {
    extension: 'ndjson',
    lines: 'ndjson',
    idEnd: 'Ndjson',
    title: 'NDJSON',
    mediaType: 'application/x-ndjson',
    parameters: '; charset=utf-8',
    description:
      'Each line is a JSON object. Numbers and booleans are JSON numbers and booleans, and an absent value is null.',
  },
];

/** Only for records with a point. */
export const GEOJSON_FORMAT: StreamFormat = {
  extension: 'geojson',
  idEnd: 'Geojson',
  title: 'GeoJSON',
  mediaType: 'application/geo+json',
  parameters: '',
  answer: FeatureCollectionSchema,
  description:
    'The answer is a FeatureCollection with a feature for each record: its point, or null, and its values as properties, with the types of NDJSON.',
};

/** A stream whose version is known, before its queries. */
export type AskedStream = {
  /** Its name in the usage records. */
  readonly operation: string;
  /** The parsed request. */
  readonly asked: object;
  /** The format, and the values that change whenever the answer does. */
  readonly answerParts: readonly unknown[];
  readonly format: StreamFormat;
  /** Of the file, without its end. */
  readonly name: string;
  readonly open: () => Promise<TableStream>;
};

/** Answers a request for a stream: its headers, then its pieces. */
export async function answerStream(
  { service, release, observe, taking, checkSameRights }: RouteContext,
  { request, reply }: Pick<Received, 'request' | 'reply'>,
  stream: AskedStream,
): Promise<unknown> {
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
    await metered.complete(nothing);
    return reply.send('');
  }
  const pieces = meteredPieces(table, stream, {
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

function encodingOf(
  { lines }: StreamFormat,
  { geojsonColumns, metadata }: Pick<TableStream, 'geojsonColumns' | 'metadata'>,
): RecordLineFormat {
  if (lines !== undefined) return LINE_FORMATS[lines];
  if (geojsonColumns === undefined)
    throw new Error('A GeoJSON stream needs the columns of the point.');
  return geojsonLines(geojsonColumns, metadata);
}

/** The pieces of a stream as bytes, each charged and recorded before it is sent; the first one with the head. */
async function* meteredPieces(
  table: TableStream,
  { operation, asked, format }: AskedStream,
  steps: Pick<MeteredRequest, 'openPieces'> & {
    readonly checkSameRights: () => void;
    readonly onPiece: (piece: StreamPiece) => void;
  },
): AsyncGenerator<Buffer, void> {
  const { columns, pieces, totalSize } = table;
  const { head, lines, tail } = encodingOf(format, table);
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
    if (tail !== '') {
      await usage.add({ operation, request: asked, rows: 0, bytes: tail.length });
      yield Buffer.from(tail);
    }
  } finally {
    usage?.end();
  }
}
