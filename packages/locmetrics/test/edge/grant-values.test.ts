// @module-tag slow

import { expect, test } from 'vitest';
import { STATES } from './states.ts';
import { useTestServer } from './test-server.ts';

const { data, send } = useTestServer((to) => to.publishFiles(STATES).then(() => {}));

async function post(operation: string, body: unknown) {
  const { status, text } = await send(`/v1/admin/preview/${operation}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${data().adminToken}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  return { status, body: JSON.parse(text) };
}

/** The values of a grant, each with its count and the nearest one. */
async function check(grant: unknown): Promise<unknown> {
  const { body } = await post('checkGrantValues', { grant });
  return body.values?.map((one: Readonly<Record<string, unknown>>) => [
    one['pointer'],
    one['value'],
    one['rowCount'],
    one['nearest'],
  ]);
}

test('each value of a filter has its count, and one that matches nothing has the nearest', async () => {
  const values = ['Washington, D.C.', 'Washington', 'Califronia', 'D.C.', 'Nowhere at all'];
  const filters = [{ fieldName: 'state', operator: 'in', values }];
  expect(await check({ pattern: 'town.places', filters })).toEqual([
    ['/filters/0/values/0', 'Washington, D.C.', 1, null],
    ['/filters/0/values/1', 'Washington', 2, null],
    ['/filters/0/values/2', 'Califronia', 0, 'California'],
    ['/filters/0/values/3', 'D.C.', 0, 'Washington, D.C.'],
    ['/filters/0/values/4', 'Nowhere at all', 0, null],
  ]);
});

test('filters of every operator are counted, and of a filter that excludes, the value itself', async () => {
  const filters = [
    { fieldName: 'state', operator: '!=', value: 'Washingtn' },
    { fieldName: 'state', operator: 'not in', values: ['California'] },
    { fieldName: 'state', operator: 'contains', value: 'D.C' },
    { fieldName: 'size', operator: '>=', value: '100' },
    { fieldName: 'size', operator: '==', value: '07' },
    { fieldName: 'name', operator: 'is_not_empty' },
  ];
  expect(await check({ pattern: 'town.places', filters })).toEqual([
    ['/filters/0/value', 'Washingtn', 0, 'Washington'],
    ['/filters/1/values/0', 'California', 1, null],
    ['/filters/2/value', 'D.C', 1, null],
    ['/filters/3/value', '100', 0, null],
    ['/filters/4/value', '07', 2, null],
  ]);
});

test('features, components and dimensions of a metric are counted, and found by their names', async () => {
  const grant = {
    pattern: 'town/*',
    featureFilter: ['a,1', 'Needle'],
    addressComponentFilter: [{ component: 'state', values: ['Washington, D.C.', 'washington'] }],
    dimensionFilter: [{ dimensionId: 'kind', values: ['work, home', 'wrk'] }],
  };
  expect(await check(grant)).toEqual([
    ['/featureFilter/0', 'a,1', 1, null],
    ['/featureFilter/1', 'Needle', 0, 'a2'],
    ['/addressComponentFilter/0/values/0', 'Washington, D.C.', 1, null],
    ['/addressComponentFilter/0/values/1', 'washington', 0, 'Washington'],
    ['/dimensionFilter/0/values/0', 'work, home', 1, null],
    ['/dimensionFilter/0/values/1', 'wrk', 0, 'work'],
  ]);
});

test('of more than 200 values each is looked for, and the first ones are counted', async () => {
  const values = Array.from({ length: 200 }, (_, index) => `gone ${index}`);
  const filters = [
    { fieldName: 'state', operator: 'in', values: [...values, 'Washington', 'gone'] },
  ];
  const checked = (await check({ pattern: 'town.*', filters: [] })) as unknown;
  expect(checked).toEqual([]);
  const found = await check({ pattern: 'town.places', filters });
  expect(found).toHaveLength(202);
  expect(found).toMatchObject({
    0: ['/filters/0/values/0', 'gone 0', 0, null],
    200: ['/filters/0/values/200', 'Washington', null, null],
    201: ['/filters/0/values/201', 'gone', 0, null],
  });
});

test('a grant that does not fit is refused with its place, and one that names nothing has no values', async () => {
  const filters = [{ fieldName: 'stat', operator: '==', value: 'x' }];
  expect(
    (await post('checkGrantValues', { grant: { pattern: 'town.places', filters } })).body,
  ).toMatchObject({
    reason: 'UNKNOWN_FIELD',
    errors: [{ pointer: '/grant/filters/0/fieldName' }],
  });
  expect(await check({ pattern: 'later.places', filters })).toEqual([]);
});

test.each([
  {
    asked: { pattern: 'town.places', member: 'filters', name: 'state', query: 'wash' },
    found: [
      { value: 'Washington', name: '', rowCount: 2 },
      { value: 'Washington, D.C.', name: '', rowCount: 1 },
    ],
  },
  {
    asked: { pattern: 'town.places', member: 'filters', name: 'size', pageSize: 1 },
    found: [{ value: '5', name: '', rowCount: 1 }],
  },
  {
    asked: { pattern: 'town/visits', member: 'featureFilter', query: 'needle' },
    found: [{ value: 'a2', name: 'Needle', rowCount: 1 }],
  },
  {
    asked: { pattern: 'town/visits', member: 'dimensionFilter', name: 'kind', query: 'home' },
    found: [{ value: 'work, home', name: '', rowCount: 1 }],
  },
  {
    asked: { pattern: 'town/visits', member: 'addressComponentFilter' },
    found: [{ value: 'state', name: '', rowCount: null }],
  },
  {
    asked: { pattern: 'town.places', member: 'fields', query: 'S' },
    found: [
      { value: 'state', name: '', rowCount: null },
      { value: 'size', name: '', rowCount: null },
    ],
  },
  { asked: { pattern: 'later.*', member: 'filters', name: 'state' }, found: [] },
])('the values that a grant can name are searched: $asked', async ({ asked, found }) => {
  expect((await post('searchGrantValues', asked)).body).toEqual({ values: found });
});

test.each([
  [{ pattern: 'town.places', member: 'filters', name: 'stat' }, 'UNKNOWN_FIELD'],
  [{ pattern: 'town/*', member: 'dimensionFilter', name: 'kin' }, 'UNKNOWN_DIMENSION'],
  [{ pattern: 'town.places', member: 'filters', name: 'state', pageSize: -1 }, 'INVALID_PAGE_SIZE'],
  [{ pattern: 'town.places', member: 'filter' }, 'INVALID_REQUEST'],
])('a search of %o is refused with %s', async (asked, reason) => {
  expect((await post('searchGrantValues', asked)).body).toMatchObject({ reason });
});
