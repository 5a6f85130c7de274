"""Checks what a program registers against what the tuning script says of it."""

from __future__ import annotations

from collections.abc import Set

from fettle.core.wording import counted
from fettle.search.variant_space import family_of, offered_spaces
from fettle.store.subject import Offer
from fettle.training.program import ProgramError


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
