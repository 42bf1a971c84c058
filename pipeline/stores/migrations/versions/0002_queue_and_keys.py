"""When a turn that waits is tried next, turns that are given up, and the keys of the service."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the columns of the queue and the table of keys."""
    op.add_column("pending", sa.Column("due", sa.BigInteger, nullable=False, server_default="0"))
    op.add_column(
        "pending", sa.Column("dead", sa.Boolean, nullable=False, server_default=sa.false())
    )
    op.create_index("pending_due", "pending", ["dead", "due"])
    op.create_table(
        "api_keys",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("tenant", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("created", sa.Text, nullable=False),
        sa.Column("revoked", sa.Text),
    )
