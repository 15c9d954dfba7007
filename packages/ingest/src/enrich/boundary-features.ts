import { nameHint } from '@locmetrics/core/errors/nearest-name';
import { feature } from 'topojson-client';
import type { PublishError } from '../problems/publish-error.ts';

/** Makes the error that refuses a file of boundaries. The reason continues a sentence with its name. */
export type Refuse = (reason: string, hint: string) => PublishError;

/** A feature with polygons. A ring is a list of positions: longitude, latitude. */
export type BoundaryFeature = {
  readonly id: unknown;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly polygons: readonly (readonly (readonly (readonly number[])[])[])[];
};

/** The features of a GeoJSON or TopoJSON document. */
export function boundaryFeatures(
  document: unknown,
  { object, refuse }: { readonly object: string | undefined; readonly refuse: Refuse },
): readonly BoundaryFeature[] {
  const collection = isTopology(document)
    ? decodeTopology(document, object, refuse)
    : refuseObject(document, object, refuse);
  if (!isRecord(collection)) throw refuse('it is not GeoJSON', KINDS);
  const features = collection['type'] === 'Feature' ? [collection] : collection['features'];
  if (!Array.isArray(features)) {
    throw refuse('it has no features', KINDS);
  }
  return features.flatMap((one: unknown, index) => toFeature(one, index, refuse));
}

type Topology = Parameters<typeof feature>[0];

const KINDS = 'Write a FeatureCollection of GeoJSON, or a Topology of TopoJSON.';

function isTopology(document: unknown): document is Topology {
  return isRecord(document) && document['type'] === 'Topology' && isRecord(document['objects']);
}

function decodeTopology(topology: Topology, object: string | undefined, refuse: Refuse): unknown {
  const names = Object.keys(topology.objects);
  const name = object ?? (names.length === 1 ? names[0] : undefined);
  const found = name === undefined ? undefined : topology.objects[name];
  if (found === undefined) {
    throw refuse(
      object === undefined ? `it has ${names.length} objects` : `it has no object '${object}'`,
      object === undefined ? `Choose one: object: ${names.join(' or ')}.` : nameHint(object, names),
    );
  }
  try {
    return feature(topology, found);
  } catch (error) {
    throw refuse(
      `it is not TopoJSON: ${error instanceof Error ? error.message : error}`,
      'Make the file again.',
    );
  }
}

function refuseObject(document: unknown, object: string | undefined, refuse: Refuse): unknown {
  if (object === undefined) return document;
  throw refuse('it is GeoJSON, which has no objects', 'Leave object out.');
}

/** A feature without a geometry has no points, so it is left out. */
function toFeature(feature: unknown, index: number, refuse: Refuse): readonly BoundaryFeature[] {
  const place = `feature ${index + 1}`;
  if (!isRecord(feature)) throw refuse(`${place} is not a Feature`, KINDS);
  const { id, geometry, properties } = feature;
  if (geometry === null || geometry === undefined) return [];
  if (!isRecord(geometry)) throw refuse(`${place} is not a Feature`, KINDS);
  const { type, coordinates } = geometry;
  const polygons =
    type === 'Polygon' ? [coordinates] : type === 'MultiPolygon' ? coordinates : undefined;
  if (polygons === undefined) {
    throw refuse(
      `${place} is a ${String(type)}, not a Polygon or MultiPolygon`,
      'Remove the features that are not areas.',
    );
  }
  if (!isPolygons(polygons)) throw refuse(`${place} has coordinates that are not polygons`, KINDS);
  return [{ id, properties: isRecord(properties) ? properties : {}, polygons }];
}

function isPolygons(value: unknown): value is BoundaryFeature['polygons'] {
  const isList = (one: unknown, ofItems: (item: unknown) => boolean): boolean =>
    Array.isArray(one) && one.every(ofItems);
  const isPosition = (one: unknown): boolean =>
    isList(one, (number) => typeof number === 'number') && Array.isArray(one) && one.length >= 2;
  const isRing = (one: unknown): boolean =>
    isList(one, isPosition) && Array.isArray(one) && one.length >= 4;
  return isList(value, (polygon) => isList(polygon, isRing));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
