import {
  type DescMethodUnary,
  fromJson,
  type JsonObject,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import { catalogV1, catalogV3 } from '@locmetrics/contract/grpc';
import { wholeGrant } from '@locmetrics/core/domain/grant';
import type { ReadPlan } from '@locmetrics/core/plan/read-plan';
import type { Engine } from '@locmetrics/core/storage/engine';
import type { MemoryRecord } from '@locmetrics/core/storage/reference/match-predicate';
import { openEmbeddedEngine } from '@locmetrics/row-store/routing/open-embedded-engine';
import { describe, expect, test } from 'vitest';
import type { Stores } from '../../src/compose/compose-service.ts';
import { openRowsAlone } from '../conformance/engines/engines.ts';
import { openMemoryEngine } from '../conformance/engines/open-memory-engine.ts';
import { whereIn } from '../conformance/filter-clause.ts';
import { ORGANISATION_ID } from './test-data.ts';
import { type UsedServer, useTestServer } from './test-server.ts';
import { VISITS } from './visits.ts';

/**
 * The total of all pages is counted at most once, with the first page, however it is asked for. Plans are recorded
 * behind both edges, for each engine.
 */
const ENGINES: Readonly<Record<string, (stores: Stores) => Engine | Promise<Engine>>> = {
  embedded: openEmbeddedEngine,
  rows: ({ rows, columns }) => ({ ...columns, run: openRowsAlone(rows).run }),
  columns: ({ columns }) => columns,
  memory: openMemory,
};

/** The memory engine over the records of the current versions. */
async function openMemory({ columns, catalog }: Stores): Promise<Engine> {
  const records = new Map<string, readonly MemoryRecord[]>();
  for (const [name, version] of catalog.snapshot().datasets) {
    const { fields } = version.dataset;
    const plan = { kind: 'records', version, fields, predicates: [], order: [] } as const;
    const { rows } = await columns.run(
      { ...plan, keyDescending: false, limit: 1000 },
      AbortSignal.timeout(120_000),
    );
    const toRecord = (row: (typeof rows)[number]): MemoryRecord =>
      Object.fromEntries(fields.map((field, index) => [field.name, row[index] ?? null]));
    records.set(name, rows.map(toRecord));
  }
  const { run } = openMemoryEngine(({ dataset }) => records.get(dataset.name));
  return { ...columns, run };
}

const BOX = { minLng: 8, minLat: 47, maxLng: 8.35, maxLat: 48 };
const where = (fieldName: string, operator: string, ...values: readonly string[]) =>
  operator === 'in' ? { fieldName, operator, values } : { fieldName, operator, value: values[0] };

type Asked = {
  readonly operation: 'listRecords' | 'searchFieldValues' | 'searchMetricValues';
  /** It is the same in JSON and in the JSON of the message. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The total that each page has. */
  readonly total: number;
  /** The engines that count with a plan of its own, because a page of two rows does not tell the total. */
  readonly countedBy: readonly string[];
};

const records = (
  body: Readonly<Record<string, unknown>>,
  total: number,
  ...countedBy: readonly string[]
): Asked => ({
  operation: 'listRecords',
  body: { dataReferenceName: 'park.visits', ...body },
  total,
  countedBy,
});
const metric = (
  body: Readonly<Record<string, unknown>>,
  total: number,
  ...countedBy: readonly string[]
): Asked => ({
  operation: 'searchMetricValues',
  body: { catalogId: 'park', metricId: 'visits', billingContext: ORGANISATION_ID, ...body },
  total,
  countedBy,
});
const orderBy = { fieldName: 'visits' };

const ASKED: Readonly<Record<string, Asked>> = {
  'all records, which the publish counted': records({}, 6),
  'a filter without an index': records(
    { filters: [where('note', 'in', 'a', 'b')] },
    5,
    ...['embedded', 'columns'],
  ),
  'a sorted field': records(
    { filters: [where('visits', '>', '1')], options: { orderBy } },
    5,
    ...['embedded', 'columns', 'rows'],
  ),
  'one series': records({ filters: [where('place', '==', 'p1')] }, 3, 'columns'),
  'two series': records(
    { filters: [where('place', 'in', 'p1', 'p2')] },
    4,
    ...['embedded', 'columns', 'rows'],
  ),
  'a series and another filter': records(
    { filters: [where('place', '==', 'p1'), where('visits', '>', '0')] },
    3,
    'columns',
  ),
  'a day': records({ filters: [where('day', '==', '2024-01-01')] }, 4, ...['embedded', 'columns']),
  'a box': records(
    { dataReferenceName: 'park.places', options: { boundingBox: BOX } },
    3,
    'columns',
  ),
  'all distinct values, which are not counted': {
    operation: 'searchFieldValues',
    body: { dataReferenceName: 'park.visits', field: { name: 'place' } },
    total: 0,
    countedBy: [],
  },
  'all values': metric({}, 6),
  'the values of a feature': metric({ featureFilter: ['p1'] }, 3, 'columns'),
  'the values of a component': metric(
    { addressComponentFilter: [{ component: 'city', values: ['Sunny'] }] },
    5,
    ...['embedded', 'columns'],
  ),
  'values that are not to be counted': metric(
    { featureFilter: ['p1'], trackTotalHitsBoolean: false },
    0,
  ),
};

type Sent = {
  readonly asked: Asked;
  readonly pageToken: string;
  readonly token: string;
};
type Page = { readonly totalSize: number; readonly nextPageToken: string };

const METHODS: Readonly<Record<Asked['operation'], DescMethodUnary>> = {
  ...catalogV3.CatalogQuery.method,
  ...catalogV1.QueryService.method,
};

/** Each sends a page of a request over its edge. */
const EDGES: Readonly<Record<string, (server: UsedServer, sent: Sent) => Promise<Page>>> = {
  HTTP: async (server, { asked: { operation, body }, pageToken, token }) => {
    const path =
      operation === 'searchMetricValues'
        ? '/v1/catalogs/park/metrics/visits/values:search'
        : `/v3/catalog/${operation}`;
    const answer = await server.send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ ...body, pageSize: 2, pageToken }),
    });
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    return { totalSize: 0, ...JSON.parse(answer.text) };
  },
  gRPC: async (server, { asked: { operation, body }, pageToken, token }) => {
    const method = METHODS[operation];
    const json = { ...body, pageSize: 2, pageToken } as JsonObject;
    const bytes = toBinary(method.input, fromJson(method.input, json));
    const metadata = { authorization: `Bearer ${token}` };
    const { message } = await server.ask(method, bytes, { metadata });
    const answer = Object(toJson(method.output, message, { alwaysEmitImplicit: true }));
    return { ...answer, totalSize: Number(answer.totalSize) };
  },
};

describe.each(Object.keys(ENGINES))('totals, %s engine', (engine) => {
  const counts: ReadPlan[] = [];
  const server = useTestServer(
    async (data) => {
      await data.publishFiles(VISITS);
      data.store.createOrganisation({ id: 'narrow', name: 'Narrow' });
      const narrow = { filters: [whereIn('place', 'in', ['p1', 'p2'])] };
      data.store.addGrant('narrow', { ...wholeGrant('', 'park.visits'), ...narrow });
    },
    {
      openEngine: async (stores) => {
        const { run, ...opened } = (await ENGINES[engine]?.(stores)) ?? stores.columns;
        return {
          ...opened,
          run: (plan, signal) => {
            if (plan.kind === 'count') counts.push(plan);
            return run(plan, signal);
          },
        };
      },
    },
  );
  /** The total of each page, and how often each counted. */
  const readPages = async (edge: string, asked: Asked, token = server.data().token) => {
    const pages: (readonly [total: number, counts: number])[] = [];
    let pageToken = '';
    do {
      counts.length = 0;
      const page = await EDGES[edge]?.(server, { asked, pageToken, token });
      pages.push([page?.totalSize ?? -1, counts.length]);
      pageToken = page?.nextPageToken ?? '';
    } while (pageToken !== '');
    return pages;
  };

  describe.each(Object.keys(EDGES))('over %s', (edge) => {
    test.each(Object.keys(ASKED))('%s: counted at most once, with the first page', async (name) => {
      const asked = ASKED[name] ?? records({}, 6);
      const [first, second, ...others] = await readPages(edge, asked);
      expect(first).toEqual([asked.total, asked.countedBy.includes(engine) ? 1 : 0]);
      for (const page of [second, ...others]) expect(page).toEqual([asked.total, 0]);
    });

    test('records that a grant leaves are counted by their own total, once', async () => {
      const { tokenText } = server
        .data()
        .store.createToken({ organisationId: 'narrow', name: 'test' });
      const [first, ...others] = await readPages(edge, records({}, 4), tokenText);
      expect([first, ...others]).toEqual([
        [4, engine === 'columns' ? 1 : 0],
        [4, 0],
      ]);
    });
  });
});
