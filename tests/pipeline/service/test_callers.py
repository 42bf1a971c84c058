"""Who may call: a key opens its tenant and nothing else, until it is revoked."""

from collections.abc import Callable
from pathlib import Path

import pytest
from fastapi import FastAPI
from labelling import ENGLISH
from starlette.testclient import TestClient

from henceforth.pipeline.errors import KeysNeededError, UnknownKeyError
from henceforth.pipeline.hosting import Host
from henceforth.pipeline.keys import Keys
from henceforth.pipeline.service.app import make_app
from henceforth.pipeline.service.options import Options
from henceforth.pipeline.service.running import Address, serve
from henceforth.pipeline.settings import Settings


def bearer(key: str) -> dict[str, str]:
    return {"authorization": f"Bearer {key}"}


def observe(client: TestClient, key: str, text: str = ENGLISH) -> int:
    body = {"subject": "ann", "turn": {"text": text, "id": "t1"}}
    return client.post("/v1/turns", json=body, headers=bearer(key)).status_code


@pytest.fixture
def stranger(host: Host, keys: Keys, options: Options) -> TestClient:
    """A client without a key."""
    return TestClient(make_app(host, keys=keys, options=options))


def test_every_call_but_health_needs_a_key(stranger: TestClient) -> None:
    app = stranger.app
    assert isinstance(app, FastAPI)
    routes = [
        (method.upper(), path) for path, calls in app.openapi()["paths"].items() for method in calls
    ]

    open_to_all = [
        path for method, path in routes if stranger.request(method, path).status_code != 401
    ]

    assert len(routes) > 20
    assert sorted(open_to_all) == ["/healthz", "/readyz"]


NO_KEYS: dict[str, Callable[[str], str]] = {
    "none": lambda key: "",
    "a part of it": lambda key: key[:-1],
    "one letter off": lambda key: key[:-2] + ("A" if key[-2] != "A" else "B") + key[-1],
    "the secret of another id": lambda key: "hf_000000000000_" + key[16:],
    "more than it": lambda key: key + "\u00e9",
}


@pytest.mark.parametrize("change", NO_KEYS.values(), ids=NO_KEYS)
def test_what_is_no_key_opens_nothing(
    stranger: TestClient, keys: Keys, change: Callable[[str], str]
) -> None:
    wrong = change(keys.create(tenant="acme", name="tests").key)

    body = {"subject": "ann", "turn": {"text": ENGLISH, "id": "t1"}}
    refused = stranger.post(
        "/v1/turns", json=body, headers={b"authorization": f"Bearer {wrong}".encode()}
    )

    assert refused.status_code == 401
    assert refused.headers["www-authenticate"] == "Bearer"


def test_a_key_reaches_the_subjects_of_its_tenant_alone(stranger: TestClient, keys: Keys) -> None:
    acme = keys.create(tenant="acme", name="tests").key
    other = keys.create(tenant="other", name="tests").key
    observe(stranger, acme)

    found = {
        key: stranger.get("/v1/export", params={"subject": "ann"}, headers=bearer(key)).json()
        for key in (acme, other)
    }

    assert (found[acme]["subject"], len(found[acme]["rules"])) == ("acme/ann", 1)
    assert (found[other]["subject"], found[other]["rules"]) == ("other/ann", [])


@pytest.mark.parametrize("speaker", ["../acme/ann", "acme/ann", "/ann", "ann/../ann"])
def test_no_name_of_a_subject_leads_into_another_tenant(
    stranger: TestClient, keys: Keys, speaker: str
) -> None:
    observe(stranger, keys.create(tenant="acme", name="tests").key)
    other = keys.create(tenant="other", name="tests").key

    found = stranger.get("/v1/export", params={"subject": speaker}, headers=bearer(other)).json()

    assert (found["subject"], found["rules"]) == (f"other/{speaker}", [])


def test_a_revoked_key_opens_nothing_any_more(stranger: TestClient, keys: Keys) -> None:
    made = keys.create(tenant="acme", name="tests")
    before = observe(stranger, made.key)

    keys.revoke(made.id)

    assert (before, observe(stranger, made.key)) == (200, 401)
    with pytest.raises(UnknownKeyError):
        keys.revoke(made.id)


def test_keys_are_kept_as_hashes(keys: Keys, file: Path) -> None:
    made = keys.create(tenant="acme", name="tests")

    kept = b"".join(each.read_bytes() for each in file.parent.iterdir())

    assert made.id.encode() in kept
    assert made.key.rpartition("_")[2].encode() not in kept
    assert made.key[16:].encode() not in kept


def test_a_key_that_comes_too_often_waits_and_holds_up_no_other(host: Host, keys: Keys) -> None:
    client = TestClient(make_app(host, keys=keys, options=Options(rate="3/hour")))
    busy, calm = (keys.create(tenant="acme", name=name).key for name in ("busy", "calm"))

    codes = [observe(client, busy) for _ in range(4)]
    refused = client.get("/v1/rules", params={"subject": "ann"}, headers=bearer(busy))

    assert codes == [200, 200, 200, 429]
    assert 0 < int(refused.headers["retry-after"]) <= 3600
    assert observe(client, calm) == 200


def test_without_keys_only_this_machine_is_served() -> None:
    with pytest.raises(KeysNeededError):
        serve(Settings(), Address(host="0.0.0.0"), options=Options(), with_keys=False)


@pytest.mark.parametrize(
    ("host_name", "status"),
    [("127.0.0.1:8470", 200), ("localhost", 200), ("evil.example", 400)],
)
def test_without_keys_no_page_of_another_site_gets_through(
    host: Host, host_name: str, status: int
) -> None:
    client = TestClient(make_app(host, keys=None), base_url="http://127.0.0.1")

    answer = client.get("/v1/rules", params={"subject": "ann"}, headers={"host": host_name})

    assert answer.status_code == status
