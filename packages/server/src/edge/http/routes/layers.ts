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
import {
  encodeAddressComponents,
  encodeComponentValues,
  encodeDimensionValues,
  encodeLayer,
  encodeLayerFeatures,
} from '@locmetrics/core/encoding/discovery-json';
import { checkBillingContext } from '../../../auth/billing-context.ts';
import { getLayer, listAddressComponents } from '../../../service/features/describe-layers.ts';
import {
  type SearchLayerFeaturesResult,
  searchLayerFeatures,
} from '../../../service/features/search-layer-features.ts';
import {
  searchAddressComponentValues,
  searchDimensionValues,
} from '../../../service/features/search-named-values.ts';
import {
  readComponentValues,
  readDimensionValues,
  readFeaturesBody,
  readFeaturesQuery,
} from '../request/read-discovery-request.ts';
import { stateOf } from '../request/request-state.ts';
import { COMPONENT_ADDRESS, DIMENSION_ADDRESS, LAYER_ADDRESS } from './addresses.ts';
import { operationRoute, type Route } from './route.ts';

const ofFeatures = {
  access: 'metrics',
  answer: SearchLayerFeaturesResponseSchema,
  refusals: [404, 504],
  params: LAYER_ADDRESS,
} as const;

const searchFeatures = {
  run: searchLayerFeatures,
  rowsOf: ({ features }: SearchLayerFeaturesResult) => features.length,
  encode: encodeLayerFeatures,
};

/** Layers with their features, components, and the values of components and dimensions. */
export const layerRoutes: readonly Route[] = [
  operationRoute(
    {
      operationId: 'getLayer',
      at: 'GET /v1/catalogs/:catalogId/layers/:layerId',
      access: 'metrics',
      summary: 'Describe one layer',
      description:
        'Returns the address components of a layer, in the order in which its features have them.',
      answer: GetLayerResponseSchema,
      refusals: [404],
      params: LAYER_ADDRESS,
      querystring: OwnerQuerySchema,
    },
    {
      read: ({ params, query, call }) => {
        checkBillingContext(call.caller, query.billingContext);
        return params;
      },
      run: getLayer,
      encode: (layer, { catalogId }) => encodeLayer(catalogId, layer),
    },
  ),
  operationRoute(
    {
      ...ofFeatures,
      operationId: 'searchLayerFeatures',
      at: 'GET /v1/catalogs/:catalogId/layers/:layerId/features',
      summary: 'Search the features of a layer',
      description:
        'Returns the features that match the ids, components, bounding box and period, in pages. With a query, the best matches come first.',
      querystring: LayerFeaturesQuerySchema,
    },
    {
      ...searchFeatures,
      read: ({ params, query, request }) => readFeaturesQuery(query, params, stateOf(request)),
    },
  ),
  operationRoute(
    {
      ...ofFeatures,
      operationId: 'searchLayerFeaturesByBody',
      operation: 'searchLayerFeatures',
      at: 'POST /v1/catalogs/:catalogId/layers/:layerId/features::search',
      summary: 'Search the features of a layer, with filters in the body',
      body: SearchLayerFeaturesRequestSchema,
    },
    { ...searchFeatures, read: ({ params, body }) => readFeaturesBody(body, params) },
  ),
  operationRoute(
    {
      operationId: 'listAddressComponents',
      at: 'GET /v1/addressComponents',
      access: 'metrics',
      summary: 'List the address components',
      description:
        'Returns the address components of all catalogs. A component appears once per catalog.',
      answer: ListAddressComponentsResponseSchema,
      refusals: [],
      querystring: OwnerQuerySchema,
    },
    {
      read: ({ query, call }) => {
        checkBillingContext(call.caller, query.billingContext);
        return query;
      },
      run: (service, _asked, call) => listAddressComponents(service, call),
      encode: encodeAddressComponents,
    },
  ),
  operationRoute(
    {
      operationId: 'searchAddressComponentValues',
      at: 'GET /v1/catalogs/:catalogId/addressComponents/:component/values',
      access: 'metrics',
      summary: 'Search the values of an address component',
      description:
        'Returns the values of an address component with their names, in pages. With a query, the best matches come first.',
      answer: SearchAddressComponentValuesResponseSchema,
      refusals: [404, 504],
      params: COMPONENT_ADDRESS,
      querystring: ComponentValuesQuerySchema,
    },
    {
      read: ({ params, query, call }) => {
        checkBillingContext(call.caller, query.billingContext);
        return readComponentValues(query, params);
      },
      run: searchAddressComponentValues,
      rowsOf: ({ values }) => values.length,
      encode: encodeComponentValues,
    },
  ),
  operationRoute(
    {
      operationId: 'searchDimensionValues',
      at: 'GET /v1/catalogs/:catalogId/dimensions/:dimensionId/values',
      access: 'metrics',
      summary: 'Search the values of a dimension',
      description:
        'Returns the values that the metrics of the catalog have for a dimension, with their names, in pages.',
      answer: SearchDimensionValuesResponseSchema,
      refusals: [404, 504],
      params: DIMENSION_ADDRESS,
      querystring: DimensionValuesQuerySchema,
    },
    {
      read: ({ params, query, call }) => {
        checkBillingContext(call.caller, query.billingContext);
        return readDimensionValues(query, params);
      },
      run: searchDimensionValues,
      rowsOf: ({ values }) => values.length,
      encode: encodeDimensionValues,
    },
  ),
];
