"""Each call of the service does what its session does, and says in one form what went wrong."""

from pathlib import Path
from typing import Any

import pytest
from labelling import CHINESE, CONCISE, ENGLISH, KNOWN, ByHeart
from starlette.testclient import TestClient

from henceforth.pipeline.stores.sql import SqlStore
from henceforth.schemas.labels import LabelledBy, TurnLabels
from henceforth.schemas.outcome import Labelled


def say(client: TestClient, text: str, id: str, **more: object) -> Any:
    body = {"subject": "ann", "turn": {"text": text, "id": id}, **more}
    return client.post("/v1/turns", json=body)


def holding(client: TestClient, subject: str = "ann", **more: object) -> list[str]:
    body = client.post("/v1/rules/in-force", json={"subject": subject, **more}).json()
    return [each["statement"] for each in body["winners"]]


def rule_of(client: TestClient, text: str) -> str:
    rules = client.get("/v1/rules", params={"subject": "ann"}).json()["rules"]
    return next(each["id"] for each in rules if each["statement"] == text)


def problem(response: Any) -> dict[str, Any]:
    assert response.headers["content-type"] == "application/problem+json"
    body: dict[str, Any] = response.json()
    assert body["status"] == response.status_code
    return body


def test_what_a_turn_says_is_in_force_and_rendered(client: TestClient) -> None:
    said = say(client, ENGLISH, "t1")
    rendered = client.post("/v1/rules/render", json={"subject": "ann", "form": "xml"})

    assert (said.status_code, said.json()["status"]) == (200, "labelled")
    assert holding(client) == [ENGLISH]
    assert ENGLISH in rendered.json()["text"]


def test_a_turn_sent_twice_counts_once(client: TestClient, labeller: ByHeart) -> None:
    say(client, ENGLISH, "t1")

    again = say(client, ENGLISH, "t1")

    assert again.json()["status"] == "seen"
    assert labeller.texts == [ENGLISH]


def test_a_turn_without_an_id_is_known_by_conversation_and_index(client: TestClient) -> None:
    body = {
        "subject": "ann",
        "turn": {"text": ENGLISH, "index": 4},
        "context": {"conversation": "c1"},
    }

    assert client.post("/v1/turns", json=body).json()["turn"] == "c1/4"


def test_labels_that_are_given_are_kept_and_no_model_is_asked(
    client: TestClient, labeller: ByHeart
) -> None:
    labels = KNOWN[CONCISE]
    given = Labelled(
        labels=TurnLabels(labels=tuple(labels)), labelled_by=LabelledBy(model="m", prompt="p")
    )

    said = say(client, CONCISE, "t1", labelled=given.model_dump(mode="json"))

    assert said.json()["status"] == "labelled"
    assert holding(client) == [CONCISE]
    assert labeller.texts == []


def test_a_model_that_is_down_makes_a_turn_pending_and_it_can_be_retried(
    client: TestClient, labeller: ByHeart
) -> None:
    labeller.broken = True
    said = say(client, ENGLISH, "t1")
    waiting = client.get("/v1/pending", params={"subject": "ann"}).json()["pending"]

    labeller.broken = False
    retried = client.post("/v1/pending/retry", json={"subject": "ann"}).json()["outcomes"]

    assert (said.status_code, said.json()["status"]) == (202, "pending")
    assert [each["turn"]["text"] for each in waiting] == [ENGLISH]
    assert [each["status"] for each in retried] == ["labelled"]
    assert client.get("/v1/pending", params={"subject": "ann"}).json()["pending"] == []


def test_past_the_deadline_a_turn_is_pending(client: TestClient, labeller: ByHeart) -> None:
    labeller.delay = 60

    said = say(client, ENGLISH, "t1", deadline=0.05)

    assert (said.status_code, said.json()["status"]) == (202, "pending")


def test_turns_of_one_request_are_taken_in_order_and_answered_one_by_one(
    client: TestClient, labeller: ByHeart
) -> None:
    turns: list[dict[str, object]] = [
        {"subject": "ann", "turn": {"text": CHINESE, "id": "t1"}},
        {"subject": "bob", "turn": {"text": CONCISE, "id": "t1"}},
        {"subject": "ann", "turn": {"text": ENGLISH, "id": "t2", "speaker": "bob"}},
        {"subject": "ann", "turn": {"text": ENGLISH}},
        {"subject": "ann", "turn": {"text": ENGLISH, "id": "t3"}},
    ]

    results = client.post("/v1/turns/batch", json={"turns": turns}).json()["results"]

    statuses = [each["outcome"] and each["outcome"]["status"] for each in results]
    problems = [each["problem"] and each["problem"]["status"] for each in results]
    assert statuses == ["labelled", "labelled", None, None, "labelled"]
    assert problems == [None, None, 422, 422, None]
    assert (holding(client), holding(client, "bob")) == ([ENGLISH], [CONCISE])


def test_more_turns_than_allowed_are_refused_whole(client: TestClient, labeller: ByHeart) -> None:
    turns = [{"subject": "ann", "turn": {"text": ENGLISH, "id": f"t{n}"}} for n in range(6)]

    refused = client.post("/v1/turns/batch", json={"turns": turns})

    assert problem(refused)["status"] == 413
    assert labeller.texts == []


def test_messages_come_back_with_the_rules_in_force(client: TestClient) -> None:
    asked = {
        "subject": "ann",
        "messages": [{"role": "user", "content": ENGLISH}],
        "context": {"conversation": "c1"},
    }

    once = client.post("/v1/messages/prepare", json=asked).json()
    again = client.post("/v1/messages/prepare", json=asked | {"messages": once["messages"]}).json()

    assert ENGLISH in once["messages"][0]["content"]
    assert [each["status"] for each in once["outcomes"]] == ["labelled"]
    assert again == {"messages": once["messages"], "outcomes": []}


def test_history_explanation_and_difference_tell_what_became_of_a_rule(
    client: TestClient,
) -> None:
    say(client, CHINESE, "t1")
    say(client, ENGLISH, "t2")
    whose = {"subject": "ann"}

    history = client.get("/v1/history", params=whose).json()
    why = client.get("/v1/rules/explain", params=whose | {"rule": rule_of(client, CHINESE)}).json()
    diff = client.get("/v1/turns/diff", params=whose | {"turn": "t2"}).json()

    assert [each["turn"] for each in history] == ["t1", "t2"]
    assert why["superseded_by"]["statement"] == ENGLISH
    assert [each["statement"] for each in diff["before"]] == [CHINESE]


def test_a_rule_is_forgotten_and_a_turn_undone(client: TestClient) -> None:
    say(client, CONCISE, "t1")
    say(client, ENGLISH, "t2")

    forgotten = client.post(
        "/v1/rules/forget", json={"subject": "ann", "rule": rule_of(client, CONCISE)}
    )
    undone = client.post("/v1/turns/undo", json={"subject": "ann", "turn": "t2"})

    assert [forgotten.json()["status"], undone.json()["status"]] == ["done", "undone"]
    assert holding(client) == []


def test_an_export_holds_all_that_is_kept(client: TestClient, labeller: ByHeart) -> None:
    say(client, ENGLISH, "t1")
    labeller.broken = True
    say(client, CONCISE, "t2")

    export = client.get("/v1/export", params={"subject": "ann"}).json()

    assert export["subject"] == "acme/ann"
    assert [each["entry"]["turn"] for each in export["ledger"]] == ["t1"]
    assert [each["statement"] for each in export["rules"]] == [ENGLISH]
    assert [each["turn"]["text"] for each in export["pending"]] == [CONCISE]


@pytest.mark.parametrize(
    ("path", "body", "status", "type"),
    [
        pytest.param("/v1/rules/forget", {"rule": "r9"}, 404, "unknown-rule", id="no such rule"),
        pytest.param("/v1/turns/undo", {"turn": "t9"}, 404, "unknown-turn", id="no such turn"),
        pytest.param(
            "/v1/questions/answer", {"question": "q9"}, 404, "unknown-question", id="no question"
        ),
        pytest.param(
            "/v1/turns",
            {"turn": {"text": "x", "id": "t1", "speaker": "bob"}},
            422,
            "wrong-speaker",
            id="another speaker's turn",
        ),
        pytest.param(
            "/v1/turns", {"turn": {"text": "x", "id": "a\0b"}}, 422, "unusable-id", id="a NUL"
        ),
        pytest.param(
            "/v1/messages/prepare",
            {"messages": [], "context": {}},
            422,
            "no-conversation",
            id="no conversation",
        ),
    ],
)
def test_a_mistake_of_the_caller_is_a_problem_of_its_own_type(
    client: TestClient, path: str, body: dict[str, object], status: int, type: str
) -> None:
    refused = problem(client.post(path, json={"subject": "ann", **body}))

    assert (refused["status"], refused["type"]) == (status, f"urn:henceforth:{type}")


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b'{"subject": "ann", "turn": {"text": 7, "secret": "xyzzy"}}', id="fields"),
        pytest.param(b'{"subject": "xyzzy", "turn": {"text": "xyzzy"}}', id="no id"),
        pytest.param(b'{"xyzzy', id="half a document"),
        pytest.param(b'"xyzzy"', id="no object"),
        pytest.param(b"\xff\xfexyzzy", id="no text"),
        pytest.param(
            b'{"subject": "ann", "turn": {"text": "xyzzy \\ud800", "id": "1"}}', id="half"
        ),
    ],
)
def test_what_does_not_fit_is_not_sent_back(client: TestClient, content: bytes) -> None:
    refused = client.post(
        "/v1/turns", content=content, headers={"content-type": "application/json"}
    )

    assert problem(refused)["status"] in {400, 422}
    assert "xyzzy" not in refused.text


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"x" * 30_000, id="its size is said"),
        pytest.param([b"x" * 10_000] * 3, id="its size is not said"),
    ],
)
def test_a_request_that_is_too_large_is_refused(
    client: TestClient, content: bytes | list[bytes]
) -> None:
    sent = content if isinstance(content, bytes) else iter(content)
    refused = client.post("/v1/turns", content=sent, headers={"content-type": "application/json"})

    assert problem(refused)["status"] == 413


def test_a_store_that_is_gone_is_said_and_says_nothing_of_the_inside(
    client: TestClient, store: SqlStore, tmp_path: Path
) -> None:
    assert client.get("/readyz").status_code == 200
    store.close()
    for each in tmp_path.iterdir():
        each.unlink()
    tmp_path.rmdir()

    refused = say(client, ENGLISH, "t1")

    assert problem(refused)["type"] == "urn:henceforth:store-unavailable"
    assert refused.headers["retry-after"] == "1"
    assert store.where not in refused.text
    assert client.get("/readyz").status_code == 503
    assert client.get("/healthz").status_code == 200
