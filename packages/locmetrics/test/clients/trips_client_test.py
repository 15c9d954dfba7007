"""The published client `unacatlib`, unmodified: an origin–destination metric with a dimension."""

import os
import unittest

import betterproto
from unacatlib.client import Client
from unacatlib.filter import Filter


class TripsClientTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        host, port = os.environ["LOCMETRICS_GRPC_PLAINTEXT_ADDRESS"].rsplit(":", 1)
        cls.client = Client(
            server_address=host,
            port=int(port),
            token=os.environ["LOCMETRICS_TOKEN"],
            billing_account=os.environ["LOCMETRICS_ORG"],
            skip_ssl=True,
        )
        cls.metric = cls.client.catalog("trips").metric("trips_daily")

    @classmethod
    def tearDownClass(cls):
        cls.client.channel.close()

    def test_values_have_both_places(self):
        frame = self.metric.values()
        self.assertEqual(
            frame[["feature_id", "purpose", "related_canton_id"]].values.tolist(),
            [
                ["BE", "Work", "ZH"],
                ["OLD", "Work", "ZH"],
                ["ZH", "Work", ""],
                ["ZH", "Leisure", "GE"],
                ["ZH", "Work", "GE"],
                ["ZH", "Work", ""],
                ["ge", "Work", "ZH"],
            ],
        )
        self.assertEqual(list(frame["related_canton_name"])[3], "Genève")

    def test_counts_are_exact_and_absent_ones_absent(self):
        zurich = Filter().with_feature_filter("ZH")
        values = self.client.search_metric_values("trips", "trips_daily", zurich)
        # A data frame would convert the counts to floats, because one is absent.
        counts = [betterproto.which_one_of(value.value, "value") for value in values]
        self.assertEqual(
            counts, [("", None), ("count", 0), ("count", 9007199254740993), ("count", 12)]
        )
        frame = self.metric.with_filter(zurich).values()
        self.assertAlmostEqual(frame["median_minutes"][3], 8.331, places=5)
        self.assertEqual(frame["main_mode"][3], "vélo")

    def test_a_dimension_is_filtered_and_searched(self):
        leisure = self.metric.with_filter(Filter().with_dimension_filter("purpose", "leisure"))
        self.assertEqual(len(leisure.values()), 1)
        dimension = self.metric.dimension("purpose")
        self.assertEqual(list(dimension.search("").display_name), ["Leisure", "Work"])
        self.assertEqual(list(dimension.search("wo").value), ["work"])

    def test_the_related_layer_is_a_layer(self):
        frame = self.metric.related_layer.features()
        self.assertEqual(list(frame["feature_id"]), ["BE", "OLD", "X1", "ZH", "ge"])
        self.assertEqual(list(frame["canton"])[3], "ZH")


if __name__ == "__main__":
    unittest.main()
