import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { INTEGER_MAX, INTEGER_MIN, type Value } from '../domain/value.ts';
import {
  projectOnto,
  TILE_CELLS,
  TILE_EXTENT,
  type TileAddress,
  type TilePoint,
} from '../geometry/tile.ts';

/*
 * Map tiles as the Mapbox Vector Tile specification 2.1 has them. A tile has one layer. It is written by the writer of
 * `@bufbuild/protobuf`, because libraries for tiles write no integer beyond 2^53 and lose a field named `constructor`.
 */

/** The layer `records`: a point for each record, with the values of its fields; an absent one is left out. */
export function encodeTilePoints(
  address: TileAddress,
  points: {
    /** The names of the values after the longitude and the latitude. */
    readonly names: readonly string[];
    readonly rows: readonly (readonly Value[])[];
  },
): Buffer {
  const project = projectOnto(address);
  const layer = openLayer('records', points.names);
  for (const [longitude, latitude, ...values] of points.rows) {
    const place = project({ longitude: Number(longitude), latitude: Number(latitude) });
    layer.add({ type: POINT, geometry: [MOVE_ONCE, zigzag(place.x), zigzag(place.y)], values });
  }
  return layer.end();
}

/** The layer `cells`: a square for each cell, with the number of its records and the aggregates. */
export function encodeTileCells(
  /** The names of the aggregates. */
  names: readonly string[],
  cells: readonly {
    readonly column: number;
    readonly row: number;
    readonly count: number;
    readonly values: readonly Value[];
  }[],
): Buffer {
  const layer = openLayer('cells', ['count', ...names]);
  for (const { column, row, count, values } of cells) {
    const corner = { x: column * CELL_EXTENT, y: row * CELL_EXTENT };
    layer.add({ type: POLYGON, geometry: squareGeometry(corner), values: [count, ...values] });
  }
  return layer.end();
}

const CELL_EXTENT = TILE_EXTENT / TILE_CELLS;
const SPECIFICATION = 2;

/** The numbers of the fields of the messages, and of the types of geometry. */
const LAYERS = 3;
const LAYER = { name: 1, features: 2, keys: 3, values: 4, extent: 5, version: 15 } as const;
const FEATURE = { tags: 2, type: 3, geometry: 4 } as const;
const VALUE = { text: 1, double: 3, integer: 4, unsigned: 5, signed: 6, boolean: 7 } as const;
const POINT = 1;
export const POLYGON = 3;

type Layer = {
  readonly add: (feature: {
    readonly type: number;
    /** Commands, or their bytes. */
    readonly geometry: readonly number[] | Uint8Array;
    readonly values: readonly Value[];
  }) => void;
  /** The tile that has only this layer. */
  readonly end: () => Buffer;
};

export function openLayer(name: string, keys: readonly string[]): Layer {
  const layer = new BinaryWriter();
  layer.tag(LAYER.version, WireType.Varint).uint32(SPECIFICATION);
  layer.tag(LAYER.name, WireType.LengthDelimited).string(name);
  const numbers = new Map<Exclude<Value, null>, number>();
  const numberOf = (value: Exclude<Value, null>): number => {
    const number = numbers.get(value) ?? numbers.size;
    numbers.set(value, number);
    return number;
  };
  return {
    add: ({ type, geometry, values }) => {
      layer.tag(LAYER.features, WireType.LengthDelimited).fork();
      layer.tag(FEATURE.tags, WireType.LengthDelimited).fork();
      for (const [key, value] of values.entries()) {
        if (value !== null) layer.uint32(key).uint32(numberOf(value));
      }
      layer.join();
      layer.tag(FEATURE.type, WireType.Varint).uint32(type);
      layer.tag(FEATURE.geometry, WireType.LengthDelimited);
      if (geometry instanceof Uint8Array) {
        layer.bytes(geometry).join();
        return;
      }
      layer.fork();
      for (const command of geometry) layer.uint32(command);
      layer.join().join();
    },
    end: () => {
      for (const key of keys) layer.tag(LAYER.keys, WireType.LengthDelimited).string(key);
      for (const value of numbers.keys()) {
        writeValue(layer.tag(LAYER.values, WireType.LengthDelimited).fork(), value).join();
      }
      layer.tag(LAYER.extent, WireType.Varint).uint32(TILE_EXTENT);
      const tile = new BinaryWriter().tag(LAYERS, WireType.LengthDelimited).bytes(layer.finish());
      return Buffer.from(tile.finish());
    },
  };
}

function writeValue(writer: BinaryWriter, value: Exclude<Value, null>): BinaryWriter {
  switch (typeof value) {
    case 'string':
      return writer.tag(VALUE.text, WireType.LengthDelimited).string(value);
    case 'boolean':
      return writer.tag(VALUE.boolean, WireType.Varint).bool(value);
    case 'bigint':
      return value < INTEGER_MIN || value > INTEGER_MAX
        ? writeDouble(writer, Number(value))
        : writer.tag(VALUE.integer, WireType.Varint).int64(value);
    case 'number':
      if (!Number.isSafeInteger(value)) return writeDouble(writer, value);
      return value < 0
        ? writer.tag(VALUE.signed, WireType.Varint).sint64(value)
        : writer.tag(VALUE.unsigned, WireType.Varint).uint64(value);
  }
}

function writeDouble(writer: BinaryWriter, value: number): BinaryWriter {
  return writer.tag(VALUE.double, WireType.Bit64).double(value);
}

/** The commands of a geometry: their number in the lowest three bits, then how often they are repeated. */
export const MOVE_ONCE = 1 + 8;
export const lineTo = (times: number): number => 2 + times * 8;
export const CLOSE = 7 + 8;

/** Clockwise on the screen, as an outer ring is. */
function squareGeometry({ x, y }: TilePoint): readonly number[] {
  const side = zigzag(CELL_EXTENT);
  return [
    ...[MOVE_ONCE, zigzag(x), zigzag(y)],
    ...[lineTo(3), side, 0, 0, side, zigzag(-CELL_EXTENT), 0],
    CLOSE,
  ];
}

/** A signed number, so that small ones are short. */
export function zigzag(number: number): number {
  return ((number << 1) ^ (number >> 31)) >>> 0;
}
