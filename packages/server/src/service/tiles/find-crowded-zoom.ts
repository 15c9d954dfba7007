import { TILE_CELLS, TILE_ZOOM_MAX, type TileAddress } from '@locmetrics/core/geometry/tile';
import type { TileCell } from '@locmetrics/core/storage/engine';

/** All records that have tiles are in this one. */
export const WORLD: TileAddress = { z: 0, x: 0, y: 0 };

/** The cells of a tile are the tiles so many zooms deeper. */
const ZOOMS_IN_TILE = Math.log2(TILE_CELLS);

/**
 * The last zoom at which a tile has more than so many records; undefined if none has. One question for the cells of a tile
 * counts the records of all tiles in it up to six zooms deeper, so the earth needs three rounds of questions. Of more tiles
 * with many records than `tilesMax`, only the fullest are looked into in a round.
 */
export async function findCrowdedZoom(
  readCells: (tile: TileAddress) => Promise<readonly TileCell[]>,
  { recordsMax, tilesMax }: { readonly recordsMax: number; readonly tilesMax: number },
): Promise<number | undefined> {
  let last: number | undefined;
  let followed = [WORLD];
  for (let zoom = 0; zoom < TILE_ZOOM_MAX && followed.length > 0; zoom += ZOOMS_IN_TILE) {
    const crowded: (TileAddress & Pick<TileCell, 'count'>)[] = [];
    for (const tile of followed) {
      const cells = await readCells(tile);
      const deepest = deepestCrowded(cells, zoom, recordsMax);
      if (deepest === TILE_ZOOM_MAX) return deepest;
      if (deepest !== undefined && deepest > (last ?? -1)) last = deepest;
      for (const { column, row, count } of cells) {
        if (count <= recordsMax) continue;
        const [x, y] = [tile.x * TILE_CELLS + column, tile.y * TILE_CELLS + row];
        crowded.push({ z: zoom + ZOOMS_IN_TILE, x, y, count });
      }
    }
    followed = crowded.sort((one, other) => other.count - one.count).slice(0, tilesMax);
  }
  return last;
}

/** The same for the tiles in a tile of a zoom. */
function deepestCrowded(
  cells: readonly TileCell[],
  zoom: number,
  recordsMax: number,
): number | undefined {
  for (let deeper = ZOOMS_IN_TILE; deeper >= 0; deeper -= 1) {
    if (zoom + deeper > TILE_ZOOM_MAX) continue;
    const cellsOfTile = TILE_CELLS >> deeper;
    const counts = new Map<number, number>();
    for (const { column, row, count } of cells) {
      const tile = Math.trunc(row / cellsOfTile) * TILE_CELLS + Math.trunc(column / cellsOfTile);
      const records = (counts.get(tile) ?? 0) + count;
      if (records > recordsMax) return zoom + deeper;
      counts.set(tile, records);
    }
  }
  return undefined;
}
