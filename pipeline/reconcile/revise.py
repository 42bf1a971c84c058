"""Which rule does a label mean that revises? By slot, then by the value it replaces. Pure."""

from collections.abc import Callable, Sequence

from ...schemas.dimensions import Cardinality
from ...schemas.rule import Rule
from ..conflict import Standing
from ..scope import Fit, covers, fit, same_condition
from ..values import canonical, features
from .desk import Seat, is_standing


def rule_meant(seat: Seat) -> tuple[Rule, ...]:
    """The rule the label revises; several when only the user can say; none when there is none."""
    pool = _of_its_place(seat, _of_its_slot(seat))
    if not pool:
        return ()
    named = _named(seat, pool)
    if named:
        return named[:1]
    pool = _of_its_condition(seat, pool)
    if _holds_one(seat):
        return (max(pool, key=_how_close),)
    decided = [each for each in pool if seat.standing(each) is not Standing.BESIDE]
    return tuple(decided[:1] or pool)


def _of_its_slot(seat: Seat) -> list[Rule]:
    """The standing rules of the slot; failing that, those whose value the label names as gone."""
    standing = list(seat.rules(is_standing))
    slot = [each for each in standing if seat.standing(each) is not Standing.UNRELATED]
    if slot or not seat.label.replaces:
        return slot
    return [each for each in standing if _has_value(each, seat.label.replaces)]


def _of_its_place(seat: Seat, pool: Sequence[Rule]) -> list[Rule]:
    """The rules for the scope named, else those that hold where this was said."""
    said = seat.said_scope
    if said is not None:
        exact = [each for each in pool if fit(said, each.scope) is Fit.EQUAL]
        return exact or [each for each in pool if fit(said, each.scope) is Fit.NARROWER]
    return [each for each in pool if covers(each.scope, seat.context)]


def _of_its_condition(seat: Seat, pool: Sequence[Rule]) -> list[Rule]:
    """The rules under the same condition, else the default, else all."""
    condition = seat.label.condition
    same = _some(pool, lambda rule: same_condition(condition, rule.condition))
    return same or _some(pool, lambda rule: rule.condition is None) or list(pool)


def _named(seat: Seat, pool: Sequence[Rule]) -> tuple[Rule, ...]:
    """The rules with the value that the label says goes: by value, else by its words."""
    gone = seat.label.replaces
    if not gone:
        return ()
    exact = _some(pool, lambda rule: _has_value(rule, gone))
    wanted = features(gone)
    alike = _some(pool, lambda rule: bool(wanted & features(f"{rule.value} {rule.statement}")))
    return tuple(_of_its_condition(seat, exact or alike))


def _has_value(rule: Rule, value: str) -> bool:
    return canonical(value, rule.dimension) == canonical(rule.value, rule.dimension)


def _holds_one(seat: Seat) -> bool:
    return seat.desk.registry.cardinality(seat.label.dimension) is Cardinality.ONE


def _how_close(rule: Rule) -> tuple[int, bool, object]:
    """The rule that wins where it was said: more scope names, a running end, later said."""
    return (len(rule.scope.names), rule.until is not None, rule.said_last.position)


def _some(pool: Sequence[Rule], keep: Callable[[Rule], bool]) -> list[Rule]:
    return [each for each in pool if keep(each)]
