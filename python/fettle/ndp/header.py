"""The part of the policy header that holds tuned computations: their candidates in C++.

`fettle.training.policy_header` writes the file and puts into it one specialisation of
`fettle::ndp::tuned_computation` for each of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fettle.core.cpp_names import cpp_text
from fettle.core.errors import FettleError
from fettle.ndp.base.computation import Computation
from fettle.ndp.candidate import Candidate
from fettle.ndp.platforms import platform_named

DEFAULT = "default"  # the variant before all candidates: the platform's default rule

# How wrong a result is (include/fettle/ndp/tuned/error_measures.hpp); the last is the program's.
QUALITIES = ("relative_norm", "largest_relative", "mean_relative", "own")


@dataclass(frozen=True)
class ErrorBound:
    """The largest error of approximate candidates, and how it is measured."""

    bound: float
    quality: str = QUALITIES[0]

    def members(self, name: str) -> list[str]:
        """What a computation of this name has of it."""
        own = f"quality_of<{cpp_text(name)}>"
        return [
            f"  using quality = fettle::ndp::{own if self.quality == 'own' else self.quality};",
            f"  static constexpr double bound = {float(self.bound)!r};",
        ]


@dataclass(frozen=True)
class TunedComputation:
    """A computation and the candidates to compile in."""

    computation: Computation
    candidates: tuple[Candidate, ...]
    command: str  # that tunes it again, for the message where the program has changed since
    errors: ErrorBound | None = None  # of candidates with knobs; None: there are none

    @property
    def variants(self) -> tuple[str, ...]:
        """The names of the function's variants."""
        return (DEFAULT, *(candidate.text for candidate in self.candidates))

    def specialisation(self, identifier: str) -> str:
        """What the header has of it; `identifier` names the policy of its function.

        Raises FettleError for a computation without a name.
        """
        its = self.computation
        if its.name is None:
            raise FettleError(
                f"{its.title} has no name by which its tuned form could be found: write "
                'execute<"name">(...)'
            )
        stale = (
            f"{its.name} is no longer the computation that was tuned; tune it again: {self.command}"
        )
        guard = platform_named(its.platform).compiling.guard
        text = "\n".join(
            [
                "template <>",
                f"struct {specialised(its)} {{",
                f"  using tuning_policy = fettle::tuning_policies::{identifier};",
                f"  using candidates = fettle::ndp::candidate_list<{_types(self.candidates)}>;",
                *(() if self.errors is None else self.errors.members(its.name)),
                "  template <typename E>",
                "  static constexpr void check() {",
                f"    static_assert(fettle::ndp::signature_v<E> == {cpp_text(its.signature)},",
                f"                  {cpp_text(stale)});",
                "  }",
                "};",
                "",
            ]
        )
        return f"#ifdef {guard}\n{text}#endif\n" if guard else text


@dataclass(frozen=True)
class TunedProgram:
    """A program, and the variants of it that may be chosen: what is fused in it."""

    computation: Computation
    variants: tuple[str, ...]  # "default" not among them

    def specialisation(self, identifier: str) -> str:
        """What the header has of it; `identifier` names the policy of its function."""
        its = self.computation
        listed = ", ".join(map(cpp_text, self.variants))
        guard = platform_named(its.platform).compiling.guard
        text = "\n".join(
            [
                "template <>",
                f"struct {specialised(its)} {{",
                f"  using tuning_policy = fettle::tuning_policies::{identifier};",
                f"  static constexpr std::array<std::string_view, {len(self.variants)}> "
                f"variants{{{listed}}};",
                "};",
                "",
            ]
        )
        return f"#ifdef {guard}\n{text}#endif\n" if guard else text


def specialised(its: Computation) -> str:
    """The name of the type that a header specialises for a computation."""
    kind = "program" if its.is_program else "computation"
    return (
        f"fettle::ndp::tuned_{kind}<{cpp_text(str(its.name))}, "
        f"fettle::ndp::platform::{its.platform}>"
    )


def _types(candidates: Sequence[Candidate]) -> str:
    return ",".join(f"\n      {candidate.cpp}" for candidate in candidates)
