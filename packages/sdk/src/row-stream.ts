import { ConnectionError, UnexpectedAnswerError } from './errors.ts';
import type { StreamOperations } from './generated/stream-operations.ts';
import type { Download } from './open-download.ts';
import type { CallOptions } from './send.ts';

/** The formats of a whole result. */
export type StreamFormat<Id extends keyof StreamOperations = keyof StreamOperations> =
  StreamOperations[Id]['path']['format'];

/**
 * All rows of a request, in one answer. No request is sent until you read the rows. Each new read sends the request
 * again. The next bytes are read when your loop needs them, and `break` ends the answer. If the answer is interrupted, the
 * loop throws a `ConnectionError`.
 */
export type RowStream<Row, Id extends keyof StreamOperations> = AsyncIterable<Row> & {
  /** Sends the request, and resolves when the first bytes are here. */
  readonly download: (format: StreamFormat<Id>) => Promise<Download>;
};

export function createRowStream<Row, Id extends keyof StreamOperations>(
  download: RowStream<Row, Id>['download'],
  { signal }: CallOptions = {},
): RowStream<Row, Id> {
  return {
    download,
    [Symbol.asyncIterator]: async function* () {
      const { body, totalSize } = await download('ndjson');
      let rows = 0;
      for await (const lines of readLines(body)) {
        for (const line of lines) {
          signal?.throwIfAborted();
          rows += 1;
          yield parseRow<Row>(line);
        }
      }
      if (totalSize !== undefined && rows !== totalSize) {
        throw incomplete(`it has ${rows} of ${totalSize} rows`);
      }
    },
  };
}

/** The lines that end in each piece of the bytes. */
async function* readLines(body: Download['body']): AsyncGenerator<readonly string[], void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let last = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const lines = decoder.decode(value, { stream: true }).split('\n');
      lines[0] = `${last}${lines[0]}`;
      last = lines.pop() ?? '';
      yield lines;
    }
  } finally {
    await reader.cancel();
  }
  if (last !== '') throw incomplete('its last line has no end');
}

function parseRow<Row>(line: string): Row {
  try {
    // The service answers with the requested columns, and their types are those that it declares.
    return JSON.parse(line) as Row;
  } catch {
    throw new UnexpectedAnswerError('A line of the answer is not JSON.', 200);
  }
}

function incomplete(why: string): ConnectionError {
  return new ConnectionError(`The answer was interrupted, so it is incomplete: ${why}.`);
}
