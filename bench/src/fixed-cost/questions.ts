import { create, toBinary } from '@bufbuild/protobuf';
import { catalogV1 } from '@locmetrics/contract/grpc';
import { drawIndex, type Random } from '../seeded-random.ts';
import { VALUES_PATH } from '../workloads/series.ts';
import type { GrpcRequest, HttpRequest } from '../workloads/workload.ts';
import type { Organisation } from './organisation.ts';

/** The questions of W0, by name. Each request is of a random organisation, with one of its tokens. */
export const FIXED_COST_QUESTIONS: ReadonlyMap<string, FixedCostQuestion> = new Map([
  [
    'held',
    {
      protocol: 'http',
      ask: (random, { id, tokens, places }) => {
        const { place, tag } = pick(random, places);
        return {
          ...seriesRequest(id, place),
          headers: { ...bearer(pick(random, tokens)), 'if-none-match': tag },
          status: 304,
        };
      },
    },
  ],
  [
    'described',
    {
      protocol: 'http',
      ask: (random, { id, tokens }) => describeRequest(id, pick(random, tokens), 'bench.places'),
    },
  ],
  [
    'called',
    { protocol: 'grpc', ask: (random, { id, tokens }) => callRequest(id, pick(random, tokens)) },
  ],
] satisfies readonly [string, FixedCostQuestion][]);

export type FixedCostQuestion = {
  readonly protocol: 'http' | 'grpc';
  readonly ask: (random: Random, organisation: Organisation) => HttpRequest | GrpcRequest;
};

export function seriesRequest(organisation: string, place: string): HttpRequest {
  return {
    protocol: 'http',
    method: 'GET',
    path: `${VALUES_PATH}?billingContext=${organisation}&featureFilter=${place}`,
  };
}

export function describeRequest(
  organisation: string,
  token: string,
  dataReferenceName: string,
): HttpRequest {
  return {
    protocol: 'http',
    method: 'POST',
    path: '/v3/catalog/getDataReference',
    headers: bearer(token),
    body: JSON.stringify({ dataReferenceName, billingContext: organisation }),
  };
}

export function callRequest(organisation: string, token: string): GrpcRequest {
  const { input, parent, name } = catalogV1.CatalogService.method.getMetric;
  return {
    protocol: 'grpc',
    call: `/${parent.typeName}/${name}`,
    headers: bearer(token),
    message: toBinary(
      input,
      create(input, {
        catalogId: 'bench',
        metricId: 'visits_monthly',
        billingContext: organisation,
      }),
    ),
  };
}

export function bearer(token: string): { readonly authorization: string } {
  return { authorization: `Bearer ${token}` };
}

export function pick<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[drawIndex(random, items.length)];
  if (item === undefined) throw new Error('There is nothing to draw from.');
  return item;
}
