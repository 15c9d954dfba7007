// @module-tag sized

import { wholeGrant } from '@locmetrics/core/domain/grant';
import { expect, test } from 'vitest';
import { whereIn } from '../../conformance/filter-clause.ts';
import { randomNumbers } from '../../support/random-numbers.ts';
import { atLeast, testCount } from '../../support/test-count.ts';
import { announceSeed } from '../../support/test-seed.ts';
import type { TestData } from '../test-data.ts';
import { type UsedServer, useTestServer } from '../test-server.ts';

/*
 * Boxes of more blocks of points than are read at once: pages and totals of the row store equal those of the column
 * store, also when totals of whole blocks are known from earlier boxes.
 */

const BOXES = testCount('BOXES', { few: 15, all: 60 });
const PLACES = 40_000;
const REGIONS = ['north', 'south', 'rare'];

const MANIFEST = `format: 1
datasets:
  town.places:
    files: places.csv
    key: [id]
    point: { latitude: lat, longitude: lng }
    fields:
      id: { type: string }
      region: { type: string, searchable: true }
      area: { type: integer, sorted: true }
      size: { type: integer }
      lat: { type: float }
      lng: { type: float }
`;

const seed = announceSeed('boxes of many points');
const random = randomNumbers(seed);

/** Points lie in two clusters, some on the antimeridian; few are rare. */
function writePlaces(): string {
  const lines = ['id,region,area,size,lat,lng'];
  for (let index = 0; index < PLACES; index += 1) {
    const isEast = random() < 0.1;
    const lng = isEast ? 178 + 2 * random() : -100 + 10 * random() ** 2;
    const lat = isEast ? -20 + random() : 40 + 8 * random();
    const region = random() < 0.002 ? 'rare' : (REGIONS[Math.floor(2 * random())] ?? '');
    const area = random() < 0.05 ? '' : Math.floor(1000 / (random() + 0.01));
    const [shownLng, shownLat] = [lng, lat].map((degrees) => degrees.toFixed(4));
    lines.push(`p${index},${region},${area},${index % 7},${shownLat},${shownLng}`);
  }
  return `${lines.join('\n')}\n`;
}

const files = { 'locmetrics.yaml': MANIFEST, 'places.csv': writePlaces() };

async function publish(data: TestData): Promise<void> {
  await data.publishFiles(files);
  data.store.createOrganisation({ id: 'narrow', name: 'Narrow' });
  data.store.addGrant('narrow', {
    ...wholeGrant('', 'town.places'),
    filters: [whereIn('region', 'in', ['north', 'rare'])],
  });
}

const SLOW = { slowQueryMs: 0.001 };
const rows = useTestServer(publish, SLOW);
const columns = useTestServer(publish, { openEngine: (stores) => stores.columns });

type Body = Readonly<Record<string, unknown>>;

function randomBody(): Body {
  const isEast = random() < 0.2;
  const half = 0.2 + 6 * random() ** 2;
  const [lng, lat] = isEast ? [179 + 2 * random(), -19.5] : [-98 + 6 * random(), 44];
  const toLongitude = (degrees: number) => (degrees > 180 ? degrees - 360 : degrees);
  const filters = [
    ...(random() < 0.7 ? [{ fieldName: 'region', operator: '==', value: pick(REGIONS) }] : []),
    ...(random() < 0.2 ? [{ fieldName: 'area', operator: '>=', value: '50' }] : []),
  ];
  return {
    dataReferenceName: 'town.places',
    fields: ['id', 'area', 'size'],
    filters,
    options: {
      boundingBox: {
        minLng: toLongitude(lng - half),
        maxLng: toLongitude(lng + half),
        minLat: lat - half,
        maxLat: lat + half,
      },
      ...(random() < 0.8
        ? { orderBy: { fieldName: 'area', direction: pick(['ASC', 'DESC']) } }
        : {}),
    },
    pageSize: pick([1, 20, 100]),
  };
}

async function ask(server: UsedServer, body: Body, organisationId: string) {
  const { store, token } = server.data();
  const asked =
    organisationId === 'narrow'
      ? store.createToken({ organisationId, name: 'test' }).tokenText
      : token;
  const { status, text } = await server.send('/v3/catalog/listRecords', {
    method: 'POST',
    headers: { authorization: `Bearer ${asked}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect([status, text.slice(0, 200)]).toEqual([200, expect.any(String)]);
  const { records, totalSize, nextPageToken } = JSON.parse(text);
  return { records, totalSize, nextPageToken };
}

test('random boxes have the same pages and totals from both stores', async () => {
  let largest = 0;
  for (let count = 0; count < BOXES; count += 1) {
    const body = randomBody();
    const organisationId = random() < 0.3 ? 'narrow' : 'acme';
    const [found, expected] = [
      await ask(rows, body, organisationId),
      await ask(columns, body, organisationId),
    ];
    const { nextPageToken, ...page } = found;
    expect(page).toEqual({ records: expected.records, totalSize: expected.totalSize });
    largest = Math.max(largest, page.totalSize);
    if (nextPageToken === '') continue;
    const [second, secondExpected] = [
      await ask(rows, { ...body, pageToken: nextPageToken }, organisationId),
      await ask(columns, { ...body, pageToken: expected.nextPageToken }, organisationId),
    ];
    expect(second.records).toEqual(secondExpected.records);
  }
  // Blocks of points have 128 of them.
  expect(largest).toBeGreaterThan(atLeast(128 * 100));
  const logged = rows.log().filter(({ kind }) => kind === 'query_slow');
  expect(logged.length).toBeGreaterThan(BOXES);
  expect(new Set(logged.map(({ store }) => store))).toEqual(new Set(['rows']));
});

function pick<Item>(items: readonly Item[]): Item {
  const item = items[Math.floor(items.length * random())];
  if (item === undefined) throw new Error('There is nothing to pick.');
  return item;
}
