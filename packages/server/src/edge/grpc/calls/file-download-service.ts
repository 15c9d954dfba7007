import { catalogV1 } from '@locmetrics/contract/grpc';
import { encodeMetricDownloadMessage } from '@locmetrics/core/encoding/records-export';
import { downloadMetric } from '../../../service/exports/download-metric.ts';
import { type ServedService, unaryCall } from '../unary-call.ts';

/** Files with the values of metrics. */
export const FILE_DOWNLOAD_SERVICE: ServedService = {
  service: catalogV1.FileDownloadService,
  scope: 'metrics',
  calls: [
    unaryCall(catalogV1.FileDownloadService.method.downloadMetric, {
      read: ({ catalogId, metricId, billingContext, fileName, expiryInHours }) => ({
        ...{ catalogId, metricId, billingContext, fileName },
        expiryInHours: Number(expiryInHours),
      }),
      run: downloadMetric,
      encode: encodeMetricDownloadMessage,
    }),
  ],
};
