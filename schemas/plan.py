"""What a turn changes: changes with the row of the reconcile table they came from."""

from enum import StrEnum

from .base import Shape
from .ids import QuestionId, RuleId, TurnId
from .rule import Rule


class Row(StrEnum):
    """The rows of the reconcile table (`docs/reconcile.md`), one name each."""

    NEW = "new"
    REINFORCE = "reinforce"
    REVISE = "revise"
    REVISE_ASK = "revise-ask"
    REPLACE_VALUE = "replace-value"
    ADD_VALUE = "add-value"
    FLIP_POLARITY = "flip-polarity"
    ADD_NARROWER = "add-narrower"
    ADD_BROADER = "add-broader"
    SWEEP = "sweep"
    ADD_TEMPORARY = "add-temporary"
    RENEW_UNTIL = "renew-until"
    LIFT_UNTIL = "lift-until"
    LATER_QUOTE_WINS = "later-quote-wins"
    APPLY_ONCE = "apply-once"
    END_ONCE = "end-once"
    FORGET = "forget"
    RETIRE = "retire"
    FORGET_ASK = "forget-ask"
    FORGET_NOTHING = "forget-nothing"
    RESTORE = "restore"
    PROPOSE = "propose"
    SIGNAL = "signal"
    IN_FORCE_BY_SIGNALS = "in-force-by-signals"
    EVIDENCE_ONLY = "evidence-only"
    NEVER_AGAIN = "never-again"
    DROP_PROPOSAL = "drop-proposal"
    CONFIRM = "confirm"
    UNVERIFIED_FACT = "unverified-fact"
    UNSETTLED = "unsettled"
    LINK = "link"
    EXPIRE = "expire"
    UNDO = "undo"


class Change(Shape):
    """One change to the store, or a receipt that there is none.

    Attributes:
        row: The row of the reconcile table.
        label: Which label of the turn, from 0; None for a command outside a turn.
        rules: The rules written, as they are afterwards; empty for a receipt.
    """

    row: Row
    label: int | None = None
    rules: tuple[Rule, ...] = ()


class Ask(StrEnum):
    """What a question is about."""

    WHICH_RULE = "which_rule"
    WHICH_VALUE = "which_value"
    UNSETTLED = "unsettled"
    CLARIFY = "clarify"


class Question(Shape):
    """Something only the user can say; the answer becomes a link or a label.

    Attributes:
        words: What is unclear: the user's own words for the label, or the model's question.
        candidates: The rules it may mean.
    """

    id: QuestionId
    ask: Ask
    turn: TurnId
    label: int
    words: str
    candidates: tuple[RuleId, ...] = ()


class Plan(Shape):
    """All that one ledger entry changes, in order; empty when it changes nothing.

    Attributes:
        turn: The turn it comes from; None for a command of the host.
        version: The store version the rules were read at.
    """

    turn: TurnId | None = None
    version: int = 0
    changes: tuple[Change, ...] = ()
    questions: tuple[Question, ...] = ()
