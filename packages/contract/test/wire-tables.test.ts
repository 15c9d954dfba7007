import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { DescFile } from '@bufbuild/protobuf';
import {
  catalogV1,
  catalogV3,
  catalogV3alpha,
  healthV1,
  locmetricsV1,
  mapsV1,
  metricV1,
  reflectionV1,
  reflectionV1alpha,
  rpc,
  unatype,
} from '@locmetrics/contract/grpc';
import { expect, test } from 'vitest';
import { printWire } from './print-wire.ts';

/**
 * The wire tables, written a second time, so that a wrong name, number or type in a .proto file fails.
 * The form is `name=number type`. `rep` means repeated. Names of other packages are without `unacast.`;
 * values of enums are without their prefix. This project defines the numbers from 100 up,
 * so that they never collide with those of the interface that clients already use.
 */

test('unacast.unatype has these messages', () => {
  expect(wireOf(unatype)).toStrictEqual(
    table(`
AvailabilityKind ALL=0 DELIVERY_ONLY=1
ColumnMap{source_column=1 text, target_column_name=2 text}
Date{year=1 i32, month=2 i32, day=3 i32, hour=4 i32, minute=5 i32, second=6 i32}
DateRange{start=1 Date, end=2 Date}
FilterClause{field_name=1 text, operator=2 text, 3 unused, value=4 text, values=5 rep text}
`),
  );
});

test('unacast.maps.v1 has these messages and calls', () => {
  expect(wireOf(mapsV1)).toStrictEqual(
    table(`
AddressComponent{component=1 text, catalog_id=2 text, kind=3 ComponentKind, map_layer_id=4 text,
  id_display_name=5 text, availability=6 unatype.AvailabilityKind, short_name=7 text,
  display_name=8 text, index_id=9 text, description=10 text}
AddressComponentFilter{component=1 text, values=3 rep text}
AddressComponentValue{component=1 text, value=2 text, short_name=3 text, display_name=4 text}
AddressComponentValueSpec{component=1 text, allow_empty_values=10 bool,
  requires_specific_resource=12 text}
ComponentKind FREE_FORM_UNSPECIFIED=0 MAP=1 TAXONOMY=2 COUNT=3
Feature{layer_id=1 text, feature_id=3 text, name=4 text, geo=6 text,
  address_components=7 rep AddressComponentValue, point=8 text, polygon=9 text,
  came_into_existence=10 text, ceased_to_exist=11 text}
Layer{id=1 text, catalog_id=2 text, address_components=4 rep AddressComponent, index_id=5 text,
  display_name=7 text, description=8 text, layer_kind=9 LayerKind,
  availability=10 unatype.AvailabilityKind, spec=11 LayerSpec}
LayerKind INDEXED=0 H3=1 SERIES_MEMBER=2
LayerSpec{catalog_id=1 text, address_components=2 rep AddressComponentValueSpec,
  feature_display_name=5 text, feature_description=6 text, feature_kind_display_name=7 text,
  attribution=9 text, version=10 text, advancement_from_layer_id=11 text,
  requires_explicit_access=12 bool}
ListAddressComponentsRequest{}
ListAddressComponentsResponse{address_components=1 rep AddressComponent}
MapService.ListAddressComponents(ListAddressComponentsRequest) → ListAddressComponentsResponse
`),
  );
});

test('unacast.metric.v1 has these messages', () => {
  expect(wireOf(metricV1)).toStrictEqual(
    table(`
Cadence UNSPECIFIED=0 DAILY=1 WEEKLY=2 MONTHLY=3 QUARTERLY=4 YEARLY=5 TRIMONTHLY=6 WEEKLY_MON_SUN=7
  WEEKLY_TUE_MON=8 HOURLY=9
Dimension{dimension_id=1 text, catalog_id=2 text, name=4 text, display_name=5 text,
  description=6 text, index_id=9 text, id_display_name=10 text}
DimensionCompleteness STRICT=0 RELAXED=1
DimensionFilter{dimension_id=1 text, values=2 rep text}
DimensionSpec{dimension_id=1 text, default_value=2 text,
  dimension_completeness=7 DimensionCompleteness}
DimensionValue{dimension_id=1 text, value=2 text, display_name=3 text}
GroupMemberSpec{key=1 text, value=2 text}
Lens{id=1 text, catalog_id=2 text, metric_id=3 text, billing_account_id=4 text,
  lens_filters=6 LensFilters, display_name=10 text, description=11 text}
LensFilters{period_filters=1 rep Period, dimension_filters=2 rep DimensionFilter,
  address_component_filters=3 rep maps.v1.AddressComponentFilter, feature_filters=4 rep text,
  related_address_component_filters=5 rep maps.v1.AddressComponentFilter,
  related_feature_filters=6 rep text}
LifecycleStage UNSPECIFIED=0 PROTOTYPE=3 RELEASE_CANDIDATE=6 STABLE=9 DEPRECATED=12 ARCHIVED=15
  DELETED=18
Metric{id=1 text, catalog_id=2 text, index_id=3 text, spec=5 MetricSpec, layer_id=6 text,
  dimensions=7 rep Dimension, layer=8 maps.v1.Layer, lifecycle_stage=9 LifecycleStage,
  listing=11 text, related_layer_id=12 text, related_layer=13 maps.v1.Layer, report=14 MetricReport,
  description=16 text, your_lens=17 Lens, version_spec=18 VersionSpec, metric_parent_id=19 text,
  index_update_time=20 text, availability=22 unatype.AvailabilityKind,
  observation_period=23 Period, version=101 text, published_time=102 text, row_count=103 i64,
  first_observation_date=104 text, last_observation_date=105 text,
  data_reference_name=106 text, feature_data_reference_name=107 text}
MetricReport{observation_period=3 Period}
MetricSpec{layer_id=1 text, related_layer_id=2 text, value_kind=3 ValueKind, cadence=4 Cadence,
  dimensions=5 rep DimensionSpec, unit=6 text, values=7 rep ValueSpec, tags=8 rep TagSpec,
  group_memberships=9 rep GroupMemberSpec, processing_cadence=10 Cadence,
  rolling_observation_window=11 bool, relation_type=12 text, layer_relationship_name=13 text,
  related_layer_relationship_name=14 text, layer_advancement_from_metric_id=15 text}
MetricValue.Value{name=1 text, unit=2 text,
  oneof value{number=9 float, count=10 i64, category=11 text}}
MetricValue{metric_id=1 text, value=2 MetricValue.Value, observation_period=3 Period,
  related_map_feature=5 maps.v1.Feature, dimensions=6 rep DimensionValue,
  supporting_values=7 rep MetricValue.Value, flags=8 rep text, map_feature_v2=9 maps.v1.Feature,
  values=10 rep MetricValue.Value}
Period{start=1 unatype.Date, end=2 unatype.Date}
TagSpec{type=1 text, values=2 rep text}
ValueFilter{value_name=1 text, operator=2 ValueFilterOperator, numeric_value=3 float}
ValueFilterOperator UNSPECIFIED=0 GREATER_THAN_OR_EQUAL_TO=1
ValueKind KIND_UNSPECIFIED=0 NUMBER=1 COUNT=2 CATEGORY=3
ValueSpec{name=1 text, value_kind=2 ValueKind, unit=3 text, display_name=4 text,
  description=5 text, supporting_value=6 bool, value_is_nullable=7 bool,
  additive=102 text}
VersionSpec{version=1 text, release_notes=2 text}
`),
  );
});

test('unacast.catalog.v1 has these messages and calls', () => {
  expect(wireOf(catalogV1)).toStrictEqual(
    table(`
Catalog{id=1 text}
CatalogService.GetLayer(GetLayerRequest) → GetLayerResponse
CatalogService.GetMetric(GetMetricRequest) → GetMetricResponse
CatalogService.ListCatalogs(ListCatalogsRequest) → ListCatalogsResponse
CatalogService.ListMetrics(ListMetricsRequest) → ListMetricsResponse
CatalogService.QueryLayer(QueryLayerRequest) → QueryLayerResponse
DateRange{start_date=1 text, end_date=2 text}
DownloadMetricRequest{catalog_id=1 text, metric_id=2 text, billing_context=3 text, file_name=6 text,
  expiry_in_hours=10 i64}
DownloadResponse{download_id=1 text, file_urls=2 rep text, expires_at=10 text}
FileDownloadService.DownloadMetric(DownloadMetricRequest) → DownloadResponse
GetLayerRequest{catalog_id=1 text, layer_id=2 text}
GetLayerResponse{layer=1 maps.v1.Layer}
GetMetricRequestOptions{skip_layers=1 bool, skip_dimensions=2 bool,
  skip_subscription_status=3 bool, skip_observation_period=4 bool, skip_lens=5 bool}
GetMetricRequest{catalog_id=1 text, metric_id=2 text, billing_context=3 text,
  options=10 GetMetricRequestOptions}
GetMetricResponse{metric=1 metric.v1.Metric, complete_observation_period=2 metric.v1.Period}
ListCatalogsRequest{}
ListCatalogsResponse{catalogs=1 rep Catalog}
ListMetricsRequest{catalog_id=1 text, billing_context=2 text, layer_filter=5 rep text,
  availability_filter=6 rep unatype.AvailabilityKind, page_size=14 i32, page_token=15 text}
ListMetricsResponse{metrics=1 rep metric.v1.Metric, next_page_token=15 text}
QueryLayerRequest{catalog_id=1 text, layer_id=2 text,
  address_component_filter=5 rep maps.v1.AddressComponentFilter, page_size=14 i32,
  page_token=15 text}
QueryLayerResponse{features=4 rep maps.v1.Feature, total_size=14 i32, next_page_token=15 text}
QueryMetricFilters{period_filters=1 rep metric.v1.Period,
  dimension_filters=2 rep metric.v1.DimensionFilter,
  address_component_filters=3 rep maps.v1.AddressComponentFilter, feature_filters=4 rep text,
  related_feature_filters=5 rep text, value_filters=6 rep metric.v1.ValueFilter,
  related_address_component_filters=7 rep maps.v1.AddressComponentFilter,
  trim_to_period_of_existence=8 TrimToPeriodOfExistence}
QueryService.SearchAddressComponentValues(SearchAddressComponentValuesRequest) → SearchAddressComponentValuesResponse
QueryService.SearchDimensionValues(SearchDimensionValuesRequest) → SearchDimensionValuesResponse
QueryService.SearchLayerFeatures(SearchLayerFeaturesRequest) → SearchLayerFeaturesResponse
QueryService.SearchMetricReport(SearchMetricReportRequest) → SearchMetricReportResponse
QueryService.SearchMetricValues(SearchMetricValuesRequest) → SearchMetricValuesResponse
SearchAddressComponentValuesRequest{catalog_id=1 text, component=3 text, query=5 text,
  value_ids=6 rep text, free_form_target=7 text, page_size=14 i32, page_token=15 text}
SearchAddressComponentValuesResponse{
  address_component_values=1 rep maps.v1.AddressComponentValue, total_size=14 i32,
  next_page_token=15 text}
SearchDimensionValuesRequest{catalog_id=1 text, dimension_id=2 text, query=5 text,
  page_size=14 i32, page_token=15 text}
SearchDimensionValuesResponse{dimension_values=1 rep metric.v1.DimensionValue, total_size=14 i32,
  next_page_token=15 text}
SearchFeatureBoundingBox{west=1 double, north=2 double, east=3 double, south=4 double}
SearchLayerFeaturesRequest{catalog_id=1 text, layer_id=2 text, billing_context=3 text,
  feature_filter=5 rep text, address_component_filter=7 rep maps.v1.AddressComponentFilter,
  bounding_box_filter=8 SearchFeatureBoundingBox, query=9 text, track_total_hits=10 bool,
  page_size=14 i32, page_token=15 text, existed_in_date_range=16 DateRange,
  address_component_whitelist=17 rep text, skip_polygon=18 bool,
  polygon_filter=101 catalog.v3.GeoPolygon, circle_filter=102 catalog.v3.GeoCircle}
SearchLayerFeaturesResponse{features=1 rep maps.v1.Feature, query_scores=10 rep float,
  total_size=14 i32, next_page_token=15 text}
SearchMetricReportRequest{catalog_id=1 text, metric_id=2 text, billing_context=3 text}
SearchMetricReportResponse{report=1 metric.v1.MetricReport, applied_filters=2 QueryMetricFilters}
SearchMetricValuesRequest{catalog_id=1 text, metric_id=2 text, billing_context=3 text,
  oneof track_total_hits{track_total_hits_boolean=4 bool, track_total_hits_integer=12 i64},
  feature_filter=5 rep text, observation_period_filter=6 metric.v1.Period,
  address_component_filter=7 rep maps.v1.AddressComponentFilter,
  dimension_filter=8 rep metric.v1.DimensionFilter, invert_sort_order=9 bool,
  related_address_component_filter=10 rep maps.v1.AddressComponentFilter,
  best_effort_query_when_not_allowed=11 bool, request_tags=13 map<text,text>, page_size=14 i32,
  page_token=15 text, related_feature_filter=16 rep text,
  value_filter=17 rep metric.v1.ValueFilter, as_of=101 text, count_only=102 bool,
  address_component_whitelist=103 rep text, skip_geo=104 bool}
SearchMetricValuesResponse{values=1 rep metric.v1.MetricValue, applied_filters=2 QueryMetricFilters,
  total_size=14 i32, next_page_token=15 text, version=101 text, cost_rows=102 i64}
TrimToPeriodOfExistence UNSPECIFIED=0 TRIM=1 IGNORE=2
`),
  );
});

test('unacast.catalog.v3 has these messages and calls', () => {
  expect(wireOf(catalogV3)).toStrictEqual(
    table(`
Aggregation UNSPECIFIED=0 SUM=1 AVG=2 MIN=3 MAX=4 COUNT=5 COUNT_DISTINCT=6 MEDIAN=101 QUANTILE=102
BoundingBox{min_lng=1 double, min_lat=2 double, max_lng=3 double, max_lat=4 double}
BoundingBoxDefinition{example_value=1 BoundingBox, display_name=2 text, description=3 text,
  available=4 bool}
BigQueryExportConfig{project_id=1 text, dataset_id=2 text, table_id=3 text,
  write_disposition=4 BigQueryWriteDisposition, service_account_email=5 text,
  partition_field=6 text, cluster_fields=7 rep text}
BigQueryExportInfo{project_id=1 text, dataset_id=2 text, table_id=3 text}
BigQueryWriteDisposition UNSPECIFIED=0 BQ_WRITE_TRUNCATE=1 BQ_WRITE_APPEND=2 BQ_WRITE_EMPTY=3
CreateRecordsExportRequest{data_reference_name=1 text, fields=2 rep Field,
  filters=3 rep unatype.FilterClause, options=4 Options, billing_context=13 text,
  format=14 FileExportFormat, limit=15 i32, filter_logic=16 text, file_config=17 FileExportConfig,
  bigquery_config=18 BigQueryExportConfig}
DeleteRecordsExportRequest{id=1 text}
DeleteRecordsExportResponse{}
Export.CreateRecordsExport(CreateRecordsExportRequest) → RecordsExport
Export.DeleteRecordsExport(DeleteRecordsExportRequest) → DeleteRecordsExportResponse
Export.GetRecordsExport(GetRecordsExportRequest) → RecordsExport
Export.ListRecordsExports(ListRecordsExportsRequest) → ListRecordsExportsResponse
FileExportConfig{format=1 FileExportFormat, filename_prefix=2 text}
FileExportFormat UNSPECIFIED=0 CSV=1 JSON=2 AVRO=3 PARQUET=4 ARROW=101 GEOJSON=102
FileExportInfo{expire_time=2 text, files=3 rep FileMetadata}
FileMetadata{name=1 text, size_bytes=2 i64, format=3 text, content_type=4 text, created=5 text,
  updated=6 text, url=7 text}
GetRecordsExportRequest{id=1 text}
ListRecordsExportsRequest{billing_context=1 text}
ListRecordsExportsResponse{records_exports=1 rep RecordsExport}
RecordExportStatus UNSPECIFIED=0 FAILED=1 RUNNING=2 COMPLETED=3 COPYING=4
RecordsExport{id=1 text, status=2 RecordExportStatus, update_time=3 text, create_time=4 text,
  file_export_info=5 FileExportInfo, data_reference_name=6 text, fields=7 rep Field,
  filters=8 rep unatype.FilterClause, options=9 Options, format=10 FileExportFormat, limit=11 i32,
  filter_logic=12 text, file_config=13 FileExportConfig,
  bigquery_export_info=14 BigQueryExportInfo, bigquery_config=15 BigQueryExportConfig,
  rows_written=101 i64, error_reason=102 text, error_message=103 text}
Bucket UNSPECIFIED=0 DAY=1 WEEK=2 MONTH=3 QUARTER=4 YEAR=5 DAY_OF_WEEK=6 MONTH_OF_YEAR=7
CatalogQuery.GetDataReference(GetDataReferenceRequest) → GetDataReferenceResponse
CatalogQuery.ListDataReferences(ListDataReferencesRequest) → ListDataReferencesResponse
CatalogQuery.ListRecords(ListRecordsRequest) → ListRecordsResponse
CatalogQuery.SearchFieldValues(SearchFieldValuesRequest) → SearchFieldValuesResponse
DataReference{name=1 text, data_product_display_name=2 text, data_product_description=3 text,
  data_listing_display_name=4 text, data_listing_description=5 text, fields=6 rep FieldDefinition,
  options=7 OptionDefinitions, date_range=8 unatype.DateRange, cadence=9 text,
  processing_cadence=10 text, processing_lag_days=11 i32, update_time=12 text, version=101 text, published_time=102 text, row_count=103 i64,
  first_observation_date=104 text, last_observation_date=105 text}
Field{name=1 text, source=2 text, aggregation=3 Aggregation, alias=101 text,
  quantile=102 double}
FieldDefinition{name=1 text, source_column=2 text, type=3 text, description=4 text,
  filters=5 FilterDefinition, example_value=6 text, included_by_default=7 bool,
  aggregations=101 rep text, additive=102 text}
FilterDefinition{supported_operators=1 rep text}
GeoCircle{longitude=1 double, latitude=2 double, radius_metres=3 double}
GeoCircleDefinition{example_value=1 GeoCircle, display_name=2 text, description=3 text, available=4 bool}
GeoCoordinate{longitude=1 double, latitude=2 double}
GeoCoordinateDefinition{example_value=1 GeoCoordinate, display_name=2 text, description=3 text, available=4 bool}
GeoPolygon{coordinates=1 rep GeoCoordinate}
GeoPolygonDefinition{example_value=1 GeoPolygon, display_name=2 text, description=3 text, available=4 bool}
GetDataReferenceRequest{data_reference_name=1 text, billing_context=13 text}
GetDataReferenceResponse{data_reference=1 DataReference}
GroupBy{field_name=1 text, bucket=101 Bucket}
ListDataReferencesRequest{billing_context=13 text}
ListDataReferencesResponse{data_references=1 rep DataReference}
ListRecordsRequest{data_reference_name=1 text, fields=2 rep Field,
  filters=3 rep unatype.FilterClause, options=4 Options, group_by=5 rep GroupBy, billing_context=13 text, page_size=14 i32,
  page_token=15 text, filter_logic=16 text, as_of=101 text, count_only=102 bool,
  group_filters=103 rep unatype.FilterClause, record_count=104 bool}
ListRecordsResponse{records=1 rep Record, field_definitions=2 rep FieldDefinition,
  next_page_token=3 text, total_size=4 i64, version=101 text, cost_rows=102 i64}
OptionDefinitions{bounding_box=1 BoundingBoxDefinition,
  trim_to_period_of_existence=2 TrimToPeriodOfExistenceDefinition, order_by=3 OrderByDefinition, polygon=4 GeoPolygonDefinition,
  circle=101 GeoCircleDefinition, near=102 GeoCoordinateDefinition}
Options{bounding_box=1 BoundingBox, trim_to_period_of_existence=2 TrimToPeriodOfExistence,
  order_by=3 OrderBy, polygon=4 GeoPolygon, circle=101 GeoCircle,
  near=102 GeoCoordinate, then_by=103 rep OrderBy}
OrderBy{field_name=1 text, direction=2 OrderDirection}
OrderByDefinition{example_value=1 OrderBy, display_name=2 text, description=3 text,
  available=4 bool}
OrderDirection UNSPECIFIED=0 ASC=1 DESC=2
Record{fields=1 map<text,text>}
SearchFieldValuesRequest{data_reference_name=1 text, field=2 Field, term=3 text,
  filters=4 rep unatype.FilterClause, options=5 Options, billing_context=13 text,
  page_size=14 i32, page_token=15 text, filter_logic=16 text, as_of=101 text, count_only=102 bool}
SearchFieldValuesResponse{values=1 rep text, field_definition=2 FieldDefinition,
  next_page_token=3 text, version=101 text, total_size=102 i64, cost_rows=103 i64}
TrimToPeriodOfExistence UNSPECIFIED=0 TRIM=1 IGNORE=2
TrimToPeriodOfExistenceDefinition{example_value=1 TrimToPeriodOfExistence, display_name=2 text,
  description=3 text, available=4 bool}
`),
  );
});

test('unacast.catalog.v3alpha has these messages and calls', () => {
  expect(wireOf(catalogV3alpha)).toStrictEqual(
    table(`
CatalogQuery.FileDownload(FileDownloadRequest) → FileDownloadResponse
CatalogQuery.GetLayerStats(GetLayerStatsRequest) → GetLayerStatsResponse
CatalogQuery.ListRecordsStatistics(catalog.v3.ListRecordsRequest) → ListRecordsStatisticsResponse
FileDownloadFormat UNSPECIFIED=0 CSV=1 JSON=2 AVRO=3 PARQUET=4
FileDownloadRequest{data_reference_name=1 text, fields=2 rep catalog.v3.Field,
  filters=3 rep unatype.FilterClause, options=4 catalog.v3.Options, billing_context=13 text,
  format=14 FileDownloadFormat}
FileDownloadResponse{download_id=1 text, file_urls=2 rep text, expires_at=3 text}
GetLayerStatsRequest{data_reference_name=1 text, observation_date=2 text,
  filters=3 rep unatype.FilterClause, options=4 catalog.v3.Options, dimensions=5 rep text, billing_context=13 text}
GetLayerStatsResponse{location_count=1 i64, stats=2 rep Stat}
ListRecordsStatistics{observation_date=1 text, total_rows=2 i64, unique_location_ids=3 i64}
ListRecordsStatisticsResponse{statistics=1 rep ListRecordsStatistics}
Stat{name=1 text, distinct_count=2 i64}
`),
  );
});

test('locmetrics.v1 has these messages and calls', () => {
  expect(wireOf(locmetricsV1)).toStrictEqual(
    table(`
AggregateValue{name=1 text, number=2 double, count=3 i64, compared=4 double, change=5 double,
  percent=6 double, rank=7 i32, percentile=8 double}
Aggregates.SearchMetricAggregates(SearchMetricAggregatesRequest) → SearchMetricAggregatesResponse
Comparison UNSPECIFIED=0 PREVIOUS=1 SAME_PERIOD_LAST_YEAR=2 MEAN_OF_GROUPS=3
MetricAggregate{value_name=1 text, aggregation=2 catalog.v3.Aggregation, quantile=3 double,
  name=4 text}
MetricAggregatesRow{groups=1 rep MetricGroupValue, period=2 metric.v1.Period,
  values=3 rep AggregateValue, periods_with_values=4 i32, periods=5 i32}
MetricGroup.Kind UNSPECIFIED=0 FEATURE=1 RELATED_FEATURE=2 COMPONENT=3 RELATED_COMPONENT=4
  DIMENSION=5 PERIOD=6
MetricGroup{kind=1 MetricGroup.Kind, id=2 text, bucket=3 catalog.v3.Bucket}
MetricGroupValue{kind=1 MetricGroup.Kind, id=2 text, value=3 text, display_name=4 text}
MetricOrder{name=1 text, direction=2 catalog.v3.OrderDirection}
SearchMetricAggregatesRequest{catalog_id=1 text, metric_id=2 text, billing_context=3 text,
  feature_filter=5 rep text, observation_period_filter=6 metric.v1.Period,
  address_component_filter=7 rep maps.v1.AddressComponentFilter,
  dimension_filter=8 rep metric.v1.DimensionFilter,
  related_address_component_filter=10 rep maps.v1.AddressComponentFilter, page_size=14 i32,
  page_token=15 text, related_feature_filter=16 rep text, value_filter=17 rep metric.v1.ValueFilter,
  as_of=101 text, group_by=201 rep MetricGroup, aggregates=202 rep MetricAggregate,
  compare=203 Comparison, rank_by=204 text, order_by=205 rep MetricOrder,
  polygon_filter=206 catalog.v3.GeoPolygon, circle_filter=207 catalog.v3.GeoCircle}
SearchMetricAggregatesResponse{rows=1 rep MetricAggregatesRow,
  applied_filters=2 catalog.v1.QueryMetricFilters, total_size=14 i32, next_page_token=15 text,
  version=101 text}
`),
  );
});

test('google.rpc has these messages', () => {
  expect(wireOf(rpc)).toStrictEqual(
    table(`
BadRequest.FieldViolation{field=1 text, description=2 text, reason=3 text}
BadRequest{field_violations=1 rep BadRequest.FieldViolation}
ErrorInfo{reason=1 text, domain=2 text, metadata=3 map<text,text>}
QuotaFailure.Violation{subject=1 text, description=2 text}
QuotaFailure{violations=1 rep QuotaFailure.Violation}
RetryInfo{retry_delay=1 google.protobuf.Duration}
Status{code=1 i32, message=2 text, details=3 rep google.protobuf.Any}
`),
  );
});

test('grpc.health.v1 has these messages and calls', () => {
  expect(wireOf(healthV1)).toStrictEqual(
    table(`
Health.Check(HealthCheckRequest) → HealthCheckResponse
Health.List(HealthListRequest) → HealthListResponse
Health.Watch(HealthCheckRequest) → HealthCheckResponse server_streaming
HealthCheckRequest{service=1 text}
HealthCheckResponse.ServingStatus UNKNOWN=0 SERVING=1 NOT_SERVING=2 SERVICE_UNKNOWN=3
HealthCheckResponse{status=1 HealthCheckResponse.ServingStatus}
HealthListRequest{}
HealthListResponse{statuses=1 map<text,HealthCheckResponse>}
`),
  );
});

test.each([
  ['grpc.reflection.v1', reflectionV1],
  ['grpc.reflection.v1alpha', reflectionV1alpha],
])('%s has these messages and its call', (_, exported) => {
  expect(wireOf(exported)).toStrictEqual(
    table(`
ErrorResponse{error_code=1 i32, error_message=2 text}
ExtensionNumberResponse{base_type_name=1 text, extension_number=2 rep i32}
ExtensionRequest{containing_type=1 text, extension_number=2 i32}
FileDescriptorResponse{file_descriptor_proto=1 rep BYTES}
ListServiceResponse{service=1 rep ServiceResponse}
ServerReflection.ServerReflectionInfo(ServerReflectionRequest) → ServerReflectionResponse bidi_streaming
ServerReflectionRequest{host=1 text, oneof message_request{file_by_filename=3 text,
  file_containing_symbol=4 text, file_containing_extension=5 ExtensionRequest,
  all_extension_numbers_of_type=6 text, list_services=7 text}}
ServerReflectionResponse{valid_host=1 text, original_request=2 ServerReflectionRequest,
  oneof message_response{file_descriptor_response=4 FileDescriptorResponse,
  all_extension_numbers_response=5 ExtensionNumberResponse,
  list_services_response=6 ListServiceResponse, error_response=7 ErrorResponse}}
ServiceResponse{name=1 text}
`),
  );
});

test('every .proto file is exported', () => {
  const proto = fileURLToPath(new URL('../proto/', import.meta.url));
  const paths = readdirSync(proto, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.proto'))
    .map((path) => path.replaceAll('\\', '/').replace(/\.proto$/, ''));
  const exported = [
    catalogV1,
    catalogV3,
    catalogV3alpha,
    healthV1,
    locmetricsV1,
    mapsV1,
    metricV1,
    reflectionV1,
    reflectionV1alpha,
    rpc,
    unatype,
  ].flatMap(filesOf);
  expect(exported.map(({ name }) => name).toSorted()).toStrictEqual(paths.toSorted());
});

type Exported = Readonly<Record<string, unknown>>;

function wireOf(exported: Exported): readonly string[] {
  return printWire(filesOf(exported));
}

function filesOf(exported: Exported): readonly DescFile[] {
  return Object.values(exported).filter(isFile);
}

function isFile(value: unknown): value is DescFile {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'file';
}

/** The sorted entries of a table. An indented line continues the entry above it. */
function table(text: string): readonly string[] {
  return text.trim().replaceAll('{\n  ', '{').replaceAll('\n  ', ' ').split('\n').toSorted();
}
