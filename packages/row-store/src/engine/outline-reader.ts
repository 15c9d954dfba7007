import type { DatabaseSync } from 'node:sqlite';
import type { Box, Outline, TileOutlines } from '@locmetrics/core/domain/outline';
import { TILE_BUFFER, TILE_EXTENT, type TileAddress } from '@locmetrics/core/geometry/tile';
import { openByteCache } from '@locmetrics/core/runtime/byte-cache';
import { memoize } from '@locmetrics/core/runtime/memoize';
import { decodeRings } from '../outline-bytes.ts';
import { OUTLINE_ROWS, type RowFacts, WORLD_BITS } from '../row-file.ts';

/** The most memory for decoded outlines of an open file. Those of all US counties at a zoom take about 5 MB. */
const CACHE_BYTES = 64 * 2 ** 20;

/** Of more outlines the largest are shown first. */
const IN_ORDER_MAX = 10_000;

/** Reads the outlines of a row file by tile, and keeps those that were read last. */
export function openOutlineReader(
  database: DatabaseSync,
  { wholeFrom }: NonNullable<RowFacts['outlines']>,
): { readonly find: (tile: TileAddress | 'all') => TileOutlines; readonly clear: () => void } {
  const read = database.prepare('SELECT id, data FROM outlines WHERE number = ?');
  const levelOf = memoize((zoom: number) => readLevel(database, zoom), wholeFrom + 1);
  const cache = openByteCache<number, Outline>(CACHE_BYTES, bytesOf);
  const outlineOf = (number: number): Outline => {
    const kept = cache.find(number);
    if (kept !== undefined) return kept;
    const { id, data } = read.get(number) ?? {};
    if (typeof id !== 'string' || !(data instanceof Uint8Array)) {
      throw missingOutline(number);
    }
    const outline = { id, rings: decodeRings(data) };
    cache.keep(number, outline);
    return outline;
  };
  const readId = database.prepare('SELECT id FROM outlines WHERE number = ?');
  const idOf = (number: number): string => {
    const kept = cache.find(number);
    if (kept !== undefined) return kept.id;
    const { id } = readId.get(number) ?? {};
    if (typeof id !== 'string') throw missingOutline(number);
    return id;
  };
  return {
    find: (tile) => {
      const zoom = tile === 'all' ? wholeFrom : Math.min(tile.z, wholeFrom);
      const bits = zoom === wholeFrom ? WORLD_BITS : zoom + Math.log2(TILE_EXTENT);
      const { rows, boxes } = levelOf(zoom);
      const indexes = tile === 'all' ? [...rows.keys()] : findInBox(boxes, areaOf(tile, bits));
      const indexAt = (index: number): number => indexes[index] ?? 0;
      const numberAt = (index: number): number => zoom * OUTLINE_ROWS + (rows[indexAt(index)] ?? 0);
      return {
        count: indexes.length,
        bits,
        boxAt: (index) => boxAt(boxes, indexAt(index)),
        idAt: (index) => idOf(numberAt(index)),
        outlineAt: (index) => outlineOf(numberAt(index)),
      };
    },
    clear: cache.clear,
  };
}

function missingOutline(number: number): RangeError {
  return new RangeError(`The row file has no outline ${number}.`);
}

type Level = { readonly rows: Float64Array; readonly boxes: Int32Array };

function readLevel(database: DatabaseSync, zoom: number): Level {
  const found = database.prepare('SELECT rows, boxes FROM outline_levels WHERE zoom = ?').get(zoom);
  const [rows, boxes] = [found?.['rows'], found?.['boxes']];
  if (!(rows instanceof Uint8Array) || !(boxes instanceof Uint8Array)) {
    return { rows: new Float64Array(), boxes: new Int32Array() };
  }
  // The bytes of the row need not be aligned.
  return {
    rows: new Float64Array(rows.slice().buffer),
    boxes: new Int32Array(boxes.slice().buffer),
  };
}

/** A tile with its surroundings. */
function areaOf({ z, x, y }: TileAddress, bits: number): Box {
  const size = 2 ** (bits - z);
  const around = (TILE_BUFFER / TILE_EXTENT) * size;
  return [x * size - around, y * size - around, (x + 1) * size + around, (y + 1) * size + around];
}

/** The indexes of the boxes that meet an area, in their order, or from the largest one if they are many. */
function findInBox(boxes: Int32Array, [west, north, east, south]: Box): readonly number[] {
  const found: number[] = [];
  for (let at = 0; at < boxes.length; at += 4) {
    if ((boxes[at] ?? 0) > east || (boxes[at + 2] ?? 0) < west) continue;
    if ((boxes[at + 1] ?? 0) > south || (boxes[at + 3] ?? 0) < north) continue;
    found.push(at / 4);
  }
  if (found.length <= IN_ORDER_MAX) return found;
  const sizes = new Map(found.map((index) => [index, sizeOf(boxAt(boxes, index))]));
  return found.sort((left, right) => (sizes.get(right) ?? 0) - (sizes.get(left) ?? 0));
}

function boxAt(boxes: Int32Array, index: number): Box {
  const at = index * 4;
  return [boxes[at] ?? 0, boxes[at + 1] ?? 0, boxes[at + 2] ?? 0, boxes[at + 3] ?? 0];
}

function sizeOf([west, north, east, south]: Box): number {
  return (east - west) * (south - north);
}

/** The memory of the objects, in bytes, without their points. */
const OUTLINE_BYTES = 200;
const RING_BYTES = 150;

function bytesOf({ rings }: Outline): number {
  return rings.reduce((sum, { points }) => sum + RING_BYTES + points.byteLength, OUTLINE_BYTES);
}
