"""The published client `unacatlib`, unmodified: metrics, layers and components, over plaintext HTTP/2."""

import datetime
import os
import unittest

from unacatlib.client import Client
from unacatlib.filter import Filter


def open_client() -> Client:
    host, port = os.environ["LOCMETRICS_GRPC_PLAINTEXT_ADDRESS"].rsplit(":", 1)
    return Client(
        server_address=host,
        port=int(port),
        token=os.environ["LOCMETRICS_TOKEN"],
        billing_account=os.environ["LOCMETRICS_ORG"],
        skip_ssl=True,
    )


class CatalogClientTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.client = open_client()

    @classmethod
    def tearDownClass(cls):
        cls.client.channel.close()

    def test_the_catalogs_of_the_sample_are_listed(self):
        catalogs = [catalog.id for catalog in self.client.list_catalogs()]
        self.assertLessEqual({"census", "mobility", "nps"}, set(catalogs))

    def test_an_unknown_catalog_is_not_found(self):
        with self.assertRaisesRegex(RuntimeError, "Catalog parks not found"):
            self.client.catalog("parks")

    def test_the_metrics_of_a_catalog_are_listed(self):
        metrics = [metric.id for metric in self.client.catalog("mobility").list_metrics()]
        self.assertEqual(metrics, ["m50_daily", "m50_index_daily"])

    def test_a_metric_says_what_it_measures(self):
        metric = self.client.catalog("nps").metric("foot_traffic_monthly")
        names = [(value.name, value.unit, value.supporting_value) for value in metric.spec.values]
        self.assertEqual(names[0], ("person_count", "People", False))
        self.assertEqual([supporting for _, _, supporting in names[1:]], [True] * 4)
        self.assertEqual(metric.spec.cadence.name, "MONTHLY")
        self.assertEqual(metric.layer.id, "nps_parks")

    def test_an_unknown_metric_is_not_found_with_a_hint(self):
        with self.assertRaises(Exception) as raised:
            self.client.catalog("nps").metric("foot_traffic_monthy")
        self.assertIn("NOT_FOUND", str(raised.exception))
        self.assertIn("Did you mean 'foot_traffic_monthly'?", str(raised.exception))

    def test_the_values_of_one_park_become_a_frame(self):
        metric = self.client.catalog("nps").metric("foot_traffic_monthly")
        frame = metric.with_filter(Filter().with_feature_filter("ACAD")).values(include_geo=True)
        self.assertEqual(len(frame), 540)
        self.assertTrue(frame["observation_start"].is_monotonic_increasing)
        last = frame.iloc[-1]
        self.assertEqual(last["observation_end"], datetime.datetime(2023, 12, 31))
        self.assertEqual(last["person_count"], 14870)
        self.assertEqual(
            (last["us_state_2020_id"], last["us_state_2020_short_name"]), ("23", "ME")
        )
        self.assertEqual(last["is_obfuscated_id"], "false")
        self.assertIn('"type":"Point"', last["geo"])
        for column in ["non_recreation_visits", "tent_campers", "rv_campers", "backcountry_campers"]:
            self.assertIn(column, frame.columns)

    def test_filters_narrow_a_period_and_a_component(self):
        metric = self.client.catalog("nps").metric("foot_traffic_monthly")
        narrowed = (
            Filter()
            .with_address_component("us_state_2020", ["06"])
            .with_period_filter(datetime.date(2023, 1, 1), datetime.date(2023, 12, 31))
        )
        frame = metric.with_filter(narrowed).values()
        self.assertEqual(set(frame["us_state_2020_id"]), {"06"})
        self.assertEqual(len(frame), 12 * frame["feature_id"].nunique())
        self.assertEqual(frame["observation_start"].min(), datetime.datetime(2023, 1, 1))

    def test_block_groups_of_a_state_have_their_population(self):
        metric = self.client.catalog("census").metric("population_2020")
        frame = metric.with_filter(Filter().with_address_component("us_state_2020", ["11"])).values()
        self.assertEqual(len(frame), 571)
        self.assertEqual(int(frame["population"].sum()), 689545)
        self.assertTrue(frame["feature_id"].str.startswith("11").all())

    def test_too_many_values_are_refused_by_the_client(self):
        with self.assertRaisesRegex(RuntimeError, "242335 > 100000"):
            self.client.catalog("census").metric("population_2020").values()

    def test_absent_values_and_supporting_values_of_mobility(self):
        metric = self.client.catalog("mobility").metric("m50_daily")
        # The source has no m50 after November 2020 and no samples after February 2021.
        days = Filter().with_period_filter(datetime.date(2021, 4, 20), datetime.date(2021, 4, 20))
        frame = metric.with_filter(days).values()
        self.assertEqual(len(frame), 51)
        self.assertTrue(frame["m50"].isna().all())
        first = Filter().with_point_in_time(datetime.date(2020, 3, 1))
        frame = metric.with_filter(first.with_feature_filter("01")).values()
        self.assertAlmostEqual(frame["m50"][0], 8.331, places=5)
        self.assertEqual(frame["samples"][0], 133826)

    def test_pages_follow_each_other(self):
        # The client uses pages of 3,000 values.
        frame = self.client.catalog("mobility").metric("m50_index_daily").values()
        self.assertEqual(len(frame), 20196)
        self.assertFalse(frame.duplicated(["feature_id", "observation_start"]).any())

    def test_the_features_of_a_layer_become_a_frame(self):
        frame = self.client.catalog("nps").layer("nps_parks").features()
        self.assertEqual(len(frame), 63)
        acadia = frame[frame["feature_id"] == "ACAD"].iloc[0]
        self.assertEqual(acadia["name"], "Acadia National Park")
        self.assertEqual(acadia["city"], "Bar Harbor")

    def test_components_are_searched(self):
        catalog = self.client.catalog("nps")
        state = catalog.layer("nps_parks").address_component("us_state_2020")
        found = state.search("cal")
        self.assertEqual(
            found.values.tolist(), [["us_state_2020", "06", "CA", "California"]]
        )
        searched = Filter().with_address_component_search(state, "maine")
        frame = catalog.metric("foot_traffic_monthly").with_filter(searched).values()
        self.assertEqual(set(frame["feature_id"]), {"ACAD"})

    def test_components_of_a_catalog_are_found(self):
        component = self.client.catalog("census").address_component("us_county_2020")
        self.assertEqual(component.kind.name, "MAP")
        self.assertEqual(len(component.search("kalawao")), 1)

    def test_a_report_says_what_the_values_cover(self):
        period = self.client.catalog("nps").metric("foot_traffic_monthly").report().observation_period
        self.assertEqual((period.start.year, period.end.year, period.end.month), (1979, 2023, 12))

    def test_another_billing_account_is_refused(self):
        client = open_client()
        client.billing_account = "bvcel5223akg00a0m0og"
        try:
            with self.assertRaisesRegex(Exception, "PERMISSION_DENIED"):
                client.get_metric("nps", "foot_traffic_monthly")
        finally:
            client.channel.close()

    def test_a_wrong_token_is_refused(self):
        host, port = os.environ["LOCMETRICS_GRPC_PLAINTEXT_ADDRESS"].rsplit(":", 1)
        with Client(server_address=host, port=int(port), token="wrong", skip_ssl=True) as client:
            with self.assertRaisesRegex(Exception, "UNAUTHENTICATED"):
                client.list_catalogs()


if __name__ == "__main__":
    unittest.main()
