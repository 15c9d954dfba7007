"""Hooks of Schemathesis for this service."""

import json
import os
import re
import time
import urllib.request

import schemathesis
from schemathesis.generation import GenerationMode

LARGE_CATALOGS = {"nps", "census", "mobility"}

SHAPE_REASONS = {"MALFORMED_JSON", "UNKNOWN_REQUEST_FIELD", "DUPLICATE_REQUEST_FIELD"}


def is_positive(case) -> bool:
    return case.meta is not None and case.meta.generation.mode == GenerationMode.POSITIVE


@schemathesis.hook
def before_call(context, case, kwargs):
    """The document says in words alone that a field may not be sent in both spellings."""
    # Assigning a body validates it again, and an absent body would count as invalid.
    if is_positive(case) and isinstance(case.body, dict):
        case.body = without_twins(case.body)
    if is_positive(case) and re.search(r"(/createRecordsExport|/fileDownload|:download)$", case.path):
        make_room_for_export()
    # All values of the other metrics of the sample take seconds too.
    if is_positive(case) and case.path.endswith(":download"):
        if (case.path_parameters or {}).get("catalogId") in LARGE_CATALOGS:
            case.path_parameters = {"catalogId": "cafes", "metricId": "visits"}
    # All records of the example, and all values of the metric, take seconds, and there are thousands of requests.
    if is_positive(case) and re.search(r"/records\.\w+$", case.path):
        case.path_parameters = {"dataReferenceName": "ml_visitation.places"}
    if is_positive(case) and re.search(r"/values\.\w+$", case.path):
        if not isinstance(case.body, dict):
            case.query = {"featureFilter": ["ACAD"], **(case.query or {})}
        elif "feature_filter" not in case.body:
            case.body = {"featureFilter": ["ACAD"], **case.body}


def make_room_for_export():
    """An organisation may have ten exports that have not ended, and requests come faster than exports are written."""
    deadline = time.monotonic() + 60
    while True:
        exports = call("listRecordsExports", {}).get("recordsExports", [])
        ended = [export for export in exports if export["status"] != "RUNNING"]
        if len(exports) - len(ended) < 10:
            break
        assert time.monotonic() < deadline, "No export has ended for a minute."
        time.sleep(0.05)
    # A few are left to the requests that follow the links of a creation.
    for export in sorted(ended, key=lambda export: export["createTime"])[:-20]:
        call("deleteRecordsExport", {"id": export["id"]})


def call(operation, body):
    request = urllib.request.Request(
        f"{os.environ['LOCMETRICS_URL']}/v3/catalog/{operation}",
        json.dumps(body).encode(),
        {
            "Authorization": f"Bearer {os.environ['LOCMETRICS_TOKEN']}",
            "Content-Type": "application/json",
        },
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


@schemathesis.check
def described_shape_acceptance(ctx, response, case):
    """A request is not refused for its shape if the document has it as valid.

    Refusals of the shape of a request, and no others, point to the document.
    """
    if not is_positive(case) or response.status_code != 400:
        return
    problem = response.json()
    if problem["reason"] in SHAPE_REASONS or "/openapi.json" in problem.get("hint", ""):
        raise AssertionError(f"Refused for its shape, which is as described: {problem['detail']}")


def without_twins(value):
    if isinstance(value, list):
        return [without_twins(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        name: without_twins(member)
        for name, member in value.items()
        if to_camel_case(name) == name or to_camel_case(name) not in value
    }


def to_camel_case(name: str) -> str:
    return re.sub(r"_([a-z0-9])", lambda match: match.group(1).upper(), name)
