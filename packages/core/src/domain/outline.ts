import type { TileAddress } from '../geometry/tile.ts';
import type { ReadableVersion } from './predicate.ts';

/** The outlines of the features of a version, as a publish simplified them. They know nothing of rights. */
export type Outlines = {
  /** The outlines that a tile may show; undefined if the version has none here. */
  readonly find: (version: ReadableVersion, tile: TileAddress) => TileOutlines | undefined;
  /** All outlines, with all their positions. */
  readonly all: (version: ReadableVersion) => TileOutlines | undefined;
};

export type TileOutlines = {
  /** The number of outlines whose box meets the tile. If they are many, the largest come first. */
  readonly count: number;
  /** The coordinates count from the north-western corner of the world, which is `2 ** bits` wide. */
  readonly bits: number;
  /** West, north, east and south. */
  readonly boxAt: (index: number) => Box;
  /** The feature of an outline, which takes less time to read than the outline. */
  readonly idAt: (index: number) => string;
  readonly outlineAt: (index: number) => Outline;
};

export type Box = readonly [west: number, north: number, east: number, south: number];

export type Outline = {
  /** The feature. */
  readonly id: string;
  readonly rings: readonly OutlineRing[];
};

/** A ring without its last position, which is its first; an outer one is clockwise on a map, and its holes follow it. */
export type OutlineRing = {
  readonly isHole: boolean;
  /** x and y of each position. */
  readonly points: Int32Array;
};
