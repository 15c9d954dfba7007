import type { LineFormat } from '@locmetrics/core/domain/line-format';
import type { VisitRecord } from '@locmetrics/core/domain/value-visitor';
import { storedRowsOf } from '@locmetrics/core/plan/narrow-dataset';
import type { RecordPosition, RecordsPlan } from '@locmetrics/core/plan/read-plan';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import type { RecordLines, RecordsPage } from '@locmetrics/core/storage/engine';
import { bytesOfValues } from './bytes-of-values.ts';
import { takeSlot } from './page-steps.ts';
import { type ReadPart, readAhead, type StreamPiece } from './read-ahead.ts';
import type { Call, ServiceContext } from './service-context.ts';
import { rangeAfter, type StreamSizes } from './stream-sizes.ts';

/** How the records of a stream are read. */
export type StreamReading = {
  readonly context: ServiceContext;
  readonly call: Call;
  /** Of all parts, without their limits. */
  readonly plan: RecordsPlan;
  /** A format in which the engine may write the records; absent: they are read as values. */
  readonly lines?: LineFormat | undefined;
  readonly sizes: StreamSizes;
  /** The pieces of some records. */
  readonly toPieces: (found: FoundRecords, signal: StopSignal) => Pieces | Promise<Pieces>;
};

/** The pieces of a part. */
export type Pieces = {
  readonly pieces: readonly StreamPiece[];
  /** About the memory that they take besides the records of which they were made. */
  readonly bytes: number;
};

export type FoundRecords = Pick<RecordsPage, 'size' | 'rows' | 'columns' | 'visit'>;

/**
 * All records of a plan, in pieces. The first query is answered before this resolves, so a stream that cannot be read is
 * refused like a page.
 *
 * Each part of a stream is a query of its own, with its own place in the queue and its own deadline: however slowly the
 * caller reads, no query is open meanwhile, and no more than a part is in memory. In the order of the key a part is a
 * range of ordinals, which costs an engine no more than to read on. In another order it is the page after the last
 * record.
 */
export function readStream(reading: StreamReading): Promise<AsyncGenerator<StreamPiece, void>> {
  return readAhead(readPage(reading, { limit: reading.sizes.firstPage, after: undefined }));
}

/** Reads a page, and says what follows it. */
function readPage(
  reading: StreamReading,
  page: { readonly limit: number; readonly after: RecordPosition | undefined },
): ReadPart {
  const { context, plan, sizes, toPieces } = reading;
  const isInKeyOrder = plan.order.length === 0 && !plan.keyDescending;
  return () =>
    inSlot(reading, page.limit, async (signal) => {
      const found = await context.engine.run({ ...plan, ...page }, signal);
      const { size, hasMore, positionAt } = found;
      const { pieces, bytes } = await toPieces(found, signal);
      if (!hasMore) return { pieces, next: undefined };
      const after = positionAt(size - 1);
      const from = after.row + 1;
      const next = isInKeyOrder
        ? readRange(reading, {
            from,
            before: { ordinals: from, bytes: bytes + bytesOfValues(found) },
          })
        : readPage(reading, { limit: sizes.page, after });
      return { pieces, next };
    });
}

/** Reads the records of a range of ordinals, whose length follows from the range before it. */
function readRange(
  reading: StreamReading,
  range: {
    readonly from: number;
    readonly before: { readonly ordinals: number; readonly bytes: number };
  },
): ReadPart {
  const { context, plan, lines, sizes, toPieces } = reading;
  const { from, before } = range;
  const storedRows = storedRowsOf(plan.version) ?? Number.MAX_SAFE_INTEGER;
  return (isReadFast) => {
    const end = Math.min(storedRows, from + rangeAfter({ ...before, isReadFast }, sizes));
    return inSlot(reading, sizes.page, async (signal) => {
      const { version, predicates } = plan;
      const found = await context.engine.run(
        { kind: 'batch', version, fields: plan.fields, predicates, from, end, lines },
        signal,
      );
      const { pieces, bytes } =
        found.lines === undefined
          ? await toPieces(found, signal)
          : joinLines(found.lines, sizes.piece);
      const after = { ordinals: end - from, bytes: bytes + bytesOfValues(found) };
      const next = end < storedRows ? readRange(reading, { from: end, before: after }) : undefined;
      return { pieces, next };
    });
  };
}

/** Runs the queries of a part in a slot. Refused: a full queue, a missed deadline. */
export async function inSlot<Result>(
  { context, call }: Pick<StreamReading, 'context' | 'call'>,
  pageSize: number,
  query: (signal: StopSignal) => Promise<Result> | Result,
): Promise<Result> {
  const slot = await takeSlot(context, call, { token: undefined, pageSize });
  try {
    return await query(slot.signal);
  } catch (error) {
    throw slot.fail(error);
  } finally {
    slot.end();
  }
}

/** Each piece is charged and recorded by itself. */
export function cutPieces(
  { size, visit }: { readonly size: number; readonly visit: VisitRecord },
  sizeMax: number,
): readonly StreamPiece[] {
  return Array.from({ length: Math.max(1, Math.ceil(size / sizeMax)) }, (_, index) => {
    const first = index * sizeMax;
    const visitFrom: VisitRecord = (record, visitor) => visit(first + record, visitor);
    return { size: Math.min(sizeMax, size - first), visit: visitFrom };
  });
}

/** Joins the lines of few records. */
function joinLines(lines: readonly RecordLines[], sizeMax: number): Pieces {
  const pieces: StreamPiece[] = [];
  let joinedBytes = 0;
  let joined: RecordLines[] = [];
  let size = 0;
  const finish = (): void => {
    if (size > 0) pieces.push({ size, bytes: Buffer.concat(joined.map(({ bytes }) => bytes)) });
    joined = [];
    size = 0;
  };
  for (const one of lines) {
    if (size + one.size > sizeMax) finish();
    joined.push(one);
    size += one.size;
    joinedBytes += one.bytes.length;
  }
  finish();
  return { pieces, bytes: joinedBytes };
}
