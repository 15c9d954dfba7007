import type { LineFormat } from '@locmetrics/core/domain/line-format';
import type { VisitRecord } from '@locmetrics/core/domain/value-visitor';
import { storedRowsOf } from '@locmetrics/core/plan/narrow-dataset';
import type { RecordPosition, RecordsPlan } from '@locmetrics/core/plan/read-plan';
import { forwardedStop, type StopSignal } from '@locmetrics/core/runtime/stop';
import type {
  RecordLines,
  RecordsBatch,
  RecordsPage,
  SortedRange,
} from '@locmetrics/core/storage/engine';
import { bytesOfValues } from '../bytes-of-values.ts';
import { takeSlot } from '../page-steps.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import { withDistances } from '../with-distances.ts';
import { type ReadPart, readAhead, type StreamPiece } from './read-ahead.ts';
import { openSortedSource, type SortedSource } from './sorted-source.ts';
import {
  lengthAfter,
  lengthOfPart,
  type PartRead,
  type StreamSizes,
  sizesAmong,
} from './stream-sizes.ts';

/** How the records of a stream are read. */
export type StreamReading = {
  readonly context: ServiceContext;
  readonly call: Call;
  /** Of all parts, without their limits. */
  readonly plan: RecordsPlan;
  /** No record after so many is wanted; absent: all are. More may come. */
  readonly rowsMax?: number | undefined;
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
 * range of ordinals, which costs an engine no more than to read on. In another order it is a range of a sorted copy of
 * the records, or of an engine without such copies the page after the last record. The length of each part follows from
 * the bytes of the part before it.
 */
export async function readStream(
  reading: StreamReading,
): Promise<AsyncGenerator<StreamPiece, void>> {
  const { context, call, plan, rowsMax = Number.POSITIVE_INFINITY, sizes } = reading;
  const end = forwardedStop(call.signal);
  const sorted = openSortedSource(context, { ...plan, limit: rowsMax }, end);
  const parts = { ...reading, call: { ...call, signal: end }, sorted };
  const limitOf = () => sizes.firstPage;
  const pieces = await readAhead(readPage(parts, { limitOf, after: undefined, before: NOTHING }));
  return whileOpen(context, pieces, () => {
    // A part that is being read ahead.
    end.abort();
    return sorted.close();
  });
}

/** The reading of a stream, whose call also ends with the stream. */
type PartReading = StreamReading & { readonly sorted: SortedSource };

const NOTHING: PartRead = { length: 0, bytes: 0 };

/** Before its first piece nothing must be closed. */
async function* whileOpen(
  { openStreams }: Pick<ServiceContext, 'openStreams'>,
  pieces: AsyncGenerator<StreamPiece, void>,
  close: () => Promise<void>,
): AsyncGenerator<StreamPiece, void> {
  openStreams.add(pieces);
  try {
    yield* pieces;
  } finally {
    openStreams.delete(pieces);
    await close();
  }
}

function sizesNow({ context, sizes }: Pick<StreamReading, 'context' | 'sizes'>): StreamSizes {
  return sizesAmong(context.openStreams.size, sizes);
}

/** Reads a page, and says what follows it. */
function readPage(
  reading: PartReading,
  page: {
    readonly limitOf: (isReadFast: boolean) => number;
    readonly after: RecordPosition | undefined;
    /** All records before it. */
    readonly before: PartRead;
  },
): ReadPart {
  const { context, plan, toPieces } = reading;
  const { limitOf, after, before } = page;
  return (isReadFast) => {
    const limit = limitOf(isReadFast);
    return inSlot(reading, limit, async (signal) => {
      const page = await context.engine.run({ ...plan, limit, after }, signal);
      const found = withDistances(plan, page);
      const { size, hasMore, positionAt } = found;
      const { pieces, bytes: besides } = await toPieces(found, signal);
      if (!hasMore) return { pieces, next: undefined };
      const read = { length: size, bytes: besides + bytesOfValues(found) };
      const upToLast = { length: before.length + size, bytes: before.bytes + read.bytes };
      return { pieces, next: afterPage(reading, { last: positionAt(size - 1), read, upToLast }) };
    });
  };
}

type ReadPage = {
  readonly last: RecordPosition;
  readonly read: PartRead;
  /** With all records before it. */
  readonly upToLast: PartRead;
};

/** Reads what follows a page that was not the last: another one up to those that an index mostly finds, then ranges. */
function afterPage(reading: PartReading, { last, read, upToLast }: ReadPage): ReadPart {
  const { plan, sizes, sorted } = reading;
  const isInKeyOrder = plan.order.length === 0 && !plan.keyDescending;
  const after = { after: last, before: upToLast };
  if (upToLast.length < sizes.indexed) {
    const limitOf = (isFast: boolean): number =>
      Math.min(sizes.indexed - upToLast.length, lengthOfPart(read, isFast, sizesNow(reading)));
    return readPage(reading, { ...after, limitOf });
  }
  if (isInKeyOrder) {
    const from = last.row + 1;
    const before = { length: from, bytes: upToLast.bytes };
    return readRange(reading, ordinalsOf(reading), { from, before });
  }
  return async (isReadFast) => {
    const copy = await sorted.find();
    const limitOf = (isFast: boolean): number =>
      Math.min(sizes.page, lengthAfter(read, isFast, sizesNow(reading)));
    const next =
      copy === undefined
        ? readPage(reading, { ...after, limitOf })
        : readRange(reading, copy, { from: upToLast.length, before: upToLast });
    return next(isReadFast);
  };
}

/** Records by their numbers in the order of the stream. */
type Ranges = {
  /** The number after that of the last one. */
  readonly size: number;
  readonly read: (range: SortedRange, signal: StopSignal) => Promise<RecordsBatch>;
};

/** The records by their ordinals, which are their numbers in the order of the key. */
function ordinalsOf({ context, plan }: Pick<StreamReading, 'context' | 'plan'>): Ranges {
  const { version, fields, predicates } = plan;
  return {
    size: storedRowsOf(version) ?? Number.MAX_SAFE_INTEGER,
    read: (range, signal) =>
      context.engine.run({ kind: 'batch', version, fields, predicates, ...range }, signal),
  };
}

/** Reads the records of a range, then the ranges after it. */
function readRange(
  reading: PartReading,
  ranges: Ranges,
  { from, before }: { readonly from: number; readonly before: PartRead },
): ReadPart {
  const { context, sizes } = reading;
  return (isReadFast) => {
    const length = lengthAfter(before, isReadFast, sizesNow(reading));
    // The result of a query is made by one thread, so a stream that is the only one has two queries at once.
    const isAlone = context.openStreams.size === 1 && isReadFast && length >= sizes.piece;
    const starts = isAlone ? [from, from + length] : [from];
    return inSlot(reading, sizes.page, async (signal) => {
      const reads = starts
        .filter((start) => start < ranges.size)
        .map((start) => {
          const end = Math.min(ranges.size, start + length);
          return readPieces(reading, ranges, { from: start, end }, signal);
        });
      // None goes on after the part, even if another one fails.
      await Promise.allSettled(reads);
      const pieces: StreamPiece[] = [];
      let end = from;
      let bytes = 0;
      for (const found of await Promise.all(reads)) {
        // The range before it was cut.
        if (found.from !== end) break;
        pieces.push(...found.pieces);
        end = found.end;
        bytes += found.bytes;
      }
      const read = { length: end - from, bytes };
      const isLast = end >= ranges.size;
      const next = isLast ? undefined : readRange(reading, ranges, { from: end, before: read });
      return { pieces, next };
    });
  };
}

/** The pieces of a range, which may end early, and the bytes of its records. */
async function readPieces(
  { sizes, lines, toPieces }: StreamReading,
  ranges: Ranges,
  range: { readonly from: number; readonly end: number },
  signal: StopSignal,
): Promise<Pieces & { readonly from: number; readonly end: number }> {
  const { textBytesMax, piece } = sizes;
  const found = await ranges.read({ ...range, textBytesMax, lines }, signal);
  const { pieces, bytes } =
    found.lines === undefined ? await toPieces(found, signal) : joinLines(found.lines, piece);
  return { from: range.from, end: found.end, pieces, bytes: bytes + bytesOfValues(found) };
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
