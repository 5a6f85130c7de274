"""The command `fettle`: each module in COMMAND_MODULES adds its commands to one parser.

A command module has `add_commands(commands)`, which adds argparse subparsers and sets on each the
default `run`, a function from the parsed arguments to the exit status.
"""

import argparse
import errno
import importlib
import io
import os
import sys
from collections.abc import Sequence

from fettle.cli.parser import Parser
from fettle.core.errors import FettleError
from fettle.core.version import __version__
from fettle.store.address import without_password

COMMAND_MODULES = (
    "fettle.cli.tune_commands",
    "fettle.cli.ndp_commands",
    "fettle.cli.train_command",
    "fettle.cli.evaluate_command",
    "fettle.cli.predict_command",
    "fettle.cli.show_commands",
    "fettle.cli.export_command",
    "fettle.cli.store_commands",
    "fettle.cli.machine_command",
    "fettle.cli.search_commands",
    "fettle.cli.doctor",
)

# Of memory, processes, open files.
_SHORTAGES = (errno.ENOMEM, errno.EAGAIN, errno.EMFILE, errno.ENFILE)


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    top = Parser(prog="fettle", description="Tune C++ code variants.")
    top.add_argument("--version", action="version", version=f"fettle {__version__}")
    commands = top.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for name in COMMAND_MODULES:
        importlib.import_module(name).add_commands(commands)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; what the user can mend is one line on stderr and status 2.

    The status is 130 after an interruption, and 141 if the reader of the output has closed it
    (`fettle show DIR | head`), as of programs that end by SIGINT and SIGPIPE.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a file's name may be of any bytes
    words = sys.argv[1:] if arguments is None else list(arguments)
    options = parser().parse_args(words)
    options.words = [without_password(word) for word in words]  # they are kept in headers
    try:
        status: int = options.run(options)
        sys.stdout.flush()  # a write error is reported here, not when the interpreter ends
        return status
    except BrokenPipeError:
        _discard_output()
        return 141
    except OSError as error:
        if error.errno == errno.ENOSPC:
            if error.filename is None:
                _discard_output()
            target = error.filename or "the output"
            message = f"cannot write {target}: {error.strerror}; make room there"
        elif error.filename is not None:
            message = f"{error.filename}: {error.strerror}; check the path and its permissions"
        elif error.errno in _SHORTAGES:
            message = f"the machine cannot do more at present ({error.strerror}); run this again"
        elif error.errno == errno.ENOENT and _directory_is_gone():
            message = "the current directory was removed; change into one that is there"
        else:
            raise
        print(f"fettle: {message}", file=sys.stderr)
        return 2
    except FettleError as error:
        print(f"fettle: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("fettle: interrupted", file=sys.stderr)
        return 130


def _directory_is_gone() -> bool:
    try:
        os.getcwd()  # noqa: PTH109 (what Path.cwd() calls)
    except FileNotFoundError:
        return True
    return False


def _discard_output() -> None:
    """Send what is left of the output nowhere: it can be written no more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
