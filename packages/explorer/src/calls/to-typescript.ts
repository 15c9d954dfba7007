import type { Call, CallContext, CallText } from './call.ts';
import { type CodeStyle, valueCode, writeCode } from './code.ts';
import { extentOf } from './extent.ts';
import { pageRequest } from './page-request.ts';
import {
  isGrouped,
  type PlainRecordsRequest,
  plainAggregatesRequest,
  plainMetricRequest,
  plainRecordsRequest,
} from './plain-request.ts';
import { quoteTypeScript } from './quote.ts';

const STYLE: CodeStyle = {
  quote: quoteTypeScript,
  name: (name) => `${name}: `,
  group: { pad: ' ', isCommaLast: true, indent: 2 },
};

/** The call as a module of TypeScript with the client of this project. */
export function toTypeScript(call: Call, { url, organisationId, token }: CallContext): CallText {
  const billed =
    call.operation === 'searchMetricValues' || call.operation === 'searchMetricAggregates';
  return {
    text: [
      "import { createClient } from '@locmetrics/client';",
      '',
      'const client = createClient({',
      `  url: ${quoteTypeScript(url)},`,
      `  token: ${token === undefined ? "process.env.LOCMETRICS_TOKEN ?? ''" : quoteTypeScript(token)},`,
      ...(billed ? [`  billingContext: ${quoteTypeScript(organisationId)},`] : []),
      '});',
      ...writeCall(call),
    ].join('\n'),
    variables: token === undefined ? ['LOCMETRICS_TOKEN'] : [],
    notes: [
      'Save it in a file that ends in .mts. Node 24, Deno and Bun run it.',
      'To install the client, see packages/sdk/README.md in a clone of Locmetrics.',
    ],
  };
}

function writeCall(call: Call): readonly string[] {
  switch (call.operation) {
    case 'listRecords':
      return writeRecords(call);
    case 'searchMetricValues':
      return writeMetricValues(call);
    case 'searchMetricAggregates':
      return writeAggregates(call);
    case 'listRecordsStatistics':
      return [
        assign('dates', 'await client.listRecordsStatistics', [pageRequest(call).request]),
        'for (const date of dates) console.log(date);',
      ];
    case 'getLayerStats':
      return [
        assign('{ stats }', 'await client.getLayerStats', [pageRequest(call).request]),
        'for (const field of stats) console.log(field);',
      ];
  }
}

type RecordsCall = Extract<Call, { operation: 'listRecords' }>;
type MetricCall = Extract<Call, { operation: 'searchMetricValues' }>;
type AggregatesCall = Extract<Call, { operation: 'searchMetricAggregates' }>;

function writeRecords(call: RecordsCall): readonly string[] {
  const request = plainRecordsRequest(call.request);
  const extent = extentOf(call);
  if (extent === 'one request' || isGrouped(request)) {
    return [
      assign('{ records }', 'await client.listRecords', [request]),
      'for (const { fields } of records) console.log(fields);',
    ];
  }
  const { dataReferenceName, ...options } = recordsOptions(request);
  const args =
    Object.keys(options).length === 0 ? [dataReferenceName] : [dataReferenceName, options];
  return [
    assign('records', 'client.records', args),
    ...(extent === 'all'
      ? ['for await (const record of records) console.log(record);']
      : firstPage('records', 'records', 'const { fields } of page.records', 'fields')),
  ];
}

/** The method for records takes options beside the rest, and always returns typed values. */
function recordsOptions({
  dataReferenceName,
  fields,
  filters,
  options,
  typedValues: _typed,
  ...rest
}: PlainRecordsRequest) {
  return {
    dataReferenceName,
    ...(fields && { fields }),
    ...(filters && { filters }),
    ...options,
    ...rest,
  };
}

function writeMetricValues(call: MetricCall): readonly string[] {
  const request = plainMetricRequest(call.request);
  const extent = extentOf(call);
  if (extent === 'one request') {
    return [
      assign('{ valuesList }', 'await client.searchMetricValues', [request]),
      'for (const value of valuesList) console.log(value);',
    ];
  }
  return [
    assign('values', 'client.metricValues', [request]),
    ...(extent === 'all'
      ? ['for await (const value of values) console.log(value);']
      : firstPage('values', 'values', 'const value of page.valuesList', 'value')),
  ];
}

function writeAggregates(call: AggregatesCall): readonly string[] {
  const request = plainAggregatesRequest(call.request);
  if (extentOf(call) === 'all') {
    return [
      assign('groups', 'client.metricAggregates', [request]),
      'for await (const group of groups) console.log(group);',
    ];
  }
  return [
    assign('{ rowsList }', 'await client.searchMetricAggregates', [request]),
    'for (const group of rowsList) console.log(group);',
  ];
}

function firstPage(rows: string, plural: string, each: string, row: string): readonly string[] {
  return [
    `for await (const page of ${rows}.pages()) {`,
    `  for (${each}) console.log(${row});`,
    `  break; // Without this line it reads all ${plural}.`,
    '}',
  ];
}

function assign(name: string, method: string, args: readonly unknown[]): string {
  const start = `const ${name} = ${method}`;
  const codes = args.map((arg) => valueCode(arg, STYLE));
  const last = codes.at(-1);
  const before = codes.slice(0, -1).map((code) => `${writeCode(code)}, `);
  const opening = `${start}(${before.join('')}`;
  return `${opening}${writeCode(last ?? '', { before: opening.length, after: 2 })});`;
}
