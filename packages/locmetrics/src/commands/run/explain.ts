import {
  type AdminExplainedQuery,
  GetLayerStatsRequestSchema,
  ListRecordsRequestSchema,
  ListRecordsStatisticsRequestSchema,
  SearchFieldValuesRequestSchema,
  SearchMetricAggregatesRequestSchema,
  SearchMetricValuesRequestSchema,
} from '@locmetrics/contract';
import type { Caller } from '@locmetrics/core/domain/caller';
import { wholeGrant } from '@locmetrics/core/domain/grant';
import { createRights } from '@locmetrics/core/domain/rights';
import { toExplainAnswer } from '@locmetrics/core/encoding/explanation';
import { nameHint } from '@locmetrics/core/errors/nearest-name';
import { closePart } from '@locmetrics/core/runtime/close-part';
import type { Engine } from '@locmetrics/core/storage/engine';
import { openCatalog } from '@locmetrics/data-directory/versions/open-catalog';
import { type ControlStore, openControlStore } from '@locmetrics/server/auth/control-store';
import { readRights } from '@locmetrics/server/auth/read-rights';
import { readBodyText } from '@locmetrics/server/edge/http/request/read-bodies';
import { readAggregatesBody } from '@locmetrics/server/edge/http/request/read-metric-aggregates';
import { readMetricBody } from '@locmetrics/server/edge/http/request/read-metric-request';
import {
  readGetLayerStats,
  readListRecords,
  readListRecordsStatistics,
  readSearchFieldValues,
} from '@locmetrics/server/edge/http/request/read-row-selection';
import {
  type ExplainedQuery,
  explainGetLayerStats,
  explainListRecords,
  explainListRecordsStatistics,
  explainSearchFieldValues,
  explainSearchMetricAggregates,
  explainSearchMetricValues,
} from '@locmetrics/server/service/explain/explain-queries';
import type { Call, ServiceContext } from '@locmetrics/server/service/service-context';
import type { Static, TSchema } from 'typebox';
import type { RequiredTexts, Run, Texts } from '../../cli/define-command.ts';
import { jsonLine, type Output } from '../../cli/output.ts';
import { nameOf } from '../../compose/clickhouse-error.ts';
import { type ComposedService, composeService } from '../../compose/compose-service.ts';
import { hasStore, type OpenedDirectory, openStore } from '../../compose/open-data.ts';
import { openUpToDate } from '../../compose/with-versions.ts';
import { ConfigError } from '../../config/config-error.ts';
import { quote } from '../../config/quote.ts';
import { readFlag } from './read-flag.ts';

export const explainAction: Run<RequiredTexts<'operation' | 'request'> & Texts<'org'>> = async (
  output,
  { operation, request, settings, json, org },
) => {
  const explain = findOperation(operation);
  const opened = await openUpToDate({ settings, output });
  await using parts = new AsyncDisposableStack();
  const store = parts.adopt(hasStore(opened) ? await openStore(opened) : undefined, closePart);
  const reading: Reading = (read) => {
    if (store !== undefined) return read(store);
    const made = openControlStore(opened.directory.control);
    try {
      return read(made);
    } finally {
      made.close();
    }
  };
  const { service } = parts.use(await composeExplaining(opened, reading, output));
  const callFor = (billingContext = ''): Call => ({
    caller: callerOf(reading, org ?? (billingContext === '' ? undefined : billingContext)),
    signal: new AbortController().signal,
  });
  const answer = toExplainAnswer(await explain(request, service, callFor));
  output.data(json ? jsonLine(answer) : toText(answer.queries));
};

/** Reads from the control store, which is made if there is none. */
type Reading = <Result>(read: (store: ControlStore) => Result) => Result;

type Explain = (
  request: string,
  context: ServiceContext,
  callFor: (billingContext?: string) => Call,
) => Promise<readonly ExplainedQuery[]>;

const OPERATIONS: ReadonlyMap<string, Explain> = new Map([
  [
    'listRecords',
    explaining(ListRecordsRequestSchema, (context, body, callFor) =>
      explainListRecords(context, readListRecords(body), callFor(body.billingContext)),
    ),
  ],
  [
    'searchFieldValues',
    explaining(SearchFieldValuesRequestSchema, (context, body, callFor) =>
      explainSearchFieldValues(context, readSearchFieldValues(body), callFor(body.billingContext)),
    ),
  ],
  [
    'listRecordsStatistics',
    explaining(ListRecordsStatisticsRequestSchema, (context, body, callFor) => {
      const asked = readListRecordsStatistics(body);
      return explainListRecordsStatistics(context, asked, callFor(body.billingContext));
    }),
  ],
  [
    'getLayerStats',
    explaining(GetLayerStatsRequestSchema, (context, body, callFor) =>
      explainGetLayerStats(context, readGetLayerStats(body), callFor(body.billingContext)),
    ),
  ],
  [
    'searchMetricValues',
    explaining(SearchMetricValuesRequestSchema, (context, body, callFor) => {
      const { catalogId = '', metricId = '', billingContext } = body;
      const asked = readMetricBody(body, { catalogId, metricId });
      return explainSearchMetricValues(context, asked, callFor(billingContext));
    }),
  ],
  [
    'searchMetricAggregates',
    explaining(SearchMetricAggregatesRequestSchema, (context, body, callFor) => {
      const { catalogId = '', metricId = '', billingContext } = body;
      const asked = readAggregatesBody(body, { catalogId, metricId });
      return explainSearchMetricAggregates(context, asked, callFor(billingContext));
    }),
  ],
]);

/** Explains a request that is written as JSON, by the schema of its operation. */
function explaining<Schema extends TSchema>(
  schema: Schema,
  explain: (
    context: ServiceContext,
    body: Static<Schema>,
    callFor: Parameters<Explain>[2],
  ) => ReturnType<Explain>,
): Explain {
  return (request, context, callFor) =>
    explain(
      context,
      readFlag('request', () => readBodyText(request, schema)),
      callFor,
    );
}

function findOperation(name: string): Explain {
  const found = OPERATIONS.get(name);
  if (found !== undefined) return found;
  throw new ConfigError(
    `No operation ${quote(name)} can be explained.`,
    nameHint(name, [...OPERATIONS.keys()]),
  );
}

/** The operations over the row files alone: nothing is run. To compare their checksums would take as long as verify. */
function composeExplaining(
  { directory, config }: OpenedDirectory,
  reading: Reading,
  output: Output,
): Promise<ComposedService<Engine>> {
  return composeService({
    directory,
    catalog: openCatalog(directory, { isInDatabase: config.clickhouse !== undefined }),
    onLeftOut: ({ datasetName: dataset, version }, error) =>
      output.messages(
        `The row file of ${dataset} ${version} cannot be used: ${error instanceof Error ? error.message : error}\nWrite it again: locmetrics verify ${dataset} --repair\n`,
      ),
    openColumns: async () => NO_COLUMNS,
    columnStore: config.clickhouse === undefined ? undefined : nameOf(config.clickhouse),
    pageTokenKey: () => reading((store) => store.secret('page-token')),
    queryTimeoutMs: config.queryTimeoutMs,
  });
}

const NO_COLUMNS: Engine = {
  run: () => Promise.reject(new Error('An explanation runs no query.')),
  close: async () => {},
};

/** A caller of an organisation; without one, a caller who may see everything. */
function callerOf(reading: Reading, organisationId: string | undefined): Caller {
  const nobody = { organisationId: '', tokenId: '', scopes: [] };
  if (organisationId === undefined) {
    return { ...nobody, rights: createRights({ ...nobody, grants: [wholeGrant('', '*')] }) };
  }
  const rights = reading((store) => readRights(store, organisationId));
  return { ...nobody, organisationId, rights };
}

function toText(queries: readonly AdminExplainedQuery[]): string {
  if (queries.length === 0)
    return 'No query is run: the records were counted when they were published.\n';
  return queries.map(queryText).join('\n');
}

function queryText({
  plan,
  dataset,
  version,
  filters,
  rights,
  groups,
  aggregates,
  order,
  steps,
  store,
  access,
  boundUs,
  reason,
  onlyIf,
}: AdminExplainedQuery): string {
  const listed = (items: readonly string[]) => (items.length === 0 ? 'none' : items.join(', '));
  const lines = [
    ['filters', listed(filters)],
    ...(rights.length === 0 ? [] : [['rights', listed(rights)]]),
    ...(groups === null ? [] : [['groups', listed(groups)]]),
    ...(aggregates === null ? [] : [['aggregates', listed(aggregates)]]),
    ['order', listed(order)],
    ...(steps.length === 0 ? [] : [['steps', listed(steps)]]),
    ['store', store],
    ['index', access],
    ['bound', boundUs === null ? 'none' : `${boundUs.toLocaleString('en-US')} µs`],
    ['why', reason],
    ...onlyIf.map((condition) => ['only if', condition]),
  ];
  const width = Math.max(...lines.map(([name = '']) => name.length));
  return [
    `${plan} of ${dataset} ${version}`,
    ...lines.map(([name = '', text = '']) => `  ${name.padEnd(width)}  ${text}`),
  ]
    .map((line) => `${line}\n`)
    .join('');
}
