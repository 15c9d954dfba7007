import type { StreamRecordsRequest } from '@locmetrics/core/domain/catalog-request';
import type { Field } from '@locmetrics/core/domain/field';
import type { LineFormat } from '@locmetrics/core/domain/line-format';
import type { VisitRecord } from '@locmetrics/core/domain/value-visitor';
import type { DatasetVersion } from '@locmetrics/core/domain/version';
import { storedRowsOf } from '@locmetrics/core/plan/narrow-dataset';
import { planRecords } from '@locmetrics/core/plan/plan-records';
import type { RecordPosition, RecordsPlan } from '@locmetrics/core/plan/read-plan';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import type { RecordLines, RecordsBatch } from '@locmetrics/core/storage/engine';
import { checkBillingContext } from '../auth/billing-context.ts';
import { inSpan } from '../observe/request-scope.ts';
import { countRecords } from './count-records.ts';
import { findPageVersion } from './find-version.ts';
import { takeSlot } from './page-steps.ts';
import { type ReadPart, readAhead, type StreamPiece } from './read-ahead.ts';
import type { Call, ServiceContext } from './service-context.ts';
import { rangeAfter, STREAM_SIZES, type StreamSizes } from './stream-sizes.ts';
import { visitPage } from './visit-page.ts';

/** A stream before its queries. An edge may find that the caller already has it. */
export type PinnedRecordsStream = {
  readonly request: StreamRecordsRequest;
  /** Of all parts, without their limits. */
  readonly plan: RecordsPlan;
  /** Values that change whenever the answer does. */
  readonly answerParts: readonly unknown[];
};

export type RecordsStream = {
  readonly fields: readonly Field[];
  readonly version: string;
  /** Undefined if the request does not ask for it. */
  readonly totalSize: number | undefined;
  readonly pieces: AsyncGenerator<StreamPiece, void>;
};

/**
 * The version and the plan of a stream. Refused: a foreign billing context, an unknown dataset or version, an unknown
 * field or operator, a value of a wrong type, an option.
 */
export function pinRecordsStream(
  { catalogFor }: Pick<ServiceContext, 'catalogFor'>,
  request: StreamRecordsRequest,
  { caller }: Pick<Call, 'caller'>,
): PinnedRecordsStream {
  checkBillingContext(caller, request.billingContext);
  // The caller's part of the catalog.
  const version: DatasetVersion = findPageVersion(catalogFor(caller), request, undefined);
  const page = { ...request, groupFilters: [], pageSize: 0 };
  const plan = inSpan('plan', () => planRecords(page, version, undefined));
  // A threshold that is raised now applies to earlier versions too.
  const thresholds = version.narrowing?.suppressed.map(({ suppressBelow }) => suppressBelow);
  return {
    request,
    plan,
    answerParts: [version.version, thresholds, caller.rights.fingerprint, request],
  };
}

/**
 * All records of a request, in pieces. The first query is answered before this resolves, so a stream that cannot be read
 * is refused like a page. `lines` is a format in which the engine may write the records.
 *
 * Each part of a stream is a query of its own, with its own place in the queue and its own deadline: however slowly the
 * caller reads, no query is open meanwhile, and no more than a part is in memory. In the order of the key a part is a
 * range of ordinals, which costs an engine no more than to read on. In another order it is the page after the last
 * record.
 */
export async function openRecordsStream(
  context: ServiceContext,
  { request, plan }: PinnedRecordsStream,
  {
    lines,
    sizes = STREAM_SIZES,
    ...call
  }: Call & { readonly lines?: LineFormat | undefined; readonly sizes?: StreamSizes },
): Promise<RecordsStream> {
  const reading: Reading = { context, call, plan, lines, sizes };
  const totalSize = request.trackTotalHits
    ? await inSlot(reading, sizes.firstPage, (signal) => countRecords(context.engine, plan, signal))
    : undefined;
  return {
    fields: plan.fields,
    version: plan.version.version,
    totalSize,
    pieces: await readAhead(readPage(reading, { limit: sizes.firstPage, after: undefined })),
  };
}

type Reading = {
  readonly context: ServiceContext;
  readonly call: Call;
  readonly plan: RecordsPlan;
  readonly lines: LineFormat | undefined;
  readonly sizes: StreamSizes;
};

/** Reads a page, and says what follows it. */
function readPage(
  reading: Reading,
  page: { readonly limit: number; readonly after: RecordPosition | undefined },
): ReadPart {
  const { context, plan, sizes } = reading;
  return async () => {
    const found = await inSlot(reading, page.limit, (signal) =>
      context.engine.run({ ...plan, ...page }, signal),
    );
    const { size, hasMore, positionAt } = found;
    const pieces = [{ size, visit: visitPage(found) }];
    if (!hasMore) return { pieces, next: undefined };
    const after = positionAt(size - 1);
    const from = after.row + 1;
    const next =
      plan.order.length === 0
        ? readRange(reading, { from, before: { records: size, ordinals: from } })
        : readPage(reading, { limit: sizes.page, after });
    return { pieces, next };
  };
}

/** Reads the records of a range of ordinals, whose length follows from the range before it. */
function readRange(
  reading: Reading,
  range: {
    readonly from: number;
    readonly before: { readonly records: number; readonly ordinals: number };
  },
): ReadPart {
  const { context, plan, lines, sizes } = reading;
  const { version, fields, predicates } = plan;
  const { from, before } = range;
  const storedRows = storedRowsOf(version) ?? Number.MAX_SAFE_INTEGER;
  return async (isReadFast) => {
    const hasLines = lines !== undefined;
    const length = rangeAfter({ ...before, fields: fields.length, isReadFast, hasLines }, sizes);
    const end = Math.min(storedRows, from + length);
    const found = await inSlot(reading, sizes.page, (signal) =>
      context.engine.run({ kind: 'batch', version, fields, predicates, from, end, lines }, signal),
    );
    const next =
      end < storedRows
        ? readRange(reading, {
            from: end,
            before: { records: found.size, ordinals: end - from },
          })
        : undefined;
    return { pieces: piecesOf(found, sizes.piece), next };
  };
}

/** Runs a query in a slot. Refused: a full queue, a missed deadline. */
async function inSlot<Result>(
  { context, call }: Reading,
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

function piecesOf({ size, rows, lines }: RecordsBatch, sizeMax: number): readonly StreamPiece[] {
  if (lines !== undefined) return joinLines(lines, sizeMax);
  const visit = visitPage({ rows });
  return Array.from({ length: Math.ceil(size / sizeMax) }, (_, index) => {
    const first = index * sizeMax;
    const visitFrom: VisitRecord = (record, visitor) => visit(first + record, visitor);
    return { size: Math.min(sizeMax, size - first), visit: visitFrom };
  });
}

/** Joins the lines of few records: each piece is charged and recorded by itself. */
function joinLines(lines: readonly RecordLines[], sizeMax: number): readonly StreamPiece[] {
  const pieces: StreamPiece[] = [];
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
  }
  finish();
  return pieces;
}
