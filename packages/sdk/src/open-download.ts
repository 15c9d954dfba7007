import { ConnectionError } from './errors.ts';
import { STREAM_OPERATIONS, type StreamOperations } from './generated/stream-operations.ts';
import { retrying } from './retry.ts';
import {
  type CallOptions,
  type Connection,
  fetchResponse,
  messageOf,
  type Parts,
  readText,
  refusalOf,
  type SendOptions,
  toConnection,
  type WrittenRequest,
  writeRequest,
} from './send.ts';

/** A whole result as bytes. */
export type Download = {
  /** The bytes, read as fast as you read them. If the answer is interrupted, it fails with a `ConnectionError`. */
  readonly body: ReadableStream<Uint8Array>;
  /** The data version that all rows come from. */
  readonly version: string;
  /** The number of rows. Only with `trackTotalHits`. */
  readonly totalSize: number | undefined;
};

export type OpenDownload = <Id extends keyof StreamOperations>(
  id: Id,
  parts: Parts<StreamOperations[Id]>,
  options: CallOptions | undefined,
) => Promise<Download>;

/**
 * Requests whole results. A request is repeated until the first bytes of its answer have arrived, and never after
 * that.
 */
export function createOpenDownload(options: SendOptions): OpenDownload {
  const connection = toConnection(options);
  return async (id, parts, { signal } = {}) => {
    const { retries } = options;
    const request = writeRequest(STREAM_OPERATIONS[id], parts, '*/*');
    return retrying(() => openOnce(request, { ...connection, signal }), { retries, signal });
  };
}

async function openOnce(
  request: WrittenRequest,
  connection: Connection & CallOptions,
): Promise<Download> {
  const response = await fetchResponse(request, connection);
  const { body, headers, ok } = response;
  const version = headers.get('data-version');
  // Only the service sends a version.
  if (!ok || body === null || version === null) {
    throw refusalOf(response, await readText(response, request, connection));
  }
  const { method, path } = request;
  const { base, signal } = connection;
  const brokenOff = (cause: unknown) =>
    signal?.aborted
      ? signal.reason
      : new ConnectionError(
          `The answer to ${method} ${base}${path} was interrupted, so it is incomplete: ${messageOf(cause)}.`,
          { cause },
        );
  const reader = body.getReader();
  const first = await reader.read().catch((cause: unknown) => {
    throw brokenOff(cause);
  });
  const totalSize = headers.get('total-size');
  return {
    body: readOn(reader, first, brokenOff),
    version,
    totalSize: totalSize === null ? undefined : Number(totalSize),
  };
}

type Piece = Awaited<ReturnType<ReadableStreamDefaultReader<Uint8Array>['read']>>;

/** The pieces from the first one. The next piece is read when the caller wants it. */
function readOn(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  first: Piece,
  brokenOff: (cause: unknown) => unknown,
): ReadableStream<Uint8Array> {
  let next: Piece | undefined = first;
  return new ReadableStream(
    {
      pull: async (controller) => {
        try {
          const { done, value } = next ?? (await reader.read());
          next = undefined;
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (cause) {
          controller.error(brokenOff(cause));
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
