import { strict as assert } from 'node:assert';
import type { FilterClause } from '@locmetrics/core/domain/filter';
import type { LineFormat } from '@locmetrics/core/domain/line-format';
import { type Value, valueText } from '@locmetrics/core/domain/value';
import type { DatasetVersion } from '@locmetrics/core/domain/version';
import { lineFormatOf } from '@locmetrics/core/encoding/line-format-of';
import type { BoundingBox } from '@locmetrics/core/geometry/bounding-box';
import type { GeoCircle } from '@locmetrics/core/geometry/circle';
import type { GeoCoordinate } from '@locmetrics/core/geometry/polygon';
import type {
  FieldSelection,
  GroupSelection,
  ListRecordsRequest,
  OrderKey,
  RowSelection,
  SearchFieldValuesRequest,
} from '@locmetrics/core/requests/catalog-request';
import { rowsOfVisits } from '@locmetrics/row-store/engine/rows-of-visits';
import type { ListRecordsResult } from '@locmetrics/server/service/list-groups';
import { listRecords } from '@locmetrics/server/service/list-records';
import {
  type SearchFieldValuesResult,
  searchFieldValues,
} from '@locmetrics/server/service/search-field-values';
import {
  createServiceContext,
  type ServiceContext,
} from '@locmetrics/server/service/service-context';
import {
  openRecordsStream,
  pinRecordsStream,
} from '@locmetrics/server/service/streams/stream-records';
import type { StreamSizes } from '@locmetrics/server/service/streams/stream-sizes';
import { writeTableFile } from '@locmetrics/server/service/streams/write-table-file';
import { afterAll, beforeAll, expect } from 'vitest';
import { openTableFiles } from '../../../src/compose/open-table-files.ts';
import { readArrow } from '../../support/read-arrow.ts';
import { PARQUET_TYPES, parquetLines, readParquet } from '../../support/read-parquet.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type TestPolygon, toPolygon } from '../areas/test-polygon.ts';
import { askMetrics, type MetricOperations } from '../metrics/ask-metrics.ts';
import { readPages } from '../read-pages.ts';
import type { Table } from '../table.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import { openPlainCatalog } from './plain-catalog.ts';
import { type CallQuestion, toCall } from './test-call.ts';

/** The operations over an engine. A question has only the members that matter. */
export type ServiceUnderTest = MetricOperations & {
  readonly listRecords: (question?: RecordsQuestion) => Promise<RecordsAnswer>;
  readonly searchFieldValues: (question: ValuesQuestion) => Promise<ValuesAnswer>;
  /** The text forms of one field of all requested records, over all pages. */
  readonly column: (field: string, question?: RecordsQuestion) => Promise<readonly string[]>;
  /** The text forms of all requested values, over all pages. */
  readonly values: (field: string, question?: Omit<ValuesQuestion, 'field'>) => Promise<string[]>;
  readonly recordPages: (question?: RecordsQuestion) => Promise<readonly RecordsAnswer[]>;
  readonly valuePages: (question: ValuesQuestion) => Promise<readonly ValuesAnswer[]>;
  /** The text of a whole stream. */
  readonly streamText: (question: StreamQuestion) => Promise<string>;
  /** Loads a table and makes it the current version of its dataset. */
  readonly publish: (table: Table) => Promise<void>;
  /** Removes a version from the catalog. */
  readonly forget: (version: DatasetVersion) => void;
  /** Removes the data of a version that the catalog still lists. */
  readonly removeData: (version: DatasetVersion) => Promise<void>;
  readonly context: () => ServiceContext;
  readonly close: () => Promise<void>;
};

export type RowsQuestion = CallQuestion & {
  /** The default is the dataset that was published first. */
  readonly dataset?: string;
  readonly filters?: readonly FilterClause[];
  readonly filterLogic?: string;
  readonly box?: BoundingBox;
  readonly polygon?: TestPolygon;
  readonly circle?: GeoCircle;
  readonly near?: GeoCoordinate;
  readonly trim?: 'trim' | 'ignore';
  readonly orderBy?: OrderKey;
  readonly thenBy?: readonly OrderKey[];
  readonly pageSize?: number;
  readonly pageToken?: string;
  readonly asOf?: string;
  readonly countOnly?: boolean;
};
export type RecordsQuestion = RowsQuestion & {
  readonly fields?: readonly (string | FieldSelection)[];
  readonly groupBy?: readonly GroupSelection[];
  readonly groupFilters?: readonly FilterClause[];
  readonly recordCount?: boolean;
  readonly typedValues?: boolean;
};
export type StreamQuestion = Omit<
  RecordsQuestion,
  'groupBy' | 'groupFilters' | 'recordCount' | 'typedValues'
> & {
  readonly format: LineFormat | 'geojson' | 'parquet' | 'arrow';
  readonly sizes?: StreamSizes | undefined;
};
export type ValuesQuestion = RowsQuestion & {
  readonly field: string | FieldSelection;
  readonly term?: string;
};

/** A result with the token of the page after its last row. */
type Answer<Result> = Omit<Result, 'nextPageToken'> & { readonly nextPageToken: string };
export type RecordsAnswer = Omit<Answer<ListRecordsResult>, 'size' | 'visit'> & {
  readonly rows: readonly (readonly Value[])[];
};
export type ValuesAnswer = Answer<SearchFieldValuesResult>;

/** A service for the tests of a `describe`, opened before and closed after them. */
export function useService(
  engine: EngineUnderTest,
  ...tables: readonly [Table, ...Table[]]
): ServiceUnderTest {
  let opened: ServiceUnderTest | undefined;
  beforeAll(async () => {
    opened = await openService(engine, tables);
  });
  afterAll(() => opened?.close());
  const service = (): ServiceUnderTest => {
    assert(opened, 'The service is open only while tests run.');
    return opened;
  };
  return {
    listRecords: (question) => service().listRecords(question),
    searchFieldValues: (question) => service().searchFieldValues(question),
    column: (field, question) => service().column(field, question),
    values: (field, question) => service().values(field, question),
    recordPages: (question) => service().recordPages(question),
    valuePages: (question) => service().valuePages(question),
    streamText: (question) => service().streamText(question),
    searchMetricValues: (question) => service().searchMetricValues(question),
    metricValuePages: (question) => service().metricValuePages(question),
    searchMetricAggregates: (question) => service().searchMetricAggregates(question),
    aggregatePages: (question) => service().aggregatePages(question),
    searchLayerFeatures: (question) => service().searchLayerFeatures(question),
    featurePages: (question) => service().featurePages(question),
    searchAddressComponentValues: (question) => service().searchAddressComponentValues(question),
    componentValuePages: (question) => service().componentValuePages(question),
    searchDimensionValues: (question) => service().searchDimensionValues(question),
    dimensionValuePages: (question) => service().dimensionValuePages(question),
    listMetrics: (question) => service().listMetrics(question),
    getMetric: (question) => service().getMetric(question),
    getMetricReport: (question) => service().getMetricReport(question),
    publish: (table) => service().publish(table),
    forget: (version) => service().forget(version),
    removeData: (version) => service().removeData(version),
    context: () => service().context(),
    close: () => service().close(),
  };
}

export async function openService(
  engineUnderTest: EngineUnderTest,
  tables: readonly Table[],
): Promise<ServiceUnderTest> {
  const { engine, load, remove, close } = await engineUnderTest.open();
  const catalog = openPlainCatalog();
  const publish = async (table: Table): Promise<void> => {
    await load(table);
    catalog.publish(table.version);
  };
  for (const table of tables) await publish(table);
  const context = createServiceContext({
    catalog,
    engine,
    tableFiles: openTableFiles(temporaryFolder()),
    pageTokenKey: () => new Uint8Array(32).fill(7),
    // Above the need of a busy machine: a random test asks a hundred questions at once.
    queryTimeoutMs: 300_000,
  });
  const [metric] = tables.flatMap(({ version }) => version.metrics);
  return {
    ...askService(context, tables[0]?.version.dataset.name ?? ''),
    ...askMetrics(context, { metricId: metric?.metricId ?? '', layerId: metric?.layerId ?? '' }),
    publish,
    forget: catalog.forget,
    removeData: remove,
    context: () => context,
    close,
  };
}

/** The operations over a context, with the default dataset of questions. */
export function askService(context: ServiceContext, datasetName: string) {
  const records = async (question: RecordsQuestion = {}): Promise<RecordsAnswer> => {
    const request = toRecordsRequest(question, datasetName);
    const result = await listRecords(context, request, toCall(question));
    const { size, visit, ...others } = result;
    const rows = rowsOfVisits(visit, size, result.fields);
    return { ...others, rows, nextPageToken: result.nextPageToken(size) };
  };
  const search = async (question: ValuesQuestion): Promise<ValuesAnswer> => {
    const request = toValuesRequest(question, datasetName);
    const result = await searchFieldValues(context, request, toCall(question));
    return { ...result, nextPageToken: result.nextPageToken(result.values.length) };
  };
  const recordPages = (question: RecordsQuestion = {}) => readPages(question, records);
  const valuePages = (question: ValuesQuestion) => readPages(question, search);
  return {
    listRecords: records,
    searchFieldValues: search,
    recordPages,
    valuePages,
    streamText: (question: StreamQuestion) => streamText(context, question, datasetName),
    column: async (field: string, question: RecordsQuestion = {}): Promise<string[]> => {
      const pages = await recordPages({ ...question, fields: [field] });
      return pages.flatMap(({ rows }) => rows.map(([value = null]) => valueText(value)));
    },
    values: async (
      field: string,
      question: Omit<ValuesQuestion, 'field'> = {},
    ): Promise<string[]> => {
      const pages = await valuePages({ ...question, field });
      return pages.flatMap(({ values }) => values.map(valueText));
    },
  };
}

async function streamText(
  context: ServiceContext,
  question: StreamQuestion,
  datasetName: string,
): Promise<string> {
  const { format, sizes } = question;
  const isOfLines = format === 'csv' || format === 'ndjson';
  const request = {
    ...toSelection(question, datasetName),
    fields: (question.fields ?? []).map(toFieldSelection),
    trackTotalHits: format === 'parquet',
  };
  const call = toCall(question);
  const pinned = pinRecordsStream(context, request, {
    ...call,
    asGeojson: format === 'geojson',
  });
  const stream = await openRecordsStream(context, pinned, {
    ...call,
    lines: isOfLines ? format : undefined,
    ...(sizes === undefined ? {} : { sizes }),
  });
  if (format === 'parquet') {
    await using file = await writeTableFile(context, call, stream);
    return parquetLines(await readParquet(await file.readFile()));
  }
  const { head, lines, tail } = lineFormatOf(format, stream);
  const parts: Uint8Array[] = [head(stream.columns)];
  let isFirst = true;
  for await (const piece of stream.pieces) {
    parts.push('bytes' in piece ? piece.bytes : await lines(stream.columns, piece, isFirst));
    isFirst &&= piece.size === 0;
  }
  parts.push(Buffer.from(tail));
  const whole = Buffer.concat(parts);
  if (format !== 'arrow') return whole.toString();
  const table = readArrow(whole);
  expect(table.isComplete).toBe(true);
  expect(table.types).toEqual(stream.columns.map(({ name, type }) => [name, PARQUET_TYPES[type]]));
  return parquetLines(table);
}

function toRecordsRequest(question: RecordsQuestion, datasetName: string): ListRecordsRequest {
  return {
    ...toSelection(question, datasetName),
    fields: (question.fields ?? []).map(toFieldSelection),
    groupBy: question.groupBy ?? [],
    groupFilters: question.groupFilters ?? [],
    recordCount: question.recordCount ?? false,
    typedValues: question.typedValues ?? false,
  };
}

function toValuesRequest(question: ValuesQuestion, datasetName: string): SearchFieldValuesRequest {
  return {
    ...toSelection(question, datasetName),
    field: toFieldSelection(question.field),
    term: question.term ?? '',
  };
}

function toFieldSelection(field: string | FieldSelection): FieldSelection {
  return typeof field === 'string' ? { name: field, source: '' } : field;
}

function toSelection(question: RowsQuestion, datasetName: string): RowSelection {
  const { box, polygon, circle, near, orderBy, thenBy = [] } = question;
  return {
    dataReferenceName: question.dataset ?? datasetName,
    filters: question.filters ?? [],
    filterLogic: question.filterLogic ?? '',
    options: {
      trimToPeriodOfExistence: question.trim ?? 'trim',
      ...(box === undefined ? {} : { boundingBox: box }),
      ...(polygon === undefined ? {} : { polygon: toPolygon(polygon) }),
      ...(circle === undefined ? {} : { circle }),
      ...(near === undefined ? {} : { near }),
      ...(orderBy === undefined ? {} : { orderBy }),
      ...(thenBy.length === 0 ? {} : { thenBy }),
    },
    billingContext: '',
    pageSize: question.pageSize ?? 0,
    pageToken: question.pageToken ?? '',
    asOf: question.asOf ?? '',
    countOnly: question.countOnly ?? false,
  };
}
