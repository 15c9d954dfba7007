/**
 * Rows of one insert. Each insert is one block, which ClickHouse stores as a whole or not at all, so a load that breaks
 * off leaves whole pieces. A table gets a part from each, and few parts are merged soon.
 */
export const PIECE_ROWS = 250_000;

/** Neighbours by `_row`: from `first` up to, and without, `end`. */
export type Piece = { readonly number: number; readonly first: number; readonly end: number };

export function listPieces(rowCount: number, pieceRows = PIECE_ROWS): readonly Piece[] {
  return Array.from({ length: Math.ceil(rowCount / pieceRows) }, (_, number) => ({
    number,
    first: number * pieceRows,
    end: Math.min((number + 1) * pieceRows, rowCount),
  }));
}
