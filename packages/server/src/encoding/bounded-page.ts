import { openTurns } from '../domain/turns.ts';
import { encodeHead } from './encode-fields.ts';

/** gRPC clients refuse messages of more than 4 MiB by default. */
const PAGE_MAX_BYTES = 3.5 * 2 ** 20;

/**
 * The bytes of a message with a list of rows and some other fields. It contains as many rows as fit into
 * 3.5 MiB, and at least one.
 *
 * - `rowField`: the number of the repeated field of the rows.
 * - `encodeRow`: the bytes of one row, as the content of the field.
 * - `encodeRest`: the bytes of the other fields, given the number of sent rows.
 */
export async function encodeBoundedPage<Row>(page: {
  readonly rows: readonly Row[];
  readonly rowField: number;
  readonly encodeRow: (row: Row, index: number) => Uint8Array;
  readonly encodeRest: (sentRows: number) => Uint8Array;
}): Promise<{ readonly bytes: Uint8Array; readonly sentRows: number }> {
  const { rows, rowField, encodeRow, encodeRest } = page;
  let rest = encodeRest(rows.length);
  const sizes: number[] = [];
  const parts: Uint8Array[] = [];
  let bytes = 0;
  const turns = openTurns();
  for (const [index, row] of rows.entries()) {
    if (turns.isOver()) await turns.next();
    const content = encodeRow(row, index);
    const head = encodeHead(rowField, content.length);
    const size = head.length + content.length;
    if (sizes.length > 0 && bytes + size + rest.length > PAGE_MAX_BYTES) break;
    parts.push(head, content);
    sizes.push(size);
    bytes += size;
  }
  if (sizes.length < rows.length) rest = encodeRest(sizes.length);
  // The token of a shorter page can be longer, because it contains the last value of the page.
  while (sizes.length > 1 && bytes + rest.length > PAGE_MAX_BYTES) {
    bytes -= sizes.pop() ?? 0;
    parts.length -= 2;
    rest = encodeRest(sizes.length);
  }
  // The fields of a message may come in any order.
  return { bytes: Buffer.concat([...parts, rest]), sentRows: sizes.length };
}
