import { catalogV1 } from '@locmetrics/contract/grpc';
import { toLayerMessage } from '@locmetrics/core/encoding/layer-protobuf';
import { encodeFramed } from '@locmetrics/core/encoding/message-frame';
import {
  encodeMetricResponse,
  encodeMetricsMessage,
} from '@locmetrics/core/encoding/metric-protobuf';
import { encodeQueryLayerMessage } from '@locmetrics/core/encoding/searches-protobuf';
import { AVAILABILITIES } from '@locmetrics/core/requests/metric-request';
import { getLayer } from '../../../service/features/describe-layers.ts';
import { searchLayerFeatures } from '../../../service/features/search-layer-features.ts';
import { listCatalogs } from '../../../service/list-catalogs.ts';
import { getMetric, listMetrics } from '../../../service/metrics/describe-metrics.ts';
import { readComponentFilter } from '../read-component-filter.ts';
import { type ServedService, unaryCall } from '../unary-call.ts';

/** Descriptions of catalogs, metrics and layers. */
export const CATALOG_SERVICE: ServedService = {
  service: catalogV1.CatalogService,
  scope: 'metrics',
  calls: [
    unaryCall(catalogV1.CatalogService.method.listCatalogs, {
      read: (request) => request,
      run: (context, _asked, call) => listCatalogs(context, call),
      encode: (ids) =>
        encodeFramed(catalogV1.ListCatalogsResponseSchema, {
          catalogs: ids.map((id) => ({ id })),
        }),
    }),
    unaryCall(catalogV1.CatalogService.method.listMetrics, {
      read: ({ availabilityFilter, ...members }) => ({
        ...members,
        // Parsing has refused numbers that the enum does not have.
        availabilityFilter: availabilityFilter.map((number) => AVAILABILITIES[number] ?? 'ALL'),
      }),
      run: listMetrics,
      // Descriptions cost no rows.
      encode: async (page) => ({ framed: (await encodeMetricsMessage(page)).framed }),
    }),
    unaryCall(catalogV1.CatalogService.method.getMetric, {
      read: (request) => request,
      run: getMetric,
      encode: (described, { options }) =>
        encodeMetricResponse(described, {
          layers: options?.skipLayers,
          dimensions: options?.skipDimensions,
          observationPeriod: options?.skipObservationPeriod,
          lens: options?.skipLens,
        }),
    }),
    unaryCall(catalogV1.CatalogService.method.getLayer, {
      read: (request) => request,
      run: getLayer,
      encode: (layer, { catalogId }) =>
        encodeFramed(catalogV1.GetLayerResponseSchema, { layer: toLayerMessage(catalogId, layer) }),
    }),
    // The deprecated form of SearchLayerFeatures.
    unaryCall(catalogV1.CatalogService.method.queryLayer, {
      read: ({ catalogId, layerId, addressComponentFilter, pageSize, pageToken }) => ({
        catalogId,
        layerId,
        billingContext: '',
        featureFilter: [],
        addressComponentFilter: addressComponentFilter.map(readComponentFilter),
        query: '',
        existedInDateRange: {},
        addressComponentWhitelist: [],
        skipPolygon: false,
        pageSize,
        pageToken,
      }),
      run: searchLayerFeatures,
      rowsOf: ({ features }) => features.length,
      encode: encodeQueryLayerMessage,
    }),
  ],
};
