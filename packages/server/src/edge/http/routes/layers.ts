import {
  ComponentValuesQuerySchema,
  DimensionValuesQuerySchema,
  GetLayerResponseSchema,
  LayerFeaturesQuerySchema,
  ListAddressComponentsResponseSchema,
  OwnerQuerySchema,
  SearchAddressComponentValuesResponseSchema,
  SearchDimensionValuesResponseSchema,
  SearchLayerFeaturesRequestSchema,
  SearchLayerFeaturesResponseSchema,
} from '@locmetrics/contract';
import { checkBillingContext } from '../../../auth/billing-context.ts';
import type { SearchLayerFeaturesRequest } from '../../../domain/metric-request.ts';
import {
  encodeAddressComponents,
  encodeComponentValues,
  encodeDimensionValues,
  encodeLayer,
  encodeLayerFeatures,
} from '../../../encoding/discovery-json.ts';
import { getLayer, listAddressComponents } from '../../../service/describe-layers.ts';
import { searchLayerFeatures } from '../../../service/search-layer-features.ts';
import {
  searchAddressComponentValues,
  searchDimensionValues,
} from '../../../service/search-named-values.ts';
import type { Call } from '../../../service/service-context.ts';
import {
  readComponentValues,
  readDimensionValues,
  readFeaturesBody,
  readFeaturesQuery,
} from '../request/read-discovery-request.ts';
import { COMPONENT_ADDRESS, DIMENSION_ADDRESS, LAYER_ADDRESS } from './addresses.ts';
import { meteredRoute, type Route } from './route.ts';
import type { RouteContext } from './route-context.ts';

const ofFeatures = {
  access: 'metrics',
  answer: SearchLayerFeaturesResponseSchema,
  refusals: [404, 504],
  params: LAYER_ADDRESS,
} as const;

/** Layers with their features, components, and the values of components and dimensions. */
export const layerRoutes: readonly Route[] = [
  meteredRoute(
    {
      operationId: 'getLayer',
      at: 'GET /v1/catalogs/:catalogId/layers/:layerId',
      access: 'metrics',
      summary: 'Describe one layer',
      description: 'Its components, in the order in which its features have them.',
      answer: GetLayerResponseSchema,
      refusals: [404],
      params: LAYER_ADDRESS,
      querystring: OwnerQuerySchema,
    },
    async ({ service }, { params, query, call }) => {
      checkBillingContext(call.caller, query.billingContext);
      const layer = getLayer(service, params, call);
      return { asked: params, encode: () => encodeLayer(params.catalogId, layer) };
    },
  ),
  meteredRoute(
    {
      ...ofFeatures,
      operationId: 'searchLayerFeatures',
      at: 'GET /v1/catalogs/:catalogId/layers/:layerId/features',
      summary: 'Search the features of a layer',
      description:
        'Chosen by ids, components, a bounding box and existence; with a query the best matches come first. Page by page.',
      querystring: LayerFeaturesQuerySchema,
    },
    async (context, { params, query, call }) =>
      answerFeatures(context, readFeaturesQuery(query, params), call),
  ),
  meteredRoute(
    {
      ...ofFeatures,
      operationId: 'searchLayerFeaturesByBody',
      operation: 'searchLayerFeatures',
      at: 'POST /v1/catalogs/:catalogId/layers/:layerId/features::search',
      summary: 'Search the features of a layer, by filters too long for an address',
      body: SearchLayerFeaturesRequestSchema,
    },
    async (context, { params, body, call }) =>
      answerFeatures(context, readFeaturesBody(body, params), call),
  ),
  meteredRoute(
    {
      operationId: 'listAddressComponents',
      at: 'GET /v1/addressComponents',
      access: 'metrics',
      summary: 'List the address components',
      description: 'Of all catalogs, each once in a catalog.',
      answer: ListAddressComponentsResponseSchema,
      refusals: [],
      querystring: OwnerQuerySchema,
    },
    async ({ service }, { query, call }) => {
      checkBillingContext(call.caller, query.billingContext);
      return {
        asked: query,
        encode: () => encodeAddressComponents(listAddressComponents(service, call)),
      };
    },
  ),
  meteredRoute(
    {
      operationId: 'searchAddressComponentValues',
      at: 'GET /v1/catalogs/:catalogId/addressComponents/:component/values',
      access: 'metrics',
      summary: 'Search the values of an address component',
      description: 'With their names; the best matches of a query come first. Page by page.',
      answer: SearchAddressComponentValuesResponseSchema,
      refusals: [404, 504],
      params: COMPONENT_ADDRESS,
      querystring: ComponentValuesQuerySchema,
    },
    async ({ service }, { params, query, call }) => {
      checkBillingContext(call.caller, query.billingContext);
      const asked = readComponentValues(query, params);
      const result = await searchAddressComponentValues(service, asked, call);
      const rows = result.values.length;
      const page = { ...result, nextPageToken: result.nextPageToken(rows) };
      return { asked, rows, encode: () => encodeComponentValues(page) };
    },
  ),
  meteredRoute(
    {
      operationId: 'searchDimensionValues',
      at: 'GET /v1/catalogs/:catalogId/dimensions/:dimensionId/values',
      access: 'metrics',
      summary: 'Search the values of a dimension',
      description: 'Those of the metrics of the catalog, with their names, page by page.',
      answer: SearchDimensionValuesResponseSchema,
      refusals: [404, 504],
      params: DIMENSION_ADDRESS,
      querystring: DimensionValuesQuerySchema,
    },
    async ({ service }, { params, query, call }) => {
      checkBillingContext(call.caller, query.billingContext);
      const asked = readDimensionValues(query, params);
      const result = await searchDimensionValues(service, asked, call);
      const rows = result.values.length;
      const page = { ...result, nextPageToken: result.nextPageToken(rows) };
      return { asked, rows, encode: () => encodeDimensionValues(page) };
    },
  ),
];

async function answerFeatures(
  { service }: RouteContext,
  asked: SearchLayerFeaturesRequest,
  call: Call,
) {
  const result = await searchLayerFeatures(service, asked, call);
  const rows = result.features.length;
  const page = { ...result, nextPageToken: result.nextPageToken(rows) };
  return { asked, rows, encode: () => encodeLayerFeatures(page) };
}
