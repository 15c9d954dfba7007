import type { Field } from '../../../domain/field.ts';
import type { ReadableVersion } from '../../../domain/predicate.ts';
import { openTurns } from '../../../domain/turns.ts';
import { compareValues, type PresentValue, type Value } from '../../../domain/value.ts';
import { fieldsReadBy } from '../../../plan/fields-read-by.ts';
import type { CountPlan, RecordsPlan } from '../../../plan/read-plan.ts';
import type { PlanKind, PlanOf, PlanResults, RecordsPage } from '../../engine.ts';
import type { MemoryRecord } from '../../reference/match-predicate.ts';
import { type NumberedRecord, runOnRecords } from '../../reference/run-on-records.ts';
import { type Access, chooseSeries } from './choose-access.ts';
import { countByCounter } from './count-by-counter.ts';
import { conditionsOf } from './entry-filter.ts';
import type { Range, RecordBlock, RowFile } from './open-row-file.ts';
import { countBox, readBox } from './read-box.ts';
import { readOrder } from './read-order.ts';
import { readSearch } from './read-search.ts';

/**
 * The row store: finds candidates by an index of the row file, then applies every condition and the order of
 * the plan as the reference does, except what the index proves. It blocks the event loop, so it must get
 * only plans whose cost has a bound; see `storage/embedded/route-plan.ts`.
 */
export type RowEngine = {
  /** Undefined if the access turns out to take longer than its bound. */
  readonly run: <Kind extends PlanKind>(
    plan: PlanOf<Kind>,
    access: Access,
    signal: AbortSignal,
  ) => Promise<PlanResults[Kind]> | undefined;
};

export function openRowEngine(fileOf: (version: ReadableVersion) => RowFile): RowEngine {
  const runByReference = runOnRecords((version, predicates, reads) => {
    const file = fileOf(version);
    const fields = distinct([
      ...reads,
      ...fieldsReadBy(conditionsOf(version, predicates)),
      ...(version.narrowing?.suppressed ?? []),
    ]);
    const access = chooseSeries(version, predicates, file.facts);
    return rangesOf(access, file).flatMap((range) => readRecords(file, range, fields));
  });
  const answer = (
    plan: PlanOf<PlanKind>,
    access: Access,
    signal: AbortSignal,
  ): PlanResults[PlanKind] | Promise<PlanResults[PlanKind]> | undefined => {
    switch (plan.kind) {
      case 'records':
        return readPage(plan, access, fileOf(plan.version), signal, () =>
          runByReference(plan, signal),
        );
      case 'count':
        return count(plan, access, fileOf(plan.version)) ?? runByReference(plan, signal);
      case 'distinct':
        return access.kind === 'search'
          ? readSearch(plan, access.search, fileOf(plan.version))
          : runByReference(plan, signal);
      default:
        return runByReference(plan, signal);
    }
  };
  return {
    run: <Kind extends PlanKind>(plan: PlanOf<Kind>, access: Access, signal: AbortSignal) => {
      const result = answer(plan, access, signal);
      // The result is of the kind of the plan.
      return result === undefined
        ? undefined
        : (Promise.resolve(result) as Promise<PlanResults[Kind]>);
    },
  };
}

function readPage(
  plan: RecordsPlan,
  access: Access,
  file: RowFile,
  signal: AbortSignal,
  readByReference: () => Promise<RecordsPage>,
): RecordsPage | Promise<RecordsPage> | undefined {
  switch (access.kind) {
    case 'order':
      return readOrder(plan, access.order, file);
    case 'box':
      return readBox(plan, access.blocks, file);
    default:
      return isProven(plan, access)
        ? readInKeyOrder(plan, access, file, signal)
        : readByReference();
  }
}

function count(plan: CountPlan, access: Access, file: RowFile): number | undefined {
  if (access.kind === 'counter') return countByCounter(plan, access.field, file.facts);
  return access.kind === 'box' ? countBox(plan, access.blocks, file) : undefined;
}

/** Whether the access finds exactly the records of the plan, which is in the order of the key. */
export function isProven({ version, predicates, order }: RecordsPlan, access: Access): boolean {
  if (version.narrowing !== undefined || order.length > 0) return false;
  if (access.kind === 'page') return true;
  return access.kind === 'series' && predicates.every((one) => access.proven.includes(one));
}

/** So many records of a large page are read at once. */
export const RECORDS_AT_ONCE = 128;

/**
 * The page of records that no condition has to be compared with, and that are in the order of the plan. A large
 * page is read in turns.
 */
async function readInKeyOrder(
  plan: RecordsPlan,
  access: Access,
  file: RowFile,
  signal: AbortSignal,
): Promise<RecordsPage> {
  const rows: (readonly Value[])[] = [];
  const ordinals: number[] = [];
  const { limit, after, keyDescending, fields } = plan;
  const isPast = (ordinal: number): boolean =>
    after !== undefined && (keyDescending ? ordinal >= after.row : ordinal <= after.row);
  const turns = openTurns();
  for (const range of piecesOf(access, file, keyDescending)) {
    if (rows.length > limit) break;
    if (turns.isOver()) {
      await turns.next();
      signal.throwIfAborted();
    }
    if (range.row === range.end || isPast(keyDescending ? range.row : range.end - 1)) continue;
    const blocks = file.readBlocks(range, fields);
    for (const { row, count: size, columns } of keyDescending ? blocks.toReversed() : blocks) {
      for (let step = 0; step < size; step += 1) {
        const index = keyDescending ? size - 1 - step : step;
        const ordinal = row + index;
        if (isPast(ordinal)) continue;
        if (rows.length > limit) break;
        ordinals.push(ordinal);
        rows.push(columns.map((column) => column[index] ?? null));
      }
    }
  }
  return {
    rows: rows.length > limit ? rows.slice(0, limit) : rows,
    positionAt: (index) => ({ row: ordinals[index] ?? 0, orderValues: [] }),
    hasMore: rows.length > limit,
  };
}

/** The ranges of ordinals of an access, each found when it is asked for, and cut. */
function* piecesOf(access: Access, file: RowFile, isDescending: boolean): Generator<Range> {
  const ranges =
    access.kind === 'series'
      ? foundSeries(inOrder(distinctValues(access.values), isDescending), file)
      : rangesOf(access, file);
  for (const { row, end } of ranges) {
    // A value that is looked up takes time, also if no record has it.
    if (row === end) yield { row, end };
    for (let at = 0; at < end - row; at += RECORDS_AT_ONCE) {
      const size = Math.min(RECORDS_AT_ONCE, end - row - at);
      const start = isDescending ? end - at - size : row + at;
      yield { row: start, end: start + size };
    }
  }
}

function* foundSeries(values: readonly PresentValue[], file: RowFile): Generator<Range> {
  for (const value of values) {
    yield file.findSeries(value) ?? NO_RECORDS;
  }
}

const NO_RECORDS: Range = { row: 0, end: 0 };

function inOrder<Item>(items: readonly Item[], isReversed: boolean): readonly Item[] {
  return isReversed ? items.toReversed() : items;
}

/** The ranges of ordinals of an access, in order; all where it has none. */
function rangesOf(access: Access, file: RowFile): readonly Range[] {
  switch (access.kind) {
    case 'series':
      return distinctValues(access.values).flatMap((value) => file.findSeries(value) ?? []);
    case 'page':
      return access.row < access.end ? [access] : [];
    default:
      return file.facts.records === 0 ? [] : [{ row: 0, end: file.facts.records }];
  }
}

function distinctValues(values: readonly PresentValue[]): readonly PresentValue[] {
  return values.length === 1 ? values : [...new Set(values)].sort(compareValues);
}

function distinct(fields: readonly Field[]): readonly Field[] {
  return [...new Map(fields.map((field) => [field.name, field])).values()];
}

function readRecords(
  file: RowFile,
  range: Range,
  fields: readonly Field[],
): readonly NumberedRecord[] {
  return file.readBlocks(range, fields).flatMap((block) => recordsOf(block, fields));
}

function recordsOf({ row, count: size, columns }: RecordBlock, fields: readonly Field[]) {
  const records: NumberedRecord[] = [];
  for (let index = 0; index < size; index += 1) {
    const record: Record<string, Value> = {};
    for (const [column, { name }] of fields.entries()) {
      record[name] = columns[column]?.[index] ?? null;
    }
    records.push({ record: record satisfies MemoryRecord, row: row + index });
  }
  return records;
}
