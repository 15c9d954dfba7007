import { catalogV1, catalogV3, mapsV1 } from '@locmetrics/contract/grpc';
import { callGetDataReference } from './calls/get-data-reference.ts';
import { callGetLayer } from './calls/get-layer.ts';
import { callGetMetric } from './calls/get-metric.ts';
import { callListAddressComponents } from './calls/list-address-components.ts';
import { callListCatalogs } from './calls/list-catalogs.ts';
import { callListDataReferences } from './calls/list-data-references.ts';
import { callListMetrics } from './calls/list-metrics.ts';
import { callListRecords } from './calls/list-records.ts';
import { callQueryLayer } from './calls/query-layer.ts';
import { callSearchAddressComponentValues } from './calls/search-address-component-values.ts';
import { callSearchDimensionValues } from './calls/search-dimension-values.ts';
import { callSearchFieldValues } from './calls/search-field-values.ts';
import { callSearchLayerFeatures } from './calls/search-layer-features.ts';
import { callSearchMetricReport } from './calls/search-metric-report.ts';
import { callSearchMetricValues } from './calls/search-metric-values.ts';
import type { ServedService } from './serve-calls.ts';
import type { CallContext } from './unary-call.ts';

/** The services of the interface, with the calls of each. */
export function listServices(context: CallContext): readonly ServedService[] {
  return [
    {
      service: catalogV1.QueryService,
      scope: 'metrics',
      calls: [
        callSearchMetricValues(context),
        callSearchLayerFeatures(context),
        callSearchAddressComponentValues(context),
        callSearchDimensionValues(context),
        callSearchMetricReport(context),
      ],
    },
    {
      service: catalogV1.CatalogService,
      scope: 'metrics',
      calls: [
        callListCatalogs(context),
        callListMetrics(context),
        callGetMetric(context),
        callGetLayer(context),
        callQueryLayer(context),
      ],
    },
    {
      service: mapsV1.MapService,
      scope: 'metrics',
      calls: [callListAddressComponents(context)],
    },
    {
      service: catalogV3.CatalogQuery,
      scope: 'catalog',
      calls: [
        callListDataReferences(context),
        callGetDataReference(context),
        callListRecords(context),
        callSearchFieldValues(context),
      ],
    },
  ];
}
