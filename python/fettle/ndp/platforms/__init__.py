"""The platforms: each is a file of this folder, which holds one object, `PLATFORM`.

A file whose name begins with an underscore is part of one platform, or of several. Modules are
imported when their platform is asked for.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from fettle.core.errors import FettleError
from fettle.ndp.base.platform import Platform


@cache
def platform_names() -> tuple[str, ...]:
    """The names of all platforms."""
    names = (module.name for module in pkgutil.iter_modules(__path__))
    return tuple(sorted(name for name in names if not name.startswith("_")))


@cache
def platform_named(name: str) -> Platform:
    """The platform of a name. Raises FettleError where there is none."""
    if name not in platform_names():
        raise FettleError(f"there is no platform {name!r}; use {' or '.join(platform_names())}")
    platform = importlib.import_module(f"{__name__}.{name}").PLATFORM
    assert isinstance(platform, Platform)
    return platform
