import { createClient as createConnectClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import type { MetricValuesRequest } from '../../client.ts';
import { LocmetricsError } from '../../errors.ts';
import { QueryService } from '../../generated/messages/unacast/catalog/v1/query_service_pb.js';
import type { MetricValue, SearchMetricValuesResponse } from '../../generated/schemas.ts';
import { type CountedRows, createCountedRows } from '../../rows.ts';
import { type CallOptions, checkToken, checkUrl } from '../../send.ts';
import { readMetricValues } from './read-metric-values.ts';
import { retryUnavailable } from './retry-unavailable.ts';
import { writeMetricValuesRequest } from './write-metric-values-request.ts';

export type GrpcClientOptions = {
  /** The gRPC URL: `https://data.example.org:8443` over TLS, `http://localhost:8080` in plaintext. */
  readonly url: string;
  readonly token: string;
  /** The id of your organisation. */
  readonly billingContext?: string | undefined;
  /** The certificate authorities to trust, in PEM, instead of those that Node trusts. */
  readonly ca?: string | Uint8Array | undefined;
  /** How long each request may take, retries included. Default: no limit. */
  readonly deadlineMs?: number | undefined;
  /** How often a request is sent again after UNAVAILABLE or a failed connection. Default: 2. */
  readonly retries?: number | undefined;
};

export type GrpcCallOptions = CallOptions & {
  /** How long each request may take, retries included. Default: that of the client. */
  readonly deadlineMs?: number | undefined;
};

/**
 * Metric values over gRPC. Requests, rows and errors are those of the client over HTTP. You need not close it: an
 * idle connection does not keep the process running and ends after 15 minutes.
 */
export type GrpcClient = {
  /** A page of the values of a metric. `metricValues` reads all pages. */
  readonly searchMetricValues: (
    request: MetricValuesRequest,
    options?: GrpcCallOptions,
  ) => Promise<SearchMetricValuesResponse>;
  /** The values of a metric, by feature and period. */
  readonly metricValues: (
    request: MetricValuesRequest,
    options?: GrpcCallOptions,
  ) => CountedRows<MetricValue, SearchMetricValuesResponse>;
};

export function createGrpcClient(options: GrpcClientOptions): GrpcClient {
  const { token, billingContext, ca, retries = 2 } = options;
  const baseUrl = checkUrl(options.url);
  checkToken(token);
  if (ca !== undefined && baseUrl.startsWith('http:')) {
    throw new LocmetricsError(
      `The client has a ca, but its url '${options.url}' is in plaintext. Begin the url with https://, or leave out ca.`,
    );
  }
  const service = createConnectClient(
    QueryService,
    createGrpcTransport({
      baseUrl,
      // The types of Node allow a Buffer, and it takes any bytes.
      nodeOptions: ca === undefined ? {} : { ca: typeof ca === 'string' ? ca : Buffer.from(ca) },
    }),
  );
  const billed = billingContext === undefined ? {} : { billingContext };
  const headers = { authorization: `Bearer ${token}` };

  const searchMetricValues: GrpcClient['searchMetricValues'] = async (
    request,
    { signal, deadlineMs = options.deadlineMs } = {},
  ) => {
    const message = writeMetricValuesRequest({ ...billed, ...request });
    const answer = await retryUnavailable(
      (timeoutMs) =>
        service.searchMetricValues(message, {
          headers,
          ...(signal === undefined ? {} : { signal }),
          ...(timeoutMs === undefined ? {} : { timeoutMs }),
        }),
      { baseUrl, retries, signal, deadlineMs },
    );
    return readMetricValues(answer);
  };

  return {
    searchMetricValues,
    metricValues: (request, callOptions) =>
      createCountedRows({
        pageSize: request.pageSize,
        fetchPage: (page) => searchMetricValues({ ...request, ...page }, callOptions),
        rowsOf: ({ valuesList }) => valuesList,
        fetchCount: () => searchMetricValues({ ...request, countOnly: true }, callOptions),
      }),
  };
}
