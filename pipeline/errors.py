"""Every error that henceforth raises on purpose.

Each says what was tried, what became of the turn or the data, and what to do; the numbers and
names it speaks of are attributes. A fault of a lower layer is always the cause (`__cause__`).

    HenceforthError
    ├── UsageError                  the call is wrong: change the call; nothing was done
    │   ├── UnusableIdError         an id that no store can keep
    │   ├── UnusableAddressError    an address that names no database
    │   ├── UnknownRowError         a ledger row that is not there
    │   ├── UnknownRuleError        no rule of the subject has that id
    │   ├── UnknownTurnError        no labelled turn of the subject has that id
    │   ├── UnknownQuestionError    no open question of the subject has that id
    │   ├── UnfitAnswerError        the answer is none that the question allows
    │   ├── UnknownKeyError         no key that opens anything has that id
    │   ├── KeysNeededError         a service without keys that others could reach
    │   ├── WrongSpeakerError       the turn is another speaker's
    │   ├── NoConversationError     messages of a conversation that has no name
    │   ├── ShiftedHistoryError     messages that are not those that stood in their places
    │   ├── UndoTooLateError        what the turn said is redacted already
    │   ├── SettingsError           a setting that is not allowed, or missing: says which and where
    │   ├── UnknownPromptError      no such prompt, or no such version of it
    │   └── ReplayError             the recordings do not fit the run: record again
    │       ├── CassetteMissError       a request that was never recorded
    │       └── UnplayedError           recordings that the run did not ask for
    └── FailureError                the call is right and the world failed
        ├── LabelError              a turn could not be labelled: it is kept as pending
        │   ├── ModelUnavailableError   no answer: unreachable, rate-limited, failing, too slow
        │   ├── ModelRefusedError       the endpoint will not take the request: key, model, size
        │   │   └── WindowExceededError     the request is larger than the model's window
        │   └── LabelsRejectedError     answers, but none of the right shape
        ├── ModelGoneError          many turns in a row got no answer: the rest was not tried
        └── StoreError              the store
            ├── StaleVersionError       somebody else wrote first: read again, then try again
            ├── NotWaitingError         the turn was labelled by another, or erased meanwhile
            ├── StoreUnavailableError   read-only, full, locked, missing, unreachable: see `why`
            ├── NewerDatabaseError      written by a newer henceforth: upgrade
            ├── NotADatabaseError       not a database of henceforth: name another file
            ├── NotScrubbedError        deleted, and yet in the bytes of the file: erase again
            └── DamagedStoreError       a record cannot be read: restore it from a copy
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum

from ..schemas.ids import QuestionId, RuleId, SubjectId, TurnId
from ..schemas.plan import Question


class HenceforthError(Exception):
    """Any error that henceforth raises on purpose."""


class UsageError(HenceforthError, ValueError):
    """The call is wrong, whatever the state of the world: nothing was done."""


class FailureError(HenceforthError):
    """The call is right; something outside of it failed, or somebody else was first."""


# --- The caller's mistakes --------------------------------------------------


class UnusableIdError(UsageError):
    """An id that no store can keep: empty, or not plain Unicode text."""

    def __init__(self, *, id: str) -> None:
        super().__init__(
            f"{id!r} cannot be used as an id: an id is non-empty Unicode text without NUL "
            "characters and without lone surrogates. Nothing was read or written."
        )
        self.id = id


class UnusableAddressError(UsageError):
    """What should name a database is no address, or needs a driver that is not installed."""

    def __init__(self, *, scheme: str) -> None:
        super().__init__(
            f"an address that begins with {scheme!r} names no database that can be used: give the "
            "path of a SQLite file, or a SQLAlchemy URL such as 'sqlite:///rules.db', and install "
            "the driver it names. Nothing was opened."
        )
        self.scheme = scheme


class UnknownRowError(UsageError):
    """A ledger row is to be rewritten that the subject does not have; nothing was written."""

    def __init__(self, *, subject: SubjectId, seq: int) -> None:
        super().__init__(
            f"subject {subject!r} has no ledger row {seq}: only a row that is there can be "
            "rewritten. Nothing was written."
        )
        self.subject, self.seq = subject, seq


class SettingsError(UsageError):
    """A setting that is not allowed, or that is needed and not set anywhere.

    Attributes:
        key: The setting; None when its file cannot be read at all.
        origin: Where the value came from: the arguments, a variable, or a file.
    """

    def __init__(self, *, key: str | None, origin: str, allowed: str, value: object = None) -> None:
        given = "" if value is None else f" is {value!r}"
        super().__init__(f"{origin}{given}: expected {allowed}. Nothing was done.")
        self.key, self.origin, self.allowed, self.value = key, origin, allowed, value


class UnknownPromptError(UsageError):
    """No prompt has that name and version."""

    def __init__(self, *, name: str, version: str | None, why: str) -> None:
        super().__init__(f"{why}. Nothing was asked.")
        self.name, self.version = name, version


class ReplayError(UsageError):
    """The recordings do not fit the run."""


class CassetteMissError(ReplayError):
    """The run asks for something that was never recorded; nothing was sent.

    Attributes:
        cassette: The file that was looked in.
        difference: What differs from the recorded request that is nearest, in one line.
    """

    def __init__(self, *, cassette: str, difference: str) -> None:
        super().__init__(
            f"no recording for this request in {cassette!r}: {difference}. Nothing was sent; "
            "record the run again if the change is meant."
        )
        self.cassette, self.difference = cassette, difference


class UnplayedError(ReplayError):
    """Recordings that the run did not ask for: it takes another path than the recorded one."""

    def __init__(self, *, unplayed: Mapping[str, int]) -> None:
        files = ", ".join(f"{count} in {name!r}" for name, count in unplayed.items())
        super().__init__(
            f"recorded requests that the run never made: {files}. Record the run again, or "
            "remove what is stale."
        )
        self.unplayed = dict(unplayed)


class UnknownRuleError(UsageError):
    """The subject has no rule of that id; nothing was changed."""

    def __init__(self, *, rule: RuleId) -> None:
        super().__init__(f"there is no rule {rule!r} of this subject. Nothing was changed.")
        self.rule = rule


class UnknownTurnError(UsageError):
    """No labelled turn of the subject has that id, or it was undone; nothing was changed."""

    def __init__(self, *, turn: TurnId | None) -> None:
        which = "there is no turn" if turn is None else f"there is no turn {turn!r}"
        super().__init__(f"{which} of this subject that counts. Nothing was changed.")
        self.turn = turn


class UnknownQuestionError(UsageError):
    """The subject has no open question of that id; nothing was changed."""

    def __init__(self, *, question: QuestionId) -> None:
        super().__init__(
            f"there is no open question {question!r} of this subject: it was answered, or what "
            "it asked about is gone. Nothing was changed."
        )
        self.question = question


class UnknownKeyError(UsageError):
    """No API key has that id, or it is revoked already; nothing was changed."""

    def __init__(self, *, id: str) -> None:
        super().__init__(f"there is no key {id!r} that opens anything. Nothing was changed.")
        self.id = id


class KeysNeededError(UsageError):
    """The service is to ask for no key where others can reach it; it was not started."""

    def __init__(self, *, host: str) -> None:
        super().__init__(
            f"{host!r} can be reached from elsewhere: without keys anybody could read and change "
            "all rules. Listen on 127.0.0.1, or ask for keys. The service was not started."
        )
        self.host = host


class UnfitAnswerError(UsageError):
    """The answer is none that the question allows; nothing was changed."""

    def __init__(self, *, question: Question, given: tuple[RuleId, ...]) -> None:
        allowed = (
            ", ".join(question.candidates) or "durable, this_task or none, where it has a label"
        )
        super().__init__(
            f"question {question.id!r} ({question.ask}) cannot be answered with "
            f"{', '.join(given) or 'that'}: it takes {allowed}. Nothing was changed."
        )
        self.question, self.given = question, given


class WrongSpeakerError(UsageError):
    """The turn names another speaker than the subject; it was not observed."""

    def __init__(self, *, turn: TurnId, speaker: str, subject: SubjectId) -> None:
        super().__init__(
            f"turn {turn!r} is said by {speaker!r} and these are the rules of {subject!r}: open "
            "that speaker's own. Nothing was labelled or stored."
        )
        self.turn, self.speaker, self.subject = turn, speaker, subject


class NoConversationError(UsageError):
    """The context of the messages names no conversation; nothing was read."""

    def __init__(self) -> None:
        super().__init__(
            "the context names no conversation: a turn is known by its conversation and its place "
            "in it, so that it counts once however often it is sent. Nothing was labelled or "
            "stored; name the conversation."
        )


class ShiftedHistoryError(UsageError):
    """The messages are not those that stood in these places before; nothing was changed."""

    def __init__(self, *, turn: TurnId) -> None:
        super().__init__(
            f"another message than before stands in the place of turn {turn!r}, and it is not the "
            "last one: were messages left out in front? Nothing was labelled or stored; say how "
            "many are `dropped`, or give each message an `id`."
        )
        self.turn = turn


class UndoTooLateError(UsageError):
    """The text of the turn's rules is redacted, so nothing can bring them back."""

    def __init__(self, *, turn: TurnId) -> None:
        super().__init__(
            f"turn {turn!r} cannot be undone: the undo window is over and the text it took back "
            "is redacted. Nothing was changed."
        )
        self.turn = turn


# --- Labelling --------------------------------------------------------------


class LabelError(FailureError):
    """A turn could not be labelled; whoever observes it keeps it as pending."""

    def __init__(self, *, turn: TurnId, model: str, attempts: int, why: str) -> None:
        super().__init__(
            f"turn {turn!r} could not be labelled by {model!r} after {attempts} requests: {why}. "
            "Nothing was applied; the turn can be labelled again as it is."
        )
        self.turn, self.model, self.attempts, self.why = turn, model, attempts, why


class ModelUnavailableError(LabelError):
    """No answer: the model is unreachable, rate-limited, failing, or too slow."""


class ModelRefusedError(LabelError):
    """The endpoint will not take the request as it is: the key, the model's name, or its size."""


class WindowExceededError(ModelRefusedError):
    """The request is larger than the window of the model; lower `window`."""


class LabelsRejectedError(LabelError):
    """The model answers, but no answer has the right shape; the last failure is the cause."""


class ModelGoneError(FailureError):
    """Many turns in a row got no answer; they are pending, and those after them were not tried."""

    def __init__(self, *, model: str, turns: int, why: str) -> None:
        super().__init__(
            f"{model!r} left {turns} turns in a row unanswered: {why}. They are pending, and the "
            "turns after them were not tried: once the model is there, run it again, and retry "
            "what is pending."
        )
        self.model, self.turns, self.why = model, turns, why


# --- The store --------------------------------------------------------------


class StoreError(FailureError):
    """The store could not do what was asked."""


class StaleVersionError(StoreError):
    """Somebody else wrote to the subject after it was read; nothing was written.

    Attributes:
        expected: The version the write was made for.
        found: The version the subject is at.
    """

    def __init__(self, *, subject: SubjectId, expected: int, found: int) -> None:
        super().__init__(
            f"subject {subject!r} was read at version {expected} and is at version {found} now. "
            "Nothing was written: read it again, and make the write anew."
        )
        self.subject, self.expected, self.found = subject, expected, found


class Unavailable(StrEnum):
    """Why a store cannot be used just now."""

    READ_ONLY = "it can only be read"
    FULL = "the disk, or the quota, is full"
    LOCKED = "another process holds its lock"
    MISSING = "its folder does not exist"
    DENIED = "access is denied"
    UNREACHABLE = "it cannot be reached, or reading and writing fails"


class NotWaitingError(StoreError):
    """The labels are for turns that no longer wait; nothing was written."""

    def __init__(self, *, subject: SubjectId, turns: Sequence[TurnId]) -> None:
        super().__init__(
            f"turns {', '.join(turns)} of subject {subject!r} do not wait any more: they were "
            "labelled by another worker, or erased. Nothing was written."
        )
        self.subject, self.turns = subject, tuple(turns)


class StoreUnavailableError(StoreError):
    """The database cannot be opened, read or written just now; nothing was written.

    Attributes:
        where: The address of the database, without a password.
        why: What is in the way.
    """

    def __init__(self, *, where: str, why: Unavailable) -> None:
        super().__init__(
            f"the store {where!r} cannot be used: {why.value}. Nothing was written, and what was "
            "kept before is as it was; the same call can be made again."
        )
        self.where, self.why = where, why


class NewerDatabaseError(StoreError):
    """The database, or a record in it, was written by a newer henceforth; it was left as it is.

    Attributes:
        found: The revision or record version that is there.
        known: The latest one that this henceforth reads.
    """

    def __init__(self, *, where: str, found: str, known: str) -> None:
        super().__init__(
            f"the store {where!r} is at {found!r} and this henceforth reads up to {known!r}: "
            "upgrade henceforth. Nothing was changed."
        )
        self.where, self.found, self.known = where, found, known


class NotADatabaseError(StoreError):
    """What is there is no database, or the database of another program; it was left as it is."""

    def __init__(self, *, where: str) -> None:
        super().__init__(
            f"{where!r} is not a database of henceforth: it belongs to something else, or it is "
            "damaged. Nothing was changed; name another file, or restore this one from a copy."
        )
        self.where = where


class NotScrubbedError(StoreError):
    """What was deleted cannot be read any more, but the files still hold its bytes.

    They are cleared when the store is opened next, or by calling `erase` again.
    """

    def __init__(self, *, where: str, subject: SubjectId) -> None:
        super().__init__(
            f"all that the store {where!r} kept of subject {subject!r} is deleted, but its bytes "
            "are still in the file or its log: another process is reading, or the disk has no "
            "room to rewrite the file. Erase again, or open the store anew, to clear them."
        )
        self.where, self.subject = where, subject


class DamagedStoreError(StoreError):
    """A record of the subject does not have the shape it must have; nothing was changed."""

    def __init__(self, *, where: str, record: str) -> None:
        super().__init__(
            f"the store {where!r} holds a {record} that cannot be read: it was changed by hand, or "
            "damaged. Nothing was changed; see the cause, and restore the database from a copy."
        )
        self.where, self.record = where, record
