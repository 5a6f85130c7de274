"""The parser of the command line: values that begin with a dash, and what a wrong word may mean."""

from __future__ import annotations

import argparse
import difflib
import re
from collections.abc import Sequence
from typing import Any, NoReturn

LONGEST_USAGE = 4  # lines, behind which an error is still seen


class Parser(argparse.ArgumentParser):
    """As argparse's, but `--flags -Iinclude` is an option with its value, and errors suggest."""

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[Any, list[str]]:
        """Parses; an option that is unknown is an error here, where the known ones are."""
        words = None if args is None else self._joined(list(args))
        found, rest = super().parse_known_args(words, namespace)
        for word in rest:
            if word.startswith("--") and word != "--":
                name = word.partition("=")[0]
                self.error(f"unknown option {name}{did_you_mean(name, self.options())}")
        return found, rest

    def options(self) -> list[str]:
        """The long options of this command."""
        return [name for name in self._option_string_actions if name.startswith("--")]

    def error(self, message: str) -> NoReturn:
        """Ends with status 2; names the command that a misspelt one may have meant.

        A usage of many lines is left out: the message says how to see it.
        """
        wrong = re.match(r"argument .*invalid choice: '(.*?)' \(choose from (.*)\)", message)
        if wrong:
            known = [word.strip(" '") for word in wrong[2].split(",")]
            message += did_you_mean(wrong[1], known)
        if self.format_usage().count("\n") > LONGEST_USAGE:
            self.exit(2, f"{self.prog}: error: {message}\n{self.prog} --help shows its options\n")
        super().error(message)

    def _joined(self, words: list[str]) -> list[str]:
        """The words, a value that begins with a dash behind its option: --flags=-Iinclude."""
        found: list[str] = []
        while words:
            word = words.pop(0)
            action = self._option_string_actions.get(word)
            takes_one = action is not None and type(action) is argparse._StoreAction
            if takes_one and action is not None and action.nargs is None and words:
                is_value = words[0].startswith("-") and not self._is_option(words[0])
                if is_value and word.startswith("--"):
                    word = f"{word}={words.pop(0)}"
            found.append(word)
        return found

    def _is_option(self, word: str) -> bool:
        return word == "--" or word.partition("=")[0] in self._option_string_actions


def did_you_mean(word: str, known: Sequence[str]) -> str:
    """ ": did you mean NAME?", where a known word is like the one given."""
    near = difflib.get_close_matches(word, known, n=1)
    return f": did you mean {near[0]}?" if near else ""
