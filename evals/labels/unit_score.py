"""Level 1, one turn: the pairs of wanted and given classes that all label scores are sums of."""

from collections.abc import Collection

from ...schemas.base import Shape
from ...schemas.dimensions import Registry
from ...schemas.labels import TurnLabels
from ..data.wanted import NOTHING, Got, Unit
from .align import Pair, align
from .readings import case_got, turn_got
from .units import CASES
from .verdict import Verdict


class Classes(Shape):
    """A wanted class and the given one; `none` stands for no label."""

    wanted: str
    got: str


class UnitScore(Shape):
    """What one turn adds to the scores.

    Attributes:
        labelled: Whether there was an answer at all; a turn without one counts as missed.
        exact: Each label has the right intent, dimension and scope, a condition if and only if
            one is wanted, and there is none more.
        exact_value: The same, and each value is the same for sure.
        stored: Whether the answer leaves a record.
        deleted: Whether the answer takes one away.
    """

    id: str
    group: str
    kind: str
    language: str
    labelled: bool
    intents: tuple[Classes, ...] = ()
    dimensions: tuple[Classes, ...] = ()
    scopes: tuple[Classes, ...] = ()
    values: tuple[Verdict, ...] = ()
    exact: bool = False
    exact_value: bool = False
    store: bool | None = None
    stored: bool = False
    delete: bool = False
    deleted: bool = False
    proposed: bool = False


def score_unit(
    unit: Unit,
    answer: TurnLabels | None,
    *,
    registry: Registry,
    superseding: Collection[int] = (),
) -> UnitScore:
    """Score the answer to one turn.

    Args:
        unit: The turn, with what it must be labelled as.
        answer: What the labeller said; None where it could not label.
        registry: The dimensions.
        superseding: Which labels of the answer, from 0, ended a rule when applied.
    """
    got = read(unit, answer, registry=registry, superseding=superseding)
    pairs = align(unit.wanted, got, unit.tolerated)
    return UnitScore(
        id=unit.id,
        group=unit.group,
        kind=unit.kind,
        language=unit.language,
        labelled=answer is not None,
        intents=tuple(_intent(pair) for pair in pairs) or (_nothing(answer),),
        dimensions=tuple(_dimension(pair) for pair in pairs),
        scopes=tuple(_scope(pair) for pair in pairs),
        values=tuple(pair.value for pair in pairs if pair.value is not None),
        exact=answer is not None and all(_is_exact(pair) for pair in pairs),
        exact_value=answer is not None
        and all(_is_exact(pair) and pair.value is Verdict.SAME for pair in pairs),
        store=unit.store,
        stored=any(each.stores for each in got),
        delete=unit.delete,
        deleted=any(each.deletes for each in got),
        proposed=any("inferred" in each.intents for each in got),
    )


def read(
    unit: Unit,
    answer: TurnLabels | None,
    *,
    registry: Registry,
    superseding: Collection[int] = (),
) -> tuple[Got, ...]:
    """The labels of the answer in the words of the unit's suite."""
    labels = answer.labels if answer else ()
    if unit.suite == CASES:
        return tuple(
            case_got(label, registry=registry, supersedes=at in superseding)
            for at, label in enumerate(labels)
        )
    return tuple(turn_got(label, registry=registry) for label in labels)


def _nothing(answer: TurnLabels | None) -> Classes:
    return Classes(wanted=NOTHING, got=NOTHING if answer is not None else "not labelled")


def _intent(pair: Pair) -> Classes:
    if pair.wanted is None or pair.got is None:
        return Classes(
            wanted=pair.wanted.intent.right if pair.wanted else NOTHING,
            got=pair.got.intents[0] if pair.got else NOTHING,
        )
    return Classes(
        wanted=pair.wanted.intent.right, got=pair.wanted.intent.reading(pair.got.intents)
    )


def _dimension(pair: Pair) -> Classes:
    if pair.wanted is None or pair.got is None:
        return Classes(
            wanted=pair.wanted.dimension.right if pair.wanted else NOTHING,
            got=pair.got.dimensions[0] if pair.got else NOTHING,
        )
    return Classes(
        wanted=pair.wanted.dimension.right, got=pair.wanted.dimension.reading(pair.got.dimensions)
    )


def _scope(pair: Pair) -> Classes:
    if pair.wanted is None or pair.got is None:
        return Classes(
            wanted=_kind(pair.wanted.scope.right) if pair.wanted else NOTHING,
            got=_kind(pair.got.scopes[0]) if pair.got else NOTHING,
        )
    given = pair.wanted.scope.reading(pair.got.scopes)
    right = pair.wanted.scope.right
    wrong_name = given != right and _kind(given) == _kind(right)
    return Classes(wanted=_kind(right), got="another name" if wrong_name else _kind(given))


def _kind(scope: str) -> str:
    """The kinds of place without their names: `repository shop` to `repository`."""
    return ", ".join(part.partition(" ")[0] for part in scope.split(", "))


def _is_exact(pair: Pair) -> bool:
    if pair.wanted is None or pair.got is None:
        return False
    return (
        pair.wanted.intent.takes(frozenset(pair.got.intents))
        and pair.wanted.dimension.takes(frozenset(pair.got.dimensions))
        and pair.wanted.scope.takes(frozenset(pair.got.scopes))
        and pair.wanted.conditional in {None, pair.got.conditional}
    )
