"""Numbered migrations: they lead to the tables the code uses, and old records are read."""

import json
import re
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, date, datetime
from pathlib import Path

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

from henceforth.pipeline.stores import migrate, tables
from henceforth.pipeline.stores.protocol import PendingTurn, Write
from henceforth.pipeline.stores.records import PENDING
from henceforth.pipeline.stores.sql import SqlStore
from henceforth.schemas.ids import subject_id
from henceforth.schemas.versions import SCHEMA_VERSION

ANN = subject_id("ann")
LATER = datetime(2026, 4, 1, tzinfo=UTC)

VERSION_1_RULE = {
    "schema_version": 1,
    "id": "t1#0",
    "kind": "preference",
    "dimension": "detail",
    "target": "replies",
    "value": "step-by-step",
    "polarity": "do",
    "statement": "Explain technical proposals step by step until June.",
    "scope": {},
    "condition": {"words": "in technical proposals", "tags": ["task:technical-proposal"]},
    "expires": "2026-06-30",
    "evidence": [{"turn": "t1", "label": 0, "said_at": "2026-03-01T09:00:00Z"}],
    "recorded_at": "2026-03-01T09:00:00Z",
}


def script() -> ScriptDirectory:
    config = Config()
    config.set_main_option("script_location", str(migrate.MIGRATIONS))
    return ScriptDirectory.from_config(config)


def test_the_code_uses_the_revision_of_the_last_migration() -> None:
    assert script().get_heads() == [tables.REVISION]


def test_migrations_are_numbered_without_a_gap() -> None:
    numbers = [step.revision for step in reversed(list(script().walk_revisions()))]
    files = sorted(each.name for each in (migrate.MIGRATIONS / "versions").glob("*.py"))

    assert numbers == [f"{number:04d}" for number in range(1, len(numbers) + 1)]
    assert [name[:5] for name in files] == [f"{number}_" for number in numbers]


def test_the_migrations_lead_to_the_tables_that_the_code_uses(file: Path) -> None:
    SqlStore(file).close()
    engine = create_engine(f"sqlite:///{file}")

    with engine.connect() as connection:
        context = MigrationContext.configure(
            connection, opts={"version_table": tables.revision.name, "compare_type": True}
        )
        differences = compare_metadata(context, tables.metadata)

    engine.dispose()
    ours = [each for each in differences if tables.revision.name not in str(each)]
    assert ours == []


def test_each_stored_record_says_its_schema_version(
    file: Path, store: SqlStore, keeping: Callable[[str, str], Write]
) -> None:
    store.commit(ANN, keeping("t1", "Answer briefly."), version=0)

    with closing(sqlite3.connect(file)) as connection:
        texts = [
            text
            for column, table in [
                ("entry", "ledger"),
                ("plan", "ledger"),
                ("rule", "rules"),
                ("question", "questions"),
            ]
            for (text,) in connection.execute(f"SELECT {column} FROM {table}")
        ]

    assert len(texts) == 4
    assert {json.loads(text)["schema_version"] for text in texts} == {SCHEMA_VERSION}


def test_a_rule_of_schema_version_1_is_read_in_todays_shape(
    file: Path, store: SqlStore, keeping: Callable[[str, str], Write]
) -> None:
    store.commit(ANN, keeping("t1", "Answer briefly."), version=0)
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE rules SET rule = ?", [json.dumps(VERSION_1_RULE)])

    rule = store.read(ANN).rules[0]

    assert rule.until == date(2026, 6, 30)
    assert rule.condition is not None
    assert rule.condition.tags == (("task:technical-proposal",),)


def test_a_database_of_the_first_revision_keeps_what_waits_in_it(
    file: Path, waiting: Callable[[str, str], PendingTurn]
) -> None:
    config = Config()
    config.set_main_option("script_location", str(migrate.MIGRATIONS))
    engine = create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        config.attributes.update(connection=connection, version_table=tables.revision.name)
        command.upgrade(config, "0001")
        record = PENDING.dump(waiting("t1", "Kurz, bitte."))
        connection.exec_driver_sql("INSERT INTO pending VALUES (?, ?, ?)", (ANN, "t1", record))
    engine.dispose()

    store = SqlStore(file)
    taken = store.lease(now=LATER, until=LATER, limit=5)

    assert [each.turn.text for each in taken] == ["Kurz, bitte."]
    store.close()


def test_published_migrations_do_not_follow_the_code() -> None:
    imports = re.compile(r"^\s*(?:from|import)\s+(\S+)", re.MULTILINE)
    for each in (migrate.MIGRATIONS / "versions").glob("*.py"):
        assert set(imports.findall(each.read_text("utf-8"))) <= {"sqlalchemy", "alembic"}


def test_threads_that_make_databases_at_once_each_get_their_own(tmp_path: Path) -> None:
    files = [tmp_path / f"{number}.db" for number in range(6)]

    with ThreadPoolExecutor(max_workers=6) as pool:
        for store in pool.map(SqlStore, files):
            store.close()

    for file in files:
        with closing(sqlite3.connect(file)) as connection:
            assert connection.execute("SELECT * FROM henceforth_revision").fetchall() == [
                (tables.REVISION,)
            ]
