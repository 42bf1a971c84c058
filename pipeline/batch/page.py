"""A report as one HTML page: no script, nothing to fetch, every text escaped."""

from collections import Counter
from importlib.resources import files

from .extras import library
from .tally import CONTRADICTED, FORGOTTEN, REPLACED, Tally, share, some

CHARTS = (
    ("Turns", "status"),
    ("Intent", "intents"),
    ("Dimension", "dimensions"),
    ("Scope", "scopes"),
    ("Language", "languages"),
    ("Language of instructions", "labelled_languages"),
    ("Why there is no label", "none_reasons"),
    ("By machines", "machine"),
    ("What turns changed", "changes"),
    ("Rules by state", "states"),
    ("Questions", "questions"),
)
"""What is counted, in the order it is shown: its title, and where the counts are."""

_MOST = 25
"""Bars of one chart."""


def figures(counted: Tally) -> list[tuple[str, str]]:
    """The figures that stand above all charts."""
    own = counted.turns - counted.status["machine"] - counted.status["failed"]
    labelled = counted.status["labelled"]
    return [
        ("people", f"{counted.subjects:,}"),
        ("turns", f"{counted.turns:,}"),
        ("turns of people that were labelled", f"{own:,}"),
        ("of these with instructions", f"{labelled:,} ({share(labelled, own):.1%})"),
        ("instructions", f"{counted.labels:,}"),
        ("rules replaced", f"{some(counted.changes, REPLACED):,}"),
        ("rules taken back", f"{some(counted.changes, FORGOTTEN):,}"),
        ("contradictions", f"{some(counted.changes, CONTRADICTED):,}"),
        ("open questions", f"{counted.questions.total():,}"),
    ]


def page(counted: Tally) -> str:
    """The page.

    Raises:
        MissingExtraError: If the template library is not installed.
    """
    jinja = library("jinja2", file="an HTML page")
    source = files(__package__ or "").joinpath("page.html").read_text("utf-8")
    template = jinja.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    charts = [(title, bars(getattr(counted, field))) for title, field in CHARTS]
    shown = [(title, chart) for title, chart in charts if chart]
    return str(
        template.from_string(source).render(
            figures=figures(counted), charts=shown, asked=counted.most_asked
        )
    )


def bars(counter: Counter[str]) -> list[tuple[str, int, float, float]]:
    """Name, count, share of all, and length of the bar beside the longest, in per cent."""
    ordered = sorted(counter.items(), key=lambda each: (-each[1], each[0]))[:_MOST]
    total = counter.total()
    return [
        (name, count, 100 * share(count, total), 100 * share(count, ordered[0][1]))
        for name, count in ordered
    ]
