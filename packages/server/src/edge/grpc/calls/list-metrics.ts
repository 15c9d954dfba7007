import { catalogV1 } from '@locmetrics/contract/grpc';
import { AVAILABILITIES } from '../../../domain/metric-request.ts';
import { encodeMetricsMessage } from '../../../encoding/metric-protobuf.ts';
import { listMetrics } from '../../../service/list-metrics.ts';
import { type CallContext, type UnaryCall, unaryCall } from '../unary-call.ts';

export function callListMetrics({ service }: CallContext): UnaryCall {
  return unaryCall(catalogV1.CatalogService.method.listMetrics, async (request, call) => {
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
  });
}
