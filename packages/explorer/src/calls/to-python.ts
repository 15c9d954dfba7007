import type { Call, CallContext, CallText } from './call.ts';
import {
  type Code,
  type CodeStyle,
  callCode,
  listCode,
  valueCode,
  WIDTH,
  writeCode,
  writeFlat,
} from './code.ts';
import { extentOf, PAGE_MAX_ROWS } from './extent.ts';
import { fieldNames, isGrouped, plainMetricRequest, plainRecordsRequest } from './plain-request.ts';
import { quotePython } from './quote.ts';
import { toPlainPython } from './to-plain-python.ts';

const STYLE: CodeStyle = {
  quote: quotePython,
  name: (name) => `${quotePython(name)}: `,
  group: { pad: '', isCommaLast: true, indent: 4 },
};

/** The call as a program of Python with the published client. */
export function toPython(call: Call, context: CallContext): CallText {
  const { token } = context;
  if (!canSend(call)) return toPlainPython(call, context);
  return {
    text: (call.operation === 'listRecords'
      ? writeRecords(call, context)
      : writeMetricValues(call, context)
    ).join('\n'),
    variables: [
      ...(token === undefined ? (['LOCMETRICS_TOKEN'] as const) : []),
      'LOCMETRICS_GRPC_ADDRESS',
      'LOCMETRICS_CA_FILE',
    ],
    notes: [
      "To install the client: pip install unacatlib==0.0.101 'betterproto[compiler]==2.0.0b7'.",
      ...(extentOf(call) === 'first page' && call.operation === 'listRecords'
        ? []
        : ['The client refuses to read more than 100,000 rows.']),
    ],
  };
}

/** Whether the published client has a function for the call. */
function canSend(call: Call): call is RecordsCall | MetricCall {
  if (call.operation === 'listRecords') {
    const request = plainRecordsRequest(call.request);
    // It does not know these members.
    const isNewer = request.filterLogic !== undefined || request.options?.thenBy !== undefined;
    return !isGrouped(request) && !isNewer;
  }
  if (call.operation !== 'searchMetricValues') return false;
  const { addressComponentWhitelist = [], skipGeo = false } = call.request;
  return addressComponentWhitelist.length === 0 && !skipGeo;
}

type RecordsCall = Extract<Call, { operation: 'listRecords' }>;
type MetricCall = Extract<Call, { operation: 'searchMetricValues' }>;

function writeRecords(call: RecordsCall, { token }: CallContext): readonly string[] {
  const {
    dataReferenceName,
    fields,
    filters,
    options,
    pageSize,
    typedValues: _typed,
    ...rest
  } = plainRecordsRequest(call.request);
  const { boundingBox: box, orderBy, trimToPeriodOfExistence: trim } = options ?? {};
  const names = fieldNames(fields);
  const imported = [
    ...(box ? ['BoundingBox'] : []),
    ...(filters ? ['FilterClause'] : []),
    ...(orderBy ? ['OrderBy'] : []),
    ...(orderBy?.direction ? ['OrderDirection'] : []),
    'QueryClient',
    ...(trim ? ['TrimToPeriodOfExistence'] : []),
  ];
  const clauses = filters?.map(({ fieldName, operator, value, values }) =>
    callCode('FilterClause', STYLE, [], {
      field_name: quotePython(fieldName),
      operator: quotePython(operator),
      value: value === undefined ? undefined : quotePython(String(value)),
      values: values && texts(values.map(String)),
    }),
  );
  const choices = callCode('Options', STYLE, [], {
    bounding_box:
      box &&
      callCode('BoundingBox', STYLE, [], {
        min_lng: String(box.minLng),
        min_lat: String(box.minLat),
        max_lng: String(box.maxLng),
        max_lat: String(box.maxLat),
      }),
    order_by:
      orderBy &&
      callCode('OrderBy', STYLE, [], {
        field_name: quotePython(orderBy.fieldName),
        direction: orderBy.direction && `OrderDirection.${orderBy.direction}`,
      }),
    trim_to_period_of_existence: trim && `TrimToPeriodOfExistence.${trim}`,
  });
  const limit = pageSize === undefined ? undefined : String(Math.min(pageSize, PAGE_MAX_ROWS));
  const request = callCode('client.list_records', STYLE, [quotePython(dataReferenceName)], {
    fields: names && texts(names),
    filters: clauses && listCode(clauses, STYLE),
    options: options && choices,
    limit,
  });
  return [
    'import os',
    importLine('unacatlib.query_client', imported),
    ...(options ? ['from unacatlib.unacast.catalog.v3 import Options'] : []),
    '',
    ...ADDRESS,
    `client = ${writeCode(
      callCode('QueryClient', STYLE, [], {
        api_key: tokenCode(token),
        server_address: 'host',
        port: 'int(port)',
      }),
      { before: 'client = '.length },
    )}`,
    ...CERTIFICATE,
    '',
    ...missing(rest),
    ...(limit === undefined ? [] : ['# Without the limit it reads all records.']),
    `answer = ${writeCode(request, { before: 'answer = '.length })}`,
    'print(answer.records.to_df())',
  ];
}

function writeMetricValues(
  call: MetricCall,
  { token, organisationId }: CallContext,
): readonly string[] {
  const {
    catalogId,
    metricId,
    featureFilter = [],
    observationPeriodFilter: period,
    addressComponentFilter = [],
    dimensionFilter = [],
    invertSortOrder = false,
    pageSize,
    trackTotalHitsBoolean: _isCounted,
    trackTotalHitsInteger: _counted,
    ...rest
  } = plainMetricRequest(call.request);
  const [onlyFeature] = featureFilter.length === 1 ? featureFilter : [];
  // The client has a method for one feature and for one value of a dimension only.
  const oneValue = dimensionFilter.filter(({ values }) => values.length === 1);
  const moreValues = dimensionFilter.filter(({ values }) => values.length !== 1);
  const steps: readonly Code[] = [
    ...(onlyFeature === undefined
      ? []
      : [callCode('.with_feature_filter', STYLE, [quotePython(onlyFeature)])]),
    ...(period === undefined
      ? []
      : [
          callCode('.with_period_filter', STYLE, [
            dateCode(period.start, 'date.min'),
            dateCode(period.end, 'date.max'),
          ]),
        ]),
    ...addressComponentFilter.map(({ component, values }) =>
      callCode('.with_address_component', STYLE, [quotePython(component), texts(values)]),
    ),
    ...oneValue.map(({ dimensionId, values }) =>
      callCode('.with_dimension_filter', STYLE, [
        quotePython(dimensionId),
        ...values.map(quotePython),
      ]),
    ),
  ];
  const additions = [
    ...(featureFilter.length > 1
      ? [callCode('wanted.feature_filters.extend', STYLE, [texts(featureFilter)])]
      : []),
    ...moreValues.map(({ dimensionId, values }) =>
      callCode('wanted.dimension_filters.append', STYLE, [
        callCode('DimensionFilter', STYLE, [], {
          dimension_id: quotePython(dimensionId),
          values: texts(values),
        }),
      ]),
    ),
  ];
  const isFiltered = steps.length + additions.length > 0;
  const size = pageSize === undefined ? undefined : Math.min(pageSize, PAGE_MAX_ROWS);
  return [
    'import os',
    ...(period === undefined ? [] : ['from datetime import date']),
    'from unacatlib.client import Client',
    ...(isFiltered ? ['from unacatlib.filter import Filter'] : []),
    ...(moreValues.length > 0 ? ['from unacatlib.unacast.metric.v1 import DimensionFilter'] : []),
    '',
    ...ADDRESS,
    `client = ${writeCode(
      callCode('Client', STYLE, [], {
        server_address: 'host',
        token: tokenCode(token),
        billing_account: quotePython(organisationId),
      }),
      { before: 'client = '.length },
    )}`,
    '# This client always uses port 443 with TLS.',
    'client.channel._port = int(port)',
    ...CERTIFICATE,
    '',
    ...missing(rest),
    ...(isFiltered ? filterLines(steps) : []),
    ...additions.map((addition) => writeCode(addition)),
    `metric = client.catalog(${quotePython(catalogId)}).metric(${quotePython(metricId)})`,
    `values = metric${isFiltered ? '.with_filter(wanted)' : ''}.values()`,
    ...(invertSortOrder
      ? ['values = values[::-1]  # the client cannot ask for another order']
      : []),
    ...(size === undefined
      ? ['print(values)']
      : ['# The client reads all values.', `print(values.head(${size}))`]),
  ];
}

const ADDRESS = [
  '# The address of the gRPC interface, host:port. The explorer does not know it.',
  'host, port = os.environ["LOCMETRICS_GRPC_ADDRESS"].rsplit(":", 1)',
];
const CERTIFICATE = [
  '# Leave this line out if Python already trusts the certificate of the service.',
  'client.channel._ssl.load_verify_locations(os.environ["LOCMETRICS_CA_FILE"])',
];

function importLine(module: string, names: readonly string[]): string {
  const code: Code = {
    open: '(',
    close: ')',
    items: names.map((name) => ({ before: '', code: name })),
    style: STYLE.group,
  };
  const start = `from ${module} import `;
  const flat = `${start}${names.join(', ')}`;
  return flat.length <= WIDTH ? flat : start + writeCode(code, { before: WIDTH });
}

function tokenCode(token: string | undefined): string {
  return token === undefined ? 'os.environ["LOCMETRICS_TOKEN"]' : quotePython(token);
}

function texts(values: readonly string[]): Code {
  return valueCode(values, STYLE);
}

function dateCode(day: string | undefined, otherwise: string): Code {
  return day === undefined ? otherwise : callCode('date.fromisoformat', STYLE, [quotePython(day)]);
}

/** The methods of a filter return it, so they are chained if they fit on a line. */
function filterLines(steps: readonly Code[]): readonly string[] {
  const chained = `wanted = Filter()${steps.map(writeFlat).join('')}`;
  if (chained.length <= WIDTH) return [chained];
  return ['wanted = Filter()', ...steps.map((step) => `wanted${writeCode(step, { before: 6 })}`)];
}

/** Says what the client cannot send, so that nobody takes the answer for another. */
function missing(members: Readonly<Record<string, unknown>>): readonly string[] {
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  if (given.length === 0) return [];
  return [
    '# unacatlib cannot send these parts of the request, so its answer differs:',
    ...given.map(([name, value]) => `#   ${name}: ${writeFlat(valueCode(value, STYLE))}`),
  ];
}
