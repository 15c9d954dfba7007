import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { SORTED_TABLE } from '@locmetrics/column-store/publish/import-connection';
import { sortedColumn } from '@locmetrics/column-store/publish/sort-records';
import type { NewRecords } from '@locmetrics/column-store/publish/version-writer';
import { RECORD_TABLE, ROW_COLUMN } from '@locmetrics/column-store/record-table';
import { dayOf, daysOf } from '@locmetrics/core/dates/stored-day';
import type { Dataset } from '@locmetrics/core/domain/dataset';
import type { FieldType } from '@locmetrics/core/domain/field';
import type { Value } from '@locmetrics/core/domain/value';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import { insertRecord } from '../insert-record.ts';
import { openBlock, openBlockEncoder } from '../record-block.ts';
import { type BlockSizes, type RowFacts, seriesFieldOf } from '../row-file.ts';
import { toSqlite } from '../sqlite-value.ts';
import { openBulkInsert } from './bulk-insert.ts';
import { readStored } from './read-stored.ts';

/**
 * Writes the same as `writeSeries` for a version that adds records to a base: blocks in which nothing changes are
 * copied from the row file of the base, and into the others the new records are inserted. `extended` is that
 * file, of the same fields and sizes, with a key of several fields.
 */
export async function extendSeries(
  database: DatabaseSync,
  connection: NewRecords['connection'],
  {
    dataset,
    sizes,
    extended,
  }: {
    readonly dataset: Dataset;
    readonly sizes: BlockSizes;
    readonly extended: DatabaseSync;
  },
): Promise<Pick<RowFacts, 'records' | 'isSparse' | 'longestSeries'>> {
  const { fields, key } = dataset;
  const types = fields.map(({ type }) => type);
  const seriesField = seriesFieldOf(dataset);
  const seriesIndex = fields.indexOf(seriesField);
  const file = openExtendedFile(database, { types, size: sizes.series, extended });
  const isAdded = key.map((name) => {
    const index = fields.findIndex((field) => field.name === name);
    return `${RECORD_TABLE}.${quoteIdentifier(name)} = added.${sortedColumn(index)}`;
  });
  const rest = `SEMI JOIN ${SORTED_TABLE} AS added ON ${isAdded.join(' AND ')} ORDER BY ${ROW_COLUMN}`;
  for await (const chunk of readStored(connection, fields, { rest })) {
    const ordinals = chunk.column(0);
    const readers = fields.map((_, index) => chunk.column(index + 1));
    for (let row = 0; row < chunk.count; row += 1) {
      const values = readers.map((read) => read(row));
      const value = values[seriesIndex] ?? null;
      if (value === null) throw new Error(`A record has no ${seriesField.name}.`);
      const stored = seriesField.type === 'date' ? dayOf(Number(value)) : toSqlite(value);
      file.add(Number(ordinals(row)), stored, values);
    }
  }
  return file.end();
}

/** A record, a value for each field. */
type StoredRecord = readonly Value[];

/** A series of the extended file, and the records that are inserted into it before the record `at`. */
type ExtendedSeries = {
  readonly value: SQLInputValue;
  readonly row: number;
  readonly records: number;
  readonly inserted: { readonly at: number; readonly record: StoredRecord }[];
};

type KeptBlock = { readonly row: number; readonly data: Buffer };

function openExtendedFile(
  database: DatabaseSync,
  {
    types,
    size,
    extended,
  }: {
    readonly types: readonly FieldType[];
    readonly size: number;
    readonly extended: DatabaseSync;
  },
) {
  const blocks = openBulkInsert(database, 'blocks', 2);
  const ranges = openBulkInsert(database, 'series', 3);
  const encoder = openBlockEncoder(types);
  const nextSeries = openSeries(extended);
  const takeBlocks = openBlocks(extended);
  /** The next series of the extended file, and a new one before it. */
  let kept = nextSeries();
  let fresh: { readonly value: SQLInputValue; readonly records: StoredRecord[] } | undefined;
  let added = 0;
  let written = 0;
  let longest = 0;

  const endSeries = (value: SQLInputValue, records: number): void => {
    ranges.add(value, written, records);
    written += records;
    longest = Math.max(longest, records);
  };

  /** Encodes columns into blocks; the first one has this ordinal. */
  const encode = (columns: readonly (readonly Value[])[], row: number): void => {
    const count = columns[0]?.length ?? 0;
    for (let start = 0; start < count; start += size) {
      const part = columns.map((values) => values.slice(start, start + size));
      const bytes = encoder.encode(part, Math.min(size, count - start));
      blocks.add(row + start, bytes.slice());
    }
  };

  const endFresh = (): void => {
    if (fresh === undefined) return;
    const { value, records } = fresh;
    encode(toColumns(types, records), written);
    endSeries(value, records.length);
    fresh = undefined;
  };

  /** The last block with the records inserted, if they fit and the columns keep their form. */
  const insertAll = (block: KeptBlock, { row, inserted }: ExtendedSeries): Buffer | undefined => {
    let data: Buffer | undefined = block.data;
    if (openBlock(data, types).count + inserted.length > size || inserted.length > INSERTED_MAX) {
      return undefined;
    }
    for (const [number, { at, record }] of inserted.entries()) {
      const one = Buffer.from(encoder.encode(toColumns(types, [record]), 1));
      data = insertRecord(data, one, types, row + at - block.row + number);
      if (data === undefined) return undefined;
    }
    return data;
  };

  const endKept = (): void => {
    if (kept === undefined) return;
    const { value, row, records, inserted } = kept;
    const shift = written - row;
    const all = takeBlocks(row + records);
    const changed = inserted[0] === undefined ? all.length : Math.floor(inserted[0].at / size);
    for (const block of all.slice(0, changed)) blocks.add(block.row + shift, block.data);
    if (inserted.length > 0) {
      const last = all[changed];
      const data =
        last === undefined || changed < all.length - 1 ? undefined : insertAll(last, kept);
      const first = written + changed * size;
      if (data === undefined) {
        encode(mergeColumns(types, all.slice(changed), { inserted, from: changed * size }), first);
      } else blocks.add(first, data);
    }
    endSeries(value, records + inserted.length);
    kept = nextSeries();
  };

  return {
    /** Adds the next new record, by its ordinal and the value of its series. */
    add: (ordinal: number, value: SQLInputValue, record: StoredRecord): void => {
      const place = ordinal - added;
      added += 1;
      if (fresh !== undefined && !isSame(fresh.value, value)) endFresh();
      while (kept !== undefined && place > kept.row && !isSame(kept.value, value)) endKept();
      if (kept !== undefined && isSame(kept.value, value)) {
        kept.inserted.push({ at: place - kept.row, record });
      } else {
        fresh ??= { value, records: [] };
        fresh.records.push(record);
      }
    },
    end: () => {
      endFresh();
      while (kept !== undefined) endKept();
      blocks.end();
      ranges.end();
      return { records: written, isSparse: false, longestSeries: longest };
    },
  };
}

/** More records are encoded again together with the others. */
const INSERTED_MAX = 8;

/** Integers can be numbers or bigints. */
function isSame(left: SQLInputValue, right: SQLInputValue): boolean {
  return left === right || String(left) === String(right);
}

/** The series of a file in their order, which is that of their values. */
function openSeries(file: DatabaseSync): () => ExtendedSeries | undefined {
  const statement = file.prepare('SELECT value, row, records FROM series ORDER BY value');
  statement.setReadBigInts(true);
  const rows = statement.iterate();
  return () => {
    const next = rows.next();
    if (next.done === true) return undefined;
    const { value = null, row, records } = next.value;
    return { value, row: Number(row), records: Number(records), inserted: [] };
  };
}

/** Reads the blocks of a file in order, each time those that are left up to an ordinal. */
function openBlocks(file: DatabaseSync): (end: number) => readonly KeptBlock[] {
  const rows = file.prepare('SELECT row, data FROM blocks ORDER BY row').iterate();
  const read = (): KeptBlock | undefined => {
    const next = rows.next();
    if (next.done === true) return undefined;
    const { row, data } = next.value;
    if (!(data instanceof Uint8Array)) throw new Error('A block of the row file has no bytes.');
    return { row: Number(row), data: Buffer.from(data.buffer, data.byteOffset, data.length) };
  };
  let waiting = read();
  return (end) => {
    const taken: KeptBlock[] = [];
    for (; waiting !== undefined && waiting.row < end; waiting = read()) taken.push(waiting);
    return taken;
  };
}

function toColumns(
  types: readonly FieldType[],
  records: readonly StoredRecord[],
): readonly (readonly Value[])[] {
  return types.map((_, index) => records.map((values) => values[index] ?? null));
}

/** The records of the last blocks of a series, from one on, with those that are inserted. */
function mergeColumns(
  types: readonly FieldType[],
  blocks: readonly KeptBlock[],
  { inserted, from }: Pick<ExtendedSeries, 'inserted'> & { readonly from: number },
): readonly (readonly Value[])[] {
  const opened = blocks.map(({ data }) => openBlock(data, types));
  return types.map((type, index) => {
    const values = opened.flatMap((block) => Array.from(block.valuesOf(index)));
    const stored =
      type === 'date' ? values.map((day) => (day === null ? null : daysOf(String(day)))) : values;
    const merged: Value[] = [];
    let start = 0;
    for (const { at, record } of inserted) {
      const value = record[index] ?? null;
      // Integers of a block are bigints, and the encoder has to see which are equal.
      const isNumber = type === 'integer' && typeof value === 'number';
      merged.push(...stored.slice(start, at - from), isNumber ? BigInt(value) : value);
      start = at - from;
    }
    return merged.concat(stored.slice(start));
  });
}
