"""A stand-in for a program built with Fettle: writes training logs, does what it is told.

Each input file says in JSON what the calls on it do:
{"calls": [{"features": {"n": 3}, "variants": {"a": 1e-3, "b": "crash"}}], "end": "crash"}
A variant is a metric (a number), or crash, hang, throw, wrong, exclude, exit, quiet (no sample).
Calls with an "until" wait, in their first run, for a file of that name beside the program.
The program notes each start and each run of a variant in runs.txt beside itself.
"""

from __future__ import annotations

import fcntl
import stat
import sys
from pathlib import Path

_PROGRAM = r"""
import fcntl, json, os, signal, sys, time
from pathlib import Path
from urllib.parse import unquote

OFFER = @OFFER@
here = Path(__file__).resolve().parent
alive = open(here / "alive", "w")  # locked for as long as this process lives
fcntl.flock(alive, fcntl.LOCK_SH)
request = dict(part.split("=", 1) for part in os.environ.get("FETTLE_TRAINING", "").split())

def note(*words):
    with open(here / "runs.txt", "a") as file:
        file.write(" ".join(map(str, words)) + "\n")

def log(**fields):
    with open(os.environ["FETTLE_TRAINING_LOG"], "a") as file:
        file.write(json.dumps(fields) + "\n")

def measure(number, call):
    skip = request.get("skip", "").split(",") if number == int(request["first_call"]) else []
    for variant in OFFER["variants"]:
        if variant in [unquote(name) for name in skip]:
            continue
        what = call["variants"].get(variant, 1.0)
        if what == "exclude":
            log(call=number, variant=variant, event="excluded", reason="constraint failed")
            continue
        if what == "quiet":
            continue
        log(call=number, variant=variant, event="start", limit_s=1.0 if what == "hang" else 600.0)
        note("run", variant, request["input"])
        while not (here / call.get("until", ".")).exists():
            time.sleep(0.01)
        if what == "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        elif what == "hang":
            time.sleep(60)
        elif what == "exit":
            print("the variant gave up", flush=True)
            sys.exit(3)
        elif what == "throw":
            log(call=number, variant=variant, event="failed", reason="exception: bad luck")
        elif what == "wrong":
            log(call=number, variant=variant, event="failed", reason="wrong result")
        else:
            log(call=number, variant=variant, event="sample", metric=[what, what])
    log(call=number, event="end", outcome="settled", best="")

def main():
    mode = request.get("mode", "measure")
    note("start", mode, request.get("first_call"), request.get("skip", ""), *sys.argv[1:])
    told = json.loads((here / sys.argv[1]).read_text())
    if told.get("begin") == "crash":
        print("cannot read the input", flush=True)
        os.kill(os.getpid(), signal.SIGABRT)
    if told.get("begin") == "hang":
        time.sleep(60)
    if not request or unquote(request["function"]) != OFFER["function"]:
        return 0
    header = {"fettle_log": 1, "unit": "s", "larger_is_better": False}
    header["default"] = OFFER["variants"][0]
    log(**{**header, "machine": {"processor": "test", "cores": 1}, "program": __file__, **OFFER})
    if told.get("garbage"):
        with open(os.environ["FETTLE_TRAINING_LOG"], "a") as file:
            file.write("Iteration 1 of 100\n")
    if told.get("misuse"):
        log(event="error", reason="move-only argument without set_reset")
    for number, call in enumerate(told["calls"]):
        if not int(request.get("first_call", 0)) <= number < int(request.get("max_calls", 64)):
            continue
        values = {name: call["features"][name] for name in OFFER["features"]}
        log(call=number, input=unquote(request["input"]), features=values,
            feature_ns={name: 1000.0 for name in values})
        if mode == "measure":
            measure(number, call)
    if told.get("end") == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    return told.get("exit", 0)

sys.exit(main())
"""


class StandIn:
    """A program in `folder`, and its inputs."""

    def __init__(self, folder: Path, *, name: str = "app", **offer: object) -> None:
        self.folder = folder
        self.path = folder / name
        self.offer: dict[str, object] = {"function": "f", "variants": ["a", "b"], "features": ["n"]}
        self.change(**offer)

    def change(self, **offer: object) -> None:
        """Another build of the program: offers something else."""
        self.offer.update(offer)
        text = f"#!{sys.executable} -IS\n" + _PROGRAM.replace("@OFFER@", repr(self.offer))
        self.path.write_text(text)
        self.path.chmod(self.path.stat().st_mode | stat.S_IXUSR)

    @property
    def running(self) -> bool:
        """Whether a process of the program lives, in whatever session."""
        with (self.folder / "alive").open("a") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return True
        return False

    def runs(self, what: str = "run") -> list[str]:
        """The runs of variants (or the starts, with "start") so far, each "variant input"."""
        notes = self.folder / "runs.txt"
        lines = notes.read_text().splitlines() if notes.exists() else []
        return [line.partition(" ")[2] for line in lines if line.startswith(f"{what} ")]
