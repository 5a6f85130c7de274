"""The errors that Fettle raises for what a user did or gave."""


class FettleError(Exception):
    """Something the user can mend: the message names the thing, the place and the remedy.

    The command line prints it as one line and exits with status 2.
    """
