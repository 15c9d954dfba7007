// Made from the contract by `npm run generate`. Do not edit.

import type {
  Caller,
  CreateRecordsExportRequest,
  DeleteRecordsExportRequest,
  DeleteRecordsExportResponse,
  DownloadMetricRequest,
  FileDownloadRequest,
  FileDownloadResponse,
  GetDataReferenceRequest,
  GetDataReferenceResponse,
  GetLayerResponse,
  GetLayerStatsRequest,
  GetLayerStatsResponse,
  GetMetricResponse,
  GetRecordsExportRequest,
  ListAddressComponentsResponse,
  ListCatalogsResponse,
  ListDataReferencesRequest,
  ListDataReferencesResponse,
  ListMetricsResponse,
  ListRecordsExportsRequest,
  ListRecordsExportsResponse,
  ListRecordsRequest,
  ListRecordsResponse,
  ListRecordsStatisticsRequest,
  ListRecordsStatisticsResponse,
  RecordsExport,
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
  TileJson,
  UsageResponse,
} from './schemas.ts';

export type Operations = {
  /** Describe the caller. */
  readonly getCaller: {
    readonly path: {};
    readonly query: {};
    readonly body: undefined;
    readonly answer: Caller;
  };
  /** List the datasets you may see. */
  readonly listDataReferences: {
    readonly path: {};
    readonly query: {};
    readonly body: ListDataReferencesRequest;
    readonly answer: ListDataReferencesResponse;
  };
  /** Describe one dataset. */
  readonly getDataReference: {
    readonly path: {};
    readonly query: {};
    readonly body: GetDataReferenceRequest;
    readonly answer: GetDataReferenceResponse;
  };
  /** List the records of a dataset. */
  readonly listRecords: {
    readonly path: {};
    readonly query: {};
    readonly body: ListRecordsRequest;
    readonly answer: ListRecordsResponse;
  };
  /** Search the distinct values of a field. */
  readonly searchFieldValues: {
    readonly path: {};
    readonly query: {};
    readonly body: SearchFieldValuesRequest;
    readonly answer: SearchFieldValuesResponse;
  };
  /** Count the records and places of each date. */
  readonly listRecordsStatistics: {
    readonly path: {};
    readonly query: {};
    readonly body: ListRecordsStatisticsRequest;
    readonly answer: ListRecordsStatisticsResponse;
  };
  /** Count the places and values of one date. */
  readonly getLayerStats: {
    readonly path: {};
    readonly query: {};
    readonly body: GetLayerStatsRequest;
    readonly answer: GetLayerStatsResponse;
  };
  /** Export records to files. */
  readonly createRecordsExport: {
    readonly path: {};
    readonly query: {};
    readonly body: CreateRecordsExportRequest;
    readonly answer: RecordsExport;
  };
  /** Get an export. */
  readonly getRecordsExport: {
    readonly path: {};
    readonly query: {};
    readonly body: GetRecordsExportRequest;
    readonly answer: RecordsExport;
  };
  /** List your exports. */
  readonly listRecordsExports: {
    readonly path: {};
    readonly query: {};
    readonly body: ListRecordsExportsRequest;
    readonly answer: ListRecordsExportsResponse;
  };
  /** Delete an export. */
  readonly deleteRecordsExport: {
    readonly path: {};
    readonly query: {};
    readonly body: DeleteRecordsExportRequest;
    readonly answer: DeleteRecordsExportResponse;
  };
  /** Export records to files, and wait for them. */
  readonly fileDownload: {
    readonly path: {};
    readonly query: {};
    readonly body: FileDownloadRequest;
    readonly answer: FileDownloadResponse;
  };
  /** Describe the map tiles of a dataset. */
  readonly describeTiles: {
    readonly path: {
      /** Name of the dataset, `<product>.<dataset>`. */
      readonly dataReferenceName: string;
    };
    readonly query: {
      /** The filters of listRecords, as a percent-encoded JSON list. A record must match all of them, unless filterLogic combines them otherwise. */
      readonly filters?: string | undefined;
      /** How the filters are combined: $0 is the first one. AND, OR, NOT and parentheses; AND binds more tightly than OR. Each filter must be used. Absent: AND. */
      readonly filterLogic?: string | undefined;
      /** The fields of each point in addition to the key, separated by commas. Absent: only the key. */
      readonly fields?: string | undefined;
      /** The values of each cell in addition to its count: sum or mean of a field of numbers, such as sum:population. A sum that would mean nothing is refused, as in groups of records. */
      readonly aggregate?: readonly string[] | undefined;
      /** True: every tile has cells. False: a tile has points up to 10,000 records, and cells only beyond. Absent: points up to 2,000 records. */
      readonly cells?: boolean | undefined;
      /** Records whose point lies inside a polygon in degrees, edges included: a percent-encoded GeoJSON Polygon of one ring with 4 to 500 points. */
      readonly polygon?: string | undefined;
      /** Records whose point lies at most so many metres from a centre: longitude,latitude,metres. Not together with polygon. */
      readonly circle?: string | undefined;
      /** Id of the caller's organisation. Absent: the organisation of the token. */
      readonly billingContext?: string | undefined;
      /** A version, or a date YYYY-MM-DD (UTC) for the version that was current at the end of that day. Absent: the current version. */
      readonly asOf?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: TileJson;
  };
  /** List the catalogs. */
  readonly listCatalogs: {
    readonly path: {};
    readonly query: {
      /** Id of the caller's organisation. */
      readonly billingContext?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: ListCatalogsResponse;
  };
  /** List the metrics of a catalog. */
  readonly listMetrics: {
    readonly path: {
      /** The catalog. */
      readonly catalogId: string;
    };
    readonly query: {
      /** Id of the caller's organisation. */
      readonly billingContext?: string | undefined;
      /** Metrics of these layers. Absent: all. */
      readonly layerFilter?: readonly string[] | undefined;
      /** Metrics with this availability. Absent: any. Every metric has ALL. */
      readonly availabilityFilter?: readonly string[] | undefined;
      /** Maximum number of rows. Absent or 0: 100. At most 10,000; a negative number is an error. */
      readonly pageSize?: number | undefined;
      /** The nextPageToken of the previous page. Send the same request; only pageSize may change. */
      readonly pageToken?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: ListMetricsResponse;
  };
  /** Describe one metric. */
  readonly getMetric: {
    readonly path: {
      /** The catalog. */
      readonly catalogId: string;
      /** The metric. */
      readonly metricId: string;
    };
    readonly query: {
      /** Id of the caller's organisation. */
      readonly billingContext?: string | undefined;
      /** True to leave out the layers. */
      readonly skipLayers?: boolean | undefined;
      /** True to leave out the dimensions. */
      readonly skipDimensions?: boolean | undefined;
      /** Changes nothing: the answer has no subscription. */
      readonly skipSubscriptionStatus?: boolean | undefined;
      /** True to leave out the periods. */
      readonly skipObservationPeriod?: boolean | undefined;
      /** True to leave out what your organisation may see. */
      readonly skipLens?: boolean | undefined;
    };
    readonly body: undefined;
    readonly answer: GetMetricResponse;
  };
  /** Get the period that a metric covers. */
  readonly searchMetricReport: {
    readonly path: {
      /** The catalog. */
      readonly catalogId: string;
      /** The metric. */
      readonly metricId: string;
    };
    readonly query: {
      /** Id of the caller's organisation. */
      readonly billingContext?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: SearchMetricReportResponse;
  };
  /** Get the values of a metric. */
  readonly searchMetricValues: {
    readonly path: {
      /** The catalog. */
      readonly catalogId: string;
      /** The metric. */
      readonly metricId: string;
    };
    readonly query: {
      /** Id of the caller's organisation. */
      readonly billingContext: string;
      /** Ids of features. An unknown id matches nothing. Absent: all features. */
      readonly featureFilter?: readonly string[] | undefined;
      /** Ids of related features of an origin–destination metric. Absent: all. */
      readonly relatedFeatureFilter?: readonly string[] | undefined;
      /** True to reverse the order (by feature, then by start of the period). */
      readonly invertSortOrder?: boolean | undefined;
      /** True to return the other values, instead of an error, if a filter names values that the caller may not see. */
      readonly bestEffortQueryWhenNotAllowed?: boolean | undefined;
      /** Maximum number of rows. Absent or 0: 100. At most 10,000; a negative number is an error. */
      readonly pageSize?: number | undefined;
      /** The nextPageToken of the previous page. Send the same request; only pageSize may change. */
      readonly pageToken?: string | undefined;
      /** The version of an earlier answer, a version of one of the datasets of the metric, or a date YYYY-MM-DD (UTC) for the version that was current at the end of that day. Absent: the current version. */
      readonly asOf?: string | undefined;
      /** True to return no values, only the exact totalSize and costRows. */
      readonly countOnly?: boolean | undefined;
      /** The address components to return with each feature. Absent: all. A single empty text: none. */
      readonly addressComponentWhitelist?: readonly string[] | undefined;
      /** True to leave out the points of the features. */
      readonly skipGeo?: boolean | undefined;
      /** Values whose period lies within two days, both included: start/end. A side may be empty or `..`. */
      readonly observationPeriodFilter?: string | undefined;
      /** A component and a value of it, such as us_state_2020:06. Repeat the same component for OR, and another one for AND. */
      readonly addressComponentFilter?: readonly string[] | undefined;
      /** A dimension and a value of it, such as age:20-29; repeated in the same way. */
      readonly dimensionFilter?: readonly string[] | undefined;
      /** A component of the related feature and a value of it; repeated in the same way. */
      readonly relatedAddressComponentFilter?: readonly string[] | undefined;
      /** Values whose measure is at least a number, such as person_count>=1000. */
      readonly valueFilter?: readonly string[] | undefined;
      /** true (default): totalSize is exact. false: nothing is counted and totalSize is 0. A number: the maximum to count. */
      readonly trackTotalHits?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: SearchMetricValuesResponse;
  };
  /** Get the values of a metric, with filters in the body. */
  readonly searchMetricValuesByBody: {
    readonly path: {
      /** The catalog. */
      readonly catalogId: string;
      /** The metric. */
      readonly metricId: string;
    };
    readonly query: {};
    readonly body: SearchMetricValuesRequest;
    readonly answer: SearchMetricValuesResponse;
  };
  /** Group, compare and rank the values of a metric. */
  readonly searchMetricAggregates: {
    readonly path: {
      /** The catalog. */
      readonly catalogId: string;
      /** The metric. */
      readonly metricId: string;
    };
    readonly query: {
      /** Id of the caller's organisation. */
      readonly billingContext: string;
      /** Ids of features. An unknown id matches nothing. Absent: all features. */
      readonly featureFilter?: readonly string[] | undefined;
      /** Ids of related features of an origin–destination metric. Absent: all. */
      readonly relatedFeatureFilter?: readonly string[] | undefined;
      /** Maximum number of rows. Absent or 0: 100. At most 10,000; a negative number is an error. */
      readonly pageSize?: number | undefined;
      /** The nextPageToken of the previous page. Send the same request; only pageSize may change. */
      readonly pageToken?: string | undefined;
      /** The version of an earlier answer, a version of one of the datasets of the metric, or a date YYYY-MM-DD (UTC) for the version that was current at the end of that day. Absent: the current version. */
      readonly asOf?: string | undefined;
      /** Values whose period lies within two days, both included: start/end. A side may be empty or `..`. */
      readonly observationPeriodFilter?: string | undefined;
      /** A component and a value of it, such as us_state_2020:06. Repeat the same component for OR, and another one for AND. */
      readonly addressComponentFilter?: readonly string[] | undefined;
      /** A dimension and a value of it, such as age:20-29; repeated in the same way. */
      readonly dimensionFilter?: readonly string[] | undefined;
      /** A component of the related feature and a value of it; repeated in the same way. */
      readonly relatedAddressComponentFilter?: readonly string[] | undefined;
      /** Values whose measure is at least a number, such as person_count>=1000. */
      readonly valueFilter?: readonly string[] | undefined;
      /** Values of the features whose point lies inside a polygon in degrees, edges included: a percent-encoded GeoJSON Polygon of one ring with 4 to 500 points. */
      readonly polygon?: string | undefined;
      /** Values of the features whose point lies at most so many metres from a centre: longitude,latitude,metres. Not together with polygon. */
      readonly circle?: string | undefined;
      /** The keys by which values are grouped: feature, relatedFeature, the id of a component or dimension, component:…, relatedComponent:…, dimension:…, period, or period: with a bucket, such as period:YEAR. */
      readonly groupBy?: readonly string[] | undefined;
      /** An aggregation and the name of a value, such as sum:person_count; for a quantile also the quantile, such as quantile:person_count:0.9. */
      readonly aggregate?: readonly string[] | undefined;
      /** The groups with which each group is compared: the same group in the period before or in the same period last year, or the mean of all groups. */
      readonly compare?: 'PREVIOUS' | 'SAME_PERIOD_LAST_YEAR' | 'MEAN_OF_GROUPS' | undefined;
      /** The number by which groups are ranked: the name of an aggregate such as sum_person_count, or that name with .change or .percent. */
      readonly rankBy?: string | undefined;
      /** A number as in rankBy, then optionally :ASC or :DESC. */
      readonly orderBy?: readonly string[] | undefined;
    };
    readonly body: undefined;
    readonly answer: SearchMetricAggregatesResponse;
  };
  /** Group, compare and rank the values of a metric, with the request in the body. */
  readonly searchMetricAggregatesByBody: {
    readonly path: {
      /** The catalog. */
      readonly catalogId: string;
      /** The metric. */
      readonly metricId: string;
    };
    readonly query: {};
    readonly body: SearchMetricAggregatesRequest;
    readonly answer: SearchMetricAggregatesResponse;
  };
  /** Export the values of a metric to files, and wait for them. */
  readonly downloadMetric: {
    readonly path: {
      /** The catalog. */
      readonly catalogId: string;
      /** The metric. */
      readonly metricId: string;
    };
    readonly query: {};
    readonly body: DownloadMetricRequest;
    readonly answer: FileDownloadResponse;
  };
  /** Describe one layer. */
  readonly getLayer: {
    readonly path: {
      /** The catalog. */
      readonly catalogId: string;
      /** The layer. */
      readonly layerId: string;
    };
    readonly query: {
      /** Id of the caller's organisation. */
      readonly billingContext?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: GetLayerResponse;
  };
  /** Search the features of a layer. */
  readonly searchLayerFeatures: {
    readonly path: {
      /** The catalog. */
      readonly catalogId: string;
      /** The layer. */
      readonly layerId: string;
    };
    readonly query: {
      /** Id of the caller's organisation. */
      readonly billingContext?: string | undefined;
      /** Ids of features. An unknown id matches nothing. Absent: all features. */
      readonly featureFilter?: readonly string[] | undefined;
      /** Text that ranks the features by how well their names, ids and components match, word by word, ignoring case, diacritics and a few wrong letters. It leaves none out. */
      readonly query?: string | undefined;
      /** Changes nothing: the total is always counted. */
      readonly trackTotalHits?: boolean | undefined;
      /** The components to return with each feature. Absent: all. */
      readonly addressComponentWhitelist?: readonly string[] | undefined;
      /** True to leave out the outlines of the features. */
      readonly skipPolygon?: boolean | undefined;
      /** Maximum number of rows. Absent or 0: 100. At most 10,000; a negative number is an error. */
      readonly pageSize?: number | undefined;
      /** The nextPageToken of the previous page. Send the same request; only pageSize may change. */
      readonly pageToken?: string | undefined;
      /** A component and a value of it, such as us_state_2020:06. Repeat the same component for OR, and another one for AND. */
      readonly addressComponentFilter?: readonly string[] | undefined;
      /** Features whose point lies inside a box in degrees, edges included: west,south,east,north. A west edge greater than the east edge crosses the antimeridian. */
      readonly boundingBoxFilter?: string | undefined;
      /** Features whose point lies inside a polygon in degrees, edges included: a percent-encoded GeoJSON Polygon of one ring with 4 to 500 points. Not together with boundingBoxFilter. */
      readonly polygon?: string | undefined;
      /** Features whose point lies at most so many metres from a centre: longitude,latitude,metres. Not together with boundingBoxFilter or polygon. */
      readonly circle?: string | undefined;
      /** Features that existed on at least one of these days, both included: start/end. A side may be empty or `..`. */
      readonly existedInDateRange?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: SearchLayerFeaturesResponse;
  };
  /** Search the features of a layer, with filters in the body. */
  readonly searchLayerFeaturesByBody: {
    readonly path: {
      /** The catalog. */
      readonly catalogId: string;
      /** The layer. */
      readonly layerId: string;
    };
    readonly query: {};
    readonly body: SearchLayerFeaturesRequest;
    readonly answer: SearchLayerFeaturesResponse;
  };
  /** List the address components. */
  readonly listAddressComponents: {
    readonly path: {};
    readonly query: {
      /** Id of the caller's organisation. */
      readonly billingContext?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: ListAddressComponentsResponse;
  };
  /** Search the values of an address component. */
  readonly searchAddressComponentValues: {
    readonly path: {
      /** The catalog. */
      readonly catalogId: string;
      /** The component. */
      readonly component: string;
    };
    readonly query: {
      /** Id of the caller's organisation. */
      readonly billingContext?: string | undefined;
      /** Text that the value, its short name or its display name contains, ignoring case and diacritics. Values equal to it come first, then those that start with it. Absent: all values. */
      readonly query?: string | undefined;
      /** The values to look up. Absent: all values. */
      readonly valueIds?: readonly string[] | undefined;
      /** Changes nothing. */
      readonly freeFormTarget?: string | undefined;
      /** Maximum number of rows. Absent or 0: 100. At most 10,000; a negative number is an error. */
      readonly pageSize?: number | undefined;
      /** The nextPageToken of the previous page. Send the same request; only pageSize may change. */
      readonly pageToken?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: SearchAddressComponentValuesResponse;
  };
  /** Search the values of a dimension. */
  readonly searchDimensionValues: {
    readonly path: {
      /** The catalog. */
      readonly catalogId: string;
      /** The dimension. */
      readonly dimensionId: string;
    };
    readonly query: {
      /** Id of the caller's organisation. */
      readonly billingContext?: string | undefined;
      /** Text that the value or its display name contains, ignoring case and diacritics. Absent: all values. */
      readonly query?: string | undefined;
      /** Maximum number of rows. Absent or 0: 100. At most 10,000; a negative number is an error. */
      readonly pageSize?: number | undefined;
      /** The nextPageToken of the previous page. Send the same request; only pageSize may change. */
      readonly pageToken?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: SearchDimensionValuesResponse;
  };
  /** Describe the map tiles of a layer. */
  readonly describeLayerTiles: {
    readonly path: {
      /** The catalog. */
      readonly catalogId: string;
      /** The layer. */
      readonly layerId: string;
    };
    readonly query: {
      /** A metric of the layer, whose value each feature has as `value`. Absent: none. */
      readonly metric?: string | undefined;
      /** The first day of the period of the values, or its first and last day: start/end. Absent: the last period that has values. */
      readonly period?: string | undefined;
      /** A dimension of the metric and the value of it that the values have, such as age:20-29. Repeat it for other dimensions. Absent: the default of each. */
      readonly dimensionFilter?: readonly string[] | undefined;
      /** Id of the caller's organisation. Absent: the organisation of the token. */
      readonly billingContext?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: TileJson;
  };
  /** Get the usage of your organisation. */
  readonly readUsage: {
    readonly path: {};
    readonly query: {
      /** The first day, YYYY-MM-DD in UTC. Absent: the first day of the month in which `to` lies. */
      readonly from?: string | undefined;
      /** The last day, included. Absent: today. A period has at most 366 days. */
      readonly to?: string | undefined;
      /** json or csv. Absent: as the header `Accept` asks, which is JSON by default. CSV has all rows, without pages. */
      readonly format?: 'json' | 'csv' | undefined;
      /** Maximum number of rows. Absent or 0: 100. At most 10,000; a negative number is an error. */
      readonly pageSize?: number | undefined;
      /** The nextPageToken of the previous page. Send the same request; only pageSize may change. */
      readonly pageToken?: string | undefined;
      /** The columns that usage is summed by: day, dataset, operation, token. Repeated, or separated by commas. Absent: day. */
      readonly groupBy?: readonly string[] | undefined;
    };
    readonly body: undefined;
    readonly answer: UsageResponse;
  };
};

/** The method and the path of each operation. */
export const OPERATIONS = {
  getCaller: ['GET', '/v1/caller'],
  listDataReferences: ['POST', '/v3/catalog/listDataReferences'],
  getDataReference: ['POST', '/v3/catalog/getDataReference'],
  listRecords: ['POST', '/v3/catalog/listRecords'],
  searchFieldValues: ['POST', '/v3/catalog/searchFieldValues'],
  listRecordsStatistics: ['POST', '/v3alpha/catalog/listRecordsStatistics'],
  getLayerStats: ['POST', '/v3alpha/catalog/getLayerStats'],
  createRecordsExport: ['POST', '/v3/catalog/createRecordsExport'],
  getRecordsExport: ['POST', '/v3/catalog/getRecordsExport'],
  listRecordsExports: ['POST', '/v3/catalog/listRecordsExports'],
  deleteRecordsExport: ['POST', '/v3/catalog/deleteRecordsExport'],
  fileDownload: ['POST', '/v3alpha/catalog/fileDownload'],
  describeTiles: ['GET', '/v3/catalog/{dataReferenceName}/tiles.json'],
  listCatalogs: ['GET', '/v1/catalogs'],
  listMetrics: ['GET', '/v1/catalogs/{catalogId}/metrics'],
  getMetric: ['GET', '/v1/catalogs/{catalogId}/metrics/{metricId}'],
  searchMetricReport: ['GET', '/v1/catalogs/{catalogId}/metrics/{metricId}/report'],
  searchMetricValues: ['GET', '/v1/catalogs/{catalogId}/metrics/{metricId}/values'],
  searchMetricValuesByBody: ['POST', '/v1/catalogs/{catalogId}/metrics/{metricId}/values:search'],
  searchMetricAggregates: ['GET', '/v1/catalogs/{catalogId}/metrics/{metricId}/aggregates'],
  searchMetricAggregatesByBody: ['POST', '/v1/catalogs/{catalogId}/metrics/{metricId}/aggregates'],
  downloadMetric: ['POST', '/v1/catalogs/{catalogId}/metrics/{metricId}:download'],
  getLayer: ['GET', '/v1/catalogs/{catalogId}/layers/{layerId}'],
  searchLayerFeatures: ['GET', '/v1/catalogs/{catalogId}/layers/{layerId}/features'],
  searchLayerFeaturesByBody: ['POST', '/v1/catalogs/{catalogId}/layers/{layerId}/features:search'],
  listAddressComponents: ['GET', '/v1/addressComponents'],
  searchAddressComponentValues: ['GET', '/v1/catalogs/{catalogId}/addressComponents/{component}/values'],
  searchDimensionValues: ['GET', '/v1/catalogs/{catalogId}/dimensions/{dimensionId}/values'],
  describeLayerTiles: ['GET', '/v1/catalogs/{catalogId}/layers/{layerId}/tiles.json'],
  readUsage: ['GET', '/v1/usage'],
} as const;
