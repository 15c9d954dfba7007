import type { Call, CallContext, CallText } from './call.ts';
import { type PageRequest, pageRequest } from './page-request.ts';
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
      'The answer is one page, of at most 3.5 MiB. For the next page, add its nextPageToken as page_token.',
      ...(call.operation === 'listRecords' ? ['Over gRPC, every value of a record is text.'] : []),
      ...(isTokenLost(page)
        ? ['The page token of the screen is not valid there, so this is the first page.']
        : []),
    ],
  };
}

/** Over gRPC fields and days are messages, values are text, and enums have long names. */
function write({ operation, request }: PageRequest, billingContext: string) {
  if (operation === 'listRecords') {
    const {
      dataReferenceName,
      fields,
      filters,
      options,
      typedValues: _typed,
      pageToken,
      ...rest
    } = request;
    const { orderBy, trimToPeriodOfExistence: trim } = options ?? {};
    return {
      method: 'unacast.catalog.v3.CatalogQuery/ListRecords',
      message: {
        dataReferenceName,
        fields: fields?.map((name) => ({ name })),
        filters: filters?.map(({ value, values, ...filter }) => ({
          ...filter,
          value: value === undefined ? undefined : String(value),
          values: values?.map(String),
        })),
        options: options && {
          ...options,
          orderBy: orderBy?.direction
            ? { ...orderBy, direction: `ORDER_DIRECTION_${orderBy.direction}` }
            : orderBy,
          trimToPeriodOfExistence: trim && `TRIM_TO_PERIOD_OF_EXISTENCE_${trim}`,
        },
        ...rest,
        pageToken: isTokenLost({ operation, request }) ? undefined : pageToken,
      },
    };
  }
  const { catalogId, metricId, observationPeriodFilter: period, valueFilter, ...rest } = request;
  return {
    method: 'unacast.catalog.v1.QueryService/SearchMetricValues',
    message: {
      catalogId,
      metricId,
      billingContext,
      observationPeriodFilter: period && { start: toDay(period.start), end: toDay(period.end) },
      valueFilter: valueFilter?.map((filter) => ({
        ...filter,
        operator: `VALUE_FILTER_OPERATOR_${filter.operator}`,
      })),
      ...rest,
    },
  };
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
