import { type FileGeometry, type Outline, type Position, WrongGeometry } from './outline.ts';

/** The geometry of a GeoPackage: a header, followed by well-known binary (OGC 12-128, 2.1.3). Undefined if it is empty. */
export function readGeoPackageGeometry(blob: Buffer): FileGeometry {
  const flags = blob[3] ?? 0;
  const envelopeBytes = [0, 32, 48, 48, 64][(flags >> 1) & 7];
  const isEmpty = (flags & 16) !== 0;
  const start = 8 + (envelopeBytes ?? 0);
  if (blob.toString('latin1', 0, 2) !== 'GP' || envelopeBytes === undefined) {
    return { type: 'Geometry', outline: refuse('is not a geometry of a GeoPackage') };
  }
  if (isEmpty) return undefined;
  return {
    type: nameOf(blob.subarray(start)),
    outline: () => {
      const reader = { blob, offset: start };
      return readOutline(reader);
    },
  };
}

function refuse(reason: string): () => never {
  return () => {
    throw new WrongGeometry(reason);
  };
}

const NAMES: readonly string[] = [
  'Geometry',
  'Point',
  'LineString',
  'Polygon',
  'MultiPoint',
  'MultiLineString',
  'MultiPolygon',
  'GeometryCollection',
  'CircularString',
  'CompoundCurve',
  'CurvePolygon',
  'MultiCurve',
  'MultiSurface',
];

function nameOf(wkb: Buffer): string {
  if (wkb.length < 5) return 'Geometry';
  const code = wkb[0] === 0 ? wkb.readUInt32BE(1) : wkb.readUInt32LE(1);
  return NAMES[code % 1000] ?? 'Geometry';
}

type Reader = { readonly blob: Buffer; offset: number };

/** Reads a geometry, with its own order of bytes. A collection has no other ones in it. The types with Z, M and both are 1000, 2000 and 3000 higher. */
function readOutline(reader: Reader, isMember = false): Outline {
  const isLittle = readByte(reader) !== 0;
  const code = readCount(reader, isLittle, 0);
  const ordinates = [2, 3, 3, 4][Math.floor(code / 1000)];
  if (ordinates === undefined)
    throw new WrongGeometry('is a geometry that cannot be represented by one point');
  const positions = (count: number): readonly Position[] =>
    Array.from({ length: count }, () => readPosition(reader, isLittle, ordinates));
  const count = (bytes: number) => readCount(reader, isLittle, bytes);
  const many = (kind: Outline['kind']): Outline => {
    if (isMember) throw new WrongGeometry('is a geometry that cannot be represented by one point');
    const members = Array.from({ length: count(9) }, () => readOutline(reader, true));
    if (members.some((member) => member.kind !== kind)) {
      throw new WrongGeometry('is a geometry that cannot be represented by one point');
    }
    return {
      kind,
      parts: members.flatMap(({ parts }) => parts),
      ringCounts: members.map(({ parts }) => parts.length),
    };
  };
  switch (code % 1000) {
    case 1:
      return { kind: 'points', parts: [positions(1).filter(isPresent)] };
    case 2:
      return { kind: 'lines', parts: [positions(count(8 * ordinates))] };
    case 3:
      return {
        kind: 'area',
        parts: Array.from({ length: count(4) }, () => positions(count(8 * ordinates))),
      };
    case 4:
      return many('points');
    case 5:
    case 11:
      return many('lines');
    case 6:
    case 12:
      return many('area');
    default:
      throw new WrongGeometry('is a geometry that cannot be represented by one point');
  }
}

/** An empty point has no numbers as coordinates. */
function isPresent([x, y]: Position): boolean {
  return !(Number.isNaN(x) && Number.isNaN(y));
}

function readByte(reader: Reader): number {
  expectBytes(reader, 1);
  reader.offset += 1;
  return reader.blob[reader.offset - 1] ?? 0;
}

/** A number of things that have at least so many bytes each. */
function readCount(reader: Reader, isLittle: boolean, bytesOfEach: number): number {
  expectBytes(reader, 4);
  const { blob, offset } = reader;
  const count = isLittle ? blob.readUInt32LE(offset) : blob.readUInt32BE(offset);
  reader.offset += 4;
  if (bytesOfEach > 0) expectBytes(reader, count * bytesOfEach);
  return count;
}

function readPosition(reader: Reader, isLittle: boolean, ordinates: number): Position {
  expectBytes(reader, 8 * ordinates);
  const { blob, offset } = reader;
  reader.offset += 8 * ordinates;
  return isLittle
    ? [blob.readDoubleLE(offset), blob.readDoubleLE(offset + 8)]
    : [blob.readDoubleBE(offset), blob.readDoubleBE(offset + 8)];
}

function expectBytes({ blob, offset }: Reader, bytes: number): void {
  if (offset + bytes > blob.length) throw new WrongGeometry('is an incomplete geometry');
}
