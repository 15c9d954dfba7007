import { WHOLE_LENS, wholeGrant } from '@locmetrics/core/domain/grant';
import { expect, test } from 'vitest';
import { useTestServer } from '../test-server.ts';
import { square } from './districts.ts';
import { featuresOf } from './read-tile-of.ts';

/** More features than a tile has. The small ones are the last of them all. */
const LARGE = 10_050;
const SMALL = 50;

const rows = Array.from({ length: LARGE + SMALL }, (_, index) => {
  const isLarge = index < LARGE;
  const [west, south] = [(index % 120) * 0.25, Math.floor(index / 120) * 0.25];
  const outline = JSON.stringify(square(west, south, isLarge ? 0.24 : 0.12));
  return `f${String(index).padStart(5, '0')},${isLarge ? 'large' : 'small'},"${outline.replaceAll('"', '""')}"`;
});

const FILES = {
  'locmetrics.yaml': `format: 1
datasets:
  map.plots:
    files: plots.csv
    key: [id]
    outline: outline
    fields:
      id: { type: string }
      size: { type: string }
      outline: { type: string }
layers:
  plots:
    dataset: map.plots
    feature_id: id
    name: id
    address_components:
      size: { value: size, kind: taxonomy }
metrics:
  map/plots:
    dataset: map.plots
    layer: plots
    feature_id: id
    cadence: unspecified
    period: { start: 2024-01-01, end: 2024-12-31 }
    measure: { name: size, field: size, kind: category }
  map/sizes:
    dataset: map.plots
    layer: plots
    feature_id: id
    cadence: unspecified
    period: { start: 2024-01-01, end: 2024-12-31 }
    measure: { name: size, field: size, kind: category }
`,
  'plots.csv': `id,size,outline\n${rows.join('\n')}\n`,
};

const tokens = { small: '' };
const { url, data } = useTestServer(async (to) => {
  await to.publishFiles(FILES, '2024-03-01T10:00:00.000Z');
  to.store.createOrganisation({ id: 'small', name: 'Small' });
  for (const metric of ['map/plots', 'map/sizes']) {
    to.store.addGrant('small', {
      ...wholeGrant('', metric),
      lens: { ...WHOLE_LENS, addressComponents: [{ component: 'size', values: ['small'] }] },
    });
  }
  tokens.small = to.store.createToken({ organisationId: 'small', name: 'small' }).tokenText;
});

async function sizesOf(path: string, token: string) {
  const answer = await fetch(`${url()}/v1/catalogs/map/layers/plots/tiles/${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const features = featuresOf(new Uint8Array(await answer.arrayBuffer()));
  return Map.groupBy(features, ({ properties }) => String(properties['value']));
}

test('a tile has the largest 10,000 of the features that a caller sees', async () => {
  const sizes = await sizesOf('2/2/1.mvt?metric=plots', data().token);
  expect([...sizes].map(([size, features]) => [size, features.length])).toEqual([
    ['large', 10_000],
  ]);
});

test('hidden features take no place of visible ones, however many and large they are', async () => {
  const sizes = await sizesOf('2/2/1.mvt?metric=plots', tokens.small);
  expect([...sizes].map(([size, features]) => [size, features.length])).toEqual([['small', SMALL]]);
  // The same as in a tile that has all of them.
  const inside = await sizesOf('5/18/14.mvt?metric=sizes', tokens.small);
  expect([...inside.keys()]).toEqual(['small']);
});

test('the bounds are those of visible features', async () => {
  const boundsOf = async (token: string) => {
    const answer = await fetch(`${url()}/v1/catalogs/map/layers/plots/tiles.json`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return JSON.parse(await answer.text()).bounds;
  };
  expect(await boundsOf(data().token)).toEqual([0, 0, 29.99, 21.12]);
  expect(await boundsOf(tokens.small)).toMatchInlineSnapshot(`
    [
      0,
      20.75,
      29.87,
      21.12,
    ]
  `);
});
