"""Whether the ledger gives the rules that are kept, and where not."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from ....schemas.rule import Rule
from .rules import all_rules


def folded_view(
    equal: bool, count: int, differing: Sequence[Mapping[str, Any]]
) -> Iterator[RenderableType]:
    """One line when they are equal, else each rule that is not."""
    rules = "1 rule" if count == 1 else f"{count} rules"
    if equal:
        yield Text(f"The ledger gives {rules}, and they are the ones that are kept.", "green")
        return
    yield Text(f"The ledger gives {rules}, and what is kept differs:", "red")
    for title, side in (("Kept", "kept"), ("From the ledger", "folded")):
        rules_there = [Rule.model_validate(each[side]) for each in differing if each[side]]
        if rules_there:
            yield all_rules(rules_there, title=title)
    if not differing:
        yield Text("The rules are equal; the open questions or the place in time are not.")
