"""The errors that Fettle raises for what a user did or gave."""

MALFORMED = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    RecursionError,
    OverflowError,
)
"""What reading data of another form than expected raises: json.loads, int and float included."""


class FettleError(Exception):
    """Something the user can mend: the message names the thing, the place and the remedy.

    The command line prints it as one line and exits with status 2.
    """
