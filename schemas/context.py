"""Where a turn is said or a reply is written: what the host knows of the moment."""

from collections.abc import Mapping

from pydantic import Field

from .base import Shape
from .scope import Scope


class Context(Shape):
    """The moment, as the host sees it; a field the host does not know stays unset.

    Attributes:
        conversation: The conversation this belongs to; rules "for this chat" end with it.
        task: The task in hand, where the host names tasks; rules "for this email" end with it.
        task_type: The kind of work in hand, as a slug: `email`, `technical-proposal`.
        project: Name of the project, if any.
        repository: Name of the repository, if any.
        workspace: Name of the workspace, channel or package, if any.
        cwd: The working directory; informative, matched by nothing.
        file: Path of the file in hand, for conditions such as `file:*.sql`.
        branch: Name of the branch in hand.
        audience: Who will read what is written.
        tags: Further kinds a deployment knows, each with its value.
    """

    conversation: str | None = None
    task: str | None = None
    task_type: str | None = None
    project: str | None = None
    repository: str | None = None
    workspace: str | None = None
    cwd: str | None = None
    file: str | None = None
    branch: str | None = None
    audience: str | None = None
    tags: Mapping[str, str] = Field(default_factory=dict)

    @property
    def scope(self) -> Scope:
        """The names of place that the context gives."""
        return Scope(project=self.project, repository=self.repository, workspace=self.workspace)
