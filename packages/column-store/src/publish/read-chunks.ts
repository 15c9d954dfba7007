import type { DuckDBConnection } from '@duckdb/node-api';
import type { Value } from '@locmetrics/core/domain/value';

/** Some thousand rows of a query, in the order of the result. */
export type ReadChunk = {
  readonly count: number;
  /** Reads a column, from 0, by the number of the row in the chunk. */
  readonly column: (index: number) => (row: number) => Value;
};

/** The rows of a query, read as they are needed. Its columns must have types whose values are a `Value`. */
export async function* readChunks(
  connection: DuckDBConnection,
  sql: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<ReadChunk> {
  const result = await connection.stream(sql);
  let next = result.fetchChunk();
  for (;;) {
    signal?.throwIfAborted();
    const chunk = await next;
    if (chunk === null || chunk.rowCount === 0) return;
    // The engine makes the next chunk while this one is used.
    next = result.fetchChunk();
    next.catch(() => {});
    yield {
      count: chunk.rowCount,
      column: (index) => {
        const vector = chunk.getColumnVector(index);
        return (row) => vector.getItem(row) as Value;
      },
    };
  }
}
