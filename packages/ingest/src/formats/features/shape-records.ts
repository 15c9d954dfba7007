import { brokenShapefile } from '../unreadable-text.ts';
import { type FileGeometry, type Position, WrongGeometry } from './outline.ts';

/** Reads the geometries of a .shp, one record at a time (ESRI Shapefile Technical Description, 1998). */
export async function* readShapes(chunks: AsyncGenerator<Buffer>): AsyncGenerator<FileGeometry> {
  const reader = openByteReader(chunks);
  try {
    const header = await reader.take(HEADER_BYTES);
    if (header.length < HEADER_BYTES || header.readInt32BE(0) !== FILE_CODE) {
      throw brokenShapefile('its .shp has no valid header');
    }
    for (let feature = 1; ; feature += 1) {
      const head = await reader.take(8);
      if (head.length === 0) return;
      const bytes = head.length < 8 ? -1 : head.readInt32BE(4) * 2;
      if (bytes < 4 || bytes > RECORD_BYTES_MAX)
        throw brokenShapefile('its .shp ends in the middle of a record', feature);
      const content = await reader.take(bytes);
      if (content.length < bytes)
        throw brokenShapefile('its .shp ends in the middle of a record', feature);
      yield shapeOf(content);
    }
  } finally {
    await reader.close();
  }
}

const HEADER_BYTES = 100;
const FILE_CODE = 9994;
const RECORD_BYTES_MAX = 2 ** 28;

/** The types with heights and measures begin like the flat ones. */
function shapeOf(content: Buffer): FileGeometry {
  const code = content.readInt32LE(0);
  switch (code) {
    case 0:
      return undefined;
    case 1:
    case 11:
    case 21:
      return {
        type: 'Point',
        outline: () => ({ kind: 'points', parts: [readPositions(content, 4, 1)] }),
      };
    case 8:
    case 18:
    case 28:
      return {
        type: 'MultiPoint',
        outline: () => ({
          kind: 'points',
          parts: [readPositions(content, 40, countAt(content, 36))],
        }),
      };
    case 3:
    case 13:
    case 23:
      return { type: 'LineString', outline: () => ({ kind: 'lines', parts: readParts(content) }) };
    case 5:
    case 15:
    case 25:
      return { type: 'Polygon', outline: () => ({ kind: 'area', parts: readParts(content) }) };
    default:
      return {
        type: code === 31 ? 'MultiPatch' : `Shape ${code}`,
        outline: () => {
          throw new WrongGeometry('is a geometry that cannot be represented by one point');
        },
      };
  }
}

function readParts(content: Buffer): readonly (readonly Position[])[] {
  const partCount = countAt(content, 36);
  const pointCount = countAt(content, 40);
  const start = 44 + 4 * partCount;
  const starts = Array.from({ length: partCount }, (_, part) => countAt(content, 44 + 4 * part));
  return starts.map((from, part) => {
    const to = starts[part + 1] ?? pointCount;
    return readPositions(content, start + 16 * from, to - from);
  });
}

function countAt(content: Buffer, offset: number): number {
  const count = offset + 4 > content.length ? -1 : content.readInt32LE(offset);
  if (count < 0 || count > content.length) throw new WrongGeometry('is an incomplete geometry');
  return count;
}

function readPositions(content: Buffer, offset: number, count: number): readonly Position[] {
  if (count < 0 || offset + 16 * count > content.length) {
    throw new WrongGeometry('is an incomplete geometry');
  }
  return Array.from({ length: count }, (_, index): Position => {
    const at = offset + 16 * index;
    return [content.readDoubleLE(at), content.readDoubleLE(at + 8)];
  });
}

/** Reads a number of bytes at a time from chunks of any size. */
export function openByteReader(chunks: AsyncGenerator<Buffer>): {
  /** The next bytes, fewer at the end. */
  readonly take: (count: number) => Promise<Buffer>;
  readonly close: () => Promise<void>;
} {
  let held: Buffer = Buffer.alloc(0);
  return {
    take: async (count) => {
      const parts = [held];
      let length = held.length;
      while (length < count) {
        const { value, done } = await chunks.next();
        if (done === true) break;
        parts.push(value);
        length += value.length;
      }
      const all = parts.length === 1 ? held : Buffer.concat(parts, length);
      held = all.subarray(count);
      return all.subarray(0, count);
    },
    close: async () => {
      await chunks.return(undefined);
    },
  };
}
