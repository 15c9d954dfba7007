// Made from the contract by `npm run generate`. Do not edit.

/** An attribute of the features of a layer. */
export type AddressComponent = {
  /** Its id. */
  readonly component: string;
  /** The catalog that it belongs to. */
  readonly catalogId: string;
  /** The kind of its values. All kinds except FREE_FORM_UNSPECIFIED can be filtered by. */
  readonly kind: 'FREE_FORM_UNSPECIFIED' | 'MAP' | 'TAXONOMY' | 'COUNT';
  /** The layer whose features are the values. Empty if the catalog has no such layer. */
  readonly mapLayerId: string;
  /** The display name of an id of the component. */
  readonly idDisplayName: string;
  /** Its availability. */
  readonly availability: 'ALL' | 'DELIVERY_ONLY';
  /** The short name, for example of a column. */
  readonly shortName: string;
  /** The display name. */
  readonly displayName: string;
  /** The id of its index; empty. */
  readonly indexId: string;
  /** Its meaning. */
  readonly description: string;
};

export type AddressComponentFilter = {
  readonly component: string;
  readonly values: readonly string[];
};

export type AddressComponentValue = {
  readonly component: string;
  readonly value: string;
  readonly shortName: string;
  readonly displayName: string;
};

export type AddressComponentValueSpec = {
  /** The id of the component. */
  readonly component: string;
  /** True if a feature may have no value for the component. */
  readonly allowEmptyValues: boolean;
  /** Empty: no right to another resource is needed. */
  readonly requiresSpecificResource: string;
};

/** An aggregate has either number or count. */
export type AggregateValue = {
  readonly name: string;
  /** The value if it is a number; null if it is absent. */
  readonly number?: number | null | undefined;
  /** The value if it is a count, exact at any size; null if it is absent. */
  readonly count?: number | null | undefined;
  /** The value that it is compared with. */
  readonly compared?: number | undefined;
  /** The value minus the one that it is compared with. */
  readonly change?: number | undefined;
  /** The change in percent; absent if the value that it is compared with is 0. */
  readonly percent?: number | undefined;
  /** The rank among all groups, 1 for the largest. Equal groups share a rank. */
  readonly rank?: number | undefined;
  /** The percentage of groups with a smaller value, from 0 to 100. */
  readonly percentile?: number | undefined;
};

export type AggregatedField = {
  /** Name of the field. */
  readonly name: string;
  /** The published source column of the field; optional. */
  readonly source?: string | undefined;
  /** The aggregation that is applied to the values of the field in each group. */
  readonly aggregation?: 'SUM' | 'AVG' | 'MIN' | 'MAX' | 'COUNT' | 'COUNT_DISTINCT' | 'MEDIAN' | 'QUANTILE' | undefined;
  /** The name of the aggregate in the answer. Absent: that of the field. */
  readonly alias?: string | undefined;
  /** From 0 to 1, for the aggregation QUANTILE. */
  readonly quantile?: number | undefined;
};

export type AppliedComponentFilter = {
  readonly component: string;
  readonly valuesList: readonly string[];
};

export type AppliedDimensionFilter = {
  readonly dimensionId: string;
  readonly valuesList: readonly string[];
};

/** The filters that selected the values: those of the request, of the grant, and the defaults of the metric. */
export type AppliedFilters = {
  readonly periodFiltersList: readonly AppliedPeriodFilter[];
  readonly dimensionFiltersList: readonly AppliedDimensionFilter[];
  readonly addressComponentFiltersList: readonly AppliedComponentFilter[];
  readonly featureFiltersList: readonly string[];
  readonly relatedFeatureFiltersList: readonly string[];
  readonly valueFiltersList: readonly AppliedValueFilter[];
  readonly relatedAddressComponentFiltersList: readonly AppliedComponentFilter[];
};

export type AppliedPeriodFilter = {
  readonly start?: CalendarDate | undefined;
  readonly end?: CalendarDate | undefined;
};

export type AppliedValueFilter = {
  readonly valueName: string;
  readonly operator: string;
  readonly numericValue: number;
};

/** Records whose point lies inside, edges included. If minLng > maxLng, the box crosses the antimeridian. */
export type BoundingBox = {
  /** West edge, degrees from -180 to 180. */
  readonly minLng: number;
  /** South edge, degrees from -90 to 90. */
  readonly minLat: number;
  /** East edge, degrees from -180 to 180. */
  readonly maxLng: number;
  /** North edge, degrees from -90 to 90. */
  readonly maxLat: number;
};

export type CalendarDate = {
  readonly year: number;
  readonly month: number;
  readonly day: number;
};

export type Caller = {
  /** The billing context of its requests. */
  readonly organisationId: string;
  readonly organisationName: string;
  readonly tokenId: string;
  /** The purpose of the token. */
  readonly tokenName: string;
  /** The scopes of the token: catalog, metrics, usage, operate, admin. */
  readonly scopes: readonly string[];
  /** The time at which the token expires; null if it does not expire. */
  readonly expires: string | null;
  readonly limits: CallerLimits;
  /** Rows that the organisation may look at in a day (UTC) besides its limits of rows, with the header Locmetrics-Purpose: view. null: no limit. */
  readonly viewedRowsPerDay: number | null;
  /** The same for a calendar month. If both are null and the organisation has limits of rows, looking counts against these. */
  readonly viewedRowsPerMonth: number | null;
};

/** The limits of the organisation, which all its tokens share. null: no limit. */
export type CallerLimits = {
  /** Average number of requests per second. */
  readonly requestsPerSecond: number | null;
  /** How many requests may arrive at once. */
  readonly burst: number | null;
  /** Rows of answers in a day, UTC. */
  readonly rowsPerDay: number | null;
  /** Rows of answers in a calendar month, UTC. */
  readonly rowsPerMonth: number | null;
  /** Requests that are answered at the same time. */
  readonly concurrentQueries: number | null;
};

export type Catalog = {
  /** Its id. */
  readonly id: string;
};

export type CreateRecordsExportRequest = {
  /** Name of the dataset, `<product>.<dataset>`. */
  readonly dataReferenceName: string;
  /** A record must match all of them, unless filterLogic combines them otherwise. */
  readonly filters?: readonly FilterClause[] | undefined;
  /** How the filters are combined: $0 is the first one. AND, OR, NOT and parentheses; AND binds more tightly than OR. Each filter must be used. Absent: AND. */
  readonly filterLogic?: string | undefined;
  readonly options?: Options | undefined;
  /** UNSPECIFIED and TRIM leave out records whose period lies outside the existence of their place. IGNORE keeps them. */
  readonly trimToPeriodOfExistence?: 'UNSPECIFIED' | 'TRIM' | 'IGNORE' | undefined;
  /** Id of the caller's organisation. Absent: the organisation of the token. */
  readonly billingContext?: string | undefined;
  /** Fields to write, each as {"name": …} or as its name. Absent: those included by default. */
  readonly fields?: readonly (FieldSelection | string)[] | undefined;
  /** CSV, the default; JSON for NDJSON, an object in each line; AVRO for object container files; PARQUET; ARROW; or GEOJSON for records with a point. */
  readonly format?: 'FORMAT_UNSPECIFIED' | 'CSV' | 'JSON' | 'AVRO' | 'PARQUET' | 'ARROW' | 'GEOJSON' | undefined;
  /** The largest number of records to write, in their order. Absent or 0: all. */
  readonly limit?: number | undefined;
  readonly fileConfig?: FileExportConfig | undefined;
};

export type DataReference = {
  readonly name: string;
  readonly dataProductDisplayName: string;
  readonly dataProductDescription: string;
  readonly dataListingDisplayName: string;
  readonly dataListingDescription: string;
  readonly fields: readonly FieldDefinition[];
  readonly options: OptionDefinitions;
  readonly dateRange?: DateRange | undefined;
  /** How often a period starts. */
  readonly cadence?: string | undefined;
  /** How often new data is produced. */
  readonly processingCadence?: string | undefined;
  /** The days between the end of a period and its data. */
  readonly processingLagDays?: number | undefined;
  /** When the version was published. */
  readonly updateTime: string;
  /** The data version that the answer comes from. */
  readonly version: string;
  /** When the version was published. */
  readonly publishedTime: string;
  /** How many records the caller may see. */
  readonly rowCount: number;
  readonly firstObservationDate?: string | undefined;
  readonly lastObservationDate?: string | undefined;
};

/** The first and the last day of the records that the caller may see. */
export type DateRange = {
  readonly start?: CalendarDate | undefined;
  readonly end?: CalendarDate | undefined;
};

export type DeleteRecordsExportRequest = {
  /** The id of the export. */
  readonly id: string;
};

export type DeleteRecordsExportResponse = {};

export type Dimension = {
  /** Its id. */
  readonly dimensionId: string;
  /** The catalog that it belongs to. */
  readonly catalogId: string;
  /** The display name. */
  readonly name: string;
  /** The same as name. */
  readonly displayName: string;
  /** Its meaning. */
  readonly description: string;
  /** The id of its index; empty. */
  readonly indexId: string;
  /** The display name of an id of the dimension. */
  readonly idDisplayName: string;
};

export type DimensionFilter = {
  readonly dimensionId: string;
  readonly values: readonly string[];
};

export type DimensionSpec = {
  /** The id of the dimension. */
  readonly dimensionId: string;
  /** The value for requests without a filter on the dimension; empty for all. */
  readonly defaultValue: string;
  /** Says if the metric has a value for each value of the dimension. */
  readonly dimensionCompleteness: 'STRICT' | 'RELAXED';
};

export type DimensionValue = {
  readonly dimensionId: string;
  readonly value: string;
  readonly displayName: string;
};

export type DownloadMetricRequest = {
  /** The catalog. If given, the same as in the URL. */
  readonly catalogId?: string | undefined;
  /** The metric. If given, the same as in the URL. */
  readonly metricId?: string | undefined;
  /** Id of the caller's organisation. */
  readonly billingContext: string;
  /** The start of the name of each file, before its number. */
  readonly fileName?: string | undefined;
  /** How many hours the files can be downloaded, at most as long as the service keeps files. Absent or 0: that long. */
  readonly expiryInHours?: number | undefined;
};

/** Features that existed on at least one of these days. */
export type ExistenceRange = {
  /** The first day, YYYY-MM-DD. Absent: open. */
  readonly startDate?: string | undefined;
  /** The last day, YYYY-MM-DD. Absent: open. */
  readonly endDate?: string | undefined;
};

export type ExportFile = {
  readonly name: string;
  /** The size in bytes. */
  readonly sizeBytes: number;
  readonly format: string;
  readonly contentType: string;
  /** RFC 3339, UTC. */
  readonly created: string;
  /** RFC 3339, UTC. */
  readonly updated: string;
  /** Where the file can be downloaded until expireTime, without a token. Anybody who has it can. */
  readonly url: string;
};

export type ExportFileConfig = {
  readonly format: 'CSV' | 'JSON' | 'AVRO' | 'PARQUET' | 'ARROW' | 'GEOJSON';
  /** The start of the name of each file. */
  readonly filenamePrefix: string;
};

/** As in the request, with its defaults. */
export type ExportOptions = {
  readonly boundingBox?: BoundingBox | undefined;
  readonly polygon?: GeoPolygon | undefined;
  readonly circle?: GeoCircle | undefined;
  readonly near?: GeoCoordinate | undefined;
  readonly trimToPeriodOfExistence: 'TRIM' | 'IGNORE';
  readonly orderBy?: ExportOrder | undefined;
  readonly thenBy?: readonly ExportOrder[] | undefined;
};

export type ExportOrder = {
  readonly fieldName: string;
  readonly direction: 'ASC' | 'DESC';
};

/** Features whose point lies inside the box, in degrees, edges included. */
export type FeatureBoundingBox = {
  /** The west edge. Greater than the east edge: the box crosses the antimeridian. */
  readonly west: number;
  /** The north edge. */
  readonly north: number;
  /** The east edge. */
  readonly east: number;
  /** The south edge. */
  readonly south: number;
};

export type FieldDefinition = {
  /** Name of the field in requests and records. */
  readonly name: string;
  /** The source of the field, as [namespace].[column].[type]. */
  readonly sourceColumn: string;
  /** The type of its values. */
  readonly type: 'COLUMN_TYPE_STRING' | 'COLUMN_TYPE_INTEGER' | 'COLUMN_TYPE_FLOAT' | 'COLUMN_TYPE_BOOLEAN' | 'COLUMN_TYPE_DATE';
  readonly description: string;
  readonly filters: FieldFilters;
  /** An example value, as text. Empty if there is none. */
  readonly exampleValue: string;
  /** True if a request without `fields` returns this field. */
  readonly includedByDefault: boolean;
  /** Whether the values of a measure can be added up: over periods and places (`all`), over one of the two (`periods`, `places`), or not at all (`none`). Only in descriptions of datasets, and absent for a field that is not a measure. */
  readonly additive?: 'all' | 'periods' | 'places' | 'none' | undefined;
  /** The aggregations that a request for groups of records can use on the field. Only in descriptions of datasets. */
  readonly aggregations?: readonly string[] | undefined;
};

export type FieldFilters = {
  /** The operators that a filter on the field can use. */
  readonly supportedOperators: readonly string[];
};

export type FieldSelection = {
  /** Name of the field. */
  readonly name: string;
  /** The published source column of the field; optional. */
  readonly source?: string | undefined;
};

export type FileDownloadRequest = {
  /** Name of the dataset, `<product>.<dataset>`. */
  readonly dataReferenceName: string;
  /** Fields to write, each as {"name": …} or as its name. Absent: those included by default. */
  readonly fields?: readonly (FieldSelection | string)[] | undefined;
  /** A record must match all of them. */
  readonly filters?: readonly FilterClause[] | undefined;
  readonly options?: Options | undefined;
  /** UNSPECIFIED and TRIM leave out records whose period lies outside the existence of their place. IGNORE keeps them. */
  readonly trimToPeriodOfExistence?: 'UNSPECIFIED' | 'TRIM' | 'IGNORE' | undefined;
  /** Id of the caller's organisation. Absent: the organisation of the token. */
  readonly billingContext?: string | undefined;
  /** CSV, the default; JSON for NDJSON, an object in each line; AVRO for object container files; or PARQUET. */
  readonly format?: 'UNSPECIFIED' | 'CSV' | 'JSON' | 'AVRO' | 'PARQUET' | undefined;
};

export type FileDownloadResponse = {
  /** The id of the export. */
  readonly downloadId: string;
  /** Where the files can be downloaded until expiresAt, without a token, by anybody who has the link. */
  readonly fileUrls: readonly string[];
  /** RFC 3339, UTC. */
  readonly expiresAt: string;
};

/** Its format overrides that of the request. */
export type FileExportConfig = {
  /** CSV, the default; JSON for NDJSON, an object in each line; AVRO for object container files; PARQUET; ARROW; or GEOJSON for records with a point. */
  readonly format?: 'FORMAT_UNSPECIFIED' | 'CSV' | 'JSON' | 'AVRO' | 'PARQUET' | 'ARROW' | 'GEOJSON' | undefined;
  /** The start of the name of each file, before its number. */
  readonly filenamePrefix?: string | undefined;
};

/** Only of a COMPLETED export. */
export type FileExportInfo = {
  /** RFC 3339, UTC. */
  readonly expireTime: string;
  /** The files, by their number. */
  readonly files: readonly ExportFile[];
};

export type FilterClause = {
  /** Name of the field. */
  readonly fieldName: string;
  /** One of ==, !=, <, <=, >, >=, in, not_in, contains, starts_with, ends_with, is_empty, is_not_empty. See supportedOperators of the field. */
  readonly operator: string;
  /** The value as text. Number fields also take a JSON number, boolean fields a JSON boolean. */
  readonly value?: string | number | boolean | undefined;
  /** The values of in and not_in, at most 10,000. */
  readonly values?: readonly (string | number | boolean)[] | undefined;
};

/** Records or features whose point lies at most so many metres from the centre, on a sphere with the radius 6371008.8 m. Coordinates are rounded to 9 decimals. Not together with a bounding box or a polygon. */
export type GeoCircle = {
  /** Longitude of the centre, degrees from -180 to 180. */
  readonly longitude: number;
  /** Latitude of the centre, degrees from -90 to 90. */
  readonly latitude: number;
  /** Radius in metres, greater than 0 and at most 20015115. */
  readonly radiusMetres: number;
};

export type GeoCoordinate = {
  /** Longitude, degrees from -180 to 180. */
  readonly longitude: number;
  /** Latitude, degrees from -90 to 90. */
  readonly latitude: number;
};

export type GeoJsonPolygon = {
  /** As in GeoJSON; optional. */
  readonly type?: 'Polygon' | undefined;
  /** One ring. */
  readonly coordinates: readonly (readonly (readonly number[])[])[];
};

export type GeoPolygon = {
  /** The points of one ring, 4 to 500, of which the last repeats the first. */
  readonly coordinates: readonly GeoCoordinate[];
};

export type GetDataReferenceRequest = {
  /** Name of the dataset, `<product>.<dataset>`. */
  readonly name?: string | undefined;
  /** Name of the dataset, `<product>.<dataset>`. */
  readonly dataReferenceName?: string | undefined;
  /** Id of the caller's organisation. Absent: the organisation of the token. */
  readonly billingContext?: string | undefined;
};

export type GetDataReferenceResponse = {
  readonly dataReference: DataReference;
};

export type GetLayerResponse = {
  readonly layer: Layer;
};

export type GetLayerStatsRequest = {
  /** Name of the dataset, `<product>.<dataset>`. */
  readonly dataReferenceName: string;
  /** The first day of a period, YYYY-MM-DD. Only its records are counted. */
  readonly observationDate: string;
  /** A record must match all of them. */
  readonly filters?: readonly FilterClause[] | undefined;
  readonly options?: Options | undefined;
  /** UNSPECIFIED and TRIM leave out records whose period lies outside the existence of their place. IGNORE keeps them. */
  readonly trimToPeriodOfExistence?: 'UNSPECIFIED' | 'TRIM' | 'IGNORE' | undefined;
  /** The names of the fields whose distinct values are counted, at most 100. */
  readonly dimensions?: readonly string[] | undefined;
  /** Id of the caller's organisation. Absent: the organisation of the token. */
  readonly billingContext?: string | undefined;
};

export type GetLayerStatsResponse = {
  /** The number of distinct places. */
  readonly locationCount: number;
  /** The counts of the fields, in the order of the request. */
  readonly stats: readonly LayerStat[];
};

export type GetMetricResponse = {
  readonly metric: Metric;
  readonly completeObservationPeriod?: Period | undefined;
};

export type GetRecordsExportRequest = {
  /** The id of the export. */
  readonly id: string;
};

export type GroupBy = {
  /** The field by whose values records are grouped. */
  readonly fieldName: string;
  /** How days are grouped. A span is written as its first day; DAY_OF_WEEK and MONTH_OF_YEAR as a number, 1 for Monday and January. Absent: by day. */
  readonly bucket?: 'DAY' | 'WEEK' | 'MONTH' | 'QUARTER' | 'YEAR' | 'DAY_OF_WEEK' | 'MONTH_OF_YEAR' | undefined;
};

export type GroupMemberSpec = {
  readonly key: string;
  readonly value: string;
};

/** Features of one kind. */
export type Layer = {
  /** Its id. */
  readonly id: string;
  /** The catalog that it belongs to. */
  readonly catalogId: string;
  /** The components of each of its features, in their order. */
  readonly addressComponentsList: readonly AddressComponent[];
  /** The id of its index; empty. */
  readonly indexId: string;
  /** The display name. */
  readonly displayName: string;
  /** A description of its features. */
  readonly description: string;
  /** The source of its features. */
  readonly layerKind: 'INDEXED' | 'H3' | 'SERIES_MEMBER';
  /** Its availability. */
  readonly availability: 'ALL' | 'DELIVERY_ONLY';
  readonly spec: LayerSpec;
};

/** How the data owner declared the layer. */
export type LayerSpec = {
  /** The catalog that it belongs to. */
  readonly catalogId: string;
  readonly addressComponentsList: readonly AddressComponentValueSpec[];
  /** The display name of one feature. */
  readonly featureDisplayName: string;
  /** The name for one feature. */
  readonly featureDescription: string;
  /** The display name of the kind of feature. */
  readonly featureKindDisplayName: string;
  /** The source to name when the layer is shown. */
  readonly attribution: string;
  /** The version of the features. */
  readonly version: string;
  /** The layer that this one replaces; empty if there is none. */
  readonly advancementFromLayerId: string;
  /** True if a caller needs a right to this layer itself. */
  readonly requiresExplicitAccess: boolean;
};

export type LayerStat = {
  /** The name of the field. */
  readonly name: string;
  /** The number of its distinct values; absent values are not counted. */
  readonly distinctCount: number;
};

/** The part of a metric that your organisation may see. */
export type Lens = {
  /** The id of the grant. */
  readonly id: string;
  /** The catalog that it belongs to. */
  readonly catalogId: string;
  /** The metric. */
  readonly metricId: string;
  /** Empty. */
  readonly billingAccountId: string;
  readonly lensFilters?: LensFilters | undefined;
  /** The display name of the restriction. */
  readonly displayName: string;
  /** The parts that it leaves out in addition to the filters. */
  readonly description: string;
};

export type LensComponentFilter = {
  readonly component: string;
  readonly valuesList: readonly string[];
};

export type LensDimensionFilter = {
  readonly dimensionId: string;
  readonly valuesList: readonly string[];
};

/** An empty list restricts nothing; all other lists must match. */
export type LensFilters = {
  readonly periodFiltersList: readonly LensPeriodFilter[];
  readonly dimensionFiltersList: readonly LensDimensionFilter[];
  readonly addressComponentFiltersList: readonly LensComponentFilter[];
  readonly featureFiltersList: readonly string[];
  readonly relatedAddressComponentFiltersList: readonly LensComponentFilter[];
  readonly relatedFeatureFiltersList: readonly string[];
};

export type LensPeriodFilter = {
  readonly start?: CalendarDate | undefined;
  readonly end?: CalendarDate | undefined;
};

export type ListAddressComponentsResponse = {
  readonly addressComponentsList: readonly AddressComponent[];
};

export type ListCatalogsResponse = {
  readonly catalogsList: readonly Catalog[];
};

export type ListDataReferencesRequest = {
  /** Id of the caller's organisation. Absent: the organisation of the token. */
  readonly billingContext?: string | undefined;
};

export type ListDataReferencesResponse = {
  readonly dataReferences: readonly DataReference[];
};

export type ListMetricsResponse = {
  readonly metricsList: readonly Metric[];
  /** The pageToken of the next page. Empty only on the last page. */
  readonly nextPageToken: string;
};

export type ListRecordsExportsRequest = {
  /** Id of the caller's organisation. Absent: the organisation of the token. */
  readonly billingContext?: string | undefined;
};

export type ListRecordsExportsResponse = {
  readonly recordsExports: readonly RecordsExport[];
};

export type ListRecordsRequest = {
  /** Name of the dataset, `<product>.<dataset>`. */
  readonly dataReferenceName: string;
  /** A record must match all of them, unless filterLogic combines them otherwise. */
  readonly filters?: readonly FilterClause[] | undefined;
  /** How the filters are combined: $0 is the first one. AND, OR, NOT and parentheses; AND binds more tightly than OR. Each filter must be used. Absent: AND. */
  readonly filterLogic?: string | undefined;
  readonly options?: Options | undefined;
  /** UNSPECIFIED and TRIM leave out records whose period lies outside the existence of their place. IGNORE keeps them. */
  readonly trimToPeriodOfExistence?: 'UNSPECIFIED' | 'TRIM' | 'IGNORE' | undefined;
  /** Id of the caller's organisation. Absent: the organisation of the token. */
  readonly billingContext?: string | undefined;
  /** Maximum number of rows. Absent or 0: 100. At most 10,000; a negative number is an error. */
  readonly pageSize?: number | undefined;
  /** The nextPageToken of the previous page. Send the same request; only pageSize may change. */
  readonly pageToken?: string | undefined;
  /** A version, or a date YYYY-MM-DD (UTC) for the version that was current at the end of that day. Absent: the current version. */
  readonly asOf?: string | undefined;
  /** True to return no rows, only the exact totalSize and costRows. */
  readonly countOnly?: boolean | undefined;
  /** Fields to return, each as {"name": …} or as its name. Absent: those included by default; with groupBy, the groups and their number of records. */
  readonly fields?: readonly (AggregatedField | string)[] | undefined;
  /** Returns groups of records with equal values of these fields, one row for each. Each of the fields to return is one of them or has an aggregation. */
  readonly groupBy?: readonly GroupBy[] | undefined;
  /** A group must match all of them. They name values of the answer. */
  readonly groupFilters?: readonly FilterClause[] | undefined;
  /** Returns the number of records of each group as `record_count`. */
  readonly recordCount?: boolean | undefined;
  /** True to return numbers and booleans as JSON numbers and booleans, and absent values as null. Otherwise all values are text. */
  readonly typedValues?: boolean | undefined;
};

export type ListRecordsResponse = {
  readonly records: readonly Record[];
  /** The definitions of the returned fields, in the order of the values. */
  readonly fieldDefinitions: readonly FieldDefinition[];
  /** The pageToken of the next page. Empty only on the last page. */
  readonly nextPageToken: string;
  /** How many records match in total. It is the same on each page. */
  readonly totalSize: number;
  /** The data version that the answer comes from. */
  readonly version: string;
  /** How many rows all pages of the request cost. Only with countOnly, which itself costs none. */
  readonly costRows?: number | undefined;
};

export type ListRecordsStatisticsRequest = {
  /** Name of the dataset, `<product>.<dataset>`. */
  readonly dataReferenceName: string;
  /** A record must match all of them, unless filterLogic combines them otherwise. */
  readonly filters?: readonly FilterClause[] | undefined;
  /** How the filters are combined: $0 is the first one. AND, OR, NOT and parentheses; AND binds more tightly than OR. Each filter must be used. Absent: AND. */
  readonly filterLogic?: string | undefined;
  readonly options?: Options | undefined;
  /** UNSPECIFIED and TRIM leave out records whose period lies outside the existence of their place. IGNORE keeps them. */
  readonly trimToPeriodOfExistence?: 'UNSPECIFIED' | 'TRIM' | 'IGNORE' | undefined;
  /** Id of the caller's organisation. Absent: the organisation of the token. */
  readonly billingContext?: string | undefined;
};

export type ListRecordsStatisticsResponse = {
  /** Each observation date with a record, by ascending date. */
  readonly statistics: readonly RecordsStatistics[];
};

export type MapFeature = {
  readonly layerId: string;
  readonly featureId: string;
  readonly name: string;
  /** The point, as GeoJSON text; empty without a point. */
  readonly geo: string;
  /** All components of the layer, in its order. The texts of an unknown component are empty. */
  readonly addressComponentsList: readonly AddressComponentValue[];
  /** The same as geo. */
  readonly point: string;
  /** The outline of a feature that was searched for, as GeoJSON text. Empty without one, and in metric values. */
  readonly polygon: string;
  /** YYYY-MM-DD, or empty. */
  readonly cameIntoExistence: string;
  /** YYYY-MM-DD, or empty. */
  readonly ceasedToExist: string;
};

/** A measure. An absent value is null in the member of its kind. */
export type Measure = {
  readonly name: string;
  readonly unit: string;
  /** The value if its kind is number; 0 for another kind. */
  readonly number: number | null;
  /** The value if its kind is count, exact at any size; otherwise 0. */
  readonly count: number | null;
  /** The value if its kind is category; empty for another kind. */
  readonly category: string | null;
};

/** Measures of the features of a layer over time. */
export type Metric = {
  /** Its id. */
  readonly id: string;
  /** The catalog that it belongs to. */
  readonly catalogId: string;
  /** The id of its index; empty. */
  readonly indexId: string;
  readonly spec: MetricSpec;
  /** The layer whose features the metric measures. */
  readonly layerId: string;
  readonly dimensionsList: readonly Dimension[];
  readonly layer?: Layer | undefined;
  /** Its stage. */
  readonly lifecycleStage: 'UNSPECIFIED' | 'PROTOTYPE' | 'RELEASE_CANDIDATE' | 'STABLE' | 'DEPRECATED' | 'ARCHIVED' | 'DELETED';
  /** The display name of the metric. */
  readonly listing: string;
  /** The layer of the related features; empty if there is none. */
  readonly relatedLayerId: string;
  readonly relatedLayer?: Layer | undefined;
  readonly report?: MetricReport | undefined;
  /** A description of what it measures. */
  readonly description: string;
  readonly yourLens?: Lens | undefined;
  readonly versionSpec?: VersionSpec | undefined;
  /** Empty. */
  readonly metricParentId: string;
  /** The time at which its values were last written, in RFC 3339. */
  readonly indexUpdateTime: string;
  /** Its availability. */
  readonly availability: 'ALL' | 'DELIVERY_ONLY';
  readonly observationPeriod?: Period | undefined;
  /** The current version of the data. */
  readonly version: string;
  /** The time at which that version was published, in RFC 3339. */
  readonly publishedTime: string;
  /** The number of values that you may see. */
  readonly rowCount: number;
  /** The first day of the values, YYYY-MM-DD; empty without values. */
  readonly firstObservationDate: string;
  /** The last day of the values, YYYY-MM-DD; empty without values. */
  readonly lastObservationDate: string;
  /** The dataset whose records are the values; empty if you may not see that dataset. */
  readonly dataReferenceName: string;
  /** The dataset whose records are the features of the layer; empty if you may not see that dataset. */
  readonly featureDataReferenceName: string;
};

export type MetricAggregate = {
  readonly valueName: string;
  /** The aggregation that is applied to the value in each group. */
  readonly aggregation: 'SUM' | 'AVG' | 'MIN' | 'MAX' | 'COUNT' | 'COUNT_DISTINCT' | 'MEDIAN' | 'QUANTILE';
  /** From 0 to 1, for the aggregation QUANTILE. */
  readonly quantile?: number | undefined;
  /** The name of the aggregate in the answer. Absent: the aggregation and the name of the value, such as sum_person_count. */
  readonly name?: string | undefined;
};

export type MetricAggregatesRow = {
  readonly groupsList: readonly MetricGroupValue[];
  readonly period?: Period | undefined;
  readonly valuesList: readonly AggregateValue[];
  /** The number of periods for which the group has a value. */
  readonly periodsWithValues: number;
  /** The number of periods for which any group has a record. */
  readonly periods: number;
};

export type MetricGroup = {
  /** Absent: COMPONENT or DIMENSION, whichever has the id. */
  readonly kind?: 'UNSPECIFIED' | 'FEATURE' | 'RELATED_FEATURE' | 'COMPONENT' | 'RELATED_COMPONENT' | 'DIMENSION' | 'PERIOD' | undefined;
  /** The component or dimension. */
  readonly id?: string | undefined;
  /** How periods are grouped, by their first day. Absent: each period is a group. */
  readonly bucket?: 'DAY' | 'WEEK' | 'MONTH' | 'QUARTER' | 'YEAR' | 'DAY_OF_WEEK' | 'MONTH_OF_YEAR' | undefined;
};

export type MetricGroupValue = {
  readonly kind: string;
  /** The component or dimension; otherwise empty. */
  readonly id: string;
  /** The value; empty if the values of the group have none. A period is written as its first day, DAY_OF_WEEK and MONTH_OF_YEAR as a number. */
  readonly value: string;
  /** The name of the value, or the value itself if it has no name. */
  readonly displayName: string;
};

export type MetricOrder = {
  /** A number as in rankBy. */
  readonly name: string;
  /** Absent: ascending. */
  readonly direction?: 'UNSPECIFIED' | 'ASC' | 'DESC' | undefined;
};

export type MetricReport = {
  readonly observationPeriod?: Period | undefined;
};

/** How the data owner declared the metric. */
export type MetricSpec = {
  /** The layer whose features the metric measures. */
  readonly layerId: string;
  /** The layer of the related features of an origin–destination metric; otherwise empty. */
  readonly relatedLayerId: string;
  /** The member of a value that has it. */
  readonly valueKind: 'KIND_UNSPECIFIED' | 'NUMBER' | 'COUNT' | 'CATEGORY';
  /** How often the metric has values. */
  readonly cadence: 'UNSPECIFIED' | 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'QUARTERLY' | 'YEARLY' | 'TRIMONTHLY' | 'WEEKLY_MON_SUN' | 'WEEKLY_TUE_MON' | 'HOURLY';
  readonly dimensionsList: readonly DimensionSpec[];
  /** The unit of the main measure; empty if it has none. */
  readonly unit: string;
  /** The measures: first the main one, then the supporting ones. */
  readonly valuesList: readonly ValueSpec[];
  readonly tagsList: readonly TagSpec[];
  readonly groupMembershipsList: readonly GroupMemberSpec[];
  /** How often its values are computed. */
  readonly processingCadence: 'UNSPECIFIED' | 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'QUARTERLY' | 'YEARLY' | 'TRIMONTHLY' | 'WEEKLY_MON_SUN' | 'WEEKLY_TUE_MON' | 'HOURLY';
  /** True if its periods overlap. */
  readonly rollingObservationWindow: boolean;
  /** The relation between the two features of a value. */
  readonly relationType: string;
  /** The role of the feature, such as destination. */
  readonly layerRelationshipName: string;
  /** The role of the related feature, such as origin. */
  readonly relatedLayerRelationshipName: string;
  /** Empty. */
  readonly layerAdvancementFromMetricId: string;
};

export type MetricValue = {
  readonly metricId: string;
  readonly value: Measure;
  readonly observationPeriod: Period;
  readonly dimensionsList: readonly DimensionValue[];
  readonly supportingValuesList: readonly Measure[];
  readonly flagsList: readonly string[];
  readonly mapFeatureV2: MapFeature;
  readonly relatedMapFeature?: MapFeature | undefined;
};

/** Orders the records by their distance from this point, and adds it as distance_metres after their fields. Records without a point come last. Only in requests for records, and not together with orderBy. */
export type NearPoint = {
  /** Longitude, degrees from -180 to 180. */
  readonly longitude: number;
  /** Latitude, degrees from -90 to 90. */
  readonly latitude: number;
};

export type OptionDefinition = {
  readonly exampleValue: string;
  readonly displayName: string;
  readonly description: string;
  /** True if a request on this dataset may use the option. */
  readonly available: boolean;
};

export type OptionDefinitions = {
  readonly boundingBox: OptionDefinition;
  readonly trimToPeriodOfExistence: OptionDefinition;
  readonly orderBy: OptionDefinition;
  readonly polygon: OptionDefinition;
  readonly circle: OptionDefinition;
  readonly near: OptionDefinition;
};

export type Options = {
  readonly boundingBox?: BoundingBox | undefined;
  /** Records or features whose point lies inside, edges included, after coordinates are rounded to 9 decimals. Edges must not cross or touch. An edge longer than 180 degrees of longitude goes the short way over the antimeridian. Not together with a bounding box. */
  readonly polygon?: GeoJsonPolygon | GeoPolygon | undefined;
  readonly circle?: GeoCircle | undefined;
  readonly near?: NearPoint | undefined;
  /** UNSPECIFIED and TRIM leave out records whose period lies outside the existence of their place. IGNORE keeps them. */
  readonly trimToPeriodOfExistence?: 'UNSPECIFIED' | 'TRIM' | 'IGNORE' | undefined;
  readonly orderBy?: OrderBy | undefined;
  /** Further keys, one after the other, for records with equal values of orderBy. Only with orderBy, and only in requests for records or groups. Each field once. */
  readonly thenBy?: readonly OrderBy[] | undefined;
};

/** Order of the records by a field. Ties are broken by thenBy, then by the key. Absent: key order. */
export type OrderBy = {
  /** Field to order by. */
  readonly fieldName: string;
  /** ASC (default) or DESC. Records without a value come last in both directions. */
  readonly direction?: 'UNSPECIFIED' | 'ASC' | 'DESC' | undefined;
};

export type Period = {
  readonly start: CalendarDate;
  readonly end: CalendarDate;
};

/** Values whose period lies within these days, both included. */
export type PeriodFilter = {
  /** A day, as {"year": …, "month": …, "day": …} or as YYYY-MM-DD. */
  readonly start?: CalendarDate | string | undefined;
  /** A day, as {"year": …, "month": …, "day": …} or as YYYY-MM-DD. */
  readonly end?: CalendarDate | string | undefined;
};

export type Problem = {
  /** URI reference that identifies the reason. */
  readonly type: string;
  /** Short title, the same for every occurrence. */
  readonly title: string;
  readonly status: number;
  /** What happened, with the value that caused it. */
  readonly detail: string;
  /** The path of the request. */
  readonly instance: string;
  /** The name of the gRPC code. */
  readonly code: string;
  /** The reason, stable, in UPPER_SNAKE. */
  readonly reason: string;
  /** What to do. */
  readonly hint?: string | undefined;
  /** Where the request is wrong. */
  readonly errors?: readonly ProblemPlace[] | undefined;
  /** The limit of the organisation that is reached. */
  readonly limit?: string | undefined;
  /** The same as in the header X-Request-Id. */
  readonly requestId: string;
};

export type ProblemPlace = {
  /** JSON pointer to the place in the request. */
  readonly pointer: string;
  readonly detail: string;
};

export type Record = {
  /** The values by field name. All are text unless the request has typedValues. */
  readonly fields: { readonly [name: string]: string | number | boolean | null };
  /** The fields whose value is withheld from the caller, not absent. Only with typedValues, of fields whose owner marks withheld values. */
  readonly withheld?: readonly string[] | undefined;
};

export type RecordsExport = {
  readonly id: string;
  /** RUNNING while it waits or its files are being written; COMPLETED when all can be downloaded; FAILED if it has none. */
  readonly status: 'RUNNING' | 'COMPLETED' | 'FAILED';
  /** RFC 3339, UTC. */
  readonly createTime: string;
  /** RFC 3339, UTC. */
  readonly updateTime: string;
  /** Empty for an export of metric values. */
  readonly dataReferenceName: string;
  /** As in the request. */
  readonly fields: readonly FieldSelection[];
  /** As in the request. */
  readonly filters: readonly FilterClause[];
  /** As in the request. */
  readonly filterLogic: string;
  readonly options: ExportOptions;
  readonly format: 'CSV' | 'JSON' | 'AVRO' | 'PARQUET' | 'ARROW' | 'GEOJSON';
  /** The largest number of records; 0 for all. */
  readonly limit: number;
  readonly fileConfig: ExportFileConfig;
  /** The number of records that are written so far. */
  readonly rowsWritten: number;
  readonly fileExportInfo?: FileExportInfo | undefined;
  /** Why it FAILED: a reason of the table of errors. */
  readonly errorReason?: string | undefined;
  /** Why it FAILED, as a sentence. */
  readonly errorMessage?: string | undefined;
};

export type RecordsStatistics = {
  /** The first day of the period of the records. */
  readonly observationDate: string;
  /** The number of records. */
  readonly totalRows: number;
  /** The number of distinct places. */
  readonly uniqueLocationIds: number;
};

export type SearchAddressComponentValuesResponse = {
  readonly addressComponentValuesList: readonly AddressComponentValue[];
  /** How many values match in total, at most 2147483647. It is the same on each page. */
  readonly totalSize: number;
  /** The pageToken of the next page. Empty only on the last page. */
  readonly nextPageToken: string;
};

export type SearchDimensionValuesResponse = {
  readonly dimensionValuesList: readonly DimensionValue[];
  /** How many values match in total, at most 2147483647. It is the same on each page. */
  readonly totalSize: number;
  /** The pageToken of the next page. Empty only on the last page. */
  readonly nextPageToken: string;
};

export type SearchFieldValuesRequest = {
  /** Name of the dataset, `<product>.<dataset>`. */
  readonly dataReferenceName: string;
  /** A record must match all of them, unless filterLogic combines them otherwise. */
  readonly filters?: readonly FilterClause[] | undefined;
  /** How the filters are combined: $0 is the first one. AND, OR, NOT and parentheses; AND binds more tightly than OR. Each filter must be used. Absent: AND. */
  readonly filterLogic?: string | undefined;
  readonly options?: Options | undefined;
  /** UNSPECIFIED and TRIM leave out records whose period lies outside the existence of their place. IGNORE keeps them. */
  readonly trimToPeriodOfExistence?: 'UNSPECIFIED' | 'TRIM' | 'IGNORE' | undefined;
  /** Id of the caller's organisation. Absent: the organisation of the token. */
  readonly billingContext?: string | undefined;
  /** Maximum number of rows. Absent or 0: 100. At most 10,000; a negative number is an error. */
  readonly pageSize?: number | undefined;
  /** The nextPageToken of the previous page. Send the same request; only pageSize may change. */
  readonly pageToken?: string | undefined;
  /** A version, or a date YYYY-MM-DD (UTC) for the version that was current at the end of that day. Absent: the current version. */
  readonly asOf?: string | undefined;
  /** True to return no rows, only the exact totalSize and costRows. */
  readonly countOnly?: boolean | undefined;
  /** The field, as {"name": …} or as its name. */
  readonly field: FieldSelection | string;
  /** Text that the values contain, ignoring case and diacritics. Absent: all values. */
  readonly term?: string | undefined;
};

export type SearchFieldValuesResponse = {
  readonly values: readonly string[];
  readonly fieldDefinition: FieldDefinition;
  /** The pageToken of the next page. Empty only on the last page. */
  readonly nextPageToken: string;
  /** How many values match in total. Only with countOnly. */
  readonly totalSize?: number | undefined;
  /** The data version that the answer comes from. */
  readonly version: string;
  /** How many rows all pages of the request cost. Only with countOnly, which itself costs none. */
  readonly costRows?: number | undefined;
};

export type SearchLayerFeaturesRequest = {
  /** The catalog. If given, the same as in the URL. */
  readonly catalogId?: string | undefined;
  /** The layer. If given, the same as in the URL. */
  readonly layerId?: string | undefined;
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
  /** Features with one of the values of each component. */
  readonly addressComponentFilter?: readonly AddressComponentFilter[] | undefined;
  readonly boundingBoxFilter?: FeatureBoundingBox | undefined;
  /** Records or features whose point lies inside, edges included, after coordinates are rounded to 9 decimals. Edges must not cross or touch. An edge longer than 180 degrees of longitude goes the short way over the antimeridian. Not together with a bounding box. */
  readonly polygonFilter?: GeoJsonPolygon | GeoPolygon | undefined;
  readonly circleFilter?: GeoCircle | undefined;
  readonly existedInDateRange?: ExistenceRange | undefined;
};

export type SearchLayerFeaturesResponse = {
  readonly featuresList: readonly MapFeature[];
  /** How well each feature matches the query, from 0 (not at all) to 1 (equal); empty without a query. */
  readonly queryScoresList: readonly number[];
  /** How many features match in total, at most 2147483647. It is the same on each page. */
  readonly totalSize: number;
  /** The pageToken of the next page. Empty only on the last page. */
  readonly nextPageToken: string;
};

export type SearchMetricAggregatesRequest = {
  /** The catalog. If given, the same as in the URL. */
  readonly catalogId?: string | undefined;
  /** The metric. If given, the same as in the URL. */
  readonly metricId?: string | undefined;
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
  readonly observationPeriodFilter?: PeriodFilter | undefined;
  /** Values whose feature has one of the values of each component. */
  readonly addressComponentFilter?: readonly AddressComponentFilter[] | undefined;
  /** Values whose related feature has one of the values of each component. */
  readonly relatedAddressComponentFilter?: readonly AddressComponentFilter[] | undefined;
  /** Values with one of the values of each dimension. The default value of a dimension that is named does not apply. */
  readonly dimensionFilter?: readonly DimensionFilter[] | undefined;
  /** Values whose measures match each of these. */
  readonly valueFilter?: readonly ValueFilter[] | undefined;
  /** Records or features whose point lies inside, edges included, after coordinates are rounded to 9 decimals. Edges must not cross or touch. An edge longer than 180 degrees of longitude goes the short way over the antimeridian. Not together with a bounding box. */
  readonly polygonFilter?: GeoJsonPolygon | GeoPolygon | undefined;
  readonly circleFilter?: GeoCircle | undefined;
  /** The keys by which values are grouped. Absent: all values are in one group. */
  readonly groupBy?: readonly MetricGroup[] | undefined;
  /** The aggregates of each group. */
  readonly aggregates?: readonly MetricAggregate[] | undefined;
  /** The groups with which each group is compared: the same group in the period before or in the same period last year, or the mean of all groups. */
  readonly compare?: 'UNSPECIFIED' | 'PREVIOUS' | 'SAME_PERIOD_LAST_YEAR' | 'MEAN_OF_GROUPS' | undefined;
  /** The number by which groups are ranked: the name of an aggregate such as sum_person_count, or that name with .change or .percent. */
  readonly rankBy?: string | undefined;
  /** The order of the groups. Ties are broken by the values of groupBy. Absent: the order of these values. */
  readonly orderBy?: readonly MetricOrder[] | undefined;
};

export type SearchMetricAggregatesResponse = {
  readonly rowsList: readonly MetricAggregatesRow[];
  readonly appliedFilters: AppliedFilters;
  /** How many groups match in total, at most 2147483647. It is the same on each page. */
  readonly totalSize: number;
  /** The pageToken of the next page. Empty only on the last page. */
  readonly nextPageToken: string;
  /** The data version that the answer comes from. */
  readonly version: string;
};

export type SearchMetricReportResponse = {
  readonly report: MetricReport;
  readonly appliedFilters: AppliedFilters;
};

export type SearchMetricValuesRequest = {
  /** The catalog. If given, the same as in the URL. */
  readonly catalogId?: string | undefined;
  /** The metric. If given, the same as in the URL. */
  readonly metricId?: string | undefined;
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
  /** true (default): totalSize is exact. false: nothing is counted and totalSize is 0. */
  readonly trackTotalHitsBoolean?: boolean | undefined;
  /** The maximum number of values to count. Not together with trackTotalHitsBoolean. */
  readonly trackTotalHitsInteger?: number | undefined;
  readonly observationPeriodFilter?: PeriodFilter | undefined;
  /** Values whose feature has one of the values of each component. */
  readonly addressComponentFilter?: readonly AddressComponentFilter[] | undefined;
  /** Values whose related feature has one of the values of each component. */
  readonly relatedAddressComponentFilter?: readonly AddressComponentFilter[] | undefined;
  /** Values with one of the values of each dimension. The default value of a dimension that is named does not apply. */
  readonly dimensionFilter?: readonly DimensionFilter[] | undefined;
  /** Values whose measures match each of these. */
  readonly valueFilter?: readonly ValueFilter[] | undefined;
  /** Labels of the request, by name. */
  readonly requestTags?: { readonly [name: string]: string } | undefined;
};

export type SearchMetricValuesResponse = {
  readonly valuesList: readonly MetricValue[];
  readonly appliedFilters: AppliedFilters;
  /** How many values match in total, at most 2147483647. It is the same on each page. */
  readonly totalSize: number;
  /** The pageToken of the next page. Empty only on the last page. */
  readonly nextPageToken: string;
  /** The data version that the answer comes from. */
  readonly version: string;
  /** How many rows all pages of the request cost. Only with countOnly, which itself costs none. */
  readonly costRows?: number | undefined;
};

export type StreamMetricValuesRequest = {
  /** The catalog. If given, the same as in the URL. */
  readonly catalogId?: string | undefined;
  /** The metric. If given, the same as in the URL. */
  readonly metricId?: string | undefined;
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
  /** The version of an earlier answer, a version of one of the datasets of the metric, or a date YYYY-MM-DD (UTC) for the version that was current at the end of that day. Absent: the current version. */
  readonly asOf?: string | undefined;
  /** The address components to return with each feature. Absent: all. A single empty text: none. */
  readonly addressComponentWhitelist?: readonly string[] | undefined;
  /** True to leave out the points of the features. */
  readonly skipGeo?: boolean | undefined;
  readonly observationPeriodFilter?: PeriodFilter | undefined;
  /** Values whose feature has one of the values of each component. */
  readonly addressComponentFilter?: readonly AddressComponentFilter[] | undefined;
  /** Values whose related feature has one of the values of each component. */
  readonly relatedAddressComponentFilter?: readonly AddressComponentFilter[] | undefined;
  /** Values with one of the values of each dimension. The default value of a dimension that is named does not apply. */
  readonly dimensionFilter?: readonly DimensionFilter[] | undefined;
  /** Values whose measures match each of these. */
  readonly valueFilter?: readonly ValueFilter[] | undefined;
  /** Labels of the request, by name. */
  readonly requestTags?: { readonly [name: string]: string } | undefined;
  /** True to count the values first: Total-Size has their number, and a stream that exceeds a limit is refused before its first value. */
  readonly trackTotalHits?: boolean | undefined;
};

export type StreamRecordsRequest = {
  /** A record must match all of them, unless filterLogic combines them otherwise. */
  readonly filters?: readonly FilterClause[] | undefined;
  /** How the filters are combined: $0 is the first one. AND, OR, NOT and parentheses; AND binds more tightly than OR. Each filter must be used. Absent: AND. */
  readonly filterLogic?: string | undefined;
  readonly options?: Options | undefined;
  /** UNSPECIFIED and TRIM leave out records whose period lies outside the existence of their place. IGNORE keeps them. */
  readonly trimToPeriodOfExistence?: 'UNSPECIFIED' | 'TRIM' | 'IGNORE' | undefined;
  /** Id of the caller's organisation. Absent: the organisation of the token. */
  readonly billingContext?: string | undefined;
  /** Fields to return, each as {"name": …} or as its name. Absent: those included by default. */
  readonly fields?: readonly (FieldSelection | string)[] | undefined;
  /** A version, or a date YYYY-MM-DD (UTC) for the version that was current at the end of that day. Absent: the current version. */
  readonly asOf?: string | undefined;
  /** True to count the records first: Total-Size has their number, and a stream that exceeds a limit is refused before its first record. */
  readonly trackTotalHits?: boolean | undefined;
};

export type TagSpec = {
  readonly type: string;
  readonly valuesList: readonly string[];
};

export type TileJson = {
  /** The release of the format, 3.0.0. */
  readonly tilejson: string;
  /** The display name of the dataset or the layer. */
  readonly name: string;
  /** The description of the dataset or the layer. */
  readonly description: string;
  /** The attribution of the layer, if it has one. */
  readonly attribution?: string | undefined;
  /** The URL of the tiles, with `{z}`, `{x}` and `{y}`. */
  readonly tiles: readonly string[];
  readonly minzoom: number;
  readonly maxzoom: number;
  /** West, south, east and north of the records or outlines that the caller sees, in degrees. Absent if none is on the map. */
  readonly bounds?: readonly number[] | undefined;
  /** The last zoom at which a tile of this request has more than 2,000 records, for a map that asks with cells=true up to this zoom and with cells=false beyond. Absent if no tile has so many. */
  readonly cellsUntilZoom?: number | undefined;
  readonly vector_layers: readonly VectorLayer[];
};

export type UsageResponse = {
  readonly from: string;
  readonly to: string;
  /** Every request that was answered before this time is counted. */
  readonly completeUntil: string;
  /** A row for each group, with the members of groupBy. Rows are sorted by these. */
  readonly usage: readonly UsageRow[];
  readonly total: UsageSums;
  /** The pageToken of the next page. Empty only on the last page. */
  readonly nextPageToken: string;
};

export type UsageRow = {
  readonly organisation?: string | undefined;
  readonly day?: string | undefined;
  /** The dataset, `catalog/metric`, `catalog/layer` or catalog of the request; empty if the request had none. */
  readonly dataset?: string | undefined;
  readonly operation?: string | undefined;
  /** The id of the token. */
  readonly token?: string | undefined;
  /** Answered requests. */
  readonly requests: number;
  /** Records, values and features in their answers. */
  readonly rows: number;
  /** Bytes of their answers before any compression. */
  readonly bytes: number;
};

/** The sums of the whole period. They are the same on each page. */
export type UsageSums = {
  /** Answered requests. */
  readonly requests: number;
  /** Records, values and features in their answers. */
  readonly rows: number;
  /** Bytes of their answers before any compression. */
  readonly bytes: number;
};

export type ValueFilter = {
  readonly valueName: string;
  /** How the measure is compared with the number. */
  readonly operator: 'GREATER_THAN_OR_EQUAL_TO';
  /** Absent: 0. */
  readonly numericValue?: number | undefined;
};

/** A declared measure of a metric. */
export type ValueSpec = {
  /** The name of the measure. */
  readonly name: string;
  /** The member of a value that has it. */
  readonly valueKind: 'KIND_UNSPECIFIED' | 'NUMBER' | 'COUNT' | 'CATEGORY';
  /** The unit of its values; empty if they have none. */
  readonly unit: string;
  /** The display name. */
  readonly displayName: string;
  /** Its meaning. */
  readonly description: string;
  /** True if it is a supporting measure. */
  readonly supportingValue: boolean;
  /** True if its value may be absent. */
  readonly valueIsNullable: boolean;
  /** Whether its values can be added up: over periods and places (`all`), over one of the two (`periods`, `places`), or not at all (`none`). Empty for a category. */
  readonly additive: string;
};

export type VectorLayer = {
  readonly id: string;
  readonly description: string;
  /** The names of the values, each with its type: String, Number or Boolean. */
  readonly fields: { readonly [name: string]: string };
};

export type VersionSpec = {
  /** The version. */
  readonly version: string;
  /** The changes in this version. */
  readonly releaseNotes: string;
};
