"""Which rule does a label mean that revises? By slot, then by the value it replaces. Pure."""

from collections.abc import Callable, Sequence

from ....schemas.rule import Rule
from ..conflict import Standing
from ..scope import Fit, covers, fit
from ..values import canonical, features
from .desk import Seat


def rule_meant(seat: Seat) -> tuple[Rule, ...]:
    """The rule the label revises; several when only the user can say; none when there is none.

    Rules that a link speaks of are not looked at: of those it is known what the label means.
    """
    if seat.label.revises is None or seat.is_pinned:
        return ()
    pool = _of_its_place(seat, _of_its_slot(seat))
    if not pool:
        return ()
    pool = _of_its_condition(seat, _named(seat, pool) or pool)
    decided = [each for each in pool if seat.standing(each) is not Standing.BESIDE]
    return (max(decided, key=_how_close),) if decided else tuple(pool)


def _of_its_slot(seat: Seat) -> list[Rule]:
    """The rules of the slot; failing that, those whose value the label names as gone."""
    linked = {link.rule for link in seat.links}
    lasting = [each for each in seat.lasting() if each.id not in linked]
    slot = [each for each in lasting if seat.standing(each) is not Standing.UNRELATED]
    gone = seat.label.replaces
    return slot or [each for each in lasting if gone and _has_value(each, gone)]


def _of_its_place(seat: Seat, pool: Sequence[Rule]) -> list[Rule]:
    """The rules for the scope named, else those that hold where this was said."""
    said = seat.said_scope
    if said is None:
        return [each for each in pool if covers(each.scope, seat.context)]
    exact = [each for each in pool if fit(said, each.scope) is Fit.EQUAL]
    return exact or [each for each in pool if fit(said, each.scope) is Fit.NARROWER]


def _of_its_condition(seat: Seat, pool: Sequence[Rule]) -> list[Rule]:
    """The rules under the same condition, else the default, else all."""
    condition = seat.label.condition
    same = _some(pool, lambda rule: seat.fit_of(condition, rule) is Fit.EQUAL)
    return same or _some(pool, lambda rule: rule.condition is None) or list(pool)


def _named(seat: Seat, pool: Sequence[Rule]) -> list[Rule]:
    """The rules with the value that the label says goes, else those nearest to it in words."""
    gone = seat.label.replaces
    if gone is None:
        return []
    exact = _some(pool, lambda rule: _has_value(rule, gone))
    if exact:
        return exact
    wanted = features(gone)
    shared = {each.id: len(wanted & _features_of(each)) for each in pool}
    most = max(shared.values())
    return _some(pool, lambda rule: shared[rule.id] == most)


def _features_of(rule: Rule) -> frozenset[str]:
    return features(f"{rule.value} {rule.target} {rule.statement}")


def _has_value(rule: Rule, value: str) -> bool:
    return canonical(value, rule.dimension) == canonical(rule.value, rule.dimension)


def _how_close(rule: Rule) -> tuple[int, bool, object]:
    """The rule that wins where it was said: more scope names, a running end, later said."""
    return (len(rule.scope.names), rule.until is not None, rule.said_last.position)


def _some(pool: Sequence[Rule], keep: Callable[[Rule], bool]) -> list[Rule]:
    return [each for each in pool if keep(each)]
