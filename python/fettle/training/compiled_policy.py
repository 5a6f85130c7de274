"""The options that the program was compiled with, checked against the script's.

An option acts in the program, so that one which the program was not compiled with has no effect.
The log's header tells what it was compiled with (docs/formats.md, section 2).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from fettle.training.code_variant import CodeVariant
from fettle.training.program import ProgramError

Option: TypeAlias = bool | str | int

_OPTIONS = (
    "constraints",
    "parallel_feature_evaluation",
    "parallel_constraint_evaluation",
    "async_feature_eval",
    "on_constraint_failure",
    "on_infinite_metric",
    "outside_region",
    "larger_is_better",
    "strict",
)
# What a program without these options does.
_MISSING: dict[str, Option] = {
    "monitor": 0,
    "on_unexpected": "report",
    "meters": "",
    "frequency": False,
    "sets_clocks": False,
    "check_every": 1000,
}


def options_of(function: CodeVariant) -> dict[str, Option]:
    """What the script wants of the compiled policy; `header`: it has to be the generated one."""
    wanted: dict[str, Option] = {option: getattr(function, option) for option in _OPTIONS}
    wanted["metric"] = "elapsed" if function.metric in ("elapsed", "events") else "returned"
    if function.embed_model:
        wanted["header"] = True
    if function.monitor:
        wanted |= {"monitor": function.monitor, "on_unexpected": function.on_unexpected}
    if function.meters:
        wanted["meters"] = " ".join(function.meters)
    if function.frequency is not None:
        wanted |= {"frequency": True, "sets_clocks": function.frequency.deploy}
    if function.check_every != _MISSING["check_every"]:
        wanted["check_every"] = function.check_every
    return wanted


def check_policy(
    function: str, wanted: Mapping[str, Option], compiled: Mapping[str, object]
) -> None:
    """Raises ProgramError where the program was compiled with other options than the script's.

    A program of an earlier release, which does not tell its options, passes.
    """
    if not compiled:
        return
    differ = [
        option
        for option, value in wanted.items()
        if compiled.get(option, _MISSING.get(option, value)) != value
    ]
    if not differ:
        return
    if differ == ["header"]:
        what = "embed_model=True"
        found = "was compiled without the header that holds the model"
    else:
        named = [option for option in differ if option != "header"]
        what = ", ".join(f"{option}={wanted[option]!r}" for option in named)
        found = "was compiled with " + ", ".join(
            f"{option}={compiled.get(option, _MISSING.get(option))!r}" for option in named
        )
    raise ProgramError(
        f"{function!r}: the script says {what}, the program {found}, so that the script's options "
        "have no effect. Include the header that the tuner writes before the function is declared: "
        '#include "fettle_config.hpp" (behind #if __has_include("fettle_config.hpp"), so that the '
        "program compiles without it, too), and build with its folder among the include folders"
    )
