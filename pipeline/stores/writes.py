"""What a write holds, seen as the ids and rows that every store must check or keep."""

from collections.abc import Iterator

from ...schemas.ids import TurnId
from ...schemas.ledger import LedgerEntry, TurnEntry
from .protocol import Write


def turn_of(entry: LedgerEntry) -> TurnId | None:
    """The turn that the entry labels; None for an entry that labels none."""
    return entry.turn if isinstance(entry, TurnEntry) else None


def ids_of(write: Write) -> Iterator[str]:
    """All ids by which a part of the write is kept or found."""
    entries = [entry for entry, _ in write.entries]
    entries += [row.entry for row in write.rewritten.values()]
    yield from filter(None, map(turn_of, entries))
    yield from (rule.id for rule in write.rules)
    yield from write.removed
    yield from write.labelled


def drops_text(write: Write) -> bool:
    """Whether text of the ledger or the rules must be gone afterwards."""
    return bool(write.rewritten or write.removed)
