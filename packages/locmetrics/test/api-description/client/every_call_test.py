"""Every call with a client made by openapi-python-client, whose models parse the answers."""

import datetime
import importlib
import os
import pkgutil
import unittest

import locmetrics_client.api
from locmetrics_client import AuthenticatedClient
from locmetrics_client.models import (
    AddGrantRequest,
    AggregatedField,
    BoundingBox,
    CheckGrantValuesRequest,
    CreateOrganisationRequest,
    CreateRecordsExportRequest,
    CreateTokenRequest,
    DeleteRecordsExportRequest,
    DownloadMetricRequest,
    ExplainGetLayerStatsRequest,
    ExplainListRecordsRequest,
    ExplainListRecordsStatisticsRequest,
    ExplainSearchFieldValuesRequest,
    ExplainSearchMetricAggregatesRequest,
    ExplainSearchMetricValuesRequest,
    ExplainedQueryStore,
    FieldSelection,
    FilterClause,
    GetDataReferenceRequest,
    FileDownloadRequest,
    GetLayerStatsRequest,
    GetRecordsExportRequest,
    ListDataReferencesRequest,
    ListRecordsExportsRequest,
    ListRecordsRequest,
    ListRecordsRequestAnySpelling,
    ListRecordsStatisticsRequest,
    Options,
    OrderBy,
    OrderByDirection,
    PreviewGetDataReferenceRequest,
    PreviewListDataReferencesRequest,
    PreviewListRecordsRequest,
    Problem,
    ReplaceGrantRequest,
    ResumeOrganisationRequest,
    RevokeTokenRequest,
    RollBackRequest,
    RotateTokenRequest,
    SearchFieldValuesRequest,
    SearchGrantValuesRequest,
    SearchLayerFeaturesRequest,
    SearchMetricAggregatesRequest,
    SearchMetricValuesRequest,
    SetLimitsRequest,
    SignInRequest,
    StreamMetricValuesRequest,
    StreamRecordsRequest,
    SuspendOrganisationRequest,
    ValueFilter,
    ValueFilterOperator,
)

ORGANISATION = os.environ["LOCMETRICS_ORG"]
PLACES = "ml_visitation.places"
METRIC = ("nps", "foot_traffic_monthly")

called = set()


def open_client(token: str) -> AuthenticatedClient:
    return AuthenticatedClient(os.environ["LOCMETRICS_URL"], token, raise_on_unexpected_status=True)


def call(name: str, *args, **kwargs):
    """Calls the operation, and checks that its answer is a model of its own and equal when written again."""
    module = importlib.import_module(f"locmetrics_client.api.{name}")
    called.add(name)
    answer = module.sync_detailed(*args, **kwargs)
    parsed = answer.parsed
    assert answer.status_code == 200, answer.content
    assert not isinstance(parsed, Problem) and parsed is not None
    assert type(parsed).from_dict(parsed.to_dict()) == parsed
    return parsed


def text_of(name: str, *args, **kwargs) -> str:
    """Calls an operation whose answer is a text."""
    module = importlib.import_module(f"locmetrics_client.api.{name}")
    called.add(name)
    answer = module.sync(*args, **kwargs)
    assert isinstance(answer, str), answer
    return answer


def bytes_of(name: str, *args, **kwargs) -> bytes:
    """Calls an operation whose answer is a file."""
    module = importlib.import_module(f"locmetrics_client.api.{name}")
    called.add(name)
    return module.sync(*args, **kwargs).payload.read()


def refused(name: str, *args, **kwargs):
    """Calls the operation, and returns its problem."""
    module = importlib.import_module(f"locmetrics_client.api.{name}")
    called.add(name)
    problem = module.sync(*args, **kwargs)
    assert isinstance(problem, Problem), problem
    return problem.reason


class EveryCallTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.client = open_client(os.environ["LOCMETRICS_TOKEN"])
        cls.admin = open_client(os.environ["ADMIN_TOKEN"])

    def test_datasets_are_listed_and_described(self):
        listed = call(
            "catalog.list_data_references", client=self.client, body=ListDataReferencesRequest()
        )
        self.assertIn(PLACES, [reference.name for reference in listed.data_references])
        described = call(
            "catalog.get_data_reference",
            client=self.client,
            body=GetDataReferenceRequest(name=PLACES),
        )
        self.assertEqual(described.data_reference.row_count, 63)
        self.assertIsInstance(described.data_reference.published_time, datetime.datetime)

    def test_records_are_filtered_ordered_and_paged(self):
        request = ListRecordsRequest(
            data_reference_name=PLACES,
            fields=["location_name", AggregatedField(name="latitude")],
            filters=[FilterClause(field_name="region", operator="==", value="CA")],
            options=Options(
                bounding_box=BoundingBox(min_lng=-124.5, min_lat=32.5, max_lng=-114.1, max_lat=42),
                order_by=OrderBy(field_name="location_name", direction=OrderByDirection.DESC),
            ),
            typed_values=True,
            page_size=2,
        )
        first = call("catalog.list_records", client=self.client, body=request)
        self.assertEqual(first.total_size, 9)
        self.assertEqual(first.records[0].fields["location_name"], "Yosemite National Park")
        self.assertIsInstance(first.records[0].fields["latitude"], float)
        request.page_token = first.next_page_token
        second = call("catalog.list_records", client=self.client, body=request)
        self.assertEqual(len(second.records), 2)

    def test_all_records_and_all_values_come_in_one_answer_in_every_format(self):
        for file_format in ["csv", "ndjson"]:
            name = f"catalog.stream_records_{file_format}"
            asked = text_of(name, PLACES, client=self.client)
            self.assertIn("Yosemite National Park", asked)
            body = StreamRecordsRequest()
            sent = text_of(f"{name}_by_body", PLACES, client=self.client, body=body)
            self.assertEqual(sent, asked)
        asked = call("catalog.stream_records_geojson", PLACES, client=self.client)
        self.assertEqual(len(asked.features), 63)
        name = "catalog.stream_records_geojson_by_body"
        sent = call(name, PLACES, client=self.client, body=StreamRecordsRequest())
        self.assertEqual(sent, asked)
        for file_format in ["csv", "ndjson"]:
            name = f"metrics.stream_metric_values_{file_format}"
            request = {"billing_context": ORGANISATION, "feature_filter": ["ACAD"]}
            asked = text_of(name, *METRIC, client=self.client, **request)
            self.assertIn("Acadia National Park", asked)
            body = StreamMetricValuesRequest(**request)
            sent = text_of(f"{name}_by_body", *METRIC, client=self.client, body=body)
            self.assertEqual(sent, asked)

    def test_all_records_and_all_values_come_in_a_parquet_file(self):
        asked = bytes_of("catalog.stream_records_parquet", PLACES, client=self.client)
        self.assertEqual((asked[:4], asked[-4:]), (b"PAR1", b"PAR1"))
        name = "catalog.stream_records_parquet_by_body"
        body = StreamRecordsRequest()
        sent = bytes_of(name, PLACES, client=self.client, body=body)
        self.assertEqual(len(sent), len(asked))
        request = {"billing_context": ORGANISATION, "feature_filter": ["ACAD"]}
        name = "metrics.stream_metric_values_parquet"
        asked = bytes_of(name, *METRIC, client=self.client, **request)
        self.assertEqual(asked[-4:], b"PAR1")
        body = StreamMetricValuesRequest(**request)
        sent = bytes_of(f"{name}_by_body", *METRIC, client=self.client, body=body)
        self.assertEqual(len(sent), len(asked))

    def test_all_records_and_all_values_come_as_arrow(self):
        asked = bytes_of("catalog.stream_records_arrow", PLACES, client=self.client)
        self.assertEqual((asked[:4], asked[-8:]), (b"\xff" * 4, b"\xff" * 4 + bytes(4)))
        name = "catalog.stream_records_arrow_by_body"
        body = StreamRecordsRequest()
        sent = bytes_of(name, PLACES, client=self.client, body=body)
        self.assertEqual(len(sent), len(asked))
        request = {"billing_context": ORGANISATION, "feature_filter": ["ACAD"]}
        name = "metrics.stream_metric_values_arrow"
        asked = bytes_of(name, *METRIC, client=self.client, **request)
        self.assertEqual(asked[-8:], b"\xff" * 4 + bytes(4))
        body = StreamMetricValuesRequest(**request)
        sent = bytes_of(f"{name}_by_body", *METRIC, client=self.client, body=body)
        self.assertEqual(len(sent), len(asked))

    def test_map_tiles_are_described_and_read(self):
        described = call("catalog.describe_tiles", PLACES, client=self.client)
        self.assertEqual(described.maxzoom, 16)
        module = importlib.import_module("locmetrics_client.api.catalog.read_tile")
        called.add("catalog.read_tile")
        tile = module.sync(PLACES, "0", "0", "0", client=self.client)
        self.assertGreater(len(tile.payload.read()), 1000)

    def test_a_request_in_snake_case_is_sent_as_it_is(self):
        request = ListRecordsRequestAnySpelling.from_dict(
            {"data_reference_name": PLACES, "pageSize": 1, "order_by": None}
        )
        request.additional_properties.pop("order_by")
        answer = call("catalog.list_records", client=self.client, body=request)
        self.assertEqual(len(answer.records), 1)

    def test_values_of_a_field_are_searched(self):
        answer = call(
            "catalog.search_field_values",
            client=self.client,
            body=SearchFieldValuesRequest(
                data_reference_name=PLACES, field=FieldSelection(name="region"), term="c", page_size=2
            ),
        )
        self.assertEqual(answer.values, ["CA", "CO"])

    def test_records_are_counted_by_date(self):
        asked = {"data_reference_name": "ml_visitation.foot_traffic_month"}
        dates = call(
            "catalog.list_records_statistics",
            client=self.client,
            body=ListRecordsStatisticsRequest(**asked),
        ).statistics
        self.assertEqual(dates[0].total_rows, dates[0].unique_location_ids)
        asked_of_date = {**asked, "observation_date": str(dates[0].observation_date)}
        stats = call(
            "catalog.get_layer_stats",
            client=self.client,
            body=GetLayerStatsRequest(**asked_of_date, dimensions=["location_id"]),
        )
        self.assertEqual(stats.location_count, dates[0].unique_location_ids)
        self.assertEqual(stats.stats[0].distinct_count, stats.location_count)
        queries = call(
            "admin.explain_list_records_statistics",
            client=self.admin,
            body=ExplainListRecordsStatisticsRequest(**asked),
        ).queries
        self.assertEqual(len(queries), 1)
        queries = call(
            "admin.explain_get_layer_stats",
            client=self.admin,
            body=ExplainGetLayerStatsRequest(**asked_of_date),
        ).queries
        self.assertEqual(len(queries), 1)

    def test_records_are_exported(self):
        created = call(
            "catalog.create_records_export",
            client=self.client,
            body=CreateRecordsExportRequest(
                data_reference_name=PLACES, limit=1
            ),
        )
        found = call(
            "catalog.get_records_export",
            client=self.client,
            body=GetRecordsExportRequest(id=created.id),
        )
        self.assertEqual(found.limit, 1)
        exports = call(
            "catalog.list_records_exports",
            client=self.client,
            body=ListRecordsExportsRequest(),
        ).records_exports
        self.assertIn(created.id, [one.id for one in exports])
        call(
            "catalog.delete_records_export",
            client=self.client,
            body=DeleteRecordsExportRequest(id=created.id),
        )
        download = call(
            "catalog.file_download",
            client=self.client,
            body=FileDownloadRequest(data_reference_name=PLACES),
        )
        self.assertEqual(len(download.file_urls), 1)

    def test_values_of_a_metric_are_exported(self):
        download = call(
            "metrics.download_metric",
            *METRIC,
            client=self.client,
            body=DownloadMetricRequest(
                billing_context=ORGANISATION, file_name="visits-"
            ),
        )
        self.assertEqual(len(download.file_urls), 1)

    def test_values_of_a_metric_are_the_same_by_address_and_by_body(self):
        asked = call(
            "metrics.search_metric_values",
            *METRIC,
            client=self.client,
            billing_context=ORGANISATION,
            feature_filter=["ACAD"],
            page_size=2,
        )
        self.assertEqual(asked.values_list[0].map_feature_v2.feature_id, "ACAD")
        posted = call(
            "metrics.search_metric_values_by_body",
            *METRIC,
            client=self.client,
            body=SearchMetricValuesRequest(
                billing_context=ORGANISATION,
                feature_filter=["ACAD"],
                value_filter=[
                    ValueFilter(
                        value_name="person_count",
                        operator=ValueFilterOperator.GREATER_THAN_OR_EQUAL_TO,
                        numeric_value=0,
                    )
                ],
                page_size=2,
            ),
        )
        self.assertEqual(posted.values_list, asked.values_list)

    def test_aggregates_of_a_metric_are_the_same_by_address_and_by_body(self):
        asked = call(
            "metrics.search_metric_aggregates",
            *METRIC,
            client=self.client,
            billing_context=ORGANISATION,
            group_by=["feature"],
            aggregate=["max:person_count"],
            feature_filter=["ACAD", "YOSE"],
        )
        self.assertEqual(len(asked.rows_list), 2)
        posted = call(
            "metrics.search_metric_aggregates_by_body",
            *METRIC,
            client=self.client,
            body=SearchMetricAggregatesRequest.from_dict(
                {
                    "billingContext": ORGANISATION,
                    "groupBy": [{"kind": "FEATURE"}],
                    "aggregates": [{"valueName": "person_count", "aggregation": "MAX"}],
                    "featureFilter": ["ACAD", "YOSE"],
                }
            ),
        )
        self.assertEqual(posted.rows_list, asked.rows_list)

    def test_usage_is_read(self):
        own = call("usage.read_usage", client=self.client, group_by=["dataset", "operation"])
        self.assertGreater(own.total.requests, 0)
        everything = call(
            "usage.read_usage_of_all", client=self.admin, organisation_id=ORGANISATION
        )
        self.assertEqual(everything.usage[0].organisation, ORGANISATION)

    def test_organisations_tokens_grants_and_limits_are_managed(self):
        admin = self.admin
        city = call(
            "admin.create_organisation", client=admin, body=CreateOrganisationRequest(name="City")
        ).id
        listed = call("admin.list_organisations", client=admin)
        self.assertIn(city, [organisation.id for organisation in listed.organisations])
        suspended = call(
            "admin.suspend_organisation", city, client=admin, body=SuspendOrganisationRequest()
        )
        self.assertIsNotNone(suspended.suspended)
        resumed = call(
            "admin.resume_organisation", city, client=admin, body=ResumeOrganisationRequest()
        )
        self.assertIsNone(resumed.suspended)

        token = call(
            "admin.create_token",
            client=admin,
            body=CreateTokenRequest(organisation_id=city, name="reports", expires_after="90d"),
        )
        rotated = call(
            "admin.rotate_token", token.token_id, client=admin, body=RotateTokenRequest(overlap="1h")
        )
        self.assertEqual(rotated.replaced.token_id, token.token_id)
        call("admin.revoke_token", rotated.token_id, client=admin, body=RevokeTokenRequest())
        tokens = call("admin.list_tokens", client=admin, organisation_id=city).tokens
        self.assertEqual(sorted(known.state for known in tokens), ["active", "revoked"])

        grant = call(
            "admin.add_grant",
            client=admin,
            body=AddGrantRequest(
                organisation_id=city,
                pattern=PLACES,
                filters=[FilterClause(field_name="region", operator="==", value="CA")],
                until=datetime.date(2099, 12, 31),
            ),
        ).grant
        grants = call("admin.list_grants", client=admin, organisation_id=city).grants
        self.assertEqual([known.until for known in grants], [datetime.date(2099, 12, 31)])
        replaced = call(
            "admin.replace_grant",
            grant.grant_id,
            client=admin,
            body=ReplaceGrantRequest(pattern=PLACES, until=datetime.date(2098, 12, 31)),
        )
        self.assertEqual(replaced.before.until, datetime.date(2099, 12, 31))
        self.assertEqual(replaced.grant.until, datetime.date(2098, 12, 31))
        call("admin.remove_grant", grant.grant_id, client=admin)

        limits = call(
            "admin.set_limits", city, client=admin, body=SetLimitsRequest(rows_per_day=1000)
        )
        self.assertEqual(call("admin.get_limits", city, client=admin), limits)
        audit = call("admin.list_audit", client=admin, organisation_id=city, page_size=1)
        self.assertEqual(audit.entries[0].action, "limits.set")

    def test_requests_are_explained(self):
        records = call(
            "admin.explain_list_records",
            client=self.admin,
            body=ExplainListRecordsRequest(
                organisation_id=ORGANISATION, data_reference_name=PLACES, page_size=2
            ),
        ).queries
        self.assertEqual([query.store for query in records], [ExplainedQueryStore.ROWS])
        values = call(
            "admin.explain_search_field_values",
            client=self.admin,
            body=ExplainSearchFieldValuesRequest(data_reference_name=PLACES, field="city", term="spring"),
        ).queries
        self.assertEqual([query.store for query in values], [ExplainedQueryStore.COLUMNS])
        catalog, metric = METRIC
        of_metric = call(
            "admin.explain_search_metric_values",
            client=self.admin,
            body=ExplainSearchMetricValuesRequest(
                catalog_id=catalog,
                metric_id=metric,
                billing_context=ORGANISATION,
                feature_filter=["ACAD"],
            ),
        ).queries
        self.assertEqual(of_metric[0].plan.value, "extent")
        of_aggregates = call(
            "admin.explain_search_metric_aggregates",
            client=self.admin,
            body=ExplainSearchMetricAggregatesRequest.from_dict(
                {
                    "catalogId": catalog,
                    "metricId": metric,
                    "billingContext": ORGANISATION,
                    "groupBy": [{"kind": "FEATURE"}],
                    "aggregates": [{"valueName": "person_count", "aggregation": "MAX"}],
                }
            ),
        ).queries
        self.assertIn("groups", [query.plan.value for query in of_aggregates])

    def test_catalogs_metrics_and_layers_are_found(self):
        catalog, metric = METRIC
        catalogs = call("metrics.list_catalogs", client=self.client).catalogs_list
        self.assertIn(catalog, [known.id for known in catalogs])
        (found,) = call("metrics.list_metrics", catalog, client=self.client).metrics_list
        self.assertEqual((found.id, found.spec.cadence.value), (metric, "MONTHLY"))
        described = call("metrics.get_metric", *METRIC, client=self.client, skip_layers=True).metric
        self.assertEqual(described.row_count, 33395)
        report = call("metrics.search_metric_report", *METRIC, client=self.client).report
        self.assertEqual(report.observation_period.start.year, 1979)
        place = (catalog, found.layer_id)
        layer = call("metrics.get_layer", *place, client=self.client).layer
        self.assertEqual(layer.display_name, "National parks")
        features = call(
            "metrics.search_layer_features", *place, client=self.client, query="acadia", page_size=1
        ).features_list
        self.assertEqual(features[0].feature_id, "ACAD")
        posted = call(
            "metrics.search_layer_features_by_body",
            *place,
            client=self.client,
            body=SearchLayerFeaturesRequest(query="acadia", page_size=1),
        )
        self.assertEqual(posted.features_list, features)
        call("metrics.list_address_components", client=self.client)
        states = call(
            "metrics.search_address_component_values",
            catalog,
            "us_state_2020",
            client=self.client,
            query="maine",
        ).address_component_values_list
        self.assertEqual(states[0].value, "23")
        reason = refused("metrics.search_dimension_values", catalog, "age", client=self.client)
        self.assertEqual(reason, "UNKNOWN_DIMENSION")
        layer = (catalog, "nps_parks")
        reason = refused("metrics.describe_layer_tiles", *layer, client=self.client)
        self.assertEqual(reason, "OUTLINES_NOT_FOUND")
        reason = refused("metrics.read_layer_tile", *layer, "0", "0", "0", client=self.client)
        self.assertEqual(reason, "OUTLINES_NOT_FOUND")

    def test_an_answer_is_previewed_as_an_organisation_gets_it(self):
        seen = call(
            "admin.preview_list_data_references",
            client=self.admin,
            body=PreviewListDataReferencesRequest(organisation_id=ORGANISATION),
        ).data_references
        self.assertIn(PLACES, [known.name for known in seen])
        described = call(
            "admin.preview_get_data_reference",
            client=self.admin,
            body=PreviewGetDataReferenceRequest(organisation_id=ORGANISATION, name=PLACES),
        ).data_reference
        self.assertEqual(described.row_count, 63)
        records = call(
            "admin.preview_list_records",
            client=self.admin,
            body=PreviewListRecordsRequest(
                organisation_id=ORGANISATION, data_reference_name=PLACES, page_size=1
            ),
        )
        self.assertEqual(records.total_size, 63)
        checked = call(
            "admin.check_grant_values",
            client=self.admin,
            body=CheckGrantValuesRequest.from_dict(
                {
                    "grant": {
                        "pattern": PLACES,
                        "filters": [{"fieldName": "region", "operator": "==", "value": "CA"}],
                    }
                }
            ),
        ).values
        self.assertEqual([(known.value, known.row_count) for known in checked], [("CA", 9)])
        found = call(
            "admin.search_grant_values",
            client=self.admin,
            body=SearchGrantValuesRequest.from_dict(
                {"pattern": PLACES, "member": "filters", "name": "region", "query": "CA"}
            ),
        ).values
        self.assertIn("CA", [known.value for known in found])

    def test_a_caller_is_told_who_it_is_and_a_wrong_code_signs_nobody_in(self):
        caller = call("caller.get_caller", client=self.client)
        self.assertEqual(caller.organisation_id, ORGANISATION)
        reason = refused("caller.sign_in", client=self.client, body=SignInRequest(code="0" * 30))
        self.assertEqual(reason, "SIGN_IN_CODE_INVALID")

    def test_versions_are_listed_with_their_reports(self):
        (version,) = call("admin.list_versions", client=self.admin, dataset=PLACES).versions
        self.assertEqual((version.state.value, version.row_count), ("current", 63))
        report = call("admin.get_report", PLACES, version.version, client=self.admin)
        self.assertEqual(report.rows.kept, 63)
        self.assertEqual(
            refused("admin.compare_versions", PLACES, client=self.admin), "VERSION_NOT_FOUND"
        )
        body = RollBackRequest(dataset=PLACES)
        self.assertEqual(refused("admin.roll_back", client=self.admin, body=body), "SWITCH_REFUSED")

    def test_a_refusal_is_a_problem(self):
        module = importlib.import_module("locmetrics_client.api.catalog.list_records")
        problem = module.sync(
            client=self.client, body=ListRecordsRequest(data_reference_name=PLACES, fields=["citty"])
        )
        self.assertIsInstance(problem, Problem)
        self.assertEqual((problem.status, problem.reason), (400, "UNKNOWN_FIELD"))

    @classmethod
    def tearDownClass(cls):
        path = locmetrics_client.api.__path__
        described = {
            f"{tag.name}.{operation.name}"
            for tag in pkgutil.iter_modules(path)
            for operation in pkgutil.iter_modules([f"{path[0]}/{tag.name}"])
        }
        if called != described:
            raise AssertionError(f"Not called: {sorted(described - called)}")


if __name__ == "__main__":
    unittest.main()
