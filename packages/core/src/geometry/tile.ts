/** A tile of the Web Mercator pyramid: `z` from 0, `x` from the west and `y` from the north, each from 0 to 2^z - 1. */
export type TileAddress = { readonly z: number; readonly x: number; readonly y: number };

/** The deepest zoom that is served. */
export const TILE_ZOOM_MAX = 16;

/** The cells of a tile in each direction. */
export const TILE_CELLS = 64;

/**
 * The places of the cells of a tile, in degrees. The columns are equally wide. The rows are given by their edges: a latitude
 * is compared with them, so that every engine puts a record into the same cell, whatever its logarithm returns.
 */
export type TileGrid = {
  readonly west: number;
  readonly east: number;
  readonly columnsPerDegree: number;
  /** The number of rows in a radian of the projected latitude, and where the equator is, in rows from the north. */
  readonly rowsPerRadian: number;
  readonly equator: number;
  /** The northern edge of each row, then the southern edge of the last. */
  readonly edges: readonly number[];
  /** Whether a record on the eastern edge belongs to this tile; else it belongs to the next one. */
  readonly hasEast: boolean;
  /** Whether a record on the southern edge belongs to this tile; else it belongs to the next one. */
  readonly hasSouth: boolean;
};

export function tileGrid({ z, x, y }: TileAddress): TileGrid {
  const tiles = 2 ** z;
  return {
    west: longitudeOf(x / tiles),
    east: longitudeOf((x + 1) / tiles),
    columnsPerDegree: (tiles * TILE_CELLS) / 360,
    rowsPerRadian: (tiles * TILE_CELLS) / (2 * Math.PI),
    equator: (tiles / 2 - y) * TILE_CELLS,
    edges: Array.from({ length: TILE_CELLS + 1 }, (_, row) =>
      latitudeOf((y + row / TILE_CELLS) / tiles),
    ),
    hasEast: x === tiles - 1,
    hasSouth: y === tiles - 1,
  };
}

/** The column of a longitude that lies in the tile. */
export function columnOf({ west, columnsPerDegree }: TileGrid, longitude: number): number {
  return Math.min(Math.trunc((longitude - west) * columnsPerDegree), TILE_CELLS - 1);
}

/** The row of a latitude that lies in the tile. A latitude on an edge belongs to the row in the south of it. */
export function rowOf({ edges }: TileGrid, latitude: number): number {
  let row = 0;
  while (row < TILE_CELLS - 1 && latitude <= (edges[row + 1] ?? 0)) row += 1;
  return row;
}

/** The longitude of a share of the way from west to east. */
function longitudeOf(share: number): number {
  return share * 360 - 180;
}

/** The latitude of a share of the way from north to south of the projected square. */
function latitudeOf(share: number): number {
  return (Math.atan(Math.sinh(Math.PI * (1 - 2 * share))) * 180) / Math.PI;
}

/** The units of a tile in each direction, in which its geometry is drawn. */
export const TILE_EXTENT = 4096;

/** How far around a tile its outlines are drawn, in its units: a map draws lines wider than their place. */
export const TILE_BUFFER = 64;

export type TilePoint = { readonly x: number; readonly y: number };

/** The place of a point in a tile, in units from its north-western corner. */
export function projectOnto({
  z,
  x,
  y,
}: TileAddress): (point: { readonly longitude: number; readonly latitude: number }) => TilePoint {
  const tiles = 2 ** z;
  return ({ longitude, latitude }) => {
    const east = (longitude + 180) / 360;
    const south = 0.5 - Math.asinh(Math.tan((latitude * Math.PI) / 180)) / (2 * Math.PI);
    return {
      x: Math.round((east * tiles - x) * TILE_EXTENT),
      y: Math.round((south * tiles - y) * TILE_EXTENT),
    };
  };
}
