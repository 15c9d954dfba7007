// @module-tag slow

import { wholeGrant } from '@locmetrics/core/domain/grant';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { whereIn } from '../conformance/filter-clause.ts';
import { createTestData, type TestData } from '../edge/test-data.ts';
import { VISITS } from '../edge/visits.ts';
import { testCount } from '../support/test-count.ts';
import { startService } from './start-service.ts';

const REPLACEMENTS = testCount('REPLACEMENTS', { few: 10, all: 40 });
const CALLERS = 4;

let data: TestData;
beforeAll(async () => {
  data = await createTestData();
  await data.publishFiles(VISITS);
});
afterAll(async () => {
  await data.remove();
});

test('while a grant is replaced again and again, each request sees one of its terms, on every worker', async () => {
  const { store, directory, adminToken } = data;
  store.createOrganisation({ id: 'customer', name: 'Customer' });
  const { tokenText } = store.createToken({ organisationId: 'customer', name: 'x' });
  const { grantId } = store.addGrant('customer', termsOf('Sunny')).grant;
  const { url } = await startService(directory.root, ['--workers', '2']);
  const send = async (path: string, method: string, token: string, body: unknown) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) });
    return { status: answer.status, text: await answer.text() };
  };

  let isReplacing = true;
  const seen = new Map<string, number>();
  const ask = async () => {
    while (isReplacing) {
      const asked = { dataReferenceName: 'park.places' };
      const { status, text } = await send('/v3/catalog/listRecords', 'POST', tokenText, asked);
      const what = `${status} ${[...citiesOf(text)]}`;
      seen.set(what, (seen.get(what) ?? 0) + 1);
    }
  };
  const callers = Array.from({ length: CALLERS }, ask);
  for (let made = 0; made < REPLACEMENTS; made += 1) {
    const city = made % 2 === 0 ? 'Rainy' : 'Sunny';
    const { status } = await send(`/v1/admin/grants/${grantId}`, 'PUT', adminToken, {
      pattern: 'park.places',
      filters: [{ fieldName: 'city', operator: '==', value: city }],
    });
    expect(status).toBe(200);
    // The next request has the new terms.
    const { text } = await send('/v3/catalog/listRecords', 'POST', tokenText, {
      dataReferenceName: 'park.places',
    });
    expect(citiesOf(text)).toEqual(new Set([city]));
  }
  isReplacing = false;
  await Promise.all(callers);
  expect([...seen.keys()].sort()).toEqual(['200 Rainy', '200 Sunny']);
  const entries = store.listAudit({ organisationId: 'customer', limit: 100 });
  expect(entries.filter(({ action }) => action === 'grant.replace')).toHaveLength(REPLACEMENTS);
});

function citiesOf(answer: string): ReadonlySet<string> {
  const { records = [] } = JSON.parse(answer);
  return new Set(records.map((one: { fields: { city: string } }) => one.fields.city));
}

function termsOf(city: string) {
  return { ...wholeGrant('', 'park.places'), filters: [whereIn('city', 'in', [city])] };
}
