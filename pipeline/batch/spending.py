"""What a run has cost, and whether it may go on. Pure."""

import re
from dataclasses import dataclass

from ...schemas.labels import Usage
from .errors import BudgetError

_AMOUNT = re.compile(
    r"(?P<money>\$)?\s*(?P<number>\d+(?:\.\d+)?)\s*(?P<scale>[kM])?\s*(?P<unit>usd|\$|tokens?)?",
    re.IGNORECASE,
)
_SCALES = {"k": 1e3, "m": 1e6}


@dataclass(frozen=True)
class Budget:
    """The most that may be spent: US dollars, or tokens sent and received."""

    amount: float
    is_money: bool

    def __str__(self) -> str:
        """`$2.50`, or `2000000 tokens`."""
        return f"${self.amount:.2f}" if self.is_money else f"{self.amount:.0f} tokens"


def budget(text: str) -> Budget:
    """Read `$2.50`, `2.5usd`, `200k tokens` or `2M tokens`; a bare number is dollars.

    Raises:
        BudgetError: If it is none of these.
    """
    found = _AMOUNT.fullmatch(text.strip())
    if found is None:
        raise BudgetError(given=text, why="is no amount: write $2.50, or '2M tokens'")
    is_money = "token" not in (found["unit"] or "").lower()
    if (is_money and found["scale"]) or (not is_money and found["money"]):
        raise BudgetError(given=text, why="is no amount: write $2.50, or '2M tokens'")
    scale = _SCALES.get((found["scale"] or "").lower(), 1.0)
    return Budget(float(found["number"]) * scale, is_money)


@dataclass
class Spending:
    """What was spent so far on turns that were labelled.

    Attributes:
        most: The budget; None for no limit.
        asked: Turns that were put to the model.
        cost: US dollars; None once a price is not known.
    """

    most: Budget | None = None
    asked: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = 0.0

    def add(self, usage: Usage) -> None:
        """Count one labelled turn; one that code labelled without a model costs nothing.

        Raises:
            BudgetError: If the budget is money and the turn's price is not known.
        """
        if not usage.attempts:
            return
        self.asked += 1
        self.tokens_in += usage.tokens_in
        self.tokens_out += usage.tokens_out
        known = self.cost is not None and usage.cost is not None
        self.cost = (self.cost or 0.0) + (usage.cost or 0.0) if known else None
        if self.cost is None and self.most is not None and self.most.is_money:
            why = "cannot be kept: the price of the model is not known. Give it in tokens"
            raise BudgetError(given=str(self.most), why=why)

    @property
    def tokens(self) -> int:
        """All tokens, sent and received."""
        return self.tokens_in + self.tokens_out

    def allows_another(self, under_way: int) -> bool:
        """Whether one more request fits, if it and those under way cost what others did.

        Before the first answer nothing is known of the price, so one goes alone.
        """
        if self.most is None:
            return True
        if not self.asked:
            return under_way == 0 and self.most.amount > 0
        spent = (self.cost or 0.0) if self.most.is_money else float(self.tokens)
        return spent + (under_way + 1) * spent / self.asked <= self.most.amount
