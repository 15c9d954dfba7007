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
import { lengthAfter, lengthOfPart, type PartRead, type StreamSizes } from './stream-sizes.ts';

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
 * record. The length of each part follows from the bytes of the part before it.
 */
export function readStream(reading: StreamReading): Promise<AsyncGenerator<StreamPiece, void>> {
  const limitOf = () => reading.sizes.firstPage;
  return readAhead(readPage(reading, { limitOf, after: undefined, before: NOTHING }));
}

const NOTHING: PartRead = { length: 0, bytes: 0 };

/** Reads a page, and says what follows it. */
function readPage(
  reading: StreamReading,
  page: {
    readonly limitOf: (isReadFast: boolean) => number;
    readonly after: RecordPosition | undefined;
    /** All records before it. */
    readonly before: PartRead;
  },
): ReadPart {
  const { context, plan, sizes, toPieces } = reading;
  const { limitOf, after, before } = page;
  const isInKeyOrder = plan.order.length === 0 && !plan.keyDescending;
  return (isReadFast) => {
    const limit = limitOf(isReadFast);
    return inSlot(reading, limit, async (signal) => {
      const found = await context.engine.run({ ...plan, limit, after }, signal);
      const { size, hasMore, positionAt } = found;
      const { pieces, bytes: besides } = await toPieces(found, signal);
      if (!hasMore) return { pieces, next: undefined };
      const bytes = besides + bytesOfValues(found);
      const last = positionAt(size - 1);
      const upToLast = { length: before.length + size, bytes: before.bytes + bytes };
      const isIndexed = upToLast.length < sizes.indexed;
      if (isInKeyOrder && !isIndexed) {
        const from = last.row + 1;
        const ordinals = { length: from, bytes: upToLast.bytes };
        return { pieces, next: readRange(reading, { from, before: ordinals }) };
      }
      const nextLimit = (isFast: boolean): number =>
        isInKeyOrder
          ? Math.min(
              sizes.indexed - upToLast.length,
              lengthOfPart({ length: size, bytes }, isFast, sizes),
            )
          : Math.min(sizes.page, lengthAfter({ length: size, bytes }, isFast, sizes));
      const next = { limitOf: nextLimit, after: last, before: upToLast };
      return { pieces, next: readPage(reading, next) };
    });
  };
}

/** Reads the records of a range of ordinals. */
function readRange(
  reading: StreamReading,
  { from, before }: { readonly from: number; readonly before: PartRead },
): ReadPart {
  const { context, plan, lines, sizes, toPieces } = reading;
  const { version, fields, predicates } = plan;
  const { textBytesMax } = sizes;
  const storedRows = storedRowsOf(version) ?? Number.MAX_SAFE_INTEGER;
  return (isReadFast) => {
    const wantedEnd = Math.min(storedRows, from + lengthAfter(before, isReadFast, sizes));
    return inSlot(reading, sizes.page, async (signal) => {
      const range = { from, end: wantedEnd, textBytesMax };
      const found = await context.engine.run(
        { kind: 'batch', version, fields, predicates, lines, ...range },
        signal,
      );
      const { end } = found;
      const { pieces, bytes: besides } =
        found.lines === undefined
          ? await toPieces(found, signal)
          : joinLines(found.lines, sizes.piece);
      const read = { length: end - from, bytes: besides + bytesOfValues(found) };
      const next = end < storedRows ? readRange(reading, { from: end, before: read }) : undefined;
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
