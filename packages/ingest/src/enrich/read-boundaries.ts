import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nameHint } from '@locmetrics/core/errors/nearest-name';
import { findRepeatedMember } from '@locmetrics/core/errors/repeated-member';
import { compareUtf8 } from '@locmetrics/core/text/text-order';
import type { Boundaries } from '../manifest/point-source.ts';
import { PublishError } from '../problems/publish-error.ts';
import { type BoundaryFeature, boundaryFeatures, type Refuse } from './boundary-features.ts';

/** An area: one feature of the boundaries. */
export type Area = {
  readonly id: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly polygons: readonly Polygon[];
};

export type ReadBoundaries = {
  /** In the order of their ids; areas with the same id in the order of the file. */
  readonly areas: readonly Area[];
  /** The name of the file, for messages. */
  readonly label: string;
  /** The file, as it is recorded with the version. */
  readonly file: { readonly path: string; readonly bytes: number; readonly sha256: string };
};

/** Reads the boundaries of areas. Throws a `PublishError` that names the file and the feature that is wrong. */
export async function readBoundaries(boundaries: Boundaries): Promise<ReadBoundaries> {
  const { name, file: path = SHIPPED_FILE, object = shippedObject(boundaries) } = boundaries;
  const label = boundaries.file === undefined ? `us-atlas/${basename(path)}` : basename(path);
  const refuse = (reason: string, hint: string): PublishError =>
    new PublishError(`The boundaries of '${name}' in ${label}: ${reason}.`, hint);
  const bytes = await readBytes(path, refuse);
  const features = boundaryFeatures(parseJson(bytes, refuse), { object, refuse });
  const areas = features.map((feature, index) =>
    toArea(feature, { boundaries, place: `feature ${index + 1}`, refuse }),
  );
  return {
    areas: areas.toSorted((left, right) => compareUtf8(left.id, right.id)),
    label,
    file: {
      path: boundaries.file === undefined ? label : path,
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    },
  };
}

/** States and counties of one file, because their borders agree only there. */
const SHIPPED_FILE = fileURLToPath(import.meta.resolve('us-atlas/counties-10m.json'));

function shippedObject({ name, file }: Boundaries): string | undefined {
  return file === undefined ? name.replace(/^us_/, '') : undefined;
}

/** The boundaries are in memory as a whole. */
const BYTES_MAX = 128 * 2 ** 20;

async function readBytes(path: string, refuse: Refuse): Promise<Buffer> {
  try {
    const { size } = await stat(path);
    if (size <= BYTES_MAX) return await readFile(path);
  } catch (error) {
    throw refuse(
      `the file ${path} cannot be read: ${error instanceof Error ? error.message : error}`,
      'Correct the path; it is relative to the manifest, or to the folder of --files.',
    );
  }
  throw refuse(
    'the file is larger than 128 MiB',
    'Simplify the boundaries, for example with mapshaper.',
  );
}

function parseJson(bytes: Buffer, refuse: Refuse): unknown {
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    value = JSON.parse(text);
  } catch (error) {
    throw refuse(
      `it is not JSON in UTF-8: ${error instanceof Error ? error.message : error}`,
      'Boundaries are GeoJSON or TopoJSON. Convert a shapefile, for example with mapshaper.',
    );
  }
  const repeated = findRepeatedMember(text, value);
  if (repeated === undefined) return value;
  throw refuse(`it has the member '${repeated.path.join('.')}' twice`, 'Write it once.');
}

function toArea(
  { id, properties, polygons }: BoundaryFeature,
  {
    boundaries,
    place,
    refuse,
  }: {
    readonly boundaries: Boundaries;
    readonly place: string;
    readonly refuse: Refuse;
  },
): Area {
  const property = boundaries.id;
  const text = propertyText(property === undefined ? id : properties[property]);
  if (text === undefined) {
    const known = Object.keys(properties);
    throw property === undefined
      ? refuse(
          `${place} has no id`,
          `Name the property that has it: areas: { ${boundaries.name}: { id: … } }. ${nameHint('id', known)}`,
        )
      : refuse(`${place} has no '${property}'`, nameHint(property, known));
  }
  return {
    id: text,
    properties,
    polygons: polygons.map((polygon) => unwrapPolygon(polygon, { place, refuse })),
  };
}

/** The value of a property as a text; undefined if there is none. */
export function propertyText(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return value.trim() === '' ? undefined : value;
    case 'number':
    case 'boolean':
      return String(value);
    default:
      return undefined;
  }
}

/** Rings of positions, the outer one first, closed, as the library takes them. */
type Polygon = number[][][];

/**
 * A polygon whose longitudes do not jump where it crosses the antimeridian: they go on beyond 180 degrees. A
 * polygon that is cut there, as GeoJSON demands, stays as it is.
 */
function unwrapPolygon(
  rings: BoundaryFeature['polygons'][number],
  { place, refuse }: { readonly place: string; readonly refuse: Refuse },
): Polygon {
  const unwrapped = rings.map((ring) => unwrapRing(ring, { place, refuse }));
  const [outer = [], ...holes] = unwrapped;
  return [outer, ...holes.map((hole) => besideOuter(hole, outer))];
}

function unwrapRing(
  ring: readonly (readonly number[])[],
  { place, refuse }: { readonly place: string; readonly refuse: Refuse },
): number[][] {
  let turn = 0;
  let before: number | undefined;
  const unwrapped: number[][] = [];
  for (const [longitude = 0, latitude = 0] of ring) {
    if (!(Math.abs(longitude) <= 360 && Math.abs(latitude) <= 90)) {
      throw refuse(
        `${place} has the position ${longitude}, ${latitude}, which is not a longitude and a latitude`,
        'Convert the file to WGS 84 (EPSG:4326), for example with ogr2ogr -t_srs EPSG:4326.',
      );
    }
    const jump = longitude - (before ?? longitude);
    // A jump of a whole turn is the edge of a map that ends at a pole.
    if (Math.abs(jump) > 180 && Math.abs(jump) < 360) turn -= 360 * Math.sign(jump);
    before = longitude;
    unwrapped.push([longitude + turn, latitude]);
  }
  if (turn !== 0) {
    throw refuse(
      `${place} encloses a pole`,
      'Cut it at 180 degrees, as GeoJSON demands (RFC 7946, 3.1.9).',
    );
  }
  const [first = [], last = []] = [unwrapped[0], unwrapped.at(-1)];
  return first[0] === last[0] && first[1] === last[1] ? unwrapped : [...unwrapped, first];
}

/** A hole whose longitudes are a whole turn away from those of the outer ring. */
function besideOuter(hole: number[][], outer: number[][]): number[][] {
  const longitudes = outer.map(([longitude = 0]) => longitude);
  const west = longitudes.reduce((left, right) => Math.min(left, right), 720);
  const east = longitudes.reduce((left, right) => Math.max(left, right), -720);
  const isBeside = (turn: number) =>
    hole.every(([longitude = 0]) => longitude + turn >= west && longitude + turn <= east);
  const turn = [0, 360, -360].find(isBeside) ?? 0;
  return hole.map(([longitude = 0, latitude = 0]) => [longitude + turn, latitude]);
}
