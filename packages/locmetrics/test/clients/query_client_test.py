"""The published client `unacatlib`, unmodified: datasets and records, over TLS.

The CA of the service is trusted by the variable SSL_CERT_FILE, which Python's `ssl` reads.
"""

import csv
import io
import os
import unittest
import urllib.request

import fastavro
import pandas
from syncer import sync
from unacatlib.query_client import (
    BoundingBox,
    FilterClause,
    OrderBy,
    OrderDirection,
    QueryClient,
    TrimToPeriodOfExistence,
)
from unacatlib.unacast.catalog.v1 import DownloadMetricRequest, FileDownloadServiceStub
from unacatlib.unacast.catalog.v3 import (
    Aggregation,
    CreateRecordsExportRequest,
    Field,
    FileExportConfig,
    FileExportFormat,
    GetRecordsExportRequest,
    GroupBy,
    ListRecordsRequest,
    Options,
    RecordExportStatus,
    SearchFieldValuesRequest,
)
from unacatlib.unacast.catalog.v3alpha import (
    FileDownloadFormat,
    FileDownloadRequest,
    GetLayerStatsRequest,
)


def open_client(api_key: str) -> QueryClient:
    host, port = os.environ["LOCMETRICS_GRPC_ADDRESS"].rsplit(":", 1)
    return QueryClient(
        api_key=api_key,
        billing_context=os.environ["LOCMETRICS_ORG"],
        server_address=host,
        port=int(port),
    )


class QueryClientTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.client = open_client(os.environ["LOCMETRICS_TOKEN"])

    @classmethod
    def tearDownClass(cls):
        cls.client.channel.close()

    def test_data_references_are_listed(self):
        frame = self.client.list_data_references().data_references.to_df()
        self.assertEqual(
            [name for name in frame["name"] if not name.startswith("trips.")],
            [
                "cafes.places",
                "cafes.visits",
                "ml_visitation.foot_traffic_month",
                "ml_visitation.neighborhoods",
                "ml_visitation.places",
                "mobility.state_day",
                "mobility.states",
            ],
        )

    def test_a_data_reference_has_its_fields_and_options(self):
        reference = self.client.get_data_reference("ml_visitation.places").data_reference
        fields = {field.name: field for field in reference.fields}
        self.assertEqual(fields["latitude"].type, "COLUMN_TYPE_FLOAT")
        self.assertIn("starts_with", fields["city"].filters.supported_operators)
        self.assertTrue(reference.options.bounding_box.available)
        self.assertFalse(reference.options.trim_to_period_of_existence.available)
        self.assertEqual(len(reference.fields.to_df()), len(fields))

    def test_a_data_reference_says_when_it_has_data(self):
        name = "ml_visitation.foot_traffic_month"
        reference = self.client.get_data_reference(name).data_reference
        start, end = reference.date_range.start, reference.date_range.end
        dates = self.client.list_records_statistics(name).statistics
        self.assertEqual(
            f"{start.year:04}-{start.month:02}-{start.day:02}", dates[0].observation_date
        )
        self.assertGreater((end.year, end.month), (start.year, start.month))
        self.assertEqual((end.hour, end.minute, end.second), (0, 0, 0))
        self.assertEqual((reference.cadence, reference.processing_cadence), ("MONTHLY", "MONTHLY"))
        # The sample is older than two months.
        self.assertEqual(reference.processing_lag_days, 0)
        self.assertRegex(reference.update_time, r"^\d{4}-\d\d-\d\dT[0-9:.]+Z$")
        places = self.client.get_data_reference("ml_visitation.places").data_reference
        self.assertEqual((places.cadence, places.processing_lag_days), ("", 0))

    def test_an_unknown_data_reference_is_not_found_with_a_hint(self):
        with self.assertRaises(Exception) as raised:
            self.client.get_data_reference("ml_visitation.place")
        self.assertIn("NOT_FOUND", str(raised.exception))
        self.assertIn("Did you mean 'ml_visitation.places'?", str(raised.exception))

    def test_records_with_fields_filters_order_and_limit(self):
        response = self.client.list_records(
            "ml_visitation.foot_traffic_month",
            fields=["location_id", "observation_start_date", "visits_sum"],
            filters=[
                FilterClause(
                    field_name="observation_start_date", operator=">=", value="2023-01-01"
                ),
                FilterClause(field_name="location_id", operator="in", values=["ACAD", "YOSE"]),
            ],
            options=Options(
                order_by=OrderBy(field_name="visits_sum", direction=OrderDirection.DESC)
            ),
            limit=5,
        )
        frame = response.records.to_df()
        self.assertEqual(
            list(frame.columns), ["location_id", "observation_start_date", "visits_sum"]
        )
        self.assertEqual(response.total_size, 24)
        self.assertEqual(frame["visits_sum"][0], 774296)
        self.assertTrue(frame["visits_sum"].is_monotonic_decreasing)
        self.assertEqual(str(frame["visits_sum"].dtype), "Int64")

    def test_records_in_a_box(self):
        options = Options(
            bounding_box=BoundingBox(min_lng=-125, min_lat=32, max_lng=-114, max_lat=42),
            trim_to_period_of_existence=TrimToPeriodOfExistence.UNSPECIFIED,
        )
        clauses = [FilterClause(field_name="region", operator="==", value="CA")]
        frame = self.client.list_records(
            "ml_visitation.places", filters=clauses, options=options
        ).records.to_df()
        self.assertEqual(len(frame), 9)
        self.assertTrue(frame["latitude"].between(32, 42).all())

    def test_records_of_many_pages(self):
        response = self.client.list_records(
            "ml_visitation.foot_traffic_month", fields=["location_id", "observation_start_date"]
        )
        frame = response.records.to_df()
        self.assertEqual((len(frame), response.total_size), (33395, 33395))
        self.assertFalse(frame.duplicated().any())

    def test_an_unknown_field_is_refused_with_a_hint(self):
        clauses = [FilterClause(field_name="citty", operator="==", value="Bar Harbor")]
        with self.assertRaises(Exception) as raised:
            self.client.list_records("ml_visitation.places", filters=clauses)
        self.assertIn("INVALID_ARGUMENT", str(raised.exception))
        self.assertIn("Did you mean 'city'?", str(raised.exception))

    def test_distinct_values_of_a_field(self):
        response = self.client.search_field_values("ml_visitation.places", "city", "spring")
        self.assertTrue(all("spring" in city.lower() for city in response.values))
        self.assertGreater(len(response.values), 0)
        self.assertEqual(response.field_definition[0].name, "city")
        counties = self.client.search_field_values(
            "ml_visitation.neighborhoods", "us_county_id", limit=2500
        )
        self.assertEqual(len(set(counties.values)), 2500)

    def test_groups_equal_the_records_behind_them(self):
        name = "ml_visitation.foot_traffic_month"
        clauses = [
            FilterClause(field_name="location_id", operator="==", value="ACAD"),
            FilterClause(field_name="location_id", operator="==", value="YOSE"),
            FilterClause(
                field_name="observation_start_date", operator=">=", value="2023-01-01"
            ),
        ]
        # The functions of the client have no parameters for groups and logic; its messages do.
        grouped = sync(
            self.client.query_service.list_records(
                ListRecordsRequest(
                    data_reference_name=name,
                    billing_context=self.client.billing_context,
                    group_by=[GroupBy(field_name="location_id")],
                    fields=[
                        Field(name="location_id"),
                        Field(name="visits_sum", aggregation=Aggregation.SUM),
                        Field(name="observation_start_date", aggregation=Aggregation.MAX),
                    ],
                    filters=clauses,
                    filter_logic="($0 OR $1) AND $2",
                    options=Options(
                        order_by=OrderBy(field_name="visits_sum", direction=OrderDirection.DESC)
                    ),
                )
            )
        )
        both = FilterClause(field_name="location_id", operator="in", values=["ACAD", "YOSE"])
        records = self.client.list_records(name, filters=[*clauses[2:], both]).records.to_df()
        sums = records.groupby("location_id")["visits_sum"].sum().sort_values(ascending=False)
        self.assertEqual(
            [
                (record.fields["location_id"], int(record.fields["visits_sum"]))
                for record in grouped.records
            ],
            [(location, int(visits)) for location, visits in sums.items()],
        )
        self.assertEqual(grouped.records[0].fields["observation_start_date"], "2023-12-01")
        self.assertEqual(grouped.total_size, 2)

    def test_a_sum_of_medians_is_refused_with_what_to_do(self):
        request = ListRecordsRequest(
            data_reference_name="cafes.visits",
            billing_context=self.client.billing_context,
            fields=[Field(name="person_count_p50", aggregation=Aggregation.SUM)],
        )
        with self.assertRaises(Exception) as raised:
            sync(self.client.query_service.list_records(request))
        self.assertIn("INVALID_ARGUMENT", str(raised.exception))
        self.assertIn("MAX, MEDIAN or AVG", str(raised.exception))

    def test_values_of_a_field_are_searched_with_filter_logic(self):
        request = SearchFieldValuesRequest(
            data_reference_name="ml_visitation.places",
            billing_context=self.client.billing_context,
            field=Field(name="region"),
            filters=[
                FilterClause(field_name="region", operator="==", value="CA"),
                FilterClause(field_name="region", operator="==", value="ME"),
            ],
            filter_logic="$0 or NOT ($0 OR NOT $1)",
        )
        values = sync(self.client.query_service.search_field_values(request)).values
        self.assertEqual(list(values), ["CA", "ME"])

    def test_statistics_are_counts_of_the_records(self):
        name = "ml_visitation.foot_traffic_month"
        clauses = [
            FilterClause(
                field_name="observation_start_date", operator=">=", value="2023-01-01"
            ),
            FilterClause(field_name="location_id", operator="in", values=["ACAD", "YOSE"]),
        ]
        frame = self.client.list_records_statistics(name, filters=clauses).statistics.to_df()
        self.assertEqual(
            list(frame.columns), ["observation_date", "total_rows", "unique_location_ids"]
        )
        self.assertTrue(frame["observation_date"].is_monotonic_increasing)
        self.assertEqual(frame["observation_date"][0], "2023-01-01")
        self.assertEqual(sum(int(rows) for rows in frame["total_rows"]), 24)
        self.assertEqual({int(ids) for ids in frame["unique_location_ids"]}, {2})
        whole = self.client.query_statistics(name).statistics
        self.assertEqual(sum(date.total_rows for date in whole), 33395)

    def test_statistics_with_options(self):
        options = Options(trim_to_period_of_existence=TrimToPeriodOfExistence.IGNORE)
        statistics = self.client.list_records_statistics(
            "cafes.visits", options=options
        ).statistics
        self.assertGreater(len(statistics), 0)
        with self.assertRaisesRegex(Exception, "FAILED_PRECONDITION"):
            self.client.list_records_statistics("ml_visitation.places")

    def test_files_are_downloaded_without_a_token(self):
        answer = self.client.file_download(
            "cafes.places",
            fields=[Field(name="name"), Field(name="city")],
            filters=[FilterClause(field_name="city", operator="==", value="Vancouver")],
        )
        self.assertRegex(answer.download_id, "^[0-9a-v]{26}$")
        self.assertRegex(answer.expires_at, "^[0-9-]{10}T")
        self.assertEqual(len(answer.file_urls), 1)
        with urllib.request.urlopen(answer.file_urls[0]) as response:
            rows = list(csv.DictReader(io.TextIOWrapper(response, "utf-8", newline="")))
        self.assertGreater(len(rows), 0)
        self.assertEqual({row["city"] for row in rows}, {"Vancouver"})
        self.assertEqual(list(rows[0]), ["name", "city"])

    def test_files_are_downloaded_in_one_call(self):
        answer = sync(
            self.client.query_service_alpha.file_download(
                FileDownloadRequest(
                    data_reference_name="cafes.places",
                    billing_context=self.client.billing_context,
                    fields=[Field(name="name"), Field(name="city")],
                    filters=[FilterClause(field_name="city", operator="==", value="Vancouver")],
                    format=FileDownloadFormat.AVRO,
                )
            )
        )
        self.assertRegex(answer.download_id, "^[0-9a-v]{26}$")
        self.assertRegex(answer.expires_at, "^[0-9-]{10}T")
        [url] = answer.file_urls
        with urllib.request.urlopen(url) as response:
            rows = list(fastavro.reader(io.BytesIO(response.read())))
        self.assertGreater(len(rows), 0)
        self.assertEqual({row["city"] for row in rows}, {"Vancouver"})

    def test_values_of_a_metric_are_downloaded(self):
        service = FileDownloadServiceStub(
            self.client.channel,
            metadata={"authorization": "Bearer " + os.environ["LOCMETRICS_TOKEN"]},
        )
        answer = sync(
            service.download_metric(
                DownloadMetricRequest(
                    catalog_id="cafes",
                    metric_id="visits",
                    billing_context=self.client.billing_context,
                    file_name="visits-",
                    expiry_in_hours=1,
                )
            )
        )
        self.assertRegex(answer.download_id, "^[0-9a-v]{26}$")
        self.assertRegex(answer.expires_at, "^[0-9-]{10}T")
        [url] = answer.file_urls
        self.assertIn("/visits-0.csv?", url)
        with urllib.request.urlopen(url) as response:
            rows = list(csv.DictReader(io.TextIOWrapper(response, "utf-8", newline="")))
        self.assertGreater(len(rows), 0)
        self.assertIn("person_count", rows[0])

    def test_an_avro_file_has_the_records_with_their_types(self):
        name = "ml_visitation.foot_traffic_month"
        fields = ["location_id", "observation_start_date", "visits_sum"]
        # The function of the client has no parameter for the format; its messages do.
        service = self.client.export_service
        export = sync(
            service.create_records_export(
                CreateRecordsExportRequest(
                    data_reference_name=name,
                    billing_context=self.client.billing_context,
                    fields=[Field(name=field) for field in fields],
                    file_config=FileExportConfig(format=FileExportFormat.AVRO),
                )
            )
        )
        while export.status == RecordExportStatus.RUNNING:
            export = sync(service.get_records_export(GetRecordsExportRequest(id=export.id)))
        [file] = export.file_export_info.files
        self.assertEqual((file.name, file.format), ("0.avro", "AVRO"))
        with urllib.request.urlopen(file.url) as response:
            reader = fastavro.reader(io.BytesIO(response.read()))
        self.assertEqual(reader.writer_schema["name"], name)
        self.assertEqual(reader.metadata["dataset"], name)
        self.assertIn("licence", reader.metadata)
        rows = {
            (row["location_id"], str(row["observation_start_date"])): row["visits_sum"]
            for row in reader
        }
        frame = self.client.list_records(name, fields=fields).records.to_df()
        self.assertEqual(len(frame), 33395)
        records = {
            (location, str(date)[:10]): None if visits is pandas.NA else int(visits)
            for location, date, visits in frame[fields].itertuples(index=False)
        }
        # The difference of so many would take minutes to print.
        self.assertTrue(rows == records)

    def test_layer_stats_of_a_date(self):
        request = GetLayerStatsRequest(
            data_reference_name="ml_visitation.foot_traffic_month",
            observation_date="2023-01-01",
            dimensions=["location_id"],
        )
        answer = sync(self.client.query_service_alpha.get_layer_stats(request))
        self.assertGreater(answer.location_count, 0)
        self.assertEqual(
            [(stat.name, stat.distinct_count) for stat in answer.stats],
            [("location_id", answer.location_count)],
        )

    def test_a_wrong_token_is_refused(self):
        client = open_client("wrong")
        try:
            with self.assertRaisesRegex(Exception, "UNAUTHENTICATED"):
                client.list_data_references()
        finally:
            client.channel.close()


if __name__ == "__main__":
    unittest.main()
