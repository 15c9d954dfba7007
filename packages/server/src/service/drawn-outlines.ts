import { cutToTile } from '@locmetrics/core/domain/cut-to-tile';
import type { OutlineRing, TileOutlines } from '@locmetrics/core/domain/outline';
import type { DatasetVersion } from '@locmetrics/core/domain/version';
import type { TileAddress } from '@locmetrics/core/geometry/tile';
import { type ByteCache, openByteCache } from '@locmetrics/core/runtime/byte-cache';

/** The outlines of all features in a tile, in units of the tile. They are not limited by rights. */
export type DrawnOutlines = {
  readonly ids: readonly string[];
  readonly rings: readonly (readonly OutlineRing[])[];
};

/** The most memory for the drawn outlines of a worker. Those of 1,500 counties in a tile take about 700 kB. */
const CACHE_BYTES = 64 * 2 ** 20;

/** The memory of the objects of an outline and of a ring, in bytes, without the points. The encoded points are kept too. */
const OUTLINE_BYTES = 250;
const RING_BYTES = 150;
const BYTES_PER_POINT_BYTE = 1.5;

/** Keeps the drawn outlines of tiles: maps of many callers show the same ones. */
export function openDrawnOutlines(): ByteCache<string, DrawnOutlines> {
  return openByteCache(CACHE_BYTES, ({ rings }) =>
    rings.reduce((sum, ofOutline) => sum + bytesOf(ofOutline), 0),
  );
}

function bytesOf(rings: readonly OutlineRing[]): number {
  return rings.reduce(
    (sum, { points }) => sum + RING_BYTES + points.byteLength * BYTES_PER_POINT_BYTE,
    OUTLINE_BYTES,
  );
}

/** The key of the outlines of a tile. Those of a version never change. */
export function drawnKey({ dataset, version }: DatasetVersion, { z, x, y }: TileAddress): string {
  return `${dataset.name} ${version} ${z}/${x}/${y}`;
}

/** The rings of an outline in a tile; none if nothing of it is there. */
export function drawRings(
  found: TileOutlines,
  index: number,
  tile: TileAddress,
): readonly OutlineRing[] {
  const outline = found.outlineAt(index);
  return cutToTile({ outline, box: found.boxAt(index), bits: found.bits }, tile);
}
