"""Whether a scope or condition covers a moment, and how two stand to each other."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from henceforth.pipeline.core.scope import (
    Fit,
    Verdict,
    combine,
    condition_fit,
    covers,
    fit,
    has_passed,
    same_condition,
    same_name,
    verdict,
)
from henceforth.schemas.context import Context
from henceforth.schemas.scope import Condition, Scope

SHOP, WEB = Scope(repository="shop"), Scope(repository="shop", workspace="web")


@pytest.mark.parametrize(
    ("scope", "context", "expected"),
    [
        pytest.param(Scope(), Context(), True, id="everywhere covers a moment without names"),
        pytest.param(Scope(), Context(project="p"), True, id="everywhere covers a project"),
        pytest.param(SHOP, Context(repository="shop"), True, id="the name matches"),
        pytest.param(SHOP, Context(repository="SHOP "), True, id="case and space do not matter"),
        pytest.param(SHOP, Context(repository="shops"), False, id="another name"),
        pytest.param(SHOP, Context(project="shop"), False, id="another kind of place"),
        pytest.param(SHOP, Context(), False, id="no name is given"),
        pytest.param(WEB, Context(repository="shop"), False, id="one of two names is not enough"),
        pytest.param(WEB, Context(repository="shop", workspace="web"), True, id="both names match"),
        pytest.param(
            SHOP,
            Context(repository="shop", workspace="api"),
            True,
            id="further names do not matter",
        ),
    ],
)
def test_a_scope_covers_a_context_when_all_its_names_match(
    scope: Scope, context: Context, expected: bool
) -> None:
    assert covers(scope, context) is expected


def test_names_are_the_same_in_any_unicode_form() -> None:
    assert same_name("Caf\u00e9", "cafe\u0301")
    assert not same_name("cafe", "caf\u00e9")


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        pytest.param(Scope(), Scope(), Fit.EQUAL, id="everywhere twice"),
        pytest.param(SHOP, Scope(repository="Shop"), Fit.EQUAL, id="the same names"),
        pytest.param(SHOP, Scope(), Fit.NARROWER, id="a name against everywhere"),
        pytest.param(WEB, SHOP, Fit.NARROWER, id="a name more"),
        pytest.param(Scope(), SHOP, Fit.BROADER, id="everywhere against a name"),
        pytest.param(SHOP, WEB, Fit.BROADER, id="a name less"),
        pytest.param(SHOP, Scope(repository="api"), Fit.INCOMPARABLE, id="another name"),
        pytest.param(SHOP, Scope(workspace="web"), Fit.INCOMPARABLE, id="another kind"),
        pytest.param(SHOP, Scope(project="shop"), Fit.INCOMPARABLE, id="a name of another kind"),
    ],
)
def test_more_names_that_agree_are_narrower(one: Scope, other: Scope, expected: Fit) -> None:
    assert fit(one, other) is expected


def given(words: str, *tags: str) -> Condition:
    return Condition.model_validate({"words": words, "tags": tags})


MAIL = given("in mails", "task:email")


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        pytest.param(None, None, True, id="none twice"),
        pytest.param(MAIL, None, False, id="one and none"),
        pytest.param(None, MAIL, False, id="none and one"),
        pytest.param(MAIL, given("for e-mail", "task:Email"), True, id="equal tags, other words"),
        pytest.param(MAIL, given("in mails", "task:chat"), False, id="equal words, other tags"),
        pytest.param(MAIL, given("In mails"), True, id="no tags on one side, equal words"),
        pytest.param(given("IN MAILS"), MAIL, True, id="equal words, no tags on the other side"),
        pytest.param(given("in mails"), given("in chats"), False, id="no tags, other words"),
        pytest.param(
            given("x", "task:a", "file:*.py"),
            given("y", "file:*.py", "task:a"),
            True,
            id="the order of tags does not matter",
        ),
    ],
)
def test_conditions_are_the_same_by_tags_or_else_by_words(
    one: Condition | None, other: Condition | None, expected: bool
) -> None:
    assert same_condition(one, other) is expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        pytest.param(None, None, Fit.EQUAL, id="none twice"),
        pytest.param(MAIL, MAIL, Fit.EQUAL, id="the same"),
        pytest.param(MAIL, None, Fit.NARROWER, id="a condition against none"),
        pytest.param(None, MAIL, Fit.BROADER, id="none against a condition"),
        pytest.param(MAIL, given("x", "task:chat"), Fit.INCOMPARABLE, id="two conditions"),
    ],
)
def test_no_condition_is_the_broadest(
    one: Condition | None, other: Condition | None, expected: Fit
) -> None:
    assert condition_fit(one, other) is expected


@pytest.mark.parametrize(
    ("fits", "expected"),
    [
        pytest.param((), Fit.EQUAL, id="nothing to tell apart"),
        pytest.param((Fit.EQUAL, Fit.EQUAL), Fit.EQUAL, id="equal twice"),
        pytest.param((Fit.EQUAL, Fit.NARROWER), Fit.NARROWER, id="one narrower"),
        pytest.param((Fit.BROADER, Fit.EQUAL), Fit.BROADER, id="one broader"),
        pytest.param((Fit.NARROWER, Fit.NARROWER), Fit.NARROWER, id="both narrower"),
        pytest.param((Fit.NARROWER, Fit.BROADER), Fit.INCOMPARABLE, id="they disagree"),
        pytest.param((Fit.EQUAL, Fit.INCOMPARABLE), Fit.INCOMPARABLE, id="one incomparable"),
    ],
)
def test_fits_that_disagree_are_incomparable(fits: tuple[Fit, ...], expected: Fit) -> None:
    assert combine(*fits) is expected


def asks(*alternatives: tuple[str, ...]) -> Condition:
    return Condition(words="then", tags=alternatives)


@pytest.mark.parametrize(
    ("condition", "context", "expected"),
    [
        pytest.param(None, {}, Verdict.APPLIES, id="no condition always holds"),
        pytest.param(asks(), {"task_type": "email"}, Verdict.UNKNOWN, id="words without tags"),
        pytest.param(
            asks(("task:email",)), {"task_type": "E-Mail"}, Verdict.DOES_NOT_APPLY, id="other words"
        ),
        pytest.param(
            asks(("task:technical-proposal",)),
            {"task_type": "Technical_Proposal"},
            Verdict.APPLIES,
            id="the task in hand, in any form",
        ),
        pytest.param(asks(("task:email",)), {}, Verdict.UNKNOWN, id="no task is given"),
        pytest.param(
            asks(("audience:client",)), {"audience": "client"}, Verdict.APPLIES, id="the audience"
        ),
        pytest.param(
            asks(("file:*.sql",)), {"file": "db/a.sql"}, Verdict.APPLIES, id="a glob of a file"
        ),
        pytest.param(
            asks(("file:db/*.sql",)),
            {"file": "/home/me/db/a.sql"},
            Verdict.APPLIES,
            id="a glob of the end of a path",
        ),
        pytest.param(
            asks(("file:*.sql",)), {"file": "a.SQL"}, Verdict.DOES_NOT_APPLY, id="globs have case"
        ),
        pytest.param(
            asks(("file:a.sql",)),
            {"file": "ba.sql"},
            Verdict.DOES_NOT_APPLY,
            id="the end of a name is no name",
        ),
        pytest.param(
            asks(("branch:release/*",)),
            {"branch": "release/1.2"},
            Verdict.APPLIES,
            id="a glob of a branch",
        ),
        pytest.param(
            asks(("says:ship it",)),
            {"tags": {"says": "OK, ship it!"}},
            Verdict.APPLIES,
            id="words within what was said",
        ),
        pytest.param(
            asks(("says:ship it",)),
            {"tags": {"says": "It will ship"}},
            Verdict.DOES_NOT_APPLY,
            id="the words in another order",
        ),
        pytest.param(
            asks(("says:at 9:30",)),
            {"tags": {"says": "Ready at 9:30?"}},
            Verdict.APPLIES,
            id="a value with a colon",
        ),
        pytest.param(
            asks(("says:it",)),
            {"tags": {"says": "ship it"}},
            Verdict.APPLIES,
            id="the last word said",
        ),
        pytest.param(
            asks(("channel:sales",)),
            {"tags": {"Channel": "Sales"}},
            Verdict.APPLIES,
            id="a kind that a deployment knows",
        ),
        pytest.param(
            asks(("task:email", "audience:client")),
            {"task_type": "email", "audience": "client"},
            Verdict.APPLIES,
            id="all tags of an alternative are given",
        ),
        pytest.param(
            asks(("task:email", "audience:client")),
            {"task_type": "email"},
            Verdict.UNKNOWN,
            id="one tag is not given",
        ),
        pytest.param(
            asks(("task:email", "audience:client")),
            {"audience": "team"},
            Verdict.DOES_NOT_APPLY,
            id="one tag is given otherwise",
        ),
        pytest.param(
            asks(("task:email",), ("task:letter",)),
            {"task_type": "letter"},
            Verdict.APPLIES,
            id="one alternative is enough",
        ),
        pytest.param(
            asks(("task:email",), ("audience:client",)),
            {"task_type": "chat"},
            Verdict.UNKNOWN,
            id="one alternative is open",
        ),
        pytest.param(
            asks(("task:email",), ("task:letter",)),
            {"task_type": "chat"},
            Verdict.DOES_NOT_APPLY,
            id="every alternative is ruled out",
        ),
    ],
)
def test_a_condition_applies_does_not_or_is_unknown(
    condition: Condition | None, context: Mapping[str, object], expected: Verdict
) -> None:
    assert verdict(condition, Context.model_validate(context)) is expected


FRIDAY = date(2026, 3, 6)
TOKYO = timezone(timedelta(hours=9))


@pytest.mark.parametrize(
    ("until", "now", "events", "expected"),
    [
        pytest.param(None, datetime(2100, 1, 1, tzinfo=UTC), (), False, id="no end"),
        pytest.param(
            FRIDAY, datetime(2026, 3, 6, 23, 59, tzinfo=UTC), (), False, id="the last day itself"
        ),
        pytest.param(FRIDAY, datetime(2026, 3, 7, tzinfo=UTC), (), True, id="the day after"),
        pytest.param(
            FRIDAY,
            datetime(2026, 3, 7, 1, tzinfo=TOKYO),
            (),
            True,
            id="the day after, in the zone of the subject",
        ),
        pytest.param("the launch", datetime(2100, 1, 1, tzinfo=UTC), (), False, id="not happened"),
        pytest.param(
            "the launch",
            datetime(2026, 3, 2, tzinfo=UTC),
            ("The launch!",),
            True,
            id="the event happened",
        ),
        pytest.param(
            "the launch",
            datetime(2026, 3, 2, tzinfo=UTC),
            ("the lunch", "launch"),
            False,
            id="other events happened",
        ),
    ],
)
def test_an_end_has_passed_after_its_day_or_event(
    until: date | str | None, now: datetime, events: tuple[str, ...], expected: bool
) -> None:
    assert has_passed(until, now, events) is expected
