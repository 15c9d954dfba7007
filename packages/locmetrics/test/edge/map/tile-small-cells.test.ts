import { wholeGrant } from '@locmetrics/core/domain/grant';
import { expect, test } from 'vitest';
import { useTestServer } from '../test-server.ts';
import { readTileOf } from './read-tile-of.ts';
import { TILED_SHOPS } from './tiled-shops.ts';

/** Shops of one city in two cells: 2,997 in one of them, and in the other `few` with 12 visits each. */
const shops = (few: number, below: number) => ({
  'locmetrics.yaml': TILED_SHOPS['locmetrics.yaml'].replace('below: 5', `below: ${below}`),
  'plain.csv': TILED_SHOPS['plain.csv'],
  'shops.csv': [
    'id,city,latitude,longitude,visits,area',
    ...Array.from({ length: 2997 }, (_, index) => `s${index},Bern,46.94,7.44,${index % 20},0.5`),
    ...Array.from({ length: few }, (_, index) => `t${index},Thun,46.75,7.63,12,0.25`),
    '',
  ].join('\n'),
});

const tokens = { whole: '' };
const { url, data } = useTestServer(async (to) => {
  await to.publishFiles(shops(5, 5), '2024-01-01T10:00:00.000Z');
  await to.publishFiles(shops(4, 5), '2024-01-02T10:00:00.000Z');
  to.store.createOrganisation({ id: 'whole', name: 'Whole' });
  to.store.addGrant('whole', { ...wholeGrant('', 'map.shops'), showsSmallCells: true });
  tokens.whole = to.store.createToken({ organisationId: 'whole', name: 'whole' }).tokenText;
});

const AGGREGATES = 'aggregate=sum:visits&aggregate=mean:visits&aggregate=sum:area';

/** The cell of Thun, then that of Bern. */
async function cellsOf(query: string, token = data().token) {
  const { features } = await readTileOf({
    url: url(),
    path: `8/133/90.mvt?${AGGREGATES}${query}`,
    token,
  });
  return features
    .map(({ properties }) => properties)
    .toSorted((left, right) => Number(left['count']) - Number(right['count']));
}

test('a cell of fewer records than the threshold of a field has no aggregate of it', async () => {
  const [thun] = await cellsOf('');
  expect(thun).toEqual({ count: 4, 'sum:area': 1 });
});

test('a cell of as many records as the threshold has its aggregates', async () => {
  const [thun] = await cellsOf('&asOf=2024-01-01');
  expect(thun).toEqual({ count: 5, 'sum:visits': 60, 'mean:visits': 12, 'sum:area': 1.25 });
});

test('small values are not added, and a mean is that of the other values', async () => {
  const [, bern] = await cellsOf('');
  // The values are 0 to 19, in turn; those from 5 are seen.
  const seen = Array.from({ length: 2997 }, (_, index) => index % 20).filter((one) => one >= 5);
  const sum = seen.reduce((total, one) => total + one, 0);
  expect(bern).toEqual({
    count: 2997,
    'sum:visits': sum,
    'mean:visits': sum / seen.length,
    'sum:area': 1498.5,
  });
});

test('a caller whose grant shows small cells has all aggregates of all values', async () => {
  const [thun, bern] = await cellsOf('', tokens.whole);
  expect(thun).toEqual({ count: 4, 'sum:visits': 48, 'mean:visits': 12, 'sum:area': 1 });
  expect(bern?.['sum:visits']).toBe(
    Array.from({ length: 2997 }, (_, index) => index % 20).reduce((total, one) => total + one, 0),
  );
});

test('a threshold that is raised applies to tiles of earlier versions too', async () => {
  await data().publishFiles(shops(4, 6), '2024-01-03T10:00:00.000Z');
  const isWithheld = async () => {
    const [thun] = await cellsOf('&asOf=2024-01-01');
    return thun?.['sum:visits'] === undefined;
  };
  await expect.poll(isWithheld).toBe(true);
  expect(await cellsOf('&asOf=2024-01-01')).toMatchObject([{ count: 5 }, { count: 2997 }]);
});
