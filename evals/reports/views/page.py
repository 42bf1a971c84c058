"""A report as one self-contained page: no script, no font, no image from anywhere else."""

from pathlib import Path
from typing import TYPE_CHECKING

from ...labels.label_scores import KEYWORD_FLOOR
from ..compare import title
from ..headlines import headlines
from ..report import Report
from .charts import Bar, Point, bars, confusion_cells, scatter

if TYPE_CHECKING:
    from jinja2 import Environment


def write_page(report: Report, path: Path) -> None:
    """Write the page of the report."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page(report), "utf-8")


def page(report: Report) -> str:
    """The page of the report as HTML; what was said in it is escaped."""
    template = _environment().get_template("page.html.j2")
    return template.render(
        report=report,
        title=title(report),
        headlines=headlines(report),
        floor=KEYWORD_FLOOR,
        scatter=scatter(_points(report)),
        kinds=_kind_bars(report),
        languages=_language_bars(report),
        states=_state_bars(report),
        confusion=confusion_cells,
    )


def _environment() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader(__name__.rpartition(".")[0], ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update({"number": _number, "percent": _percent})
    return environment


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{value:.1%}"


def _points(report: Report) -> list[Point]:
    """False stores against recall for each suite, with the floor that a keyword rule sets."""
    floor = Point(name="keyword rule", x=KEYWORD_FLOOR[1], y=KEYWORD_FLOOR[0], kind="floor")
    points = [floor]
    for suite, scores in (report.labels or {}).items():
        points.append(Point.of(suite, scores.store_recall, scores.false_store, kind="suite"))
    if report.rows:
        points.append(Point.of("rows", report.rows.recall, report.rows.false_store, kind="suite"))
    return [point for point in points if point.x is not None and point.y is not None]


def _kind_bars(report: Report) -> dict[str, list[Bar]]:
    """For cases only: each labelled turn has a kind of its own."""
    scores = (report.labels or {}).get("cases")
    return {"cases": bars(scores.by_kind)} if scores else {}


def _language_bars(report: Report) -> dict[str, list[Bar]]:
    return {suite: bars(scores.by_language) for suite, scores in (report.labels or {}).items()}


def _state_bars(report: Report) -> list[Bar]:
    if not report.state:
        return []
    return [
        Bar(name=kind, value=share.value or 0.0, of=share.of)
        for kind, share in report.state.by_kind.items()
    ]
