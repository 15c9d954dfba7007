import type { Field, FieldType } from '@locmetrics/core/domain/field';
import type { ReadableVersion } from '@locmetrics/core/domain/predicate';
import {
  type Column,
  compareValues,
  type PresentValue,
  type Value,
} from '@locmetrics/core/domain/value';
import { findMark } from '@locmetrics/core/domain/withheld-mark';
import { fieldsReadBy } from '@locmetrics/core/plan/fields-read-by';
import type { CountPlan, RecordsPlan } from '@locmetrics/core/plan/read-plan';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import { openTicks } from '@locmetrics/core/runtime/ticks';
import type { PlanKind, PlanOf, PlanResults, RecordsPage } from '@locmetrics/core/storage/engine';
import { LazyPage } from '@locmetrics/core/storage/lazy-page';
import type { MemoryRecord } from '@locmetrics/core/storage/reference/match-predicate';
import {
  type NumberedRecord,
  runOnRecords,
} from '@locmetrics/core/storage/reference/run-on-records';
import { type Access, chooseSeries } from './choose-access.ts';
import { countByCounter, countByGroups, groupByGroups } from './count-by-groups.ts';
import { conditionsOf } from './entry-filter.ts';
import type { Range, RecordBlock, RowFile } from './open-row-file.ts';
import { countBox, readBox } from './read-box.ts';
import { readNear } from './read-near.ts';
import { readOrder } from './read-order.ts';
import { readSearch } from './read-search.ts';
import { readTile } from './read-tile-blocks.ts';

/**
 * The row store: finds candidates by an index of the row file, then applies every condition and the order of
 * the plan as the reference does, except what the index proves. It blocks the event loop, so it must get
 * only plans whose cost has a bound; see `row-store/routing/route-plan.ts`.
 */
export type RowEngine = {
  /** Undefined if the access turns out to take longer than its bound. */
  readonly run: <Kind extends PlanKind>(
    plan: PlanOf<Kind>,
    access: Access,
    signal: StopSignal,
  ) => Promise<PlanResults[Kind] | undefined>;
};

export function openRowEngine(fileOf: (version: ReadableVersion) => RowFile): RowEngine {
  const runByReference = runOnRecords((version, predicates, reads) => {
    const file = fileOf(version);
    const fields = distinct([
      // Marks are made of the values that they are of, which are read below.
      ...reads.filter(({ name }) => findMark(name) === undefined),
      ...fieldsReadBy(conditionsOf(version, predicates)),
      ...(version.narrowing?.suppressed ?? []),
    ]);
    const access = chooseSeries(version, predicates, file.facts);
    return rangesOf(access, file).flatMap((range) =>
      file.readBlocks(range, fields).flatMap((block) => recordsOf(block, fields)),
    );
  });
  const answer = (
    plan: PlanOf<PlanKind>,
    access: Access,
    signal: StopSignal,
  ): PlanResults[PlanKind] | Promise<PlanResults[PlanKind] | undefined> | undefined => {
    switch (plan.kind) {
      case 'records':
        return readPage(plan, access, fileOf(plan.version), signal, () =>
          runByReference(plan, signal),
        );
      case 'count':
        return count(plan, access, fileOf(plan.version), signal) ?? runByReference(plan, signal);
      case 'distinct':
        return access.kind === 'search'
          ? readSearch(plan, access.search, fileOf(plan.version))
          : runByReference(plan, signal);
      case 'groups':
        return access.kind === 'groups'
          ? groupByGroups(plan, access.groups, fileOf(plan.version).facts)
          : runByReference(plan, signal);
      case 'tile':
        return access.kind === 'tile'
          ? readTile(plan, access, fileOf(plan.version), signal)
          : runByReference(plan, signal);
      default:
        return runByReference(plan, signal);
    }
  };
  return {
    run: <Kind extends PlanKind>(plan: PlanOf<Kind>, access: Access, signal: StopSignal) => {
      const result = answer(plan, access, signal);
      // The result is of the kind of the plan.
      return Promise.resolve(result) as Promise<PlanResults[Kind] | undefined>;
    },
  };
}

function readPage(
  plan: RecordsPlan,
  access: Access,
  file: RowFile,
  signal: StopSignal,
  readByReference: () => Promise<RecordsPage>,
): RecordsPage | Promise<RecordsPage> | undefined {
  switch (access.kind) {
    case 'order':
      return (
        readOrder(plan, access.order, file) ??
        (access.box && readBox(plan, access.box, file, signal))
      );
    case 'near':
      return readNear(plan, access.term, file);
    case 'box':
      return readBox(plan, access.blocks, file, signal);
    default:
      return isProven(plan, access)
        ? readInKeyOrder(plan, access, file, signal)
        : readByReference();
  }
}

function count(
  plan: CountPlan,
  access: Access,
  file: RowFile,
  signal: StopSignal,
): number | Promise<number> | undefined {
  if (access.kind === 'counter') return countByCounter(plan, access.field, file.facts);
  if (access.kind === 'groups') return countByGroups(plan, access.groups, file.facts);
  if (access.kind === 'series' && isProven(plan, access)) return recordsIn(rangesOf(access, file));
  return access.kind === 'box' ? countBox(plan, access.blocks, file, signal) : undefined;
}

/** Whether the access finds exactly the records of the plan; a page is then in the order of the key. */
export function isProven(plan: RecordsPlan | CountPlan, access: Access): boolean {
  if (plan.version.narrowing !== undefined) return false;
  if (plan.kind === 'records' ? plan.order.length > 0 : plan.distinct !== undefined) return false;
  if (access.kind === 'page') return true;
  return access.kind === 'series' && plan.predicates.every((one) => access.proven.includes(one));
}

function recordsIn(ranges: readonly Range[]): number {
  return ranges.reduce((sum, { row, end }) => sum + end - row, 0);
}

/** So many records of a large page are read at once. */
export const RECORDS_AT_ONCE = 128;

/**
 * The page of records that no condition has to be compared with, and that are in the order of the plan. A large
 * page is read in event-loop ticks.
 */
async function readInKeyOrder(
  plan: RecordsPlan,
  access: Access,
  file: RowFile,
  signal: StopSignal,
): Promise<RecordsPage> {
  const pieces: RecordBlock[] = [];
  let found = 0;
  const { limit, after, keyDescending, fields } = plan;
  const first = keyDescending ? 0 : (after?.row ?? -1) + 1;
  const end = keyDescending ? (after?.row ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
  const ticks = openTicks();
  const rangeAt = rangesInOrder(access, file, keyDescending);
  for (let place = 0; found <= limit; place += 1) {
    const range = rangeAt(place);
    if (range === undefined) break;
    const left = { row: Math.max(range.row, first), end: Math.min(range.end, end) };
    // A value that is looked up takes time, also if no record has it.
    do {
      if (ticks.isOver()) {
        await ticks.next();
        signal.throwIfAborted();
      }
      const piece = cutPiece(left, keyDescending);
      if (piece.row >= piece.end) break;
      const blocks = file.readBlocks(piece, fields);
      for (const block of inOrder(blocks, keyDescending)) {
        pieces.push(block);
        found += block.count;
      }
    } while (found <= limit);
  }
  const size = Math.min(found, limit);
  const hasMore = found > limit;
  // The series of several values are looked up only as far as the page goes.
  const isOneSeries = access.kind === 'series' && access.values.length === 1;
  const columns = joinColumns(pieces, fields, keyDescending, size);
  return new LazyPage(
    {
      size,
      columns,
      positionAt: (index) => ({ row: ordinalAt(pieces, index, keyDescending), orderValues: [] }),
      hasMore,
      total: isOneSeries && hasMore ? recordsIn(rangesOf(access, file)) : undefined,
    },
    () => rowsOf(columns, fields, size),
  );
}

function joinColumns(
  pieces: readonly RecordBlock[],
  fields: readonly Field[],
  isDescending: boolean,
  size: number,
): readonly Column[] {
  const [only] = pieces;
  if (only !== undefined && pieces.length === 1 && only.count === size && !isDescending) {
    return only.columns;
  }
  return fields.map((_, field) => joinColumn(pieces, field, isDescending, size));
}

/** The first values of a column of the page, in its order. */
function joinColumn(
  pieces: readonly RecordBlock[],
  field: number,
  isDescending: boolean,
  size: number,
): Column {
  const values: Value[] = [];
  for (const { count: length, columns } of pieces) {
    const column = columns[field] ?? [];
    for (let step = 0; step < length && values.length < size; step += 1) {
      values.push(column[isDescending ? length - 1 - step : step] ?? null);
    }
  }
  return values;
}

function rowsOf(columns: readonly Column[], fields: readonly Field[], size: number) {
  const rows: (readonly Value[])[] = [];
  for (let index = 0; index < size; index += 1) {
    rows.push(
      columns.map((column, field) => exactValue(column[index] ?? null, fields[field]?.type)),
    );
  }
  return rows;
}

/** The ordinal of a record of a page. */
function ordinalAt(pieces: readonly RecordBlock[], index: number, isDescending: boolean): number {
  let before = 0;
  for (const { row, count: length } of pieces) {
    const step = index - before;
    if (step < length) return row + (isDescending ? length - 1 - step : step);
    before += length;
  }
  return 0;
}

/** The ranges of ordinals of an access, in the order of the page, each found when it is asked for by its place. */
function rangesInOrder(
  access: Access,
  file: RowFile,
  isDescending: boolean,
): (place: number) => Range | undefined {
  if (access.kind !== 'series') {
    const ranges = rangesOf(access, file);
    return (place) => ranges[place];
  }
  const values = inOrder(distinctValues(access.values), isDescending);
  return (place) => {
    const value = values[place];
    return value === undefined ? undefined : (file.findSeries(value) ?? NO_RECORDS);
  };
}

/** Takes the next records off what is left of a range. */
function cutPiece(left: { row: number; end: number }, isDescending: boolean): Range {
  const { row, end } = left;
  if (isDescending) {
    left.end = Math.max(row, end - RECORDS_AT_ONCE);
    return { row: left.end, end };
  }
  left.row = Math.min(end, row + RECORDS_AT_ONCE);
  return { row, end: left.row };
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

function recordsOf({ row, count: size, columns }: RecordBlock, fields: readonly Field[]) {
  const records: NumberedRecord[] = [];
  for (let index = 0; index < size; index += 1) {
    const record: Record<string, Value> = {};
    for (const [column, { name, type }] of fields.entries()) {
      record[name] = exactValue(columns[column]?.[index] ?? null, type);
    }
    records.push({ record: record satisfies MemoryRecord, row: row + index });
  }
  return records;
}

/** The value of an entry of a column. */
function exactValue(entry: Value, type: FieldType | undefined): Value {
  return type === 'integer' && typeof entry === 'number' ? BigInt(entry) : entry;
}
