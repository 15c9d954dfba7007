import {
  StreamMetricValuesQuerySchema,
  StreamMetricValuesRequestSchema,
  StreamRecordsQuerySchema,
  StreamRecordsRequestSchema,
} from '@locmetrics/contract';
import type { StreamRecordsRequest } from '@locmetrics/core/requests/catalog-request';
import type { SearchMetricValuesRequest } from '@locmetrics/core/requests/metric-request';
import { Type } from 'typebox';
import {
  openMetricValuesStream,
  pinMetricValuesStream,
} from '../../../service/streams/stream-metric-values.ts';
import { openRecordsStream, pinRecordsStream } from '../../../service/streams/stream-records.ts';
import { readMetricStreamBody, readMetricStreamQuery } from '../request/read-metric-request.ts';
import { readStreamBody, readStreamQuery } from '../request/read-stream-request.ts';
import { stateOf } from '../request/request-state.ts';
import { DATASET_ADDRESS, METRIC_ADDRESS } from './addresses.ts';
import { answerStream } from './answer-stream.ts';
import { type Received, type Route, route } from './route.ts';
import type { RouteContext } from './route-context.ts';
import { STREAM_FORMATS, type StreamFormat } from './stream-formats.ts';

const HEADERS =
  'Data-Version has the version, and Total-Size the number of rows if trackTotalHits is true.';

/** All records or values of a request in one answer. */
export const streamRoutes: readonly Route[] = [
  ...STREAM_FORMATS.flatMap(recordRoutes),
  ...STREAM_FORMATS.filter(({ isOfRecords }) => isOfRecords !== true).flatMap(valueRoutes),
];

function recordRoutes(format: StreamFormat): readonly Route[] {
  return [
    route(
      {
        ...ofRecords(format),
        operationId: `streamRecords${format.idEnd}`,
        at: `GET /v3/catalog/:dataReferenceName/records.${format.extension}`,
        summary: `Get all records of a dataset as ${format.title}`,
        isConditional: true,
        querystring: StreamRecordsQuerySchema,
      },
      (context, received) => {
        const { query, params, request } = received;
        const asked = readStreamQuery(query, params, stateOf(request));
        return answerRecords(context, received, { asked, format });
      },
    ),
    route(
      {
        ...ofRecords(format),
        operationId: `streamRecords${format.idEnd}ByBody`,
        at: `POST /v3/catalog/:dataReferenceName/records.${format.extension}`,
        summary: `Get all records of a dataset as ${format.title}, with the request in the body`,
        body: StreamRecordsRequestSchema,
      },
      (context, received) => {
        const asked = readStreamBody(received.body, received.params);
        return answerRecords(context, received, { asked, format });
      },
    ),
  ];
}

function valueRoutes(format: StreamFormat): readonly Route[] {
  const common = {
    access: 'metrics',
    description: `Returns all values that pass the filters, in one stream, sorted by feature and by start of the period. Each row has the feature with its components, the period, the dimensions, the measures and the flags. ${format.description} ${HEADERS}`,
    answer: format.answer ?? Type.String(),
    mediaType: format.mediaType,
    refusals: [404, 504],
    params: METRIC_ADDRESS,
  } as const;
  return [
    route(
      {
        ...common,
        operationId: `streamMetricValues${format.idEnd}`,
        at: `GET /v1/catalogs/:catalogId/metrics/:metricId/values.${format.extension}`,
        summary: `Get all values of a metric as ${format.title}`,
        isConditional: true,
        querystring: StreamMetricValuesQuerySchema,
      },
      (context, received) => {
        const asked = readMetricStreamQuery(received.query, received.params);
        return answerValues(context, received, { asked, format });
      },
    ),
    route(
      {
        ...common,
        operationId: `streamMetricValues${format.idEnd}ByBody`,
        at: `POST /v1/catalogs/:catalogId/metrics/:metricId/values.${format.extension}`,
        summary: `Get all values of a metric as ${format.title}, with filters in the body`,
        body: StreamMetricValuesRequestSchema,
      },
      (context, received) => {
        const asked = readMetricStreamBody(received.body, received.params);
        return answerValues(context, received, { asked, format });
      },
    ),
  ];
}

function ofRecords({ mediaType, description, answer = Type.String() }: StreamFormat) {
  return {
    access: 'catalog',
    description: `Returns all records that match all filters, the bounding box and the period, in one stream, from one version of the dataset. ${description} ${HEADERS}`,
    answer,
    mediaType,
    refusals: [404, 504],
    params: DATASET_ADDRESS,
  } as const;
}

function answerRecords(
  context: RouteContext,
  received: Pick<Received, 'request' | 'reply' | 'call'>,
  { asked: sent, format }: { readonly asked: StreamRecordsRequest; readonly format: StreamFormat },
): Promise<unknown> {
  const { service } = context;
  // The rows of a file are charged before it is written.
  const asked = format.isFile ? { ...sent, trackTotalHits: true } : sent;
  const { call } = received;
  // Refused: an unknown dataset, version, field or operator, a wrong value, an option; features without points.
  const pinned = pinRecordsStream(service, asked, {
    ...call,
    asGeojson: format.extension === 'geojson',
  });
  return answerStream(context, received, {
    operation: 'streamRecords',
    asked,
    answerParts: pinned.answerParts,
    format,
    name: asked.dataReferenceName,
    call,
    open: () => openRecordsStream(service, pinned, { ...call, lines: format.lines }),
  });
}

function answerValues(
  context: RouteContext,
  received: Pick<Received, 'request' | 'reply' | 'call'>,
  {
    asked: sent,
    format,
  }: { readonly asked: SearchMetricValuesRequest; readonly format: StreamFormat },
): Promise<unknown> {
  const { service } = context;
  // The rows of a file are charged before it is written.
  const asked = format.isFile ? { ...sent, trackTotalHits: true } : sent;
  const { call } = received;
  // Refused: an unknown catalog, metric or version, a filter outside the grant, a wrong value.
  const pinned = pinMetricValuesStream(service, asked, call);
  return answerStream(context, received, {
    operation: 'streamMetricValues',
    asked,
    answerParts: pinned.answerParts,
    format,
    name: asked.metricId,
    call,
    open: () => openMetricValuesStream(service, pinned, call),
  });
}
