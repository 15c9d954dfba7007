import { type DescMethodUnary, fromJson, toBinary, toJson } from '@bufbuild/protobuf';
import { Metadata, status } from '@grpc/grpc-js';
import { catalogV1, catalogV3, catalogV3alpha, locmetricsV1 } from '@locmetrics/contract/grpc';
import { decodePageToken, type PageToken } from '@locmetrics/core/requests/page-token';
import { toMessage } from './grpc/to-message.ts';
import type { TestData } from './test-data.ts';
import type { TestServer } from './test-server.ts';

export type Served = {
  readonly data: TestData;
  readonly server: TestServer;
  readonly tokens: ReadonlyMap<string, string>;
};
/** The address of a call, with the metric of its body, and its method over gRPC. */
const CALLS = {
  listRecords: {
    path: '/v3/catalog/listRecords',
    method: catalogV3.CatalogQuery.method.listRecords,
  },
  searchFieldValues: {
    path: '/v3/catalog/searchFieldValues',
    method: catalogV3.CatalogQuery.method.searchFieldValues,
  },
  getDataReference: {
    path: '/v3/catalog/getDataReference',
    method: catalogV3.CatalogQuery.method.getDataReference,
  },
  listRecordsStatistics: {
    path: '/v3alpha/catalog/listRecordsStatistics',
    method: catalogV3alpha.CatalogQuery.method.listRecordsStatistics,
  },
  getLayerStats: {
    path: '/v3alpha/catalog/getLayerStats',
    method: catalogV3alpha.CatalogQuery.method.getLayerStats,
  },
  searchMetricAggregates: {
    path: '/v1/catalogs/CATALOG/metrics/METRIC/aggregates',
    method: locmetricsV1.Aggregates.method.searchMetricAggregates,
  },
  searchMetricValues: {
    path: '/v1/catalogs/CATALOG/metrics/METRIC/values:search',
    method: catalogV1.QueryService.method.searchMetricValues,
  },
} as const satisfies Readonly<Record<string, { path: string; method: DescMethodUnary }>>;

export type Asked = {
  readonly call: keyof typeof CALLS;
  readonly body: Readonly<Record<string, unknown>>;
};

export type Page = Readonly<Record<'status' | 'headers' | 'text' | 'cursor', string>>;

export async function pagesOf(
  { server, data, tokens }: Served,
  { call, body }: Asked,
  organisation: string,
  edge: Edge,
): Promise<readonly Page[]> {
  const token = tokens.get(organisation) ?? '';
  const asked = { call, body: { ...body, billingContext: organisation }, token };
  const pages: Page[] = [];
  let pageToken = '';
  do {
    const { nextPageToken, ...answer } = await edge.send(server, { ...asked, pageToken });
    pageToken = nextPageToken;
    const { position, ...cursor } = readCursor(pageToken, data.store.secret('page-token'));
    pages.push({
      status: answer.status,
      headers: withoutRun(JSON.stringify(answer.headers)),
      text: withoutRun(answer.text.replace(pageToken, 'x'.repeat(pageToken.length))),
      cursor: withoutRun(JSON.stringify({ ...cursor, position: comparable(position, asked) })),
    });
    // The first page tells a caller who sees everything enough.
  } while (pageToken !== '' && organisation !== 'everything');
  return pages;
}

/**
 * The place of a record begins with its number, which counts hidden records too. It is encrypted, like all of the token, whose
 * length does not tell it.
 */
function comparable(position: PageToken['position'] = [], { call, body }: Asked): unknown {
  const isOfRecord =
    call === 'searchMetricValues' || (call === 'listRecords' && !('groupBy' in body));
  return isOfRecord ? position.slice(1) : position;
}

function readCursor(pageToken: string, key: Uint8Array): Partial<PageToken> {
  if (pageToken === '') return {};
  const cursor = decodePageToken(pageToken, key);
  if (cursor === undefined) throw new Error('A token of the service cannot be read.');
  return cursor;
}

/**
 * An answer without what differs in each run: the time, the time until limits are reset, and the name of a version. The name tells
 * that records changed, which is no secret; it is equally long in each state.
 */
export function withoutRun(text: string): string {
  return text
    .replaceAll(/"date","[^"]*"/g, '"date"')
    .replaceAll(/;t=[0-9]+/g, '')
    .replaceAll(/[0-9]{8}T[0-9]{9}Z-[0-9a-f]{12}/g, 'VERSION');
}

type Sent = Asked & { readonly pageToken: string; readonly token: string };
type Answer = {
  readonly status: string;
  readonly headers: readonly unknown[];
  readonly text: string;
  readonly nextPageToken: string;
};
export type Edge = {
  readonly send: (server: TestServer, sent: Sent) => Promise<Answer>;
  /** The status of an answer that is not refused. */
  readonly answered: string;
};

export const EDGES: Readonly<Record<string, Edge>> = {
  HTTP: { send: sendOverHttp, answered: '200' },
  gRPC: { send: sendOverGrpc, answered: 'OK' },
};

async function sendOverHttp(
  server: TestServer,
  { call, body, pageToken, token }: Sent,
): Promise<Answer> {
  const {
    status: code,
    headers,
    text,
  } = await server.send(addressOf({ call, body }), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'accept-encoding': 'identity',
    },
    body: JSON.stringify({ ...body, ...(pageToken === '' ? {} : { pageToken }) }),
  });
  const nextPageToken = /"nextPageToken":"([^"]*)"/.exec(text)?.[1] ?? '';
  return { status: String(code), headers: [...headers], text, nextPageToken };
}

function addressOf({ call, body }: Asked): string {
  return CALLS[call].path
    .replace('CATALOG', String(body['catalogId']))
    .replace('METRIC', String(body['metricId']));
}

/** The headers have the trailers too, and those of a refusal have its details. The text has the length of the message. */
async function sendOverGrpc(
  { grpc }: TestServer,
  { call, body, pageToken, token }: Sent,
): Promise<Answer> {
  const method: DescMethodUnary = CALLS[call].method;
  const json = toMessage(method.input, pageToken === '' ? body : { ...body, pageToken });
  const request = toBinary(method.input, fromJson(method.input, json));
  try {
    const { message, bytes, metadata, trailers } = await grpc.ask(method, request, {
      metadata: { authorization: `Bearer ${token}` },
    });
    const answer = toJson(method.output, message, { alwaysEmitImplicit: true });
    return {
      status: 'OK',
      headers: [...Object.entries(metadata), ...Object.entries(trailers)],
      text: `${bytes} ${JSON.stringify(answer)}`,
      nextPageToken: String(Object(answer).nextPageToken ?? ''),
    };
  } catch (error) {
    const { code, details, metadata } = Object(error);
    if (!(metadata instanceof Metadata)) throw error;
    return {
      status: status[code] ?? String(code),
      headers: Object.entries(metadata.getMap()),
      text: String(details),
      nextPageToken: '',
    };
  }
}
