import type { Outlines, TileOutlines } from '@locmetrics/core/domain/outline';
import type { ReadableVersion } from '@locmetrics/core/domain/predicate';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { TileAddress } from '@locmetrics/core/geometry/tile';
import type { RowFiles } from '../engine/open-row-files.ts';

/** The outlines in row files. A file that fails while it is read is used no more. */
export function openOutlines(rows: RowFiles): Outlines {
  const find = (version: ReadableVersion, tile: TileAddress | 'all'): TileOutlines | undefined => {
    const file = rows.find(version);
    if (file?.findOutlines === undefined) return undefined;
    const { findOutlines } = file;
    const orLeftOut = <Result>(read: () => Result): Result => {
      try {
        return read();
      } catch (error) {
        rows.leaveOut(version, error);
        throw ServiceError.outlinesNotPrepared();
      }
    };
    const found = orLeftOut(() => findOutlines(tile));
    return {
      ...found,
      idAt: (index) => orLeftOut(() => found.idAt(index)),
      outlineAt: (index) => orLeftOut(() => found.outlineAt(index)),
    };
  };
  return { find, all: (version) => find(version, 'all') };
}
