import { layerFeaturesQuery, metricValuesQuery } from './address-filters.ts';
import { awaitExport, type ExportOptions } from './await-export.ts';
import type {
  AnyDatasets,
  DatasetName,
  DatasetsShape,
  DefaultFieldName,
  FieldName,
  FieldValue,
  Filter,
  RecordOf,
} from './datasets.ts';
import { OPERATIONS, type Operations } from './generated/operations.ts';
import type {
  AddressComponent,
  AddressComponentValue,
  BoundingBox,
  Caller,
  Catalog,
  CreateRecordsExportRequest,
  DataReference,
  DeleteRecordsExportRequest,
  DimensionValue,
  DownloadMetricRequest,
  FileDownloadRequest,
  FileDownloadResponse,
  GeoCircle,
  GeoJsonPolygon,
  GeoPolygon,
  GetLayerStatsRequest,
  GetLayerStatsResponse,
  GetMetricResponse,
  GetRecordsExportRequest,
  Layer,
  ListMetricsResponse,
  ListRecordsRequest,
  ListRecordsResponse,
  ListRecordsStatisticsRequest,
  MapFeature,
  Metric,
  MetricAggregatesRow,
  MetricValue,
  NearPoint,
  RecordsExport,
  RecordsStatistics,
  SearchAddressComponentValuesResponse,
  SearchDimensionValuesResponse,
  SearchFieldValuesRequest,
  SearchFieldValuesResponse,
  SearchLayerFeaturesRequest,
  SearchLayerFeaturesResponse,
  SearchMetricAggregatesRequest,
  SearchMetricAggregatesResponse,
  SearchMetricReportResponse,
  SearchMetricValuesRequest,
  SearchMetricValuesResponse,
  StreamMetricValuesRequest as StreamMetricValuesBody,
  StreamRecordsRequest,
  TileJson,
  UsageResponse,
  UsageRow,
} from './generated/schemas.ts';
import { createOpenDownload } from './open-download.ts';
import { createRowStream, type RowStream } from './row-stream.ts';
import { type CountedRows, createCountedRows, createRows, type Rows } from './rows.ts';
import { type CallOptions, createSend } from './send.ts';

export type ClientOptions = {
  /** The URL of the service, such as `https://data.example.org`. */
  readonly url: string;
  readonly token: string;
  /** The id of your organisation. Requests for metric values need it; elsewhere it follows from the token. */
  readonly billingContext?: string | undefined;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /**
   * How often a request is sent again after a failed connection, a 503, or a 429 with a short `Retry-After`. Default:
   * 2. A repeated request is a new one in usage and limits.
   */
  readonly retries?: number | undefined;
};

/**
 * Calls the service. A method with the name of a call sends one request and returns its answer. A method with the
 * name of rows (`records`, `metricValues` …) reads all pages. `streamRecords` and `streamMetricValues` read all rows in
 * one answer.
 */
export type Client<Datasets extends DatasetsShape = AnyDatasets> = {
  /** The caller of the token: its organisation, name, scopes and expiry, and the limits of its organisation. */
  readonly getCaller: (options?: CallOptions) => Promise<Caller>;

  /** The datasets that you may see. */
  readonly listDataReferences: (options?: CallOptions) => Promise<readonly DataReference[]>;
  readonly getDataReference: (
    dataset: DatasetName<Datasets>,
    options?: CallOptions,
  ) => Promise<DataReference>;
  /** A page of records, as text unless `typedValues` is set. `records` reads all pages. */
  readonly listRecords: (
    request: ListRecordsRequest,
    options?: CallOptions,
  ) => Promise<ListRecordsResponse>;
  /** A page of the distinct values of a field. `fieldValues` reads all pages. */
  readonly searchFieldValues: (
    request: SearchFieldValuesRequest,
    options?: CallOptions,
  ) => Promise<SearchFieldValuesResponse>;
  /** The number of records and places of each observation date, by ascending date. */
  readonly listRecordsStatistics: (
    request: ListRecordsStatisticsRequest,
    options?: CallOptions,
  ) => Promise<readonly RecordsStatistics[]>;
  /** The number of places, and of different values of fields, on one observation date. */
  readonly getLayerStats: (
    request: GetLayerStatsRequest,
    options?: CallOptions,
  ) => Promise<GetLayerStatsResponse>;
  /**
   * Writes all records of a request to files, and resolves once they can be downloaded: `fileExportInfo.files` has their
   * addresses, which need no token. If the signal aborts, the export is deleted. Throws an ExportFailedError.
   */
  readonly export: (
    request: CreateRecordsExportRequest,
    options?: ExportOptions,
  ) => Promise<RecordsExport>;
  /** Creates a job that writes all records of a request to files. */
  readonly createRecordsExport: (
    request: CreateRecordsExportRequest,
    options?: CallOptions,
  ) => Promise<RecordsExport>;
  /** An export, with links to its files once its status is `COMPLETED`. */
  readonly getRecordsExport: (
    request: GetRecordsExportRequest,
    options?: CallOptions,
  ) => Promise<RecordsExport>;
  /** The exports that the token created, the newest first. */
  readonly listRecordsExports: (options?: CallOptions) => Promise<readonly RecordsExport[]>;
  /** Cancels an export that is running, and removes its files. */
  readonly deleteRecordsExport: (
    request: DeleteRecordsExportRequest,
    options?: CallOptions,
  ) => Promise<void>;
  /**
   * Writes all records of a request to files, and answers with their addresses in one call. `export` also suits large
   * results, which take longer than a call may.
   */
  readonly fileDownload: (
    request: FileDownloadRequest,
    options?: CallOptions,
  ) => Promise<FileDownloadResponse>;
  /** The records of a dataset, with typed values: numbers, booleans, null if absent, and dates as text. */
  readonly records: <
    Name extends DatasetName<Datasets>,
    const Selected extends FieldName<Datasets, Name> = DefaultFieldName<Datasets, Name>,
    const Near extends NearPoint | undefined = undefined,
  >(
    dataset: Name,
    options?: RecordsOptions<Datasets, Name, Selected> & ByDistance<Near>,
  ) => CountedRows<RecordOf<Datasets, Name, Selected> & DistanceOf<Near>, ListRecordsResponse>;
  /** The records of `records`, in one answer: for a whole dataset, or a file of it. */
  readonly streamRecords: <
    Name extends DatasetName<Datasets>,
    const Selected extends FieldName<Datasets, Name> = DefaultFieldName<Datasets, Name>,
    const Near extends NearPoint | undefined = undefined,
  >(
    dataset: Name,
    options?: StreamRecordsOptions<Datasets, Name, Selected> & ByDistance<Near>,
  ) => RowStream<RecordOf<Datasets, Name, Selected> & DistanceOf<Near>, 'streamRecords'>;
  /** The distinct values of a field, as text. */
  readonly fieldValues: <Name extends DatasetName<Datasets>>(
    dataset: Name,
    field: FieldName<Datasets, Name>,
    options?: FieldValuesOptions<Datasets, Name>,
  ) => CountedRows<string, SearchFieldValuesResponse>;

  /** The URL, bounds and layers of the map tiles of a dataset, as TileJSON 3.0.0. */
  readonly describeTiles: (
    request: InAddress<'describeTiles'>,
    options?: CallOptions,
  ) => Promise<TileJson>;

  /** The same of the outlines of a layer. */
  readonly describeLayerTiles: (
    request: InAddress<'describeLayerTiles'>,
    options?: CallOptions,
  ) => Promise<TileJson>;

  readonly listCatalogs: (options?: CallOptions) => Promise<readonly Catalog[]>;
  /** A page of the metrics of a catalog. `metrics` reads all pages. */
  readonly listMetrics: (
    request: InAddress<'listMetrics'>,
    options?: CallOptions,
  ) => Promise<ListMetricsResponse>;
  readonly getMetric: (
    request: InAddress<'getMetric'>,
    options?: CallOptions,
  ) => Promise<GetMetricResponse>;
  /** The first and the last day with values. */
  readonly searchMetricReport: (
    request: InAddress<'searchMetricReport'>,
    options?: CallOptions,
  ) => Promise<SearchMetricReportResponse>;
  /** A page of the values of a metric. `metricValues` reads all pages. */
  readonly searchMetricValues: (
    request: MetricValuesRequest,
    options?: CallOptions,
  ) => Promise<SearchMetricValuesResponse>;
  /** A page of groups of the values of a metric, compared and ranked. `metricAggregates` reads all pages. */
  readonly searchMetricAggregates: (
    request: MetricAggregatesRequest,
    options?: CallOptions,
  ) => Promise<SearchMetricAggregatesResponse>;
  readonly getLayer: (request: InAddress<'getLayer'>, options?: CallOptions) => Promise<Layer>;
  /** A page of the features of a layer. `features` reads all pages. */
  readonly searchLayerFeatures: (
    request: LayerFeaturesRequest,
    options?: CallOptions,
  ) => Promise<SearchLayerFeaturesResponse>;
  readonly listAddressComponents: (options?: CallOptions) => Promise<readonly AddressComponent[]>;
  /** A page of the values of an address component. `componentValues` reads all pages. */
  readonly searchAddressComponentValues: (
    request: InAddress<'searchAddressComponentValues'>,
    options?: CallOptions,
  ) => Promise<SearchAddressComponentValuesResponse>;
  /** A page of the values of a dimension. `dimensionValues` reads all pages. */
  readonly searchDimensionValues: (
    request: InAddress<'searchDimensionValues'>,
    options?: CallOptions,
  ) => Promise<SearchDimensionValuesResponse>;
  readonly metrics: (
    request: InAddress<'listMetrics'>,
    options?: CallOptions,
  ) => Rows<Metric, ListMetricsResponse>;
  /** The values of a metric, by feature and period. */
  readonly metricValues: (
    request: MetricValuesRequest,
    options?: CallOptions,
  ) => CountedRows<MetricValue, SearchMetricValuesResponse>;
  /** The values of `metricValues`, in one answer, as rows of a table. */
  readonly streamMetricValues: (
    request: StreamMetricValuesRequest,
    options?: CallOptions,
  ) => RowStream<MetricValuesRow, 'streamMetricValues'>;
  /** Writes all values of a metric to files of CSV, and answers with their addresses in one call. */
  readonly downloadMetric: (
    request: MetricDownloadRequest,
    options?: CallOptions,
  ) => Promise<FileDownloadResponse>;
  readonly metricAggregates: (
    request: MetricAggregatesRequest,
    options?: CallOptions,
  ) => Rows<MetricAggregatesRow, SearchMetricAggregatesResponse>;
  readonly features: (
    request: LayerFeaturesRequest,
    options?: CallOptions,
  ) => Rows<MapFeature, SearchLayerFeaturesResponse>;
  readonly componentValues: (
    request: InAddress<'searchAddressComponentValues'>,
    options?: CallOptions,
  ) => Rows<AddressComponentValue, SearchAddressComponentValuesResponse>;
  readonly dimensionValues: (
    request: InAddress<'searchDimensionValues'>,
    options?: CallOptions,
  ) => Rows<DimensionValue, SearchDimensionValuesResponse>;

  /** A page of the usage of your organisation. `usage` reads all pages. */
  readonly readUsage: (request?: UsageRequest, options?: CallOptions) => Promise<UsageResponse>;
  readonly usage: (request?: UsageRequest, options?: CallOptions) => Rows<UsageRow, UsageResponse>;
};

export type RecordsOptions<
  Datasets extends DatasetsShape,
  Name extends DatasetName<Datasets>,
  Selected extends FieldName<Datasets, Name>,
> = SelectedRecords<Datasets, Name, Selected> & PageSize;

export type StreamRecordsOptions<
  Datasets extends DatasetsShape,
  Name extends DatasetName<Datasets>,
  Selected extends FieldName<Datasets, Name>,
> = SelectedRecords<Datasets, Name, Selected> & TrackTotalHits;

type SelectedRecords<
  Datasets extends DatasetsShape,
  Name extends DatasetName<Datasets>,
  Selected extends FieldName<Datasets, Name>,
> = CallOptions &
  RowSelection<Datasets, Name> & {
    /** The fields of the records. Absent: those that the dataset includes by default. */
    readonly fields?: readonly Selected[] | undefined;
    /** Absent: the order of the key of the dataset. */
    readonly orderBy?: OrderBy<FieldName<Datasets, Name>> | undefined;
    /** Further keys of the order, for records with equal values of `orderBy`. */
    readonly thenBy?: readonly OrderBy<FieldName<Datasets, Name>>[] | undefined;
  };

/** The order by distance. */
export type ByDistance<Near extends NearPoint | undefined> = {
  /** The nearest records first, each with its `distance_metres`; not together with `orderBy`. */
  readonly near?: Near | undefined;
};

/** The distance of a record, if the records are in this order; null without a point. */
export type DistanceOf<Near> = Near extends NearPoint
  ? { readonly distance_metres: number | null }
  : unknown;

export type FieldValuesOptions<
  Datasets extends DatasetsShape,
  Name extends DatasetName<Datasets>,
> = CallOptions &
  PageSize &
  RowSelection<Datasets, Name> & {
    /** Text that the values contain, ignoring case and diacritics. Absent: all values. */
    readonly term?: string | undefined;
  };

type RowSelection<Datasets extends DatasetsShape, Name extends DatasetName<Datasets>> = {
  /** A record must match all of them, unless `filterLogic` combines them. */
  readonly filters?: readonly Filter<Datasets, Name>[] | undefined;
  readonly boundingBox?: BoundingBox | undefined;
  /** The points of a ring, or a GeoJSON Polygon; not together with `boundingBox`. */
  readonly polygon?: GeoJsonPolygon | GeoPolygon | undefined;
  /** A centre and a radius in metres; not together with `boundingBox` or `polygon`. */
  readonly circle?: GeoCircle | undefined;
} & Pick<ListRecordsRequest, 'filterLogic' | 'trimToPeriodOfExistence' | 'billingContext' | 'asOf'>;

type PageSize = Pick<ListRecordsRequest, 'pageSize'>;
type TrackTotalHits = Pick<StreamRecordsRequest, 'trackTotalHits'>;

export type OrderBy<Field extends string> = {
  readonly fieldName: Field;
  readonly direction?: 'ASC' | 'DESC' | undefined;
};

/** The ids in the path together with the query parameters. */
type InAddress<Id extends keyof Operations> = Operations[Id]['path'] & Operations[Id]['query'];

export type MetricValuesRequest = SearchMetricValuesRequestBody &
  Operations['searchMetricValues']['path'];
/** The client sends its own billing context, so a request need not name it. */
type SearchMetricValuesRequestBody = Omit<SearchMetricValuesRequest, 'billingContext'> &
  Partial<Pick<SearchMetricValuesRequest, 'billingContext'>>;
export type StreamMetricValuesRequest = Omit<StreamMetricValuesBody, 'billingContext'> &
  Partial<Pick<StreamMetricValuesBody, 'billingContext'>> &
  Operations['searchMetricValues']['path'];
export type MetricDownloadRequest = Omit<DownloadMetricRequest, 'billingContext'> &
  Partial<Pick<DownloadMetricRequest, 'billingContext'>> &
  Operations['downloadMetric']['path'];
/** A metric value as a row of a table: its feature with components, period, dimensions, measures and flags. */
export type MetricValuesRow = {
  readonly feature_id: string;
  readonly [column: string]: FieldValue;
};
/**
 * Groups and aggregates as short texts, as in an address: `{ groupBy: ['us_state_2020'], aggregate: ['sum:visits'] }`;
 * or as objects: `{ groupBy: [{ id: 'us_state_2020' }], aggregates: [{ valueName: 'visits', aggregation: 'SUM' }] }`.
 */
export type MetricAggregatesRequest = Operations['searchMetricAggregates']['path'] &
  (
    | (Omit<Operations['searchMetricAggregates']['query'], 'billingContext'> & {
        readonly billingContext?: string;
        readonly aggregates?: never;
      })
    | (Omit<SearchMetricAggregatesRequest, 'billingContext'> & {
        readonly billingContext?: string;
        readonly aggregates: NonNullable<SearchMetricAggregatesRequest['aggregates']>;
      })
  );
export type LayerFeaturesRequest = SearchLayerFeaturesRequest &
  Operations['searchLayerFeatures']['path'];
export type UsageRequest = Omit<Operations['readUsage']['query'], 'format'>;

export function createClient<Datasets extends DatasetsShape = AnyDatasets>({
  url,
  token,
  billingContext,
  fetch: given,
  retries = 2,
}: ClientOptions): Client<Datasets> {
  const options = {
    url,
    token,
    fetch: given ?? ((...request: Parameters<typeof fetch>) => globalThis.fetch(...request)),
    retries,
  };
  // Every operation only reads, also those by POST.
  const send = createSend<Operations>({ ...options, table: OPERATIONS, onlyReads });
  const openDownload = createOpenDownload(options);
  const billed = billingContext === undefined ? {} : { billingContext };

  const calls = {
    listRecords: (request: ListRecordsRequest, options?: CallOptions) =>
      send('listRecords', { body: { ...billed, ...request } }, options),
    searchFieldValues: (request: SearchFieldValuesRequest, options?: CallOptions) =>
      send('searchFieldValues', { body: { ...billed, ...request } }, options),
    createRecordsExport: (request: CreateRecordsExportRequest, options?: CallOptions) =>
      send('createRecordsExport', { body: { ...billed, ...request } }, options),
    getRecordsExport: (request: GetRecordsExportRequest, options?: CallOptions) =>
      send('getRecordsExport', { body: request }, options),
    deleteRecordsExport: async (
      request: DeleteRecordsExportRequest,
      options?: CallOptions,
    ): Promise<void> => {
      await send('deleteRecordsExport', { body: request }, options);
    },
    listMetrics: ({ catalogId, ...query }: InAddress<'listMetrics'>, options?: CallOptions) =>
      send('listMetrics', { path: { catalogId }, query: { ...billed, ...query } }, options),
    searchMetricValues: (
      { catalogId, metricId, ...rest }: MetricValuesRequest,
      options?: CallOptions,
    ) => {
      const path = { catalogId, metricId };
      // Without a billing context the service says that it is missing.
      const body = { ...billed, ...rest } as SearchMetricValuesRequest;
      const query = metricValuesQuery(body);
      return query === undefined
        ? send('searchMetricValuesByBody', { path, body }, options)
        : send('searchMetricValues', { path, query }, options);
    },
    searchMetricAggregates: (
      { catalogId, metricId, ...rest }: MetricAggregatesRequest,
      options?: CallOptions,
    ) => {
      const path = { catalogId, metricId };
      // Without a billing context the service says that it is missing.
      return rest.aggregates === undefined
        ? send(
            'searchMetricAggregates',
            {
              path,
              query: { ...billed, ...rest } as Operations['searchMetricAggregates']['query'],
            },
            options,
          )
        : send(
            'searchMetricAggregatesByBody',
            { path, body: { ...billed, ...rest } as SearchMetricAggregatesRequest },
            options,
          );
    },
    searchLayerFeatures: (
      { catalogId, layerId, ...rest }: LayerFeaturesRequest,
      options?: CallOptions,
    ) => {
      const path = { catalogId, layerId };
      const body = { ...billed, ...rest };
      const query = layerFeaturesQuery(body);
      return query === undefined
        ? send('searchLayerFeaturesByBody', { path, body }, options)
        : send('searchLayerFeatures', { path, query }, options);
    },
    searchAddressComponentValues: (
      { catalogId, component, ...query }: InAddress<'searchAddressComponentValues'>,
      options?: CallOptions,
    ) =>
      send(
        'searchAddressComponentValues',
        { path: { catalogId, component }, query: { ...billed, ...query } },
        options,
      ),
    searchDimensionValues: (
      { catalogId, dimensionId, ...query }: InAddress<'searchDimensionValues'>,
      options?: CallOptions,
    ) =>
      send(
        'searchDimensionValues',
        { path: { catalogId, dimensionId }, query: { ...billed, ...query } },
        options,
      ),
    readUsage: (query: UsageRequest = {}, options?: CallOptions) =>
      send('readUsage', { query: { ...query, format: 'json' } }, options),
  };

  return {
    ...calls,
    getCaller: (options) => send('getCaller', {}, options),
    listDataReferences: async (options) =>
      (await send('listDataReferences', { body: billed }, options)).dataReferences,
    getDataReference: async (dataReferenceName, options) =>
      (await send('getDataReference', { body: { ...billed, dataReferenceName } }, options))
        .dataReference,
    listRecordsStatistics: async (request, options) =>
      (await send('listRecordsStatistics', { body: { ...billed, ...request } }, options))
        .statistics,
    getLayerStats: (request, options) =>
      send('getLayerStats', { body: { ...billed, ...request } }, options),
    export: (request, options) => awaitExport(calls, request, options),
    fileDownload: (request, options) =>
      send('fileDownload', { body: { ...billed, ...request } }, options),
    listRecordsExports: async (options) =>
      (await send('listRecordsExports', { body: billed }, options)).recordsExports,
    records: (
      dataReferenceName,
      { signal, fields, orderBy, thenBy, near, boundingBox, polygon, circle, ...rest } = {},
    ) => {
      const request: ListRecordsRequest = {
        ...rest,
        dataReferenceName,
        fields,
        options: { boundingBox, polygon, circle, near, orderBy, thenBy },
        typedValues: true,
      };
      return createCountedRows({
        pageSize: rest.pageSize,
        fetchPage: (page) => calls.listRecords({ ...request, ...page }, { signal }),
        // The service answers with the selected fields, and their types are those that it declares.
        rowsOf: ({ records }) => records.map((record) => record.fields as never),
        fetchCount: () => calls.listRecords({ ...request, countOnly: true }, { signal }),
      });
    },
    streamRecords: (
      dataReferenceName,
      { signal, fields, orderBy, thenBy, near, boundingBox, polygon, circle, ...rest } = {},
    ) => {
      const body = {
        ...billed,
        ...rest,
        fields,
        options: { boundingBox, polygon, circle, near, orderBy, thenBy },
      };
      return createRowStream(
        (format) =>
          openDownload('streamRecords', { path: { dataReferenceName, format }, body }, { signal }),
        { signal },
      );
    },
    fieldValues: (
      dataReferenceName,
      field,
      { signal, boundingBox, polygon, circle, ...rest } = {},
    ) => {
      const request: SearchFieldValuesRequest = {
        ...rest,
        dataReferenceName,
        field,
        options: { boundingBox, polygon, circle },
      };
      return createCountedRows({
        pageSize: rest.pageSize,
        fetchPage: (page) => calls.searchFieldValues({ ...request, ...page }, { signal }),
        rowsOf: ({ values }) => values,
        fetchCount: () => calls.searchFieldValues({ ...request, countOnly: true }, { signal }),
      });
    },
    describeTiles: ({ dataReferenceName, ...query }, options) =>
      send(
        'describeTiles',
        { path: { dataReferenceName }, query: { ...billed, ...query } },
        options,
      ),
    describeLayerTiles: ({ catalogId, layerId, ...query }, options) =>
      send(
        'describeLayerTiles',
        { path: { catalogId, layerId }, query: { ...billed, ...query } },
        options,
      ),
    listCatalogs: async (options) =>
      (await send('listCatalogs', { query: billed }, options)).catalogsList,
    getMetric: ({ catalogId, metricId, ...query }, options) =>
      send('getMetric', { path: { catalogId, metricId }, query: { ...billed, ...query } }, options),
    searchMetricReport: ({ catalogId, metricId, ...query }, options) =>
      send(
        'searchMetricReport',
        { path: { catalogId, metricId }, query: { ...billed, ...query } },
        options,
      ),
    getLayer: async ({ catalogId, layerId, ...query }, options) =>
      (
        await send(
          'getLayer',
          { path: { catalogId, layerId }, query: { ...billed, ...query } },
          options,
        )
      ).layer,
    listAddressComponents: async (options) =>
      (await send('listAddressComponents', { query: billed }, options)).addressComponentsList,
    metrics: (request, options) =>
      createRows({
        pageSize: request.pageSize,
        fetchPage: (page) => calls.listMetrics({ ...request, ...page }, options),
        rowsOf: ({ metricsList }) => metricsList,
      }),
    metricValues: (request, options) =>
      createCountedRows({
        pageSize: request.pageSize,
        fetchPage: (page) => calls.searchMetricValues({ ...request, ...page }, options),
        rowsOf: ({ valuesList }) => valuesList,
        fetchCount: () => calls.searchMetricValues({ ...request, countOnly: true }, options),
      }),
    streamMetricValues: ({ catalogId, metricId, ...rest }, options) =>
      createRowStream((format) => {
        const path = { catalogId, metricId, format };
        // Without a billing context the service says that it is missing.
        const body = { ...billed, ...rest } as StreamMetricValuesBody;
        return openDownload('streamMetricValues', { path, body }, options);
      }, options),
    downloadMetric: ({ catalogId, metricId, ...rest }, options) => {
      const path = { catalogId, metricId };
      // Without a billing context the service says that it is missing.
      const body = { ...billed, ...rest } as DownloadMetricRequest;
      return send('downloadMetric', { path, body }, options);
    },
    metricAggregates: (request, options) =>
      createRows({
        pageSize: request.pageSize,
        fetchPage: (page) => calls.searchMetricAggregates({ ...request, ...page }, options),
        rowsOf: ({ rowsList }) => rowsList,
      }),
    features: (request, options) =>
      createRows({
        pageSize: request.pageSize,
        fetchPage: (page) => calls.searchLayerFeatures({ ...request, ...page }, options),
        rowsOf: ({ featuresList }) => featuresList,
      }),
    componentValues: (request, options) =>
      createRows({
        pageSize: request.pageSize,
        fetchPage: (page) => calls.searchAddressComponentValues({ ...request, ...page }, options),
        rowsOf: ({ addressComponentValuesList }) => addressComponentValuesList,
      }),
    dimensionValues: (request, options) =>
      createRows({
        pageSize: request.pageSize,
        fetchPage: (page) => calls.searchDimensionValues({ ...request, ...page }, options),
        rowsOf: ({ dimensionValuesList }) => dimensionValuesList,
      }),
    usage: (request = {}, options) =>
      createRows({
        pageSize: request.pageSize,
        fetchPage: (page) => calls.readUsage({ ...request, ...page }, options),
        rowsOf: ({ usage }) => usage,
      }),
  };
}

/** An export that is created twice would be written, and charged, twice. */
const CHANGING: ReadonlySet<keyof Operations> = new Set([
  'createRecordsExport',
  'deleteRecordsExport',
  'fileDownload',
  'downloadMetric',
]);

function onlyReads(_method: string, id: keyof Operations): boolean {
  return !CHANGING.has(id);
}
