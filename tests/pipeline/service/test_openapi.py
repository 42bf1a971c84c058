"""The interface that is checked in is the one that is served."""

import json
from pathlib import Path

from henceforth.pipeline.service.openapi import document

CHECKED_IN = Path(__file__).parents[3] / "docs" / "openapi.json"


def test_the_interface_checked_in_is_the_one_served() -> None:
    served = document()

    assert json.loads(CHECKED_IN.read_text("utf-8")) == json.loads(served), (
        "write it anew: python -m henceforth.pipeline.service.openapi > docs/openapi.json"
    )


def test_every_call_says_what_can_go_wrong() -> None:
    paths = json.loads(document())["paths"]

    silent = [
        path
        for path, calls in paths.items()
        for call in calls.values()
        if path.startswith("/v1") and not {"401", "422", "429", "503"} <= call["responses"].keys()
    ]

    assert silent == []
