import { create } from '@bufbuild/protobuf';
import { catalogV1 } from '@locmetrics/contract/grpc';
import { toExtentPeriod, toMetricMessage } from '../../../encoding/metric-protobuf.ts';
import { getMetric } from '../../../service/get-metric.ts';
import { type CallContext, type UnaryCall, unaryCall } from '../unary-call.ts';

export function callGetMetric({ service }: CallContext): UnaryCall {
  return unaryCall(catalogV1.CatalogService.method.getMetric, async (request, call) => {
    const { skipLayers, skipDimensions, skipObservationPeriod, skipLens } = request.options ?? {};
    const described = await getMetric(service, request, call);
    const completeObservationPeriod = toExtentPeriod(described.extent);
    return create(catalogV1.GetMetricResponseSchema, {
      metric: toMetricMessage(described, {
        layers: skipLayers ?? false,
        dimensions: skipDimensions ?? false,
        observationPeriod: skipObservationPeriod ?? false,
        lens: skipLens ?? false,
      }),
      ...(skipObservationPeriod === true || completeObservationPeriod === undefined
        ? {}
        : { completeObservationPeriod }),
    });
  });
}
