import { catalogV3 } from '@locmetrics/contract/grpc';
import { wholeGrant } from '@locmetrics/core/domain/grant';
import { expect, test } from 'vitest';
import { whereIn } from '../conformance/filter-clause.ts';
import { useTestServer } from './test-server.ts';

/** Three datasets: with a declared schedule, with periods only, and without periods. */
const FILES = {
  'locmetrics.yaml': `format: 1
datasets:
  town.declared:
    files: visits.csv
    key: [place, start]
    period: { start: start, end: end }
    cadence: trimonthly
    processing: { cadence: quarterly, lag_days: 12 }
    fields: &fields
      place: { type: string }
      start: { type: date }
      end: { type: date }
  town.derived:
    files: visits.csv
    key: [place, start]
    period: { start: start, end: end }
    fields: *fields
  town.places:
    files: visits.csv
    key: [place, start]
    fields: *fields
`,
  'visits.csv': `place,start,end
p1,2024-01-01,2024-01-31
p1,2024-02-01,2024-02-29
p2,2024-01-01,2024-01-31
p2,2024-02-01,2024-02-29
p3,2024-01-01,2024-01-31
`,
} as const;

const { send, ask, data } = useTestServer(async (to) => {
  await to.publishFiles(FILES, '2024-03-04T05:06:07.008Z');
  const { store } = to;
  store.createOrganisation({ id: 'narrow', name: 'Narrow' });
  store.createOrganisation({ id: 'narrower', name: 'Narrower' });
  store.createOrganisation({ id: 'undated', name: 'Undated' });
  store.addGrant('undated', { ...wholeGrant('', 'town.derived'), fields: ['place', 'start'] });
  const of = (place: string) => [whereIn('place', 'in', [place])];
  store.addGrant('narrow', { ...wholeGrant('', 'town.derived'), filters: of('p2') });
  store.addGrant('narrower', { ...wholeGrant('', 'town.derived'), filters: of('p3') });
  store.addGrant('narrow', { ...wholeGrant('', 'town.declared'), fields: ['place', 'start'] });
});

/** The new members of a dataset over HTTP. They are checked to be the same over gRPC. */
async function described(dataReferenceName: string, organisationId = 'acme') {
  const { tokenText } = data().store.createToken({ organisationId, name: 'x' });
  const headers = { authorization: `Bearer ${tokenText}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ dataReferenceName });
  const answer = await send('/v3/catalog/getDataReference', { method: 'POST', headers, body });
  const { dateRange, cadence, processingCadence, processingLagDays, updateTime } = JSON.parse(
    answer.text,
  ).dataReference;
  const { message } = await ask(
    catalogV3.CatalogQuery.method.getDataReference,
    { dataReferenceName },
    { metadata: { authorization: headers.authorization } },
  );
  const { dataReference } = message;
  expect(dataReference).toMatchObject({
    cadence: cadence ?? '',
    processingCadence: processingCadence ?? '',
    updateTime,
    ...(dateRange === undefined ? {} : { dateRange }),
  });
  expect(dataReference?.processingLagDays).toBe(processingLagDays);
  expect(dataReference?.dateRange === undefined).toBe(dateRange === undefined);
  return { dateRange, cadence, processingCadence, processingLagDays, updateTime };
}

const day = (month: number, number: number) => ({ year: 2024, month, day: number });
const updateTime = '2024-03-04T05:06:07.008Z';

test('a declared schedule is returned as it is declared', async () => {
  expect(await described('town.declared')).toEqual({
    dateRange: { start: day(1, 1), end: day(2, 29) },
    cadence: 'TRIMONTHLY',
    processingCadence: 'QUARTERLY',
    processingLagDays: 12,
    updateTime,
  });
});

test('an undeclared schedule is derived from the records and the publish', async () => {
  expect(await described('town.derived')).toEqual({
    dateRange: { start: day(1, 1), end: day(2, 29) },
    cadence: 'MONTHLY',
    processingCadence: 'MONTHLY',
    processingLagDays: 4,
    updateTime,
  });
});

test('the dates, the cadence and the lag are those of the records that the caller may see', async () => {
  expect(await described('town.derived', 'narrow')).toEqual({
    dateRange: { start: day(1, 1), end: day(2, 29) },
    cadence: 'MONTHLY',
    processingCadence: 'MONTHLY',
    processingLagDays: 4,
    updateTime,
  });
  expect(await described('town.derived', 'narrower')).toEqual({
    dateRange: { start: day(1, 1), end: day(1, 31) },
    updateTime,
  });
});

test('a caller who does not see the period gets what is declared only', async () => {
  expect(await described('town.declared', 'narrow')).toEqual({
    dateRange: undefined,
    cadence: 'TRIMONTHLY',
    processingCadence: 'QUARTERLY',
    processingLagDays: 12,
    updateTime,
  });
});

test('a caller who does not see the period gets nothing that is derived from it', async () => {
  expect(await described('town.derived', 'undated')).toEqual({ updateTime });
});

test('a dataset without a period has only the time of its update', async () => {
  expect(await described('town.places')).toEqual({ updateTime });
});
