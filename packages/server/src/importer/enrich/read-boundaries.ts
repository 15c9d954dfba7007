import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nameHint } from '../../domain/nearest-name.ts';
import { compareUtf8 } from '../../domain/text-order.ts';
import type { Boundaries } from '../../manifest/point-source.ts';
import { PublishError } from '../problems/publish-error.ts';
import { type BoundaryFeature, boundaryFeatures } from './boundary-features.ts';
import type { Refuse } from './refuse.ts';
import { type Polygon, unwrapPolygon } from './unwrap-polygon.ts';

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
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw refuse(
      `it is not JSON in UTF-8: ${error instanceof Error ? error.message : error}`,
      'Boundaries are GeoJSON or TopoJSON. Convert a shapefile, for example with mapshaper.',
    );
  }
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
          `Write the property that has it: areas: { ${boundaries.name}: { id: … } }. ${nameHint('id', known)}`,
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
