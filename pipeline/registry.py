"""The dimensions of a deployment: those that ship, with those of its own file."""

from ..schemas.dimensions import Registry, default_registry
from .errors import SettingsError
from .settings import Settings


def registry_of(settings: Settings) -> Registry:
    """The registry that the settings name.

    Raises:
        SettingsError: If its file cannot be read, or does not describe dimensions.
    """
    path = settings.registry
    if path is None:
        return default_registry()
    try:
        return default_registry().extended(path.read_text("utf-8"))
    except (OSError, ValueError, TypeError) as error:
        allowed = f"a TOML file of dimensions: {' '.join(str(error).split())}"
        raise SettingsError(
            key="registry", origin=f"registry {str(path)!r}", allowed=allowed
        ) from error
