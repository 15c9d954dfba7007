import { wholeGrant } from '@locmetrics/core/domain/grant';
import type { OrganisationLimits } from '@locmetrics/core/domain/rights';
import { expect, test } from 'vitest';
import { SHOPS } from '../shops.ts';
import { useTestServer } from '../test-server.ts';

const LIMITS: Readonly<Record<string, OrganisationLimits>> = {
  daily: { rowsPerDay: 60 },
  monthly: { rowsPerDay: 1000, rowsPerMonth: 60 },
  tiny: { rowsPerMonth: 3 },
  own: { rowsPerMonth: 1000, viewedRowsPerDay: 4 },
};

const server = useTestServer((to) => to.publishFiles(SHOPS), {
  limitsOf: (id) => LIMITS[id] ?? {},
});

function createReader(organisationId: string) {
  const { store } = server.data();
  store.createOrganisation({ id: organisationId, name: organisationId });
  store.addGrant(organisationId, wholeGrant('', '*'));
  const { tokenText } = store.createToken({ organisationId, name: 'test' });
  const headers = { authorization: `Bearer ${tokenText}`, 'locmetrics-purpose': 'view' };
  return {
    /** All three shops. */
    look: () => server.post('listRecords', { dataReferenceName: 'shop.stores' }, headers),
    allowed: async () => {
      const { text } = await server.send('/v1/caller', { headers });
      const { viewedRowsPerDay, viewedRowsPerMonth } = JSON.parse(text);
      return [viewedRowsPerDay, viewedRowsPerMonth];
    },
  };
}

test('by default an organisation may look at a tenth of the rows of its limits', async () => {
  const { look, allowed } = createReader('daily');
  expect(await allowed()).toEqual([6, null]);
  for (let looks = 0; looks < 2; looks += 1) expect((await look()).status).toBe(200);
  expect((await look()).body).toMatchObject({
    reason: 'LIMIT_EXCEEDED',
    limit: 'viewedRowsPerDay',
    detail:
      'Your organisation may look at 6 rows a day besides its limits. The answer has 3 rows, and fewer are left.',
  });
});

test('what is looked at in a month is limited as well, if the month is', async () => {
  const { look, allowed } = createReader('monthly');
  expect(await allowed()).toEqual([100, 6]);
  for (let looks = 0; looks < 2; looks += 1) expect((await look()).status).toBe(200);
  expect((await look()).body).toMatchObject({
    limit: 'viewedRowsPerMonth',
    detail:
      'Your organisation may look at 6 rows a month besides its limits. The answer has 3 rows, and fewer are left.',
    hint: 'Wait until the next month (UTC), or send the request without the header Locmetrics-Purpose: its rows then count against the limits.',
  });
});

test('a tenth is at least one row', async () => {
  expect(await createReader('tiny').allowed()).toEqual([null, 1]);
});

test('an organisation can have a limit of its own, whatever the settings say', async () => {
  const { look, allowed } = createReader('own');
  expect(await allowed()).toEqual([4, null]);
  expect((await look()).status).toBe(200);
  expect((await look()).body).toMatchObject({ limit: 'viewedRowsPerDay' });
});
