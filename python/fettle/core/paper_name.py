"""The papers' names of a class, which are those of modules here: modules that are called."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class CalledModule(ModuleType):
    """A module that makes an object of the class `called` when it is called."""

    called: type[Any]

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """An object of the class."""
        return self.called(*arguments, **options)


def call_as(module: str, called: type[Any]) -> None:
    """Lets `from fettle import *` give a name that is a module's and, in the papers, a class's."""
    found = sys.modules[module]
    found.__class__ = CalledModule
    assert isinstance(found, CalledModule)
    found.called = called
