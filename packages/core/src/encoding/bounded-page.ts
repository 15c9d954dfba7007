import { expectAt } from '../errors/expect-at.ts';
import { openTicks } from '../runtime/ticks.ts';
import { type ByteWriter, openByteWriter } from './byte-writer.ts';
import { fieldSize } from './encode-fields.ts';
import { PREFIX_BYTES, writePrefix } from './message-frame.ts';

/** gRPC clients refuse messages of more than 4 MiB by default. */
const PAGE_MAX_BYTES = 3.5 * 2 ** 20;

/** Writes the rows of a page, each as a message or text of its own. */
export type RowWriter = {
  readonly size: number;
  /** Starts a row; returns the length of its content in bytes. */
  readonly start: (index: number) => number;
  /** Writes the content of the row that was begun last. */
  readonly write: (out: ByteWriter) => void;
};

/**
 * The bytes of a message with a list of rows and some other fields. It contains as many rows as fit into
 * 3.5 MiB, and at least one. The bytes are framed (see `message-frame.ts`), in a pooled buffer (see `buffer-pool.ts`).
 *
 * - `rowField`: the number of the repeated field of the rows, from 1 to 15.
 * - `encodeRest`: the bytes of the other fields, given the number of sent rows.
 */
export async function encodeBoundedPage(page: {
  readonly rows: RowWriter;
  readonly rowField: number;
  readonly encodeRest: (sentRows: number) => Uint8Array;
}): Promise<{ readonly framed: Buffer; readonly sentRows: number }> {
  const { rows, rowField, encodeRest } = page;
  let rest = encodeRest(rows.size);
  const out = openByteWriter(PREFIX_BYTES + expectedBytes(rows) + rest.length);
  out.bytes(NO_PREFIX);
  const fits = (more: number): boolean =>
    out.size() - PREFIX_BYTES + more + rest.length <= PAGE_MAX_BYTES;
  /** The position of the first byte of each sent row. */
  const starts: number[] = [];
  const ticks = openTicks();
  for (let index = 0; index < rows.size; index += 1) {
    if (ticks.isOver()) await ticks.next();
    const length = rows.start(index);
    if (index > 0 && !fits(fieldSize(length))) break;
    starts.push(out.size());
    out.head(rowField, length);
    rows.write(out);
  }
  if (starts.length < rows.size) rest = encodeRest(starts.length);
  // The token of a shorter page can be longer, because it contains the last value of the page.
  while (starts.length > 1 && !fits(0)) {
    out.cut(starts.pop() ?? 0);
    rest = encodeRest(starts.length);
  }
  // The fields of a message may come in any order.
  out.bytes(rest);
  return { framed: writePrefix(out.end()), sentRows: starts.length };
}

const NO_PREFIX = new Uint8Array(PREFIX_BYTES);

/** Most rows are about as long as the first. */
function expectedBytes({ size, start }: RowWriter): number {
  return size === 0 ? 0 : Math.min(size * fieldSize(start(0)), PAGE_MAX_BYTES);
}

/** Writes rows that are encoded one by one. */
export function writeEach<Row>(rows: readonly Row[], encode: (row: Row) => Uint8Array): RowWriter {
  let encoded: Uint8Array;
  return {
    size: rows.length,
    start: (index) => {
      encoded = encode(expectAt(rows, index));
      return encoded.length;
    },
    write: (out) => out.bytes(encoded),
  };
}
