"""The shape of a report: what `--json` prints, what a baseline is, what is compared and shown."""

from collections.abc import Mapping
from pathlib import Path

from pydantic import ValidationError

from ...schemas.base import Shape
from ..behaviour.behaviour import BehaviourScores
from ..errors import BaselineError
from ..labels.label_scores import LabelScores
from ..rows.row_scores import RowScores
from ..states.state import Shortfall
from .cost import Cost
from .stats import Estimate


class About(Shape):
    """What was evaluated, and how.

    Attributes:
        labels: Whose labels: `model`, `gold`, or a planted labeller.
        suites: What was scored.
        split: The half of the cases, or `all`.
    """

    version: str
    labels: str
    model: str | None = None
    prompt: str | None = None
    suites: tuple[str, ...] = ()
    split: str = "all"
    replayed: bool = False


class TurnDetail(Shape):
    """One turn of a failure: what was wanted, what came, and what that changed.

    Attributes:
        rows: The rows of the reconcile table that its labels came to.
    """

    unit: str
    text: str
    wanted: tuple[str, ...] = ()
    got: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    right: bool = True
    error: str | None = None


class Failure(Shape):
    """One case or row that is not right, with all that a person needs to see why."""

    id: str
    suite: str
    kind: str
    language: str
    turns: tuple[TurnDetail, ...] = ()
    state: tuple[Shortfall, ...] = ()


class StateScores(Shape):
    """Level 2.

    Attributes:
        failed: Cases with something wrong for sure, by id.
        undecided: Cases with nothing wrong for sure that no code could decide; not passed.
        not_injected: By case, the fault that this level cannot inject, and why.
    """

    passed: int
    total: int
    failed: tuple[str, ...] = ()
    undecided: tuple[str, ...] = ()
    by_kind: Mapping[str, Estimate] = {}
    by_language: Mapping[str, Estimate] = {}
    not_injected: Mapping[str, str] = {}


class Budget(Shape):
    """Turns of which a case says that they should need no model call.

    Attributes:
        asked: Those that a model was asked about all the same.
    """

    turns: int = 0
    asked: tuple[str, ...] = ()


class Report(Shape):
    """All of one run; a level that did not run is None."""

    about: About
    labels: Mapping[str, LabelScores] | None = None
    state: StateScores | None = None
    behaviour: BehaviourScores | None = None
    rows: RowScores | None = None
    cost: Cost = Cost()
    budget: Budget = Budget()
    failures: tuple[Failure, ...] = ()


def read_report(path: Path) -> Report:
    """The report in a file.

    Raises:
        BaselineError: If there is none, or it has another shape.
    """
    try:
        return Report.model_validate_json(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise BaselineError(path, f"cannot be read: {error}") from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        raise BaselineError(path, f"is no report: {field}: {first['msg']}") from error


def write_report(report: Report, path: Path) -> None:
    """Write the report as JSON that diffs well."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(report.model_dump_json(indent=1) + "\n", "utf-8")
