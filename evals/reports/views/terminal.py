"""A report as tables in a terminal."""

from collections.abc import Iterator, Mapping, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ...labels.label_scores import Stratum
from ...labels.matcher_error import MatcherError
from ..compare import Comparison, Moved, title
from ..headlines import Headline, headlines
from ..report import Report
from ..stats import Estimate

_MOST = 25
"""Kinds or ids listed; the page has them all."""


def report_view(report: Report) -> Iterator[RenderableType]:
    """The whole report, the headlines first."""
    yield Text(title(report), style="bold")
    yield _headlines(headlines(report))
    for suite, scores in (report.labels or {}).items():
        yield _strata(f"{suite} by language", scores.by_language)
        yield _values(suite, scores.values)
    if report.state:
        yield from _ids("state failed", report.state.failed)
        yield from _ids("state undecided", report.state.undecided)
        for case, why in report.state.not_injected.items():
            yield Text(f"{case}: fault not injected here: {why}", style="dim")
    if report.behaviour:
        yield from _ids("not delivered", report.behaviour.not_delivered)
        yield from _ids("delivered but not followed", report.behaviour.not_followed)
    yield _cost(report)


def _headlines(figures: Sequence[Headline]) -> Table:
    table = Table(title="Scores", title_justify="left")
    for name in ("figure", "value", "95 % interval", "count", "target"):
        table.add_column(name, justify="left" if name == "figure" else "right")
    for each in figures:
        style = {True: "green", False: "red", None: ""}[each.reached]
        value = each.estimate
        table.add_row(
            each.name, Text(number(value.value), style=style), interval(value), _count(value),
            _target(each),
        )  # fmt: skip
    return table


def number(value: float | None) -> str:
    """Three digits, or a dash."""
    return "-" if value is None else f"{value:.3f}"


def interval(estimate: Estimate) -> str:
    """`0.612 to 0.731`, where there is an interval."""
    if estimate.low is None or estimate.high is None:
        return ""
    return f"{estimate.low:.3f} to {estimate.high:.3f}"


def _count(estimate: Estimate) -> str:
    return f"{estimate.hits} of {estimate.of}" if estimate.of else ""


def _target(headline: Headline) -> str:
    if headline.target is None:
        return ""
    return f"{'≤' if headline.low_is_good else '≥'} {headline.target:.2f}"


def _strata(name: str, strata: Mapping[str, Stratum]) -> Table:
    table = Table(title=name, title_justify="left")
    for column in ("", "turns", "exact", "false stores", "recall"):
        table.add_column(column, justify="right" if column else "left")
    largest = sorted(strata.items(), key=lambda item: -item[1].turns)[:_MOST]
    for each, stratum in largest:
        shares = (stratum.exact, stratum.false_store, stratum.store_recall)
        table.add_row(each, str(stratum.turns), *(number(share.value) for share in shares))
    return table


def _values(suite: str, values: Mapping[str, int]) -> Text:
    counts = ", ".join(f"{count} {verdict}" for verdict, count in values.items())
    return Text(f"{suite} values of paired labels: {counts}", style="dim")


def _ids(name: str, ids: Sequence[str]) -> Iterator[Text]:
    if ids:
        more = f" and {len(ids) - _MOST} more" if len(ids) > _MOST else ""
        yield Text(f"{name}: {', '.join(ids[:_MOST])}{more}")


def _cost(report: Report) -> Text:
    cost = report.cost
    dollars = "price not known" if cost.dollars is None else f"${cost.dollars:.4f}"
    parts = [
        f"{cost.turns} turns labelled, {cost.not_labelled} not; {cost.asked} put to a model",
        f"{cost.tokens_in} tokens in, {cost.tokens_out} out ({dollars})",
    ]
    if cost.p50_ms is not None:
        parts.append(f"p50 {cost.p50_ms} ms, p95 {cost.p95_ms} ms")
    if cost.replayed:
        parts.append("replayed: times say nothing of the model")
    if report.budget.turns:
        asked = len(report.budget.asked)
        parts.append(f"{asked} of {report.budget.turns} turns that need no model were put to one")
    return Text("; ".join(parts), style="dim")


def comparison_view(comparison: Comparison) -> Iterator[RenderableType]:
    """The comparison, the figures first."""
    table = Table(title=f"{comparison.before}  →  {comparison.after}", title_justify="left")
    for name in ("figure", "before", "after", "gain"):
        table.add_column(name, justify="left" if name == "figure" else "right")
    for each in comparison.figures:
        table.add_row(each.name, number(each.before), number(each.after), _gain(each))
    yield table
    yield from _ids("state broke", comparison.broke)
    yield from _ids("state fixed", comparison.fixed)
    yield from _ids("labels broke", comparison.labels_broke)
    yield from _ids("labels fixed", comparison.labels_fixed)
    verdict = Text("worse than before", style="red") if comparison.worse else Text("not worse")
    yield verdict


def _gain(moved: Moved) -> Text:
    if moved.gain is None:
        return Text("missing" if moved.worse else "-", style="red" if moved.worse else "dim")
    style = "red" if moved.worse else "green" if moved.gain > 0 else ""
    return Text(f"{moved.gain:+.3f}", style=style)


def matcher_view(errors: Mapping[str, MatcherError]) -> Table:
    """The matcher's error by part of the judged pairs."""
    table = Table(title="The matcher on judged pairs", title_justify="left")
    columns = ("pairs", "decided", "undecided", "wrongly same", "wrongly different", "error rate")
    for name in ("part", *columns):
        table.add_column(name, justify="left" if name == "part" else "right")
    for name, each in errors.items():
        counts = (
            each.pairs, each.pairs - len(each.undecided), len(each.undecided),
            len(each.wrong_same), len(each.wrong_different),
        )  # fmt: skip
        table.add_row(name, *(str(count) for count in counts), f"{each.error_rate:.1%}")
    return table
