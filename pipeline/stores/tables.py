"""The tables as they are now; how an older database comes to have them is in `migrations`."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    false,
)

REVISION = "0002"
"""The revision these tables have: the number of the last migration."""

metadata = MetaData()

revision = Table(
    "henceforth_revision", metadata, Column("version_num", String(32), primary_key=True)
)
"""One row: the revision the database is at."""

subjects = Table(
    "subjects",
    metadata,
    Column("subject", Text, primary_key=True),
    Column("version", Integer, nullable=False),
    Column("head", Text),
)
"""One row a subject: its version, which each write must claim, and its place in said order."""

ledger = Table(
    "ledger",
    metadata,
    Column("subject", Text, primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("turn", Text),
    Column("entry", Text, nullable=False),
    Column("plan", Text),
    ForeignKeyConstraint(["subject"], ["subjects.subject"], name="ledger_subject"),
    Index("ledger_turn", "subject", "turn", "seq"),
)
"""The rows in arrival order; `turn` is set where the entry labels one."""

rules = Table(
    "rules",
    metadata,
    Column("subject", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("position", Integer, nullable=False),
    Column("rule", Text, nullable=False),
    ForeignKeyConstraint(["subject"], ["subjects.subject"], name="rules_subject"),
)
"""The projection; `position` keeps the order in which rules were first written."""

questions = Table(
    "questions",
    metadata,
    Column("subject", Text, primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("question", Text, nullable=False),
    ForeignKeyConstraint(["subject"], ["subjects.subject"], name="questions_subject"),
)
"""The open questions."""

pending = Table(
    "pending",
    metadata,
    Column("subject", Text, primary_key=True),
    Column("turn", Text, primary_key=True),
    Column("pending", Text, nullable=False),
    Column("due", BigInteger, nullable=False, server_default="0"),
    Column("dead", Boolean, nullable=False, server_default=false()),
    Index("pending_due", "dead", "due"),
)
"""Turns that wait to be labelled; their subject may have nothing else yet. `due` is in
milliseconds since 1970."""

api_keys = Table(
    "api_keys",
    metadata,
    Column("id", Text, primary_key=True),
    Column("tenant", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("hash", Text, nullable=False),
    Column("created", Text, nullable=False),
    Column("revoked", Text),
)
"""The keys of the service, hashed; no subject's."""
