import type { Call, CallContext, CallText } from './call.ts';
import { isPaged } from './extent.ts';
import { type PageRequest, pageRequest } from './page-request.ts';
import type { PlainField } from './plain-request.ts';
import { authorizationOption, dataOption, shellCommand } from './shell-command.ts';

/** The call as a command of grpcurl. */
export function toGrpcurl(call: Call, { organisationId, token }: CallContext): CallText {
  const page = pageRequest(call);
  const { method, message } = write(page, organisationId);
  return {
    text: shellCommand([
      `grpcurl -cacert "$LOCMETRICS_CA_FILE" ${authorizationOption('authorization', token)}`,
      dataOption(withProtoNames(message)),
      `"$LOCMETRICS_GRPC_ADDRESS" ${method}`,
    ]),
    variables: [
      ...(token === undefined ? (['LOCMETRICS_TOKEN'] as const) : []),
      'LOCMETRICS_GRPC_ADDRESS',
      'LOCMETRICS_CA_FILE',
    ],
    notes: [
      'Leave out -cacert and its file if your machine already trusts the certificate.',
      ...(isPaged(call)
        ? [
            'The answer is one page, of at most 3.5 MiB. For the next page, add its nextPageToken as page_token.',
          ]
        : []),
      ...(call.operation === 'listRecords' ? ['Over gRPC, every value of a record is text.'] : []),
      ...(isTokenLost(page)
        ? ['The page token of the screen is not valid there, so this is the first page.']
        : []),
    ],
  };
}

/** Over gRPC fields and days are messages, values are text, and enums have long names. */
function write(page: PageRequest, billingContext: string) {
  const { operation, request } = page;
  switch (operation) {
    case 'listRecords': {
      const {
        dataReferenceName,
        fields,
        filters,
        options,
        groupBy,
        groupFilters,
        typedValues: _typed,
        pageToken,
        ...rest
      } = request;
      return {
        method: 'unacast.catalog.v3.CatalogQuery/ListRecords',
        message: {
          dataReferenceName,
          fields: fields?.map(toField),
          filters: filters?.map(toFilter),
          options: options && toOptions(options),
          groupBy: groupBy?.map(({ bucket, ...group }) => ({
            ...group,
            bucket: prefixed('BUCKET', bucket),
          })),
          groupFilters: groupFilters?.map(toFilter),
          ...rest,
          pageToken: isTokenLost(page) ? undefined : pageToken,
        },
      };
    }
    case 'listRecordsStatistics':
      return { method: `${ALPHA}/ListRecordsStatistics`, message: toSelection(request) };
    case 'getLayerStats':
      return { method: `${ALPHA}/GetLayerStats`, message: toSelection(request) };
    case 'searchMetricValues':
      return {
        method: 'unacast.catalog.v1.QueryService/SearchMetricValues',
        message: toMetricMessage(request, billingContext),
      };
    case 'searchMetricAggregates': {
      const { groupBy, aggregates, compare, rankBy, orderBy, ...values } = request;
      return {
        method: 'locmetrics.v1.Aggregates/SearchMetricAggregates',
        message: {
          ...toMetricMessage(values, billingContext),
          groupBy: groupBy?.map(({ kind, bucket, ...group }) => ({
            kind: prefixed('KIND', kind),
            ...group,
            bucket: prefixed('BUCKET', bucket),
          })),
          aggregates: aggregates.map(({ aggregation, ...aggregate }) => ({
            ...aggregate,
            aggregation: prefixed('AGGREGATION', aggregation),
          })),
          compare: prefixed('COMPARISON', compare),
          rankBy,
          orderBy: orderBy?.map(toOrder),
        },
      };
    }
  }
}

const ALPHA = 'unacast.catalog.v3alpha.CatalogQuery';

type RecordsRequest = Extract<PageRequest, { operation: 'listRecords' }>['request'];
type StatisticsRequest = Extract<
  PageRequest,
  { operation: 'listRecordsStatistics' | 'getLayerStats' }
>['request'];
type MetricRequest = Extract<PageRequest, { operation: 'searchMetricValues' }>['request'];

function toSelection({ filters, options, ...rest }: StatisticsRequest) {
  return {
    ...rest,
    filters: filters?.map(toFilter),
    options: options && toOptions(options),
  };
}

function toField(field: PlainField) {
  if (typeof field === 'string') return { name: field };
  return { ...field, aggregation: prefixed('AGGREGATION', field.aggregation) };
}

function toFilter({ value, values, ...filter }: NonNullable<RecordsRequest['filters']>[number]) {
  return {
    ...filter,
    value: value === undefined ? undefined : String(value),
    values: values?.map(String),
  };
}

function toOptions(options: NonNullable<RecordsRequest['options']>) {
  const { orderBy, thenBy, trimToPeriodOfExistence: trim } = options;
  return {
    ...options,
    orderBy: orderBy && toOrder(orderBy),
    thenBy: thenBy?.map(toOrder),
    trimToPeriodOfExistence: prefixed('TRIM_TO_PERIOD_OF_EXISTENCE', trim),
  };
}

function toOrder<Order extends { readonly direction?: string | undefined }>({
  direction,
  ...order
}: Order) {
  return { ...order, direction: prefixed('ORDER_DIRECTION', direction) };
}

function toMetricMessage(
  { catalogId, metricId, observationPeriodFilter: period, valueFilter, ...rest }: MetricRequest,
  billingContext: string,
) {
  return {
    catalogId,
    metricId,
    billingContext,
    observationPeriodFilter: period && { start: toDay(period.start), end: toDay(period.end) },
    valueFilter: valueFilter?.map((filter) => ({
      ...filter,
      operator: prefixed('VALUE_FILTER_OPERATOR', filter.operator),
    })),
    ...rest,
  };
}

/** The long name of a value of an enum. */
function prefixed(prefix: string, name: string | undefined): string | undefined {
  return name === undefined ? undefined : `${prefix}_${name}`;
}

/** A page token belongs to a request with or without typed values, and gRPC has only the second. */
function isTokenLost({ operation, request }: PageRequest): boolean {
  return operation === 'listRecords' && request.typedValues === true && 'pageToken' in request;
}

function toDay(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  const [year, month, day] = text.split('-').map(Number);
  return { year, month, day };
}

/** The names of the .proto files: those of JSON in snake_case. */
function withProtoNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withProtoNames);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    members.map(([name, member]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      withProtoNames(member),
    ]),
  );
}
