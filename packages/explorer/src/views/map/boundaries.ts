import type {
  Feature,
  FeatureCollection,
  MultiLineString,
  Point,
  Polygon,
  Position,
} from 'geojson';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import countiesUrl from 'us-atlas/counties-10m.json?url';
import statesUrl from 'us-atlas/states-10m.json?url';
import countriesUrl from 'world-atlas/countries-50m.json?url';
import watersUrl from '../../../basemap/waters.json?url';
import { unwrapPolygons } from './unwrap-polygons.ts';

/** Land and borders for the map below the data. They are files of the page itself, so no other host is asked. */
export type Boundaries = {
  readonly land: FeatureCollection;
  readonly borders: MultiLineString;
};

/** The countries of the world (Natural Earth, public domain). */
export async function loadCountries(): Promise<Boundaries & Names> {
  const topology = await load<'countries'>(countriesUrl);
  const { countries } = topology.objects;
  const geometries = countries.geometries.filter(({ id }) => id !== ANTARCTICA);
  const boundaries = boundariesOf(topology, { ...countries, geometries });
  return { ...boundaries, names: namesOf(boundaries.land) };
}

/** A point in each shape, with its name and its area in square degrees. */
type Names = { readonly names: FeatureCollection<Point> };

/** Its border goes around the pole, which a flat map does not have. */
const ANTARCTICA = '010';

/** The states (US Census Bureau), with a point in each for its name. */
export async function loadStates(): Promise<Boundaries & Names> {
  const topology = await load<'states'>(statesUrl);
  const boundaries = boundariesOf(topology, topology.objects.states);
  return { ...boundaries, names: namesOf(boundaries.land) };
}

/** The counties (US Census Bureau). */
export async function loadCounties(): Promise<Pick<Boundaries, 'borders'>> {
  const topology = await load<'counties'>(countiesUrl);
  return { borders: innerBorders(topology, topology.objects.counties) };
}

/** Lakes, and the borders of states of other large countries (Natural Earth, public domain). */
export async function loadWaters(): Promise<{
  readonly lakes: FeatureCollection;
  readonly borders: MultiLineString;
}> {
  const topology = await load<'lakes' | 'states'>(watersUrl);
  return {
    lakes: unwrapPolygons(feature(topology, topology.objects.lakes)),
    borders: innerBorders(topology, topology.objects.states),
  };
}

type Named<Name extends string> = Topology<Readonly<Record<Name, GeometryCollection>>>;

async function load<Name extends string>(url: string): Promise<Named<Name>> {
  return (await fetchPart(url)).json();
}

/** A part of the map below the data. */
export async function fetchPart(url: string): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`A part of the map, ${url}, could not be read.`);
  return response;
}

function boundariesOf(topology: Topology, objects: GeometryCollection): Boundaries {
  const land = unwrapPolygons(feature(topology, objects));
  return { land, borders: innerBorders(topology, objects) };
}

/** Each border once, without the coast. */
function innerBorders(topology: Topology, objects: GeometryCollection): MultiLineString {
  return mesh(topology, objects, (one, other) => one !== other);
}

function namesOf(states: FeatureCollection): FeatureCollection<Point> {
  return { type: 'FeatureCollection', features: states.features.flatMap(nameOf) };
}

function nameOf({ geometry, properties }: Feature): readonly Feature<Point>[] {
  const polygons =
    geometry.type === 'Polygon'
      ? [geometry.coordinates]
      : geometry.type === 'MultiPolygon'
        ? geometry.coordinates
        : [];
  const [largest] = polygons
    .map((polygon) => centroid(polygon))
    .sort((one, other) => other.area - one.area);
  if (largest === undefined) return [];
  return [
    {
      type: 'Feature',
      geometry: { type: 'Point', coordinates: largest.point },
      properties: { name: properties?.['name'], area: largest.area },
    },
  ];
}

/** The area and the centroid of the outer ring of a polygon (the shoelace formula). */
function centroid([ring = []]: Polygon['coordinates']): {
  readonly area: number;
  readonly point: Position;
} {
  let [area, x, y] = [0, 0, 0];
  for (const [index, [x0 = 0, y0 = 0]] of ring.entries()) {
    const [x1 = 0, y1 = 0] = ring[(index + 1) % ring.length] ?? [];
    const cross = x0 * y1 - x1 * y0;
    area += cross / 2;
    x += (x0 + x1) * cross;
    y += (y0 + y1) * cross;
  }
  return { area: Math.abs(area), point: [x / (6 * area), y / (6 * area)] };
}
