import type { DatasetReader } from '../dataset/dataset-reader.ts';
import { METROS } from '../dataset/metros.ts';
import { drawIndex, type Random } from '../seeded-random.ts';
import { askRecords, PAGE_SIZE, PLACE_FIELDS, readRecords } from './records.ts';
import type { Facts, HttpRequest, RequestWorkload, Shape } from './workload.ts';

/** W12: the largest places in a polygon around a metropolitan area, 0.4 to 2 degrees wide. */
export const POLYGON: RequestWorkload = {
  id: 'W12',
  title: 'a polygon of 200 points and order by a number, 100 rows',
  protocol: 'http',
  shapes: new Map<string, Shape>([
    ['ours', shape('ours', askOurs)],
    ['postgis', shape('postgis', askPostgis)],
  ]),
};

type Point = readonly [longitude: number, latitude: number];

function shape(system: Shape['system'], ask: (ring: readonly Point[]) => HttpRequest): Shape {
  return {
    system,
    ask: (random) => {
      const ring = drawRing(random);
      return {
        request: ask(ring),
        read: readRecords(PLACE_FIELDS),
        expect: (dataset) => expectPlaces(dataset, ring),
      };
    },
  };
}

/** With the first point, which is repeated at the end. */
const RING_POINTS = 200;

/**
 * A coast around the middle of a random metropolitan area: a simple ring, because its points follow each other around the
 * middle. A point has a digit more than places have, so that no place is at a vertex.
 */
function drawRing(random: Random): readonly Point[] {
  const metro = METROS[drawIndex(random, METROS.length)];
  if (metro === undefined) throw new Error('There are no metropolitan areas.');
  const radius = 0.2 + 0.8 * random();
  const ring = Array.from({ length: RING_POINTS - 1 }, (_, index): Point => {
    const angle = (index / (RING_POINTS - 1)) * 2 * Math.PI;
    const distance = radius * (0.7 + 0.3 * random());
    return [
      beside(metro.longitude + distance * Math.cos(angle)),
      beside(metro.latitude + distance * Math.sin(angle)),
    ];
  });
  return [...ring, ...ring.slice(0, 1)];
}

function beside(degrees: number): number {
  return Number(`${degrees.toFixed(6)}5`);
}

function askOurs(ring: readonly Point[]): HttpRequest {
  return askRecords('bench.places', PLACE_FIELDS, {
    options: {
      polygon: { type: 'Polygon', coordinates: [ring] },
      orderBy: { fieldName: 'floor_area', direction: 'DESC' },
    },
  });
}

function askPostgis(ring: readonly Point[]): HttpRequest {
  return {
    protocol: 'http',
    method: 'POST',
    path: '/rpc/places_in_polygon',
    body: JSON.stringify({ area: { type: 'Polygon', coordinates: [ring] } }),
  };
}

/** The same from the files: a place is inside if a line to the east crosses the ring an odd number of times. */
async function expectPlaces(dataset: DatasetReader, ring: readonly Point[]): Promise<Facts> {
  const [lngs, lats] = [ring.map(([lng]) => lng), ring.map(([, lat]) => lat)];
  const columns = PLACE_FIELDS.names.map((name) =>
    PLACE_FIELDS.numbers.has(name) ? `${name}::DOUBLE` : name,
  );
  const inBox = await dataset.rows(`
    SELECT longitude, latitude, ${columns.join(', ')} FROM places
    WHERE longitude BETWEEN ${Math.min(...lngs)} AND ${Math.max(...lngs)}
      AND latitude BETWEEN ${Math.min(...lats)} AND ${Math.max(...lats)}
    ORDER BY floor_area DESC, location_id`);
  const inside = inBox.filter(([lng, lat]) => isInside(ring, [Number(lng), Number(lat)]));
  const records = inside.slice(0, PAGE_SIZE).map((row) => row.slice(2));
  return { records, total: inside.length };
}

function isInside(ring: readonly Point[], [lng, lat]: Point): boolean {
  let isOdd = false;
  for (const [index, [toLng, toLat]] of ring.entries()) {
    const [fromLng, fromLat] = ring[index - 1] ?? [toLng, toLat];
    if (fromLat > lat === toLat > lat) continue;
    const crossing = fromLng + ((lat - fromLat) / (toLat - fromLat)) * (toLng - fromLng);
    if (crossing > lng) isOdd = !isOdd;
  }
  return isOdd;
}
