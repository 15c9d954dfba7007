import { pipeline } from 'node:stream';
import { StreamRecordsQuerySchema, StreamRecordsRequestSchema } from '@locmetrics/contract';
import { TABLE_FORMATS } from '@locmetrics/contract/table-formats';
import type { StreamRecordsRequest } from '@locmetrics/core/domain/catalog-request';
import type { LineFormat } from '@locmetrics/core/domain/line-format';
import { LINE_FORMATS } from '@locmetrics/core/encoding/record-lines';
import { Type } from 'typebox';
import type { MeteredPieces, MeteredRequest } from '../../../service/meter.ts';
import {
  openRecordsStream,
  pinRecordsStream,
  type RecordsStream,
} from '../../../service/stream-records.ts';
import { findTags, setTag, tagInCoding } from '../answer/answer-tags.ts';
import { openPieces } from '../answer/send-pieces.ts';
import { openCoder } from '../request/content-coding.ts';
import { readStreamBody, readStreamQuery } from '../request/read-stream-request.ts';
import { stateOf } from '../request/request-state.ts';
import { DATASET_ADDRESS } from './addresses.ts';
import { type Received, type Route, route } from './route.ts';
import type { RouteContext } from './route-context.ts';

type Format = {
  readonly lines: LineFormat;
  /** At the end of the ids of operations. */
  readonly idEnd: string;
  readonly title: string;
  readonly mediaType: string;
  readonly parameters: string;
  readonly description: string;
};

const FORMATS: readonly Format[] = [
  {
    lines: 'csv',
    idEnd: 'Csv',
    ...TABLE_FORMATS.csv,
    description:
      'The first line has the names of the fields. A text that a spreadsheet would run as a formula gets an apostrophe before it.',
  },
  {
    lines: 'ndjson',
    idEnd: 'Ndjson',
    title: 'NDJSON',
    mediaType: 'application/x-ndjson',
    parameters: '; charset=utf-8',
    description:
      'Each line is a JSON object. Numbers and booleans are JSON numbers and booleans, and an absent value is null.',
  },
];

/** All records of a request in one answer. */
export const streamRoutes: readonly Route[] = FORMATS.flatMap((format) => [
  route(
    {
      ...headOf(format),
      operationId: `streamRecords${format.idEnd}`,
      at: `GET /v3/catalog/:dataReferenceName/records.${format.lines}`,
      summary: `Get all records of a dataset as ${format.title}`,
      isConditional: true,
      querystring: StreamRecordsQuerySchema,
    },
    (context, received) => {
      const { query, params, request } = received;
      const asked = readStreamQuery(query, params, stateOf(request));
      return answerStream(context, received, { asked, format });
    },
  ),
  route(
    {
      ...headOf(format),
      operationId: `streamRecords${format.idEnd}ByBody`,
      at: `POST /v3/catalog/:dataReferenceName/records.${format.lines}`,
      summary: `Get all records of a dataset as ${format.title}, with the request in the body`,
      body: StreamRecordsRequestSchema,
    },
    (context, received) => {
      const asked = readStreamBody(received.body, received.params);
      return answerStream(context, received, { asked, format });
    },
  ),
]);

function headOf({ mediaType, description }: Format) {
  return {
    access: 'catalog',
    description: `Returns all records that match all filters, the bounding box and the period, in one stream, from one version of the dataset. ${description} Data-Version has the version, and Total-Size the number of records if trackTotalHits is true.`,
    answer: Type.String(),
    mediaType,
    refusals: [404, 504],
    params: DATASET_ADDRESS,
  } as const;
}

/** Its name in the usage records. */
const OPERATION = 'streamRecords';

async function answerStream(
  { service, release, observe, taking }: RouteContext,
  { request, reply, call }: Pick<Received, 'request' | 'reply' | 'call'>,
  { asked, format }: { readonly asked: StreamRecordsRequest; readonly format: Format },
): Promise<unknown> {
  const { isHead, metered, accepted } = stateOf(request);
  if (metered === undefined) throw new Error('A stream is metered.');
  // Refused: an unknown dataset, version, field or operator, a wrong value, an option.
  const pinned = pinRecordsStream(service, asked, call);
  const tags = findTags(request, release, [format.lines, ...pinned.answerParts]);
  const isHeld = request.method !== 'POST' && tags.held !== undefined;
  if (isHeld) {
    await metered.complete({ operation: OPERATION, request: asked, rows: 0, bytes: 0 });
    setTag(request, reply, tags);
    return reply.code(304).send();
  }
  // Refused: a full queue, a missed deadline.
  const stream = await openRecordsStream(service, pinned, { ...call, lines: format.lines });
  reply
    .type(`${format.mediaType}${format.parameters}`)
    .header('content-disposition', disposition(asked, format))
    .header('data-version', stream.version);
  if (stream.totalSize !== undefined) reply.header('total-size', String(stream.totalSize));
  setTag(request, reply, { ...tags, held: undefined });
  if (isHead) {
    await metered.complete({ operation: OPERATION, request: asked, rows: 0, bytes: 0 });
    return reply.send('');
  }
  const pieces = meteredPieces(stream, { asked, format, metered });
  const { answers } = service;
  const body = await openPieces(pieces, { request, reply, observe, answers, taking });
  const { coding } = accepted;
  if (coding === 'identity') return reply.send(body);
  reply.header('content-encoding', coding).header('etag', tagInCoding(tags.identity, coding));
  // An error of the body ends the answer.
  return reply.send(pipeline(body, openCoder(coding), () => {}));
}

/** The name of a dataset has only letters, digits, underscores and a dot. */
function disposition({ dataReferenceName }: StreamRecordsRequest, { lines }: Format): string {
  return `attachment; filename="${dataReferenceName}.${lines}"`;
}

/** The pieces of a stream as bytes, each charged and recorded before it is sent; the first one with the head. */
async function* meteredPieces(
  stream: RecordsStream,
  {
    asked,
    format,
    metered,
  }: {
    readonly asked: StreamRecordsRequest;
    readonly format: Format;
    readonly metered: Pick<MeteredRequest, 'openPieces'>;
  },
): AsyncGenerator<Buffer, void> {
  const { head, lines } = LINE_FORMATS[format.lines];
  const { columns, pieces } = stream;
  let usage: MeteredPieces | undefined;
  try {
    // Refused: more rows than are left.
    usage = await metered.openPieces(stream.totalSize);
    let before = head(columns);
    for await (const piece of pieces) {
      const encoded = 'bytes' in piece ? piece.bytes : await lines(columns, piece);
      const bytes = before.length === 0 ? encoded : Buffer.concat([before, encoded]);
      before = NOTHING;
      // Refused: usage that cannot be recorded.
      await usage.add({
        operation: OPERATION,
        request: asked,
        rows: piece.size,
        bytes: bytes.length,
      });
      if (bytes.length > 0) yield bytes;
    }
  } finally {
    usage?.end();
  }
}

const NOTHING = Buffer.alloc(0);
