import { create } from '@bufbuild/protobuf';
import { catalogV1 } from '@locmetrics/contract/grpc';
import { toExtentPeriod } from '../../../encoding/metric-protobuf.ts';
import { toAppliedFiltersMessage } from '../../../encoding/metric-values-protobuf.ts';
import { getMetricReport } from '../../../service/get-metric-report.ts';
import { type CallContext, type UnaryCall, unaryCall } from '../unary-call.ts';

export function callSearchMetricReport({ service }: CallContext): UnaryCall {
  return unaryCall(catalogV1.QueryService.method.searchMetricReport, async (request, call) => {
    const { extent, appliedFilters } = await getMetricReport(service, request, call);
    const observationPeriod = toExtentPeriod(extent);
    return create(catalogV1.SearchMetricReportResponseSchema, {
      report: observationPeriod === undefined ? {} : { observationPeriod },
      appliedFilters: toAppliedFiltersMessage(appliedFilters),
    });
  });
}
