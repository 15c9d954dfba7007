import { endianness } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { Field } from '@locmetrics/core/domain/field';
import type { TileOutlines } from '@locmetrics/core/domain/outline';
import type { Column, PresentValue } from '@locmetrics/core/domain/value';
import { type VisitRecord, visitRows } from '@locmetrics/core/domain/value-visitor';
import { expectAt } from '@locmetrics/core/errors/expect-at';
import type { TileAddress } from '@locmetrics/core/geometry/tile';
import { memoize } from '@locmetrics/core/runtime/memoize';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import { type OpenBlock, openBlock } from '../record-block.ts';
import {
  BOXES_TABLE,
  ORDINAL_TYPE,
  ROW_FILE,
  ROW_LAYOUT,
  ROW_LAYOUT_MIN,
  type RowFacts,
} from '../row-file.ts';
import { type VisitedFields, visitSingle } from '../single-record.ts';
import { toSqlite } from '../sqlite-value.ts';
import { BITS_BUCKET } from '../whole-texts.ts';
import type { EntryBlock, EntryColumns } from './entry-block.ts';
import { openEntryCache } from './entry-cache.ts';
import { openOutlineReader } from './outline-reader.ts';
import { openRecordCache, type RecordPlaces } from './record-cache.ts';
import { rowsOfVisits } from './rows-of-visits.ts';

/** An open row file: reads ranges of records, and the ranges of series. All of it blocks the event loop. */
export type RowFile = {
  readonly facts: RowFacts;
  /** The ordinals of the records whose first key field has this value. */
  readonly findSeries: (value: PresentValue) => Range | undefined;
  /** The records of a range, in order, by the blocks that they are in, with the values of these fields by their index here. */
  readonly readBlocks: (range: Range, fields: readonly Field[]) => readonly RecordBlock[];
  /** Reads single records by their ordinals, to visit the values of these fields by their index here. */
  readonly readRecords: (ordinals: readonly number[], fields: readonly Field[]) => VisitRecord;
  /** Blocks of an order or of points, in any order. */
  readonly readEntries: (table: string, blocks: readonly number[]) => readonly EntryBlock[];
  /** A block of distinct texts: reads one by its index there. */
  readonly readValues: (table: string, block: number) => (index: number) => string;
  /** The size of the list of a gram in bytes; 0 if no value has it. */
  readonly sizeOfGram: (table: string, gram: string) => number;
  /** The list of the numbers of the values with a gram. */
  readonly readGram: (table: string, gram: string) => Uint8Array;
  /** The lists of the grams that start with a text; undefined if they take more bytes, or are more. */
  readonly readGramsFrom: (
    table: string,
    prefix: string,
    most: { readonly bytes: number; readonly lists: number },
  ) => readonly Uint8Array[] | undefined;
  /** The ranges of a short start, and the bucket of whole texts with this number; empty without any. */
  readonly readStart: (table: string, start: string) => Uint8Array;
  readonly readWholes: (table: string, bucket: number) => Uint8Array;
  /** The bits of whole texts, which are kept in memory. */
  readonly wholeBits: (table: string) => Uint8Array;
  /** The boxes of the blocks of points: minLng, minLat, maxLng, maxLat of each. */
  readonly boxes: () => Float64Array;
  /** The outlines for tiles; undefined without outlines, or if an earlier release wrote the file. */
  readonly findOutlines: ((tile: TileAddress | 'all') => TileOutlines) | undefined;
  readonly close: () => void;
};

/** Ordinals from `row` up to `end`, not included. */
export type Range = { readonly row: number; readonly end: number };

export type RecordBlock = {
  /** The ordinal of its first record. */
  readonly row: number;
  readonly count: number;
  /** The values of the requested fields, each a value for each record. */
  readonly columns: readonly Column[];
};

/** The memory of a connection for pages of the file. The system keeps those that are used often, too. */
const CACHE_KIB = 32 * 1024;

/**
 * The most memory of an open file for single records, and for decoded blocks of orders and points, besides that. With
 * 8 MiB for the blocks of a million points, most were read and decoded again for each box.
 */
const RECORD_CACHE_BYTES = 16 * 2 ** 20;
const ENTRY_CACHE_BYTES = 64 * 2 ** 20;

/**
 * Opens the row file of a version for reading. Throws if it is not a row file of the current layout.
 *
 * A version never changes, so the file is opened as immutable, which spares each query the locks and the
 * look for changes: a series takes 7 µs instead of 16.
 */
export function openRowFile(path: string): RowFile {
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  url.searchParams.set('mode', 'ro');
  const database = new DatabaseSync(url, { readOnly: true });
  try {
    checkLayout(database, path);
    database.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
    const facts = readFacts(database, path);
    const prepare = (sql: string): StatementSync => {
      const statement = database.prepare(sql);
      statement.setReturnArrays(true);
      return statement;
    };
    const series = prepare('SELECT row, records FROM series WHERE value = ?');
    /** The block that has the value, if any has it. */
    const around = prepare(
      `SELECT row, records, data FROM
        (SELECT row, records FROM series WHERE value <= ? ORDER BY value DESC LIMIT 1)
        CROSS JOIN blocks USING (row)`,
    );
    /** The block of the last value that was looked up in it: its record is mostly read next. */
    let lastBlock: (Range & { readonly block: OpenBlock }) | undefined;
    const types = facts.fields.map(({ type }) => type);
    const seriesIndex = facts.fields.findIndex(({ name }) => name === facts.seriesField);
    // The first block can begin before the range.
    const blocks = prepare(
      `SELECT row, data FROM blocks
        WHERE row >= (SELECT max(row) FROM blocks WHERE row <= ?) AND row < ? ORDER BY row`,
    );
    // Without series the blocks have equal sizes, so their begin is known.
    const { singles: size } = facts.sizes;
    const blockOf = facts.isSparse
      ? `wanted.value / ${size} * ${size}`
      : '(SELECT max(row) FROM blocks WHERE row <= wanted.value)';
    const singles = prepare(
      `SELECT group_concat(wanted.value || ',' || blocks.row || ',' || length(data), ','), ${JOINED_DATA}
        FROM json_each(?) AS wanted CROSS JOIN blocks ON blocks.row = ${blockOf}`,
    );
    const records = openRecordCache(types, RECORD_CACHE_BYTES);
    const placesOf = (ordinals: readonly number[]): RecordPlaces => {
      const page: RecordPlaces = { pieces: [], starts: [] };
      const missing: number[] = [];
      for (let index = 0; index < ordinals.length; index += 1) {
        if (!records.find(ordinals[index] ?? 0, index, page)) missing.push(index);
      }
      if (missing.length === 0) return page;
      const wanted = missing.map((index) => ordinals[index] ?? 0);
      const found = cutJoined(singles.get(JSON.stringify(wanted)), 3);
      for (const [place, ordinal] of wanted.entries()) {
        const { numbers: [of, first = 0] = [], data } = found[place] ?? {};
        if (of !== ordinal || data === undefined) {
          throw new RangeError(`The row file has no record ${ordinal}.`);
        }
        const from = { block: data, record: ordinal - first };
        records.keep(ordinal, missing[place] ?? 0, page, from);
      }
      return page;
    };
    const statements = new Map<string, StatementSync>();
    const statementOf = (sql: string): StatementSync => {
      const known = statements.get(sql) ?? prepare(sql);
      statements.set(sql, known);
      return known;
    };
    const readData = (table: string, number: number): Uint8Array => {
      const sql = `SELECT data FROM ${quoteIdentifier(table)} WHERE block = ?`;
      const [data] = (statementOf(sql).get(number) ?? []) as unknown as readonly [Uint8Array];
      return data;
    };
    const boxes = memoize(readBoxes);
    const outlines = facts.outlines && openOutlineReader(database, facts.outlines);
    const readJoined = (table: string, numbers: readonly number[]): readonly Buffer[] => {
      const sql = `SELECT group_concat(length(data), ','), ${JOINED_DATA}
        FROM json_each(?) AS wanted CROSS JOIN ${quoteIdentifier(table)} ON block = wanted.value`;
      const found = cutJoined(statementOf(sql).get(JSON.stringify(numbers)), 1);
      if (found.length < numbers.length) {
        throw new RangeError(`${table} has ${found.length} of ${numbers.length} blocks.`);
      }
      return found.map(({ data }) => data);
    };
    const columns = entryColumns(facts);
    const entries = openEntryCache({ read: readJoined, columns, bytesMax: ENTRY_CACHE_BYTES });
    const readWholes = (table: string, bucket: number): Uint8Array => {
      const sql = `SELECT entries FROM ${quoteIdentifier(table)} WHERE bucket = ?`;
      const [entries] = (statementOf(sql).get(bucket) ?? []) as unknown as readonly Uint8Array[];
      return entries ?? new Uint8Array();
    };
    const bitsByTable = new Map<string, Uint8Array>();
    const wholeBits = (table: string): Uint8Array => {
      const bits = bitsByTable.get(table) ?? readWholes(table, BITS_BUCKET);
      bitsByTable.set(table, bits);
      return bits;
    };
    const readingOfNames = memoize(
      (names: string) => findColumns(facts, names === '' ? [] : names.split(BETWEEN_NAMES)),
      READINGS_MAX,
    );
    // By their names, because each plan of records has a list of its own.
    const readingOf = (fields: readonly Field[]): Reading => {
      let names = '';
      for (const { name } of fields) names = names === '' ? name : names + BETWEEN_NAMES + name;
      return readingOfNames(names);
    };
    const readRange = (range: Range, reading: Reading): readonly RecordBlock[] => {
      if (lastBlock !== undefined && lastBlock.row <= range.row && range.end <= lastBlock.end) {
        return [readBlock(lastBlock.row, lastBlock.block, range, reading)];
      }
      const found = blocks.all(range.row, range.end);
      return (found as unknown as readonly (readonly [number, Uint8Array])[]).map(([row, data]) =>
        readBlock(row, openBlock(bufferOf(data), types), range, reading),
      );
    };
    return {
      facts,
      findSeries: (value) => {
        // A number beyond the range of integers is nowhere in the file, and cannot be bound.
        if (typeof value === 'bigint' && BigInt.asIntN(64, value) !== value) return undefined;
        const found = (facts.isSparse ? around : series).get(toSqlite(value));
        if (found === undefined) return undefined;
        const [row, records, data] = found as unknown as readonly [number, number, Uint8Array?];
        const range = { row, end: row + records };
        if (data === undefined) return range;
        const block = openBlock(bufferOf(data), types);
        lastBlock = { ...range, block };
        const index = Array.prototype.indexOf.call(block.valuesOf(seriesIndex), value);
        return index === -1 ? undefined : { row: row + index, end: row + index + 1 };
      },
      readBlocks: (range, fields) => readRange(range, readingOf(fields)),
      readRecords: (ordinals, fields) => {
        const page = placesOf(ordinals);
        const { visited, isInOrder } = readingOf(fields);
        const visit: VisitRecord = (index, visitor) => {
          const [piece, start] = [expectAt(page.pieces, index), expectAt(page.starts, index)];
          visitSingle(piece, start, visited, visitor);
        };
        return isInOrder ? visit : visitRows(rowsOfVisits(visit, ordinals.length, fields));
      },
      readEntries: entries.find,
      readValues: (table, number) => {
        const block = openBlock(bufferOf(readData(table, number)), ['string']);
        return (index) => String(block.valueAt(0, index));
      },
      sizeOfGram: (table, gram) => {
        const sql = `SELECT length(numbers) FROM ${quoteIdentifier(table)} WHERE gram = ?`;
        const [bytes = 0] = (statementOf(sql).get(gram) ?? []) as unknown as readonly number[];
        return bytes;
      },
      readGram: (table, gram) => {
        const sql = `SELECT numbers FROM ${quoteIdentifier(table)} WHERE gram = ?`;
        const [numbers] = (statementOf(sql).get(gram) ?? []) as unknown as readonly Uint8Array[];
        return numbers ?? new Uint8Array();
      },
      readGramsFrom: (table, prefix, most) => {
        const range = `FROM ${quoteIdentifier(table)} WHERE gram >= ? AND gram <= ?`;
        const ends = [prefix, prefix + LAST_LETTER];
        const sql = `SELECT count(*), sum(bytes) FROM
          (SELECT length(numbers) AS bytes ${range} LIMIT ${most.lists + 1})`;
        const [lists = 0, bytes] = (statementOf(sql).get(...ends) ??
          []) as unknown as readonly number[];
        if (lists > most.lists || (bytes ?? 0) > most.bytes) return undefined;
        const found = statementOf(`SELECT numbers ${range}`).all(...ends);
        return (found as unknown as readonly (readonly [Uint8Array])[]).map(([numbers]) => numbers);
      },
      readStart: (table, start) => {
        const sql = `SELECT ranges FROM ${quoteIdentifier(table)} WHERE start = ?`;
        const [ranges] = (statementOf(sql).get(start) ?? []) as unknown as readonly Uint8Array[];
        return ranges ?? new Uint8Array();
      },
      readWholes,
      wholeBits,
      boxes: () => boxes(database),
      findOutlines: outlines?.find,
      close: () => {
        outlines?.clear();
        records.clear();
        entries.clear();
        database.close();
      },
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** A field has no such character in its name. */
const BETWEEN_NAMES = '\n';
/** Most plans of a version read the same fields as others. */
const READINGS_MAX = 1000;

/** No letter is after this one. */
const LAST_LETTER = '\u{10ffff}';

/** Why the row file in a folder cannot be read by this release; null if it can. */
export function checkRowFile(folder: string): string | null {
  try {
    openRowFile(join(folder, ROW_FILE)).close();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function checkLayout(database: DatabaseSync, path: string): void {
  if (endianness() !== 'LE') throw new Error(`${path} cannot be read on a big-endian machine.`);
  const layout = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
  if (layout < ROW_LAYOUT_MIN || layout > ROW_LAYOUT) {
    throw new Error(`${path} has the layout ${layout}, and this release reads ${ROW_LAYOUT}.`);
  }
}

function readFacts(database: DatabaseSync, path: string): RowFacts {
  const text = database.prepare('SELECT facts FROM facts').get()?.['facts'];
  if (typeof text !== 'string') throw new Error(`${path} has no facts.`);
  return JSON.parse(text) as RowFacts;
}

/** The requested fields in a block: the index of the column of each, and what is visited of a single record. */
type Reading = {
  readonly columns: readonly number[];
  readonly visited: VisitedFields;
  /** Whether the requested fields are in the order of the file. */
  readonly isInOrder: boolean;
};

function findColumns({ fields }: RowFacts, wanted: readonly string[]): Reading {
  const columns = wanted.map((name) => {
    const index = fields.findIndex((field) => field.name === name);
    if (index === -1) throw new Error(`The row file has no field ${name}.`);
    return index;
  });
  const places = new Int32Array(fields.length).fill(-1);
  for (const [place, column] of columns.entries()) places[column] = place;
  const length = Math.max(0, ...columns.map((column) => column + 1));
  return {
    columns,
    visited: { types: fields.map(({ type }) => type), places, length },
    isInOrder: columns.every((column, place) => place === 0 || column > (columns[place - 1] ?? 0)),
  };
}

function entryColumns({ covered, fields }: RowFacts): EntryColumns {
  const types = covered.map(
    (name) => fields.find((field) => field.name === name)?.type ?? 'string',
  );
  return {
    types: [ORDINAL_TYPE, ...types],
    indexOf: new Map(covered.map((name, index) => [name, index + 1])),
  };
}

/** The records of a block that are in a range. */
function readBlock(
  first: number,
  block: OpenBlock,
  range: Range,
  { columns }: Reading,
): RecordBlock {
  const [from, to] = [Math.max(range.row - first, 0), Math.min(range.end - first, block.count)];
  return {
    row: first + from,
    count: to - from,
    columns: columns.map((column) =>
      to - from === 1 ? [block.valueAt(column, from)] : block.columnOf(column, from, to),
    ),
  };
}

/** Blocks as one blob: one for each of them takes twice as long. */
const JOINED_DATA = "CAST(group_concat(data, '') AS BLOB)";

/**
 * Cuts blocks that were joined into one blob. The first column of the row has some numbers for each block, of
 * which the last is its length, in the order of the blocks.
 */
function cutJoined(
  row: unknown,
  numbersOfEach: number,
): readonly { readonly numbers: readonly number[]; readonly data: Buffer }[] {
  const [text, joined] = row as readonly [string | null, Uint8Array | null];
  if (text === null || joined === null) return [];
  const all = text.split(',').map(Number);
  const bytes = bufferOf(joined);
  const blocks: { numbers: readonly number[]; data: Buffer }[] = [];
  let at = 0;
  for (let index = 0; index < all.length; index += numbersOfEach) {
    const numbers = all.slice(index, index + numbersOfEach);
    const end = at + (numbers.at(-1) ?? 0);
    blocks.push({ numbers, data: bytes.subarray(at, end) });
    at = end;
  }
  return blocks;
}

function bufferOf(data: Uint8Array): Buffer {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}

function readBoxes(database: DatabaseSync): Float64Array {
  const data = database.prepare(`SELECT data FROM ${BOXES_TABLE}`).get()?.['data'];
  if (!(data instanceof Uint8Array)) throw new Error('The row file has no boxes.');
  // The bytes of the row need not be aligned.
  return new Float64Array(data.slice().buffer);
}
