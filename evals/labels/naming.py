"""Which rule does a case mean by a text? By its gold label where it has one, else by its words."""

from collections.abc import Mapping
from functools import partial

from ...schemas.dimensions import Registry
from ...schemas.rule import Rule
from ..data.cases import Case, Expected, GoldLabel
from ..states.state import Naming
from .matcher import Meant, match
from .readings import DIMENSIONS, meant
from .verdict import Verdict

_CONDITION, _UNTIL = "(condition: ", "(until "
"""How a case writes a condition or a last day into the text that names a rule."""


def by_statement(rule: Rule, text: str) -> Verdict:
    """With gold labels a rule's statement is its name: nothing is left to judge."""
    return Verdict.SAME if rule.statement == text else Verdict.DIFFERENT


def by_meaning(case: Case, *, registry: Registry) -> Naming:
    """The naming for rules that a labeller worded."""
    golds = {
        gold.text: (gold, expected)
        for gold, expected in zip(case.labels or (), case.expected, strict=False)
    }
    return partial(_by_meaning, golds=golds, case=case, registry=registry)


def _by_meaning(
    rule: Rule,
    text: str,
    *,
    golds: Mapping[str, tuple[GoldLabel, Expected]],
    case: Case,
    registry: Registry,
) -> Verdict:
    if (_CONDITION in text) is not (rule.condition is not None or rule.exception is not None):
        return Verdict.DIFFERENT
    if (_UNTIL in text) is not (rule.until is not None):
        return Verdict.DIFFERENT
    named = golds.get(text)
    wanted = _of_gold(*named, registry) if named else Meant(texts=(text,))
    return match(wanted, _of_rule(rule, case)).verdict


def _of_gold(gold: GoldLabel, expected: Expected, registry: Registry) -> Meant:
    described = meant(gold.label, registry=registry, texts=(expected.value,))
    accepted = {expected.dimension, *expected.accept.dimension}
    return Meant(
        dimensions=described.dimensions | accepted,
        target=described.target,
        value=described.value,
        polarity=described.polarity,
        texts=described.texts,
    )


def _of_rule(rule: Rule, case: Case) -> Meant:
    """The rule in words that can be compared with the case's, which are English.

    A statement in another language shares no word with them: there only the value can tell.
    """
    is_english = "en" in case.language.split("-")
    return Meant(
        dimensions=frozenset(DIMENSIONS.get(rule.dimension, (rule.dimension,))),
        target=rule.target,
        value=rule.value,
        polarity=rule.polarity,
        texts=(rule.statement,) if is_english else (),
    )
