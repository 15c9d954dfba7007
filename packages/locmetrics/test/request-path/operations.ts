import { create, type DescMessage, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { catalogV1, catalogV3 } from '@locmetrics/contract/grpc';

/** A request as it is sent over each edge, to the data of `VISITS`. */
export type SentRequest = {
  readonly path: string;
  readonly body: string;
  readonly call: string;
  readonly message: Uint8Array;
};

const VISITS_OF_A_PLACE = {
  dataReferenceName: 'park.visits',
  fields: [{ name: 'day' }, { name: 'visits' }],
  filters: [{ fieldName: 'place', operator: '==', value: 'p1' }],
};

const VALUES_OF_A_PLACE = { billingContext: 'acme', featureFilter: ['p1'] };

/** A page of records, and the values of a metric: each with a filter, so that the row store answers by an index. */
export const OPERATIONS = {
  listRecords: toSent({
    path: '/v3/catalog/listRecords',
    body: VISITS_OF_A_PLACE,
    service: catalogV3.CatalogQuery.typeName,
    method: 'ListRecords',
    input: catalogV3.CatalogQuery.method.listRecords.input,
    message: VISITS_OF_A_PLACE,
  }),
  metricValues: toSent({
    path: '/v1/catalogs/park/metrics/visits/values:search',
    body: VALUES_OF_A_PLACE,
    service: catalogV1.QueryService.typeName,
    method: 'SearchMetricValues',
    input: catalogV1.QueryService.method.searchMetricValues.input,
    message: { ...VALUES_OF_A_PLACE, catalogId: 'park', metricId: 'visits' },
  }),
} as const satisfies Readonly<Record<string, SentRequest>>;

export type Operation = keyof typeof OPERATIONS;

function toSent<Input extends DescMessage>({
  path,
  body,
  service,
  method,
  input,
  message,
}: {
  readonly path: string;
  readonly body: object;
  readonly service: string;
  readonly method: string;
  readonly input: Input;
  readonly message: MessageInitShape<Input>;
}): SentRequest {
  const bytes = toBinary(input, create(input, message));
  const head = Buffer.alloc(5);
  head.writeUInt32BE(bytes.length, 1);
  return {
    path,
    body: JSON.stringify(body),
    call: `/${service}/${method}`,
    message: Buffer.concat([head, bytes]),
  };
}
