"""The geometry of the charts; the template only draws what stands here."""

from collections.abc import Iterator, Mapping, Sequence

from ....schemas.base import Shape
from ...labels.label_scores import Stratum
from ..stats import Estimate

WIDTH, HEIGHT, MARGIN = 460, 340, 46


class Bar(Shape):
    """One bar: a share of a number of turns."""

    name: str
    value: float
    of: int


class Point(Shape):
    """One point of the scatter, in the units of the axes, with its intervals where it has some."""

    name: str
    x: float | None
    y: float | None
    kind: str
    x_low: float | None = None
    x_high: float | None = None
    y_low: float | None = None
    y_high: float | None = None

    @classmethod
    def of(cls, name: str, x: Estimate, y: Estimate, *, kind: str) -> "Point":
        """A point of two estimates."""
        return cls(
            name=name, kind=kind, x=x.value, y=y.value,
            x_low=x.low, x_high=x.high, y_low=y.low, y_high=y.high,
        )  # fmt: skip


class Dot(Shape):
    """A point where it is drawn."""

    name: str
    kind: str
    x: float
    y: float
    x1: float
    x2: float
    y1: float
    y2: float
    told: str


class Scatter(Shape):
    """False stores (up) against recall (right)."""

    width: int = WIDTH
    height: int = HEIGHT
    margin: int = MARGIN
    top: float
    dots: tuple[Dot, ...]
    x_ticks: tuple[tuple[float, str], ...]
    y_ticks: tuple[tuple[float, str], ...]


def scatter(points: Sequence[Point]) -> Scatter:
    """The points in a plane that has room for all of them."""
    highest = max((point.y_high or point.y or 0.0 for point in points), default=0.0)
    top = min(1.0, max(0.2, highest * 1.1))
    fifths = [step / 5 for step in range(6)]
    return Scatter(
        top=top,
        dots=tuple(_dot(point, top) for point in points),
        x_ticks=tuple((_x(each), f"{each:.1f}") for each in fifths),
        y_ticks=tuple((_y(each * top, top), f"{each * top:.0%}") for each in fifths),
    )


def _dot(point: Point, top: float) -> Dot:
    x, y = point.x or 0.0, point.y or 0.0
    return Dot(
        name=point.name,
        kind=point.kind,
        x=_x(x),
        y=_y(y, top),
        x1=_x(x if point.x_low is None else point.x_low),
        x2=_x(x if point.x_high is None else point.x_high),
        y1=_y(y if point.y_low is None else point.y_low, top),
        y2=_y(y if point.y_high is None else point.y_high, top),
        told=f"{point.name}: {y:.1%} false stores at a recall of {x:.3f}",
    )


def _x(share: float) -> float:
    return round(MARGIN + share * (WIDTH - 2 * MARGIN), 1)


def _y(share: float, top: float) -> float:
    return round(HEIGHT - MARGIN - min(share / top, 1.0) * (HEIGHT - 2 * MARGIN), 1)


def bars(strata: Mapping[str, Stratum]) -> list[Bar]:
    """One bar a stratum: the share of exact turns, the largest strata first."""
    ordered = sorted(strata.items(), key=lambda item: (-item[1].turns, item[0]))
    return [Bar(name=name, value=each.exact.value or 0.0, of=each.turns) for name, each in ordered]


class Cell(Shape):
    """One cell of a confusion matrix: a count, and how dark it is."""

    count: int
    share: float
    right: bool


class Matrix(Shape):
    """A confusion matrix: a row a wanted class, a column a given one."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]


def confusion_cells(confusion: Mapping[str, Mapping[str, int]]) -> Matrix:
    """The matrix with all classes, wanted or given, in one order."""
    wanted = list(confusion)
    given = sorted({got for row in confusion.values() for got in row} - {*wanted})
    columns = [*wanted, *given]
    rows = ((name, tuple(_cells(name, confusion[name], columns))) for name in wanted)
    return Matrix(columns=tuple(columns), rows=tuple(rows))


def _cells(name: str, row: Mapping[str, int], columns: Sequence[str]) -> Iterator[Cell]:
    total = sum(row.values()) or 1
    for column in columns:
        count = row.get(column, 0)
        yield Cell(count=count, share=count / total, right=column == name)
