import { setImmediate as nextLoopTick } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Service } from '../commands/start-service.ts';
import { PARKS } from '../edge/parks.ts';
import { SHOPS } from '../edge/shops.ts';
import { type NodesUnderTest, openNodes } from './nodes-under-test.ts';

/** Two nodes: the first one has published, so it has column and row files; the second one has only its mirror. */
let nodes: NodesUnderTest;
let first: Service;
let second: Service;
let token = '';

beforeAll(async () => {
  nodes = await openNodes();
  await nodes.publish('first', SHOPS);
  await nodes.publish('first', PARKS);
  await nodes.run('second', 'org', 'create', 'Shops', '--id', 'shops');
  await nodes.run('first', 'grant', 'add', 'shops', '*');
  token = await createToken('second', 'reader');
  [first, second] = [await nodes.serve('first'), await nodes.serve('second')];
}, 600_000);
afterAll(() => nodes.end(), 60_000);

async function createToken(node: string, name: string, ...flags: string[]): Promise<string> {
  const created = await nodes.run(
    node,
    'token',
    'create',
    '--org',
    'shops',
    '--name',
    name,
    ...flags,
  );
  return created.trim();
}

type Answer = { readonly status: number; readonly body: Readonly<Record<string, unknown>> };

async function ask(
  { url }: Service,
  body: object,
  { by = token, requestId = '' } = {},
): Promise<Answer> {
  const response = await fetch(`${url}/v3/catalog/listRecords`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${by}`,
      'content-type': 'application/json',
      ...(requestId === '' ? {} : { 'x-request-id': requestId }),
    },
    body: JSON.stringify(body),
  });
  // An object, in success and in refusal.
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

const STORES = { dataReferenceName: 'shop.stores' };
const CODES = { dataReferenceName: 'shop.codes' };

test('both nodes give the same answers, with files and without', async () => {
  const requests = [
    STORES,
    CODES,
    { ...STORES, pageSize: 2 },
    { ...STORES, options: { orderBy: { fieldName: 'city', direction: 'DESC' } } },
    { ...CODES, filters: [{ fieldName: 'nothing', operator: '==', value: 1 }] },
  ];
  const statuses: number[] = [];
  for (const request of requests) {
    const [ofFirst, ofSecond] = await Promise.all([ask(first, request), ask(second, request)]);
    expect(withoutId(ofSecond)).toEqual(withoutId(ofFirst));
    statuses.push(ofSecond.status);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 400]);
});

test('a page that the first node began goes on at the second', async () => {
  const whole = (await ask(first, STORES)).body['records'] as readonly unknown[];
  const records: unknown[] = [];
  let pageToken: unknown;
  for (let page = 0; page <= whole.length; page += 1) {
    const request = { ...STORES, pageSize: 1, ...(pageToken === undefined ? {} : { pageToken }) };
    const { status, body } = await ask(page % 2 === 0 ? first : second, request);
    expect({ status, body }).toMatchObject({ status: 200 });
    records.push(...(body['records'] as readonly unknown[]));
    pageToken = body['nextPageToken'];
    if (pageToken === undefined || pageToken === '') break;
  }
  expect(records).toEqual(whole);
});

test('a token holds on every node once it is made, and on none once it is revoked', async () => {
  const other = await createToken('first', 'short-lived');
  for (const node of [first, second]) {
    await expect.poll(async () => (await ask(node, CODES, { by: other })).status).toBe(200);
  }
  await nodes.run('second', 'token', 'revoke', other);
  for (const node of [first, second]) {
    await expect.poll(async () => (await ask(node, CODES, { by: other })).status).toBe(401);
  }
});

test('what one node publishes, the other serves', async () => {
  const count = async (node: Service) => (await ask(node, CODES)).body['totalSize'];
  const before = Number(await count(second));
  await nodes.publish('second', { ...SHOPS, 'codes.csv': `${SHOPS['codes.csv']}03,three\n` });
  for (const node of [first, second]) {
    await expect.poll(async () => Number(await count(node))).toBe(before + 1);
  }
});

test('the rows of both nodes count against one limit', async () => {
  const LIMIT = 400;
  await nodes.run('first', 'org', 'create', 'Limited', '--id', 'limited');
  await nodes.run('first', 'grant', 'add', 'limited', '*');
  await nodes.run('first', 'limits', 'set', 'limited', '--rows-per-day', String(LIMIT));
  const created = await nodes.run(
    'first',
    'token',
    'create',
    '--org',
    'limited',
    '--name',
    'limited',
  );
  const by = created.trim();
  let rows = 0;
  let unanswered = 0;
  const takeRows = async (node: Service): Promise<number> => {
    const { status, body } = await ask(node, CODES, { by });
    if (status === 200) rows += (body['records'] as readonly unknown[]).length;
    if (status !== 503) return status;
    // The database of a busy machine did not answer in time, so the caller asks again.
    unanswered += 1;
    return takeRows(node);
  };
  // Its token is there.
  for (const node of [first, second]) {
    await expect.poll(() => takeRows(node)).toBe(200);
  }
  let refused = 0;
  for (let asked = 0; asked < LIMIT && refused < 2; asked += 1) {
    const status = await takeRows(asked % 2 === 0 ? first : second);
    if (status !== 200) expect(status).toBe(429);
    refused = status === 429 ? refused + 1 : 0;
  }
  expect(refused).toBe(2);
  expect(rows).toBeLessThanOrEqual(LIMIT);
  // Rows that were granted in an answer that came too late are lost.
  if (unanswered === 0) expect(rows).toBeGreaterThanOrEqual(LIMIT * 0.95);
});

test('usage has each answer once, while a node is killed and PostgreSQL crashes', {
  timeout: 600_000,
}, async () => {
  const answered = new Set<string>();
  const failures: string[] = [];
  let isOver = false;
  const call = async (name: string, nodeOf: () => Service, mayFail: () => boolean) => {
    for (let number = 0; !isOver; number += 1) {
      const requestId = `${name}-${number}`;
      const mayFailThen = mayFail();
      try {
        const { status, body } = await ask(nodeOf(), CODES, { requestId });
        if (status === 200) answered.add(requestId);
        else failures.push(`${requestId}: ${status} ${JSON.stringify(body)}`);
      } catch (error) {
        if (!mayFailThen && !mayFail()) failures.push(`${requestId}: ${error}`);
        await nextLoopTick();
      }
    }
  };
  let isFirstDown = false;
  const calling = [1, 2].flatMap((number) => [
    call(
      `first-${number}`,
      () => first,
      () => isFirstDown,
    ),
    call(
      `second-${number}`,
      () => second,
      () => false,
    ),
  ]);
  const untilAnswered = async (more: number): Promise<void> => {
    const enough = answered.size + more;
    await expect.poll(() => answered.size).toBeGreaterThan(enough);
  };
  await untilAnswered(50);
  isFirstDown = true;
  first.kill('SIGKILL');
  await first.ended;
  await untilAnswered(50);
  first = await nodes.serve('first');
  isFirstDown = false;
  await untilAnswered(50);
  await nodes.postgres.stop('immediate');
  await untilAnswered(50);
  await nodes.postgres.start();
  await untilAnswered(50);
  isOver = true;
  await Promise.all(calling);
  expect(failures).toEqual([]);

  // Each node merges its own within a second.
  const listRecorded = async () => {
    const output = await nodes.run('second', 'usage', '--records', '--org', 'shops', '--json');
    return output
      .trim()
      .split('\n')
      .map((line) => String(JSON.parse(line).requestId))
      .filter((id) => /^(first|second)-/.test(id));
  };
  await expect
    .poll(async () => {
      const recorded = new Set(await listRecorded());
      return [...answered].filter((id) => !recorded.has(id));
    })
    .toEqual([]);
  const recorded = await listRecorded();
  expect(recorded.length).toBe(new Set(recorded).size);
});

test('without ClickHouse the second node refuses, and says why', async () => {
  await nodes.clickhouse.stop();
  const { status, body } = await ask(second, {
    ...STORES,
    options: { orderBy: { fieldName: 'city', direction: 'DESC' } },
  });
  expect({ status, body }).toMatchObject({ status: 503, body: { reason: 'NOT_READY' } });
});

function withoutId({ status, body }: Answer): object {
  const { requestId: _, ...rest } = body;
  return { status, ...rest };
}
