"""Texts and names as C++ writes them, in generated headers."""

from __future__ import annotations

import re

from fettle.core.errors import FettleError

# A policy's struct is named like its function; these cannot name one: keywords, and the members of
# the struct itself and of an embedded model's.
_KEYWORDS = """
    alignas alignof and asm auto bitand bitor bool break case catch char class compl concept
    const constexpr continue decltype default delete do double else enum explicit export extern
    false float for friend goto if inline int long mutable namespace new noexcept not nullptr
    operator or private protected public register requires return short signed sizeof static
    struct switch template this throw true try typedef typeid typename union unsigned using
    virtual void volatile while xor
"""

_MEMBERS = """
    name variant_count constraints parallel_feature_evaluation parallel_constraint_evaluation
    async_feature_eval on_constraint_failure on_infinite_metric outside_region metric
    larger_is_better strict model_directory evaluation embedded_model function classifier
    default_variant variants features inputs provenance guard tables
"""


def cpp_text(text: str) -> str:
    """A C++ string literal; what is not printable stands in it byte by byte."""
    plain = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else _octal(c) for c in plain) + '"'


def _octal(character: str) -> str:
    return "".join(f"\\{byte:03o}" for byte in character.encode(errors="surrogateescape"))


def identifier_of(name: str) -> str:
    """The C++ name of a function's policy. Raises FettleError where it has none."""
    identifier = re.sub(r"\W", "_", name, flags=re.ASCII)
    taken = identifier in _KEYWORDS.split() or identifier in _MEMBERS.split()
    if not identifier or identifier[0].isdigit() or taken:
        raise FettleError(
            f"{name!r} cannot name a C++ policy (fettle::tuning_policies::{identifier}); give the "
            "function a name that is an identifier, no keyword and no name of an option"
        )
    return identifier


def model_header_name(name: str) -> str:
    """The file name of a function's embedded model, beside the policy header."""
    return f"{identifier_of(name)}_model.hpp"
