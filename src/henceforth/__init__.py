"""Keep a person's standing instructions right: label each turn, reconcile, get the rules in force.

The names in `__all__` are the public interface. Each is loaded when it is first used, so that
`import henceforth` costs next to nothing and never imports a model's client.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .pipeline.chat.chat import Chat, ChatMode
    from .pipeline.chat.form import ChatMessage
    from .pipeline.cli.demo.offline import demo_replay, demo_turns
    from .pipeline.core.fold import Folded, fold
    from .pipeline.core.in_force import in_force
    from .pipeline.core.reconcile import apply, reconcile
    from .pipeline.core.render import Form, Rendered, render
    from .pipeline.errors import (
        CassetteMissError,
        FailureError,
        HenceforthError,
        LabelError,
        StaleVersionError,
        StoreError,
        UsageError,
    )
    from .pipeline.hosting import Host
    from .pipeline.intake import Labeller
    from .pipeline.labelling.labeller import ModelLabeller
    from .pipeline.replay.recording import recording, replaying
    from .pipeline.session import Session
    from .pipeline.settings import Settings
    from .pipeline.stores.memory import MemoryStore
    from .pipeline.stores.protocol import Store
    from .pipeline.stores.sql import SqlStore
    from .pipeline.sync import SyncSession
    from .schemas.context import Context
    from .schemas.dimensions import Dimension, Registry, default_registry
    from .schemas.in_force import InForce, Overridden, Step
    from .schemas.labels import (
        Clarify,
        Intent,
        Kind,
        Label,
        LabelledBy,
        NoneReason,
        Polarity,
        Reach,
        Revises,
        Span,
        TurnLabels,
        Usage,
    )
    from .schemas.ledger import Relation
    from .schemas.outcome import Labelled, Outcome, Status
    from .schemas.plan import Ask, Change, Plan, Question, Row
    from .schemas.rule import Evidence, Rule, State
    from .schemas.scope import Condition, Scope
    from .schemas.turn import Message, Reference, Role, Turn

_HOMES = {
    "pipeline.chat.chat": ("Chat", "ChatMode"),
    "pipeline.chat.form": ("ChatMessage",),
    "pipeline.cli.demo.offline": ("demo_replay", "demo_turns"),
    "pipeline.errors": (
        "CassetteMissError",
        "FailureError",
        "HenceforthError",
        "LabelError",
        "StaleVersionError",
        "StoreError",
        "UsageError",
    ),
    "pipeline.core.fold": ("Folded", "fold"),
    "pipeline.hosting": ("Host",),
    "pipeline.core.in_force": ("in_force",),
    "pipeline.labelling.labeller": ("ModelLabeller",),
    "pipeline.core.reconcile": ("apply", "reconcile"),
    "pipeline.replay.recording": ("recording", "replaying"),
    "pipeline.core.render": ("Form", "Rendered", "render"),
    "pipeline.intake": ("Labeller",),
    "pipeline.session": ("Session",),
    "pipeline.settings": ("Settings",),
    "pipeline.stores.memory": ("MemoryStore",),
    "pipeline.stores.protocol": ("Store",),
    "pipeline.stores.sql": ("SqlStore",),
    "pipeline.sync": ("SyncSession",),
    "schemas.context": ("Context",),
    "schemas.dimensions": ("Dimension", "Registry", "default_registry"),
    "schemas.in_force": ("InForce", "Overridden", "Step"),
    "schemas.labels": (
        "Clarify",
        "Intent",
        "Kind",
        "Label",
        "LabelledBy",
        "NoneReason",
        "Polarity",
        "Reach",
        "Revises",
        "Span",
        "TurnLabels",
        "Usage",
    ),
    "schemas.ledger": ("Relation",),
    "schemas.outcome": ("Labelled", "Outcome", "Status"),
    "schemas.plan": ("Ask", "Change", "Plan", "Question", "Row"),
    "schemas.rule": ("Evidence", "Rule", "State"),
    "schemas.scope": ("Condition", "Scope"),
    "schemas.turn": ("Message", "Reference", "Role", "Turn"),
}
"""Where each public name lives; tests/test_door.py holds it against `__all__`."""

_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__version__ = "0.1.0"

__all__ = [
    "Ask",
    "CassetteMissError",
    "Change",
    "Chat",
    "ChatMessage",
    "ChatMode",
    "Clarify",
    "Condition",
    "Context",
    "Dimension",
    "Evidence",
    "FailureError",
    "Folded",
    "Form",
    "HenceforthError",
    "Host",
    "InForce",
    "Intent",
    "Kind",
    "Label",
    "LabelError",
    "Labelled",
    "LabelledBy",
    "Labeller",
    "MemoryStore",
    "Message",
    "ModelLabeller",
    "NoneReason",
    "Outcome",
    "Overridden",
    "Plan",
    "Polarity",
    "Question",
    "Reach",
    "Reference",
    "Registry",
    "Relation",
    "Rendered",
    "Revises",
    "Role",
    "Row",
    "Rule",
    "Scope",
    "Session",
    "Settings",
    "Span",
    "SqlStore",
    "StaleVersionError",
    "State",
    "Status",
    "Step",
    "Store",
    "StoreError",
    "SyncSession",
    "Turn",
    "TurnLabels",
    "Usage",
    "UsageError",
    "__version__",
    "apply",
    "default_registry",
    "demo_replay",
    "demo_turns",
    "fold",
    "in_force",
    "reconcile",
    "recording",
    "render",
    "replaying",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f".{_HOME_OF[name]}", __name__), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
