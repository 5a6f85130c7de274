"""What a program offers, as the header of its training log tells, and whether it is what the script
wants: the function, its policy's options, the variants it states.
"""

from __future__ import annotations

from collections.abc import Mapping, Set

from fettle.core.wording import counted, printable
from fettle.search.variant_space import family_of, offered_spaces
from fettle.store.subject import Offer
from fettle.training.compiled_policy import Option, check_policy
from fettle.training.program import ProgramError
from fettle.training.record import Header
from fettle.training.record_parser import is_name


def offer_of(
    header: Header, function: str, options: Mapping[str, Option], *, returns_seconds: bool
) -> Offer:
    """What the program offers. Raises ProgramError where the function cannot be trained with it.

    `options` are those that the program has to be compiled with. With `returns_seconds` what its
    variants return is a time.
    """
    if header.function != function:
        raise ProgramError(
            f"the program was asked to train {function!r} but trains {header.function!r}"
        )
    check_policy(function, options, header.policy)
    for what, names in (("variant", header.variants), ("feature", header.features)):
        for name in names:
            _check_name(function, what, name)
    return Offer(
        variants=header.variants,
        features=header.features,
        default=header.default,
        unit="s" if returns_seconds else header.unit,
        larger_is_better=header.larger_is_better,
        machine=header.machine,
        parameters=header.parameters,
        versions=header.versions,
        metrics=header.metrics,
        quality=header.quality,
    )


def _check_name(function: str, what: str, name: str) -> None:
    """Raises ProgramError for a name that the text formats cannot hold (docs/formats.md)."""
    if not is_name(name):
        raise ProgramError(
            f"{function!r} has a {what} whose name is not UTF-8 text without control characters: "
            f"'{printable(name)}'; give it another name, or save the program's source in UTF-8"
        )


def check_variants(
    function: str,
    offer: Offer,
    stated: int | tuple[str, ...] | None,
    allow_failures: Set[str] = frozenset(),
) -> None:
    """Raises ProgramError where the program does not register what the script states.

    `stated` is the number of variants, their names, or None: nothing is stated. A variant with
    parameters counts by its name, without its points. `allow_failures` has to name registered ones.
    """
    spaces = offered_spaces(offer.parameters)
    registered = [family_of(name, spaces) for name in offer.variants]
    if isinstance(stated, tuple):
        agrees, said = set(stated) == set(registered), f"the variants {', '.join(stated)}"
    else:
        agrees = stated in (None, len(offer.variants))
        said = "" if stated is None else counted(stated, "variant")
    if not agrees:
        raise ProgramError(
            f"the tuning script says that {function!r} has {said}, the program "
            f"registers {len(registered)}: {', '.join(registered)}"
        )
    unknown = sorted(allow_failures - set(registered))
    if unknown:
        raise ProgramError(
            f"allow_failures of {function!r} names {unknown[0]!r}, but the "
            f"program registers {', '.join(registered)}; correct the name"
        )
