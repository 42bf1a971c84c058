"""The ledger, the projection of rules and questions, and the turns that wait."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the first tables."""
    op.create_table(
        "subjects",
        sa.Column("subject", sa.Text, primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("head", sa.Text),
    )
    op.create_table(
        "ledger",
        sa.Column("subject", sa.Text, primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("turn", sa.Text),
        sa.Column("entry", sa.Text, nullable=False),
        sa.Column("plan", sa.Text),
        sa.ForeignKeyConstraint(["subject"], ["subjects.subject"], name="ledger_subject"),
    )
    op.create_index("ledger_turn", "ledger", ["subject", "turn", "seq"])
    op.create_table(
        "rules",
        sa.Column("subject", sa.Text, primary_key=True),
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("rule", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["subject"], ["subjects.subject"], name="rules_subject"),
    )
    op.create_table(
        "questions",
        sa.Column("subject", sa.Text, primary_key=True),
        sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("question", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["subject"], ["subjects.subject"], name="questions_subject"),
    )
    op.create_table(
        "pending",
        sa.Column("subject", sa.Text, primary_key=True),
        sa.Column("turn", sa.Text, primary_key=True),
        sa.Column("pending", sa.Text, nullable=False),
    )
