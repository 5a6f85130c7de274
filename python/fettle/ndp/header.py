"""The part of the policy header that holds tuned computations: their candidates in C++.

`fettle.policy_header` writes the file; this writes one specialisation of
`fettle::ndp::tuned_computation` for each of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fettle.core.errors import FettleError
from fettle.ndp.base.computation import Computation
from fettle.ndp.candidate import Candidate
from fettle.ndp.platforms import platform_named, platform_names

INCLUDE = "#include <fettle/ndp/tuned.hpp>"

DEFAULT = "default"  # the variant before all candidates: the platform's default rule

_SPECIALISATION = re.compile(
    r"^template <>\nstruct fettle::ndp::tuned_computation<"
    r'"(?:[^"\\]|\\.)*", fettle::ndp::platform::(\w+)> \{\n'
    r"  using tuning_policy = fettle::tuning_policies::(\w+);\n.*?^\};\n",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class TunedComputation:
    """A computation and the candidates to compile in."""

    computation: Computation
    candidates: tuple[Candidate, ...]
    command: str  # that tunes it again, for the message where the program has changed since

    @property
    def variants(self) -> tuple[str, ...]:
        """The names of the function's variants."""
        return (DEFAULT, *(candidate.text for candidate in self.candidates))


def specialisations(
    computations: Iterable[tuple[str, TunedComputation]], existing: str = ""
) -> str:
    """All specialisations, by the identifiers of their functions' policies.

    Those of other functions in `existing`, the header's text so far, are kept.
    """
    kept = {match[2]: (match[1], match[0]) for match in _SPECIALISATION.finditer(existing)}
    for identifier, tuned in computations:
        kept[identifier] = (tuned.computation.platform, _specialisation(identifier, tuned))
    return "".join(
        f"#ifdef {guard}\n{text}#endif\n" if (guard := _guard(platform)) else text
        for platform, text in kept.values()
    )


def _guard(platform: str) -> str:
    """The macro around what only the compiler of a platform can read; empty where there is none."""
    return platform_named(platform).compiling.guard if platform in platform_names() else ""


def _specialisation(identifier: str, tuned: TunedComputation) -> str:
    its = tuned.computation
    if its.name is None:
        raise FettleError(
            f"{its.title} has no name by which its tuned form could be found: write "
            'execute<"name">(...)'
        )
    stale = (
        f"{its.name} is no longer the computation that was tuned; tune it again: {tuned.command}"
    )
    return "\n".join(
        [
            "template <>",
            f"struct fettle::ndp::tuned_computation<{cpp_text(its.name)}, "
            f"fettle::ndp::platform::{its.platform}> {{",
            f"  using tuning_policy = fettle::tuning_policies::{identifier};",
            f"  using candidates = fettle::ndp::candidate_list<{_types(tuned.candidates)}>;",
            "  template <typename E>",
            "  static constexpr void check() {",
            f"    static_assert(fettle::ndp::signature_v<E> == {cpp_text(its.signature)},",
            f"                  {cpp_text(stale)});",
            "  }",
            "};",
            "",
        ]
    )


def _types(candidates: Sequence[Candidate]) -> str:
    return ",".join(f"\n      {candidate.cpp}" for candidate in candidates)


def cpp_text(text: str) -> str:
    """A C++ string literal; what is not printable stands in it byte by byte."""
    plain = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else _octal(c) for c in plain) + '"'


def _octal(character: str) -> str:
    return "".join(f"\\{byte:03o}" for byte in character.encode(errors="surrogateescape"))
