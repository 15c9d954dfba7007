import type { FieldType } from '@locmetrics/core/domain/field';
import { type ViewedBytes, viewBytes } from '@locmetrics/core/domain/value-visitor';
import { copyRecord } from '../single-record.ts';

/**
 * The single records of a row file that were read last. They are bytes of an immutable file, before any right is applied. The
 * garbage collector sees only the pieces of memory that they are in, and one map of numbers.
 */
export type RecordCache = {
  /** Finds a record for the place `index` of a page; false if it is not kept. */
  readonly find: (ordinal: number, index: number, page: RecordPlaces) => boolean;
  /** Copies a record out of its block, for the place `index` of a page. Throws a RangeError if the block is damaged. */
  readonly keep: (
    ordinal: number,
    index: number,
    page: RecordPlaces,
    from: { readonly block: Buffer; readonly record: number },
  ) => void;
  /** The memory that is kept now. */
  readonly bytes: () => number;
  readonly clear: () => void;
};

/** The place of each record of a page. It stays valid when the cache drops the record. */
export type RecordPlaces = { readonly pieces: ViewedBytes[]; readonly starts: number[] };

const PIECE_BYTES = 256 * 1024;

/** A record takes about so much besides its bytes, which is counted like these. */
const ENTRY_BYTES = 64;

/** Keeps up to `bytesMax`: the piece of memory that was begun first is dropped with its records. */
export function openRecordCache(types: readonly FieldType[], bytesMax: number): RecordCache {
  /** The places of the records: the number of a piece, counted from the first one ever, times its size, and the start. */
  const positions = new Map<number, number>();
  const pieces: ViewedBytes[] = [];
  let dropped = 0;
  let used = PIECE_BYTES;
  let records = 0;

  const drop = (): void => {
    pieces.shift();
    dropped += 1;
    // Records are added in the order of their positions.
    for (const [ordinal, position] of positions) {
      if (position >= dropped * PIECE_BYTES) break;
      positions.delete(ordinal);
    }
  };
  const open = (): ViewedBytes => {
    const piece = viewBytes(Buffer.allocUnsafeSlow(PIECE_BYTES));
    pieces.push(piece);
    while (pieces.length * PIECE_BYTES * 2 > bytesMax) drop();
    used = 0;
    records = 0;
    return piece;
  };
  const pieceFor = (bytes: number): ViewedBytes => {
    const last = pieces.at(-1);
    const isFull = used + bytes > PIECE_BYTES || (records + 1) * ENTRY_BYTES > PIECE_BYTES;
    return last === undefined || isFull ? open() : last;
  };
  return {
    find: (ordinal, index, page) => {
      const position = positions.get(ordinal);
      if (position === undefined) return false;
      const piece = pieces[Math.floor(position / PIECE_BYTES) - dropped];
      if (piece === undefined) return false;
      page.pieces[index] = piece;
      page.starts[index] = position % PIECE_BYTES;
      return true;
    },
    keep: (ordinal, index, page, { block, record }) => {
      // A record has at most as many bytes as its block. A large one is not kept.
      const isKept = block.length <= PIECE_BYTES && !positions.has(ordinal);
      const piece = isKept
        ? pieceFor(block.length)
        : viewBytes(Buffer.allocUnsafeSlow(block.length));
      const start = isKept ? used : 0;
      const end = copyRecord(block, types, record, { bytes: piece.bytes, start });
      page.pieces[index] = piece;
      page.starts[index] = start;
      if (!isKept) return;
      positions.set(ordinal, (dropped + pieces.length - 1) * PIECE_BYTES + start);
      used = end;
      records += 1;
    },
    bytes: () => pieces.length * PIECE_BYTES + positions.size * ENTRY_BYTES,
    clear: () => {
      while (pieces.length > 0) drop();
      used = PIECE_BYTES;
    },
  };
}
