import type { VisitRecord } from '@locmetrics/core/domain/value-visitor';

/** Some records of a stream: their values, or the lines that the engine wrote of them. */
export type StreamPiece =
  | { readonly size: number; readonly visit: VisitRecord }
  | { readonly size: number; readonly bytes: Buffer };

/** The result of one query of a stream. */
export type StreamPart = {
  readonly pieces: readonly StreamPiece[];
  /** Absent at the end. */
  readonly next: ReadPart | undefined;
};

/** Reads a part; `isReadFast` says whether the caller takes pieces as fast as they come. */
export type ReadPart = (isReadFast: boolean) => Promise<StreamPart>;

/** A caller that takes longer for a piece is slower than the engine. */
const FAST_PIECE_MS = 250;

/**
 * The pieces of a stream. Resolves when the first part was read. While a fast caller takes a part, the next one is read;
 * for a slow one it is read once this one is taken, so that it costs no memory for long.
 */
export async function readAhead(
  first: ReadPart,
  nowMs: () => number = () => performance.now(),
): Promise<AsyncGenerator<StreamPiece, void>> {
  return piecesOf(await first(true), nowMs);
}

async function* piecesOf(
  first: StreamPart,
  nowMs: () => number,
): AsyncGenerator<StreamPiece, void> {
  // Of the piece before. A new caller must take the first piece fast before a part is read ahead.
  let isReadFast = false;
  for (let part: StreamPart | undefined = first; part !== undefined; ) {
    const { pieces, next }: StreamPart = part;
    let ahead: Promise<StreamPart> | undefined = isReadFast ? started(next?.(true)) : undefined;
    for (const piece of pieces) {
      const givenMs = nowMs();
      yield piece;
      isReadFast = nowMs() - givenMs < FAST_PIECE_MS;
      if (isReadFast) ahead ??= started(next?.(true));
    }
    part = await (ahead ?? next?.(isReadFast));
  }
}

/** A failure is reported when the part is awaited, even if the caller has disconnected by then. */
function started(reading: Promise<StreamPart> | undefined): Promise<StreamPart> | undefined {
  reading?.catch(() => {});
  return reading;
}
