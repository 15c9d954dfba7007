import { create } from '@bufbuild/protobuf';
import { catalogV1 } from '@locmetrics/contract/grpc';
import { AVAILABILITIES } from '../../../domain/metric-request.ts';
import { toLayerMessage } from '../../../encoding/layer-protobuf.ts';
import { encodeMetricResponse, encodeMetricsMessage } from '../../../encoding/metric-protobuf.ts';
import { encodeQueryLayerMessage } from '../../../encoding/searches-protobuf.ts';
import { getLayer } from '../../../service/describe-layers.ts';
import { getMetric, listMetrics } from '../../../service/describe-metrics.ts';
import { listCatalogs } from '../../../service/list-catalogs.ts';
import { searchLayerFeatures } from '../../../service/search-layer-features.ts';
import { readComponentFilter } from '../read-component-filter.ts';
import { type CallContext, type ServedService, unaryCall } from '../unary-call.ts';

/** Descriptions of catalogs, metrics and layers. */
export function catalogService({ service }: CallContext): ServedService {
  return {
    service: catalogV1.CatalogService,
    scope: 'metrics',
    calls: [
      unaryCall(catalogV1.CatalogService.method.listCatalogs, (_request, call) =>
        create(catalogV1.ListCatalogsResponseSchema, {
          catalogs: listCatalogs(service, call).map((id) => ({ id })),
        }),
      ),
      unaryCall(catalogV1.CatalogService.method.listMetrics, async (request, call) => {
        const { availabilityFilter, ...members } = request;
        const result = await listMetrics(
          service,
          {
            ...members,
            // Parsing has refused numbers that the enum does not have.
            availabilityFilter: availabilityFilter.map((number) => AVAILABILITIES[number] ?? 'ALL'),
          },
          call,
        );
        return call.encodeDescriptions(() => encodeMetricsMessage(result));
      }),
      unaryCall(catalogV1.CatalogService.method.getMetric, async (request, call) => {
        const { skipLayers, skipDimensions, skipObservationPeriod, skipLens } =
          request.options ?? {};
        const described = await getMetric(service, request, call);
        const leftOut = {
          layers: skipLayers,
          dimensions: skipDimensions,
          observationPeriod: skipObservationPeriod,
          lens: skipLens,
        };
        return call.encodeDescriptions(() => encodeMetricResponse(described, leftOut));
      }),
      unaryCall(catalogV1.CatalogService.method.getLayer, (request, call) =>
        create(catalogV1.GetLayerResponseSchema, {
          layer: toLayerMessage(request.catalogId, getLayer(service, request, call)),
        }),
      ),
      // The deprecated form of SearchLayerFeatures.
      unaryCall(catalogV1.CatalogService.method.queryLayer, async (request, call) => {
        const { catalogId, layerId, addressComponentFilter, pageSize, pageToken } = request;
        const result = await searchLayerFeatures(
          service,
          {
            catalogId,
            layerId,
            billingContext: '',
            featureFilter: [],
            addressComponentFilter: addressComponentFilter.map(readComponentFilter),
            query: '',
            existedInDateRange: {},
            addressComponentWhitelist: [],
            pageSize,
            pageToken,
          },
          call,
        );
        return call.encode(() => encodeQueryLayerMessage(result));
      }),
    ],
  };
}
