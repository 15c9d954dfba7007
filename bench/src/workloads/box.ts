import { METROS } from '../dataset/metros.ts';
import { drawIndex, type Random } from '../seeded-random.ts';
import {
  askRecords,
  COUNTS,
  expectRecords,
  PAGE_SIZE,
  PLACE_FIELDS,
  readRecords,
  readRows,
} from './records.ts';
import type { Question, RequestWorkload, Shape } from './workload.ts';

/** Functions that each use one index, whatever the planner would choose. They count nothing. */
const FORCED_INDEXES = [
  ['postgrestOrderIndex', 'places_by_order'],
  ['postgrestBoxIndex', 'places_by_box'],
  ['postgrestPointIndex', 'places_by_point'],
] as const;

/** W2: the largest places of a region in a box of 0.2 to 2 degrees. */
export const BOX: RequestWorkload = {
  id: 'W2',
  title: 'box, region and order by a number, 100 rows',
  protocol: 'http',
  shapes: new Map<string, Shape>([
    ['ours', shape('ours', askOurs)],
    ...COUNTS.map(([name, headers]): [string, Shape] => [
      name,
      shape('postgrest', (box) => ({
        request: { protocol: 'http', method: 'GET', path: `/places?${rowsQuery(box)}`, headers },
        read: readRows(PLACE_FIELDS, name === 'postgrestExactCount'),
      })),
    ]),
    ...FORCED_INDEXES.map(([name, called]): [string, Shape] => [
      name,
      shape('postgrest', (box) => ({
        request: { protocol: 'http', method: 'GET', path: `/rpc/${called}?${parameters(box)}` },
        read: readRows(PLACE_FIELDS, false),
      })),
    ]),
    ['postgrestSameShape', shape('postgrest', askFunction)],
  ]),
};

type Box = {
  readonly minLng: number;
  readonly minLat: number;
  readonly maxLng: number;
  readonly maxLat: number;
  readonly region: string;
};

function shape(system: Shape['system'], ask: (box: Box) => Omit<Question, 'expect'>): Shape {
  return {
    system,
    ask: (random) => {
      const box = drawBox(random);
      return {
        ...ask(box),
        expect: (dataset) => {
          const { minLng, minLat, maxLng, maxLat, region } = box;
          const from = `places WHERE region = '${region}' AND latitude BETWEEN ${minLat} AND ${maxLat} AND longitude BETWEEN ${minLng} AND ${maxLng}`;
          return expectRecords(dataset, PLACE_FIELDS, {
            from,
            order: 'floor_area DESC, location_id',
          });
        },
      };
    },
  };
}

/** A random metropolitan area, and a box near its middle. */
function drawBox(random: Random): Box {
  const metro = METROS[drawIndex(random, METROS.length)];
  if (metro === undefined) throw new Error('There are no metropolitan areas.');
  const half = 0.1 + 0.9 * random();
  const latitude = metro.latitude + random() - 0.5;
  const longitude = metro.longitude + random() - 0.5;
  return {
    minLng: degrees(longitude - half),
    minLat: degrees(latitude - half),
    maxLng: degrees(longitude + half),
    maxLat: degrees(latitude + half),
    region: metro.region,
  };
}

function degrees(value: number): number {
  return Number(value.toFixed(4));
}

function askOurs({ region, ...boundingBox }: Box): Omit<Question, 'expect'> {
  return {
    request: askRecords('bench.places', PLACE_FIELDS, {
      filters: [{ fieldName: 'region', operator: '==', value: region }],
      options: { boundingBox, orderBy: { fieldName: 'floor_area', direction: 'DESC' } },
    }),
    read: readRecords(PLACE_FIELDS),
  };
}

function rowsQuery({ minLng, minLat, maxLng, maxLat, region }: Box): string {
  return [
    `select=${PLACE_FIELDS.names.join(',')}`,
    `region=eq.${region}`,
    `latitude=gte.${minLat}&latitude=lte.${maxLat}`,
    `longitude=gte.${minLng}&longitude=lte.${maxLng}`,
    `order=floor_area.desc,location_id&limit=${PAGE_SIZE}`,
  ].join('&');
}

function parameters({ minLng, minLat, maxLng, maxLat, region }: Box): string {
  return `min_lng=${minLng}&min_lat=${minLat}&max_lng=${maxLng}&max_lat=${maxLat}&in_region=${region}`;
}

function askFunction(box: Box): Omit<Question, 'expect'> {
  return {
    request: { protocol: 'http', method: 'GET', path: `/rpc/places_in_box?${parameters(box)}` },
    read: readRecords(PLACE_FIELDS),
  };
}
