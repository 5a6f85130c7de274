"""A candidate: a schedule and a policy, one way to implement a computation on a platform."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fettle.core.errors import FettleError
from fettle.ndp.base.field import KNOBS, LEVELS, Value
from fettle.ndp.platforms import platform_named


@dataclass(frozen=True)
class Candidate:
    """A schedule in its text form and the policy's fields that differ from their defaults.

    Fields are named as in the policy's text form: "block_size_x", "1.grain_size", "2.resource".
    Those with their default value are left out and the rest is put in the policy's order, so that
    equal candidates compare equal.
    """

    platform: str
    schedule: str
    policy: Mapping[str, Value] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Checks the fields, and keeps those that say something."""
        fields = platform_named(self.platform).fields
        for name, value in self.policy.items():
            if name not in fields:
                raise FettleError(f"{self.platform} policy: there is no field {name!r}")
            if not fields[name].accepts(value):
                raise FettleError(f"{self.platform} policy: {name} cannot be {value!r}")
        kept = {
            name: self.policy[name]
            for name, known in fields.items()
            if self.policy.get(name, known.default) != known.default
        }
        object.__setattr__(self, "policy", kept)

    def __hash__(self) -> int:
        return hash((self.platform, self.text))

    @property
    def text(self) -> str:
        """The variant's name: "independent>cooperative block_size_x=128 2.resource=warp"."""
        return " ".join((self.schedule, *self._policy_words()))

    @property
    def is_approximate(self) -> bool:
        """Whether its policy sets a knob, so that its result may differ."""
        return any(one.name in self.policy for one in KNOBS)

    @property
    def policy_text(self) -> str:
        """The policy in its text form; empty where all fields have their defaults."""
        return " ".join(self._policy_words())

    @property
    def cpp(self) -> str:
        """The C++ type: `fettle::ndp::candidate<schedule, policy>`."""
        return f"fettle::ndp::candidate<{self.schedule_cpp}, {self.policy_cpp}>"

    @property
    def schedule_cpp(self) -> str:
        """The schedule as a C++ type."""
        text = ""
        for kind in reversed(self.schedule.split(">")):
            text = f"fettle::ndp::schedule::{kind}<{text}>"
        return text

    @property
    def policy_cpp(self) -> str:
        """The policy as a C++ value."""
        outer = [
            f".{known.name} = {known.cpp(self.policy[known.name], self.platform)}"
            for known in platform_named(self.platform).global_fields
            if known.name in self.policy
        ]
        levels = [self._level_cpp(level) for level in range(1, LEVELS + 1)]
        while levels and levels[-1] == "{}":
            levels.pop()
        if levels:
            outer.append(f".level = {{{', '.join(levels)}}}")
        return f"fettle::ndp::{self.platform}::policy{{{', '.join(outer)}}}"

    def _level_cpp(self, level: int) -> str:
        parts = [
            f".{known.name} = {known.cpp(self.policy[name], self.platform)}"
            for known in platform_named(self.platform).level_fields
            if (name := f"{level}.{known.name}") in self.policy
        ]
        return f"{{{', '.join(parts)}}}"

    def _policy_words(self) -> list[str]:
        fields = platform_named(self.platform).fields
        return [f"{name}={fields[name].text(value)}" for name, value in self.policy.items()]


def read_candidate(platform: str, text: str) -> Candidate:
    """The candidate of a variant's name. Raises FettleError where it is none's."""
    schedule, *words = text.split()
    fields = platform_named(platform).fields
    policy: dict[str, Value] = {}
    for word in words:
        name, equals, spelled = word.partition("=")
        value = fields[name].parse(spelled) if name in fields and equals else None
        if value is None:
            raise FettleError(f"{text!r} names no candidate on {platform}: {word!r} sets no field")
        policy[name] = value
    return Candidate(platform, schedule, policy)
