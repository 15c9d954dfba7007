import type { DatabaseSync } from 'node:sqlite';
import type { ReadChunk } from '@locmetrics/column-store/publish/read-chunks';
import type { NewRecords } from '@locmetrics/column-store/publish/version-writer';
import { dayOf } from '@locmetrics/core/dates/stored-day';
import type { Dataset } from '@locmetrics/core/domain/dataset';
import type { Field } from '@locmetrics/core/domain/field';
import type { PresentValue, Value } from '@locmetrics/core/domain/value';
import { openBlockEncoder } from '../record-block.ts';
import { type BlockSizes, type RowFacts, seriesFieldOf } from '../row-file.ts';
import { toSqlite } from '../sqlite-value.ts';
import { type BulkInsert, openBulkInsert } from './bulk-insert.ts';
import { readStored } from './read-stored.ts';

/** Writes all records in the order of the key, and where the series of each first value begins. */
export async function writeSeries(
  database: DatabaseSync,
  connection: NewRecords['connection'],
  { dataset, sizes }: { readonly dataset: Dataset; readonly sizes: BlockSizes },
): Promise<Written> {
  const file = openSeriesFile(database, dataset, sizes);
  const rarelyRead = seriesFieldOf(dataset);
  // Rows are returned in the order of the file, which is that of the key.
  for await (const chunk of readStored(connection, dataset.fields, { rarelyRead })) {
    file.add(chunk);
  }
  return file.end();
}

type Written = Pick<RowFacts, 'records' | 'isSparse' | 'longestSeries'>;
type OpenFile = { readonly add: (chunk: ReadChunk) => void; readonly end: () => Written };

function openSeriesFile(database: DatabaseSync, dataset: Dataset, sizes: BlockSizes): OpenFile {
  const seriesField = seriesFieldOf(dataset);
  const { fields, key } = dataset;
  const blocks = openBulkInsert(database, 'blocks', 2);
  const ranges = openBulkInsert(database, 'series', 3);
  const encoder = openBlockEncoder(fields.map(({ type }) => type));
  const seriesIndex = fields.indexOf(seriesField);
  const isSparse = key.length === 1;
  const series = openSeries(ranges, seriesField);
  let columns = fields.map((): Value[] => []);
  let count = 0;
  let blockRow = 0;
  let records = 0;

  const endBlock = (): void => {
    if (count === 0) return;
    blocks.add(blockRow, encoder.encode(columns, count).slice());
    columns = fields.map(() => []);
    blockRow += count;
    count = 0;
  };

  /** Adds records of one series. */
  const addRecords = (readers: readonly ReadColumn[], from: number, to: number): void => {
    for (let start = from; start < to; ) {
      const end = Math.min(to, start + sizes.series - count);
      for (const [index, values] of columns.entries()) {
        const column = readers[index] ?? absent;
        if (index === seriesIndex)
          values.push(...new Array<Value>(end - start).fill(column(start)));
        else for (let record = start; record < end; record += 1) values.push(column(record));
      }
      count += end - start;
      start = end;
      if (count === sizes.series) endBlock();
    }
    records += to - from;
  };

  /** With a key of one field each record is a series: a block has several. */
  const addSingles = (readers: readonly ReadColumn[], size: number): void => {
    for (let row = 0; row < size; row += 1) {
      if (count === sizes.singles) endBlock();
      for (const [index, values] of columns.entries()) values.push(readers[index]?.(row) ?? null);
      if (count === 0) {
        const value = columns[seriesIndex]?.[0] ?? null;
        series.start(expectValue(value, seriesField), records);
      }
      series.extend(1);
      count += 1;
      records += 1;
    }
  };

  const addSeriesOf = (readers: readonly ReadColumn[], size: number): void => {
    const values = readers[seriesIndex] ?? absent;
    for (let from = 0; from < size; ) {
      const value = expectValue(values(from), seriesField);
      const to = endOfSeries(values, from, size, series.guess());
      if (!series.goesOn(value)) {
        endBlock();
        series.start(value, records);
      }
      addRecords(readers, from, to);
      series.extend(to - from);
      from = to;
    }
  };

  return {
    add: (chunk) => {
      // The first column of the chunk is the ordinal.
      if (Number(chunk.column(0)(0)) !== records) {
        throw new Error('The records of the column file are not in the order of their key.');
      }
      const readers = fields.map((_, index) => chunk.column(index + 1));
      if (isSparse) addSingles(readers, chunk.count);
      else addSeriesOf(readers, chunk.count);
    },
    end: () => {
      endBlock();
      series.end();
      blocks.end();
      ranges.end();
      const longestSeries = isSparse ? Math.min(records, 1) : series.longest();
      return { records, isSparse, longestSeries };
    },
  };
}

type ReadColumn = ReturnType<ReadChunk['column']>;
const absent: ReadColumn = () => null;

function expectValue(value: Value, { name }: Field): PresentValue {
  if (value === null) throw new Error(`A record has no ${name}.`);
  return value;
}

/** The series that is being written: a range of ordinals. */
function openSeries(ranges: BulkInsert, { type }: Field) {
  let current: { readonly value: PresentValue; readonly row: number; count: number } | undefined;
  let longest = 0;
  let last = 1;
  const end = (): void => {
    if (current === undefined) return;
    const value = type === 'date' ? dayOf(Number(current.value)) : current.value;
    ranges.add(toSqlite(value), current.row, current.count);
    last = current.count;
    longest = Math.max(longest, current.count);
    current = undefined;
  };
  return {
    /** Series often have the same number of records. */
    guess: () => last,
    goesOn: (value: PresentValue) => current?.value === value,
    start: (value: PresentValue, row: number) => {
      end();
      current = { value, row, count: 0 };
    },
    extend: (count: number) => {
      if (current !== undefined) current.count += count;
    },
    end,
    longest: () => longest,
  };
}

/**
 * The end of the records from `from` on that have the same value, by few comparisons: reading a text costs
 * more than all else, and the values are sorted.
 */
function endOfSeries(
  values: (index: number) => Value,
  from: number,
  count: number,
  guess: number,
): number {
  const value = values(from);
  let inside = from;
  let outside = count;
  const probe = (index: number): void => {
    if (values(index) === value) inside = index;
    else outside = index;
  };
  const guessed = from + guess - 1;
  if (guessed < count) probe(guessed);
  if (inside === guessed && guessed + 1 < count) probe(guessed + 1);
  for (let step = 1; inside + step < outside; step *= 2) {
    const before = inside;
    probe(inside + step);
    if (inside === before) break;
  }
  while (outside - inside > 1) probe((inside + outside) >> 1);
  return outside;
}
