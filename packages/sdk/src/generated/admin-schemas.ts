// Made from the contract by `npm run generate`. Do not edit.

import type {
  AddressComponentFilter,
  AggregatedField,
  DimensionFilter,
  FieldSelection,
  FilterClause,
  GeoCircle,
  GeoJsonPolygon,
  GeoPolygon,
  GroupBy,
  MetricAggregate,
  MetricGroup,
  MetricOrder,
  Options,
  PeriodFilter,
  ValueFilter,
} from './schemas.ts';

export type AcceptedNotice = {
  readonly notice: string;
  readonly reason: string;
};

export type AddGrantRequest = {
  /** Id of the organisation. */
  readonly organisationId: string;
  /** The datasets or metrics that are granted: product.dataset or catalog/metric. A * at the end stands for any text. */
  readonly pattern: string;
  /** Only records that match all of them. */
  readonly filters?: readonly FilterClause[] | undefined;
  /** The visible fields; for metrics the visible values, dimensions, flags and components of both layers. Absent: all. */
  readonly fields?: readonly string[] | undefined;
  readonly observationPeriodFilter?: PeriodFilter | undefined;
  /** Values whose feature has one of the values of each component. */
  readonly addressComponentFilter?: readonly AddressComponentFilter[] | undefined;
  /** Values with one of the values of each dimension. The default value of a dimension that is named does not apply. */
  readonly dimensionFilter?: readonly DimensionFilter[] | undefined;
  /** Ids of features. An unknown id matches nothing. Absent: all features. */
  readonly featureFilter?: readonly string[] | undefined;
  /** Values whose related feature has one of the values of each component. */
  readonly relatedAddressComponentFilter?: readonly AddressComponentFilter[] | undefined;
  /** Ids of related features of an origin–destination metric. Absent: all. */
  readonly relatedFeatureFilter?: readonly string[] | undefined;
  /** The first day (UTC) of the grant, YYYY-MM-DD. Absent: it starts at once. */
  readonly from?: string | undefined;
  /** The last day (UTC) of the grant, YYYY-MM-DD. Absent: it has no end. */
  readonly until?: string | undefined;
  /** True to show the small cells that the dataset suppresses. */
  readonly showsSmallCells?: boolean | undefined;
  /** True if a request that names a component replaces the default filter on it. */
  readonly liftsDefaultFilters?: boolean | undefined;
};

export type AddGrantResponse = {
  readonly grant: Grant;
  /** The datasets and metrics that the pattern matches now. */
  readonly names: readonly string[];
};

export type AuditEntry = {
  readonly entryId: number;
  /** RFC 3339, UTC. */
  readonly time: string;
  /** The author of the change: `kind` is token (with tokenId and organisationId), command line (with user), sign-in link (with linkId) or upgrade. */
  readonly actor: { readonly [name: string]: string };
  readonly action: string;
  /** The organisation that was changed. */
  readonly organisationId: string;
  /** The id of what was changed. */
  readonly subject: string;
  readonly details: { readonly [name: string]: unknown };
};

export type ChangedField = {
  readonly field: string;
  readonly rows: number;
};

export type ChangedRecord = {
  readonly key: { readonly [name: string]: string };
  readonly fields: readonly ChangedValue[];
};

export type ChangedValue = {
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
};

export type CheckGrantValuesRequest = {
  readonly grant: GrantTerms;
};

export type CheckGrantValuesResponse = {
  readonly values: readonly CheckedGrantValue[];
};

export type CheckedGrantValue = {
  /** The place of the value in the grant. */
  readonly pointer: string;
  /** The member of the grant that lists the value. */
  readonly member: string;
  /** The field, component or dimension; empty for a feature. */
  readonly name: string;
  /** The operator of a filter; empty for other members. */
  readonly operator: string;
  readonly value: string;
  readonly rowCount: number | null;
  readonly nearest: string | null;
};

/** The first records of each kind. */
export type ComparedExamples = {
  readonly added: readonly RecordKey[];
  readonly removed: readonly RecordKey[];
  readonly changed: readonly ChangedRecord[];
};

export type ComparedRows = {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  readonly same: number;
};

export type CreateOrganisationRequest = {
  /** Display name of the organisation. */
  readonly name: string;
  /** The billing context of its requests. Absent: a generated id. */
  readonly id?: string | undefined;
};

export type CreateTokenRequest = {
  /** Id of the organisation. */
  readonly organisationId: string;
  /** The purpose of the token. */
  readonly name: string;
  /** The scopes of the token: catalog, metrics, usage, operate, admin. Absent: catalog, metrics and usage. */
  readonly scopes?: readonly string[] | undefined;
  /** How long the token is valid, such as 90d or 24h. Absent: it does not expire. */
  readonly expiresAfter?: string | undefined;
};

export type CreateTokenResponse = {
  /** The text of the token. It is shown only here, because the service stores only its hash. */
  readonly token: string;
  readonly tokenId: string;
  readonly scopes: readonly string[];
  readonly expires: string | null;
};

/** rows is null if the keys differ. */
export type DiffResponse = {
  readonly dataset: string;
  readonly before: string;
  readonly after: string;
  /** True if a change of the schema breaks callers. */
  readonly isBreaking: boolean;
  readonly schema: readonly SchemaChange[];
  readonly rows: ComparedRows | null;
  readonly changedFields: readonly ChangedField[];
  readonly examples: ComparedExamples;
};

export type ExplainGetLayerStatsRequest = {
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
  /** Id of the organisation whose rights apply. Absent: your own. */
  readonly organisationId?: string | undefined;
};

export type ExplainListRecordsRequest = {
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
  /** Id of the organisation whose rights apply. Absent: your own. */
  readonly organisationId?: string | undefined;
};

export type ExplainListRecordsStatisticsRequest = {
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
  /** Id of the organisation whose rights apply. Absent: your own. */
  readonly organisationId?: string | undefined;
};

export type ExplainResponse = {
  /** The queries that the request would run, in order. */
  readonly queries: readonly ExplainedQuery[];
};

export type ExplainSearchFieldValuesRequest = {
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
  /** Id of the organisation whose rights apply. Absent: your own. */
  readonly organisationId?: string | undefined;
};

export type ExplainSearchMetricAggregatesRequest = {
  /** The catalog. */
  readonly catalogId: string;
  /** The metric. */
  readonly metricId: string;
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
  /** Id of the organisation whose rights apply. Absent: your own. */
  readonly organisationId?: string | undefined;
};

export type ExplainSearchMetricValuesRequest = {
  /** The catalog. */
  readonly catalogId: string;
  /** The metric. */
  readonly metricId: string;
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
  /** Id of the organisation whose rights apply. Absent: your own. */
  readonly organisationId?: string | undefined;
};

export type ExplainedQuery = {
  readonly plan: 'records' | 'batch' | 'count' | 'distinct' | 'named_values' | 'named_values_count' | 'extent' | 'tile' | 'groups';
  readonly dataset: string;
  readonly version: string;
  /** Each filter as its operator and field, without values. */
  readonly filters: readonly string[];
  /** The filters that the rights of the caller add, and the fields whose small values are withheld. */
  readonly rights: readonly string[];
  readonly groups: readonly string[] | null;
  readonly aggregates: readonly string[] | null;
  /** The fields that the order uses, with their direction. */
  readonly order: readonly string[];
  /** The comparison, the order and the rank of the groups of a metric, in this query or after it. Empty for other queries. */
  readonly steps: readonly string[];
  readonly fields: number | null;
  readonly pageSize: number | null;
  readonly isLaterPage: boolean | null;
  /** The store that answers the query: the row store or the column store. */
  readonly store: 'rows' | 'columns';
  /** How the row store finds, or would find, the records. */
  readonly access: string;
  readonly boundUs: number | null;
  /** Why this store answers, as a sentence. */
  readonly reason: string;
  /** The query runs only if all of these sentences are true. Empty: it always runs. */
  readonly onlyIf: readonly string[];
};

export type FieldSummary = {
  readonly name: string;
  readonly type: string;
  readonly absent: number;
  readonly least: string | null;
  readonly greatest: string | null;
};

export type FittedGrant = {
  readonly grantId: string;
  readonly organisationId: string;
  readonly pattern: string;
  /** RFC 3339, UTC. */
  readonly created: string;
  readonly from: string | null;
  readonly until: string | null;
  readonly filters: readonly GrantedFilter[];
  readonly fields: readonly string[] | null;
  readonly observationPeriodFilter: GrantedPeriod;
  readonly addressComponentFilter: readonly GrantedComponents[];
  readonly dimensionFilter: readonly GrantedDimension[];
  readonly featureFilter: readonly string[];
  readonly relatedAddressComponentFilter: readonly GrantedComponents[];
  readonly relatedFeatureFilter: readonly string[];
  readonly showsSmallCells: boolean;
  readonly liftsDefaultFilters: boolean;
  /** fits: everything that the grant names is published now. misfit: something is not. names_nothing: the pattern matches nothing. ended: its last day has passed. */
  readonly state: 'fits' | 'misfit' | 'names_nothing' | 'ended';
  readonly fits: readonly GrantFit[];
};

export type Grant = {
  readonly grantId: string;
  readonly organisationId: string;
  readonly pattern: string;
  /** RFC 3339, UTC. */
  readonly created: string;
  readonly from: string | null;
  readonly until: string | null;
  readonly filters: readonly GrantedFilter[];
  readonly fields: readonly string[] | null;
  readonly observationPeriodFilter: GrantedPeriod;
  readonly addressComponentFilter: readonly GrantedComponents[];
  readonly dimensionFilter: readonly GrantedDimension[];
  readonly featureFilter: readonly string[];
  readonly relatedAddressComponentFilter: readonly GrantedComponents[];
  readonly relatedFeatureFilter: readonly string[];
  readonly showsSmallCells: boolean;
  readonly liftsDefaultFilters: boolean;
};

export type GrantFit = {
  /** A dataset or metric that the pattern matches now. */
  readonly name: string;
  /** True if the grant gives access to any of it. */
  readonly isSeen: boolean;
  /** The parts of the grant that do not match it, described in sentences. */
  readonly problems: readonly string[];
};

export type GrantLoss = {
  readonly organisationId: string;
  readonly grantId: string;
  readonly pattern: string;
  /** The dataset or metric. */
  readonly name: string;
  /** True if a part of it stays visible. */
  readonly isSeen: boolean;
  readonly problems: readonly string[];
};

/** A grant of the organisation, as in a request to add it. */
export type GrantTerms = {
  /** The datasets or metrics that are granted: product.dataset or catalog/metric. A * at the end stands for any text. */
  readonly pattern: string;
  /** Only records that match all of them. */
  readonly filters?: readonly FilterClause[] | undefined;
  /** The visible fields; for metrics the visible values, dimensions, flags and components of both layers. Absent: all. */
  readonly fields?: readonly string[] | undefined;
  readonly observationPeriodFilter?: PeriodFilter | undefined;
  /** Values whose feature has one of the values of each component. */
  readonly addressComponentFilter?: readonly AddressComponentFilter[] | undefined;
  /** Values with one of the values of each dimension. The default value of a dimension that is named does not apply. */
  readonly dimensionFilter?: readonly DimensionFilter[] | undefined;
  /** Ids of features. An unknown id matches nothing. Absent: all features. */
  readonly featureFilter?: readonly string[] | undefined;
  /** Values whose related feature has one of the values of each component. */
  readonly relatedAddressComponentFilter?: readonly AddressComponentFilter[] | undefined;
  /** Ids of related features of an origin–destination metric. Absent: all. */
  readonly relatedFeatureFilter?: readonly string[] | undefined;
  /** The first day (UTC) of the grant, YYYY-MM-DD. Absent: it starts at once. */
  readonly from?: string | undefined;
  /** The last day (UTC) of the grant, YYYY-MM-DD. Absent: it has no end. */
  readonly until?: string | undefined;
  /** True to show the small cells that the dataset suppresses. */
  readonly showsSmallCells?: boolean | undefined;
  /** True if a request that names a component replaces the default filter on it. */
  readonly liftsDefaultFilters?: boolean | undefined;
};

export type GrantableValue = {
  readonly value: string;
  /** The name of the value; empty if it has none. */
  readonly name: string;
  readonly rowCount: number | null;
};

export type GrantedComponents = {
  readonly component: string;
  readonly values: readonly string[];
};

export type GrantedDimension = {
  readonly dimensionId: string;
  readonly values: readonly string[];
};

export type GrantedFilter = {
  readonly fieldName: string;
  readonly operator: string;
  readonly value: string | number | boolean;
  readonly values: readonly (string | number | boolean)[];
};

export type GrantedPeriod = {
  /** YYYY-MM-DD */
  readonly start?: string | undefined;
  /** YYYY-MM-DD */
  readonly end?: string | undefined;
};

export type GroupChanges = {
  readonly field: string;
  readonly count: number;
  readonly appeared: ListedGroups;
  readonly vanished: ListedGroups;
  /** The number of groups of both versions whose records or measures differ. Absent in reports of earlier releases. */
  readonly changed?: number | undefined;
  readonly jumped: ListedJumps;
  readonly jumpPercent: number;
};

export type HistoryEntry = {
  readonly dataset: string;
  readonly version: string;
  /** RFC 3339, UTC. */
  readonly since: string;
  readonly until: string | null;
  readonly by: string;
  /** Grows with each switch. */
  readonly switch: number;
};

export type Jump = {
  readonly of: string;
  readonly field: string | null;
  readonly before: number | null;
  readonly after: number | null;
  readonly comparedWith: string | null;
};

export type Limits = {
  readonly organisationId: string;
  readonly requestsPerSecond: number | null;
  readonly burst: number | null;
  readonly rowsPerDay: number | null;
  readonly rowsPerMonth: number | null;
  readonly concurrentQueries: number | null;
  readonly viewedRowsPerDay: number | null;
};

export type ListAuditResponse = {
  /** Newest first. */
  readonly entries: readonly AuditEntry[];
  /** The pageToken of the next page. Empty only on the last page. */
  readonly nextPageToken: string;
};

export type ListGrantsResponse = {
  readonly grants: readonly FittedGrant[];
};

export type ListOrganisationsResponse = {
  readonly organisations: readonly Organisation[];
};

export type ListTokensResponse = {
  readonly tokens: readonly Token[];
};

export type ListVersionsResponse = {
  /** By dataset, newest first. The counts and notices of removed data are null, and so are the notices of a publish by an earlier release. */
  readonly versions: readonly ListedVersion[];
  /** The times at which each version was current, latest first. */
  readonly history: readonly HistoryEntry[];
  /** The versions of metrics in responses, by metric, newest first, each with the dataset versions that it is made of. */
  readonly metricVersions: readonly ListedMetricVersion[];
};

export type ListedGroups = {
  readonly count: number;
  readonly examples: readonly string[];
};

export type ListedJumps = {
  readonly count: number;
  readonly examples: readonly Jump[];
};

export type ListedMetricVersion = {
  readonly metric: string;
  readonly version: string;
  readonly state: 'current' | 'kept';
  /** The versions of its datasets: first of its values, then of its layers. */
  readonly madeOf: readonly MetricPart[];
};

export type ListedTotals = {
  readonly count: number;
  readonly examples: readonly Total[];
};

export type ListedVersion = {
  readonly dataset: string;
  readonly version: string;
  readonly state: 'current' | 'kept' | 'withdrawn';
  /** RFC 3339, UTC. */
  readonly publishedTime: string;
  readonly rowCount: number | null;
  readonly bytes: number | null;
  readonly withdrawnTime: string | null;
  readonly notices: readonly string[] | null;
};

export type MeasureTotals = {
  readonly field: string;
  readonly overall: OverallTotal | null;
  readonly periods: ListedTotals;
  readonly features: ListedTotals;
};

export type MetricPart = {
  readonly dataset: string;
  readonly version: string;
};

export type NotCompared = {
  readonly what: 'periods' | 'features';
  readonly reason: string;
};

export type Organisation = {
  /** The billing context of its requests. */
  readonly id: string;
  readonly name: string;
  /** RFC 3339, UTC. */
  readonly created: string;
  /** The time since which all its tokens are refused, or null. */
  readonly suspended: string | null;
};

export type OverallTotal = {
  readonly before: number | null;
  readonly after: number | null;
};

export type PreviewGetDataReferenceRequest = {
  /** Name of the dataset, `<product>.<dataset>`. */
  readonly name?: string | undefined;
  /** Name of the dataset, `<product>.<dataset>`. */
  readonly dataReferenceName?: string | undefined;
  /** Id of the caller's organisation. Absent: the organisation of the token. */
  readonly billingContext?: string | undefined;
  /** Id of the organisation whose rights apply. */
  readonly organisationId: string;
  readonly grant?: GrantTerms | undefined;
  /** The grant of the organisation that `grant` replaces. Absent or empty: `grant` is an additional one. */
  readonly replacedGrantId?: string | undefined;
};

export type PreviewListDataReferencesRequest = {
  /** Id of the caller's organisation. Absent: the organisation of the token. */
  readonly billingContext?: string | undefined;
  /** Id of the organisation whose rights apply. */
  readonly organisationId: string;
  readonly grant?: GrantTerms | undefined;
  /** The grant of the organisation that `grant` replaces. Absent or empty: `grant` is an additional one. */
  readonly replacedGrantId?: string | undefined;
};

export type PreviewListRecordsRequest = {
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
  /** How many rows to return at most. Absent or 0: 100; above 100: 100; negative: an error. */
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
  /** Id of the organisation whose rights apply. */
  readonly organisationId: string;
  readonly grant?: GrantTerms | undefined;
  /** The grant of the organisation that `grant` replaces. Absent or empty: `grant` is an additional one. */
  readonly replacedGrantId?: string | undefined;
};

/** The rows that a publish read, left out and changed. The report is stored with the version. */
export type PublishReport = {
  readonly format: number;
  readonly dataset: string;
  readonly version: string;
  /** RFC 3339, UTC. */
  readonly publishedTime: string;
  readonly mode: 'replace' | 'append' | 'replace-period';
  readonly replacedPeriod: ReplacedPeriod | null;
  readonly before: string | null;
  readonly rowCountBefore: number | null;
  readonly schema: readonly SchemaChange[];
  readonly grantLosses: readonly GrantLoss[];
  readonly rows: RowCounts;
  readonly rejected: readonly RejectedRows[];
  readonly fields: readonly FieldSummary[];
  readonly periods: GroupChanges | null;
  readonly features: GroupChanges | null;
  /** The sums of the measures that can be added up, before and after: over all records, of the periods that differ, and of the features that changed most in corrected periods. Absent in reports of earlier releases. */
  readonly totals?: readonly MeasureTotals[] | undefined;
  readonly unmatchedRecords?: readonly UnmatchedRecords[] | undefined;
  /** Notices for the data owner, for example about columns that no field uses. Absent in reports of earlier releases. */
  readonly notices?: readonly string[] | undefined;
  /** The notices that the manifest accepts, with its reasons. Absent in reports of earlier releases. */
  readonly acceptedNotices?: readonly AcceptedNotice[] | undefined;
  readonly notCompared: readonly NotCompared[];
  readonly durationMs: number;
  readonly rowsPerSecond: number;
};

export type RecordKey = {
  readonly key: { readonly [name: string]: string };
};

export type RejectedRows = {
  readonly field: string | null;
  readonly reason: string;
  readonly count: number;
  readonly examples: readonly string[];
};

export type RemoveGrantResponse = {
  readonly grant: Grant;
};

export type ReplaceGrantRequest = {
  /** The datasets or metrics that are granted: product.dataset or catalog/metric. A * at the end stands for any text. */
  readonly pattern: string;
  /** Only records that match all of them. */
  readonly filters?: readonly FilterClause[] | undefined;
  /** The visible fields; for metrics the visible values, dimensions, flags and components of both layers. Absent: all. */
  readonly fields?: readonly string[] | undefined;
  readonly observationPeriodFilter?: PeriodFilter | undefined;
  /** Values whose feature has one of the values of each component. */
  readonly addressComponentFilter?: readonly AddressComponentFilter[] | undefined;
  /** Values with one of the values of each dimension. The default value of a dimension that is named does not apply. */
  readonly dimensionFilter?: readonly DimensionFilter[] | undefined;
  /** Ids of features. An unknown id matches nothing. Absent: all features. */
  readonly featureFilter?: readonly string[] | undefined;
  /** Values whose related feature has one of the values of each component. */
  readonly relatedAddressComponentFilter?: readonly AddressComponentFilter[] | undefined;
  /** Ids of related features of an origin–destination metric. Absent: all. */
  readonly relatedFeatureFilter?: readonly string[] | undefined;
  /** The first day (UTC) of the grant, YYYY-MM-DD. Absent: it starts at once. */
  readonly from?: string | undefined;
  /** The last day (UTC) of the grant, YYYY-MM-DD. Absent: it has no end. */
  readonly until?: string | undefined;
  /** True to show the small cells that the dataset suppresses. */
  readonly showsSmallCells?: boolean | undefined;
  /** True if a request that names a component replaces the default filter on it. */
  readonly liftsDefaultFilters?: boolean | undefined;
};

export type ReplaceGrantResponse = {
  readonly grant: Grant;
  /** The datasets and metrics that the pattern matches now. */
  readonly names: readonly string[];
  readonly before: Grant;
};

export type ReplacedPeriod = {
  /** YYYY-MM-DD */
  readonly start: string;
  /** YYYY-MM-DD */
  readonly end: string;
};

export type ReplacedToken = {
  readonly tokenId: string;
  /** RFC 3339, UTC. */
  readonly expires: string;
};

export type ResumeOrganisationRequest = {};

export type RevokeTokenRequest = {};

export type RevokeTokenResponse = {
  readonly tokenId: string;
  /** RFC 3339, UTC. */
  readonly revoked: string;
};

export type RollBackRequest = {
  /** The name of a dataset. */
  readonly dataset: string;
  /** The version to switch to. Absent: the one that was current before. */
  readonly version?: string | undefined;
  /** True to also switch back the datasets that were published together. */
  readonly together?: boolean | undefined;
  /** True to switch even if grants lose data that they name. */
  readonly acceptGrantLosses?: boolean | undefined;
};

export type RollBackResponse = {
  /** Grows with each switch. */
  readonly switch: number;
  /** RFC 3339, UTC. */
  readonly time: string;
  readonly datasets: readonly SwitchedDataset[];
  readonly grantLosses: readonly GrantLoss[];
};

export type RotateTokenRequest = {
  /** How long the old token stays valid. Absent: 24h. */
  readonly overlap?: string | undefined;
};

export type RotateTokenResponse = {
  /** The text of the token. It is shown only here, because the service stores only its hash. */
  readonly token: string;
  readonly tokenId: string;
  readonly scopes: readonly string[];
  readonly expires: string | null;
  readonly replaced: ReplacedToken;
};

export type RowCounts = {
  readonly read: number;
  readonly kept: number;
  readonly rejected: number;
  readonly carriedOver: number;
  readonly replaced: number;
  readonly total: number;
};

export type SchemaChange = {
  /** A sentence. */
  readonly change: string;
  /** True if a request that was valid is now refused, or answered with a different kind of values. */
  readonly isBreaking: boolean;
};

export type SearchGrantValuesRequest = {
  /** The datasets or metrics that are granted: product.dataset or catalog/metric. A * at the end stands for any text. */
  readonly pattern: string;
  /** The member of the grant that the values are for. */
  readonly member: 'filters' | 'fields' | 'featureFilter' | 'addressComponentFilter' | 'dimensionFilter' | 'relatedFeatureFilter' | 'relatedAddressComponentFilter';
  /** The field, component or dimension. Absent: the possible names are searched instead; features and fields have none. */
  readonly name?: string | undefined;
  /** A text that the value or its name contains, ignoring case and diacritics. Absent: all values. */
  readonly query?: string | undefined;
  /** How many values to return at most. Absent or 0: 20; above 100: 100; negative: an error. */
  readonly pageSize?: number | undefined;
};

export type SearchGrantValuesResponse = {
  readonly values: readonly GrantableValue[];
};

/** All limits of the organisation. A limit that is absent or 0 is removed. */
export type SetLimitsRequest = {
  /** Average number of requests per second. */
  readonly requestsPerSecond?: number | undefined;
  /** How many requests may arrive at once. */
  readonly burst?: number | undefined;
  /** Rows of answers in a day, UTC. */
  readonly rowsPerDay?: number | undefined;
  /** Rows of answers in a calendar month, UTC. */
  readonly rowsPerMonth?: number | undefined;
  /** Requests that are answered at the same time. */
  readonly concurrentQueries?: number | undefined;
  /** Rows that it may look at in a day (UTC) besides its limits of rows. Absent or 0: as the settings of the service say. */
  readonly viewedRowsPerDay?: number | undefined;
};

export type SuspendOrganisationRequest = {};

export type SwitchedDataset = {
  readonly dataset: string;
  readonly before: string | null;
  readonly version: string;
};

export type Token = {
  readonly tokenId: string;
  readonly organisationId: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly state: 'active' | 'expired' | 'revoked';
  /** RFC 3339, UTC. */
  readonly created: string;
  readonly expires: string | null;
  readonly lastUsed: string | null;
  readonly revoked: string | null;
  readonly replacedBy: string | null;
};

export type Total = {
  readonly of: string;
  readonly before: number | null;
  readonly after: number | null;
};

export type UnmatchedRecords = {
  readonly metrics: readonly string[];
  readonly dataset: string;
  readonly field: string;
  readonly layer: string;
  readonly absent: number;
  readonly unknown: ListedGroups;
};
