"""A stand-in for a program built with Fettle: writes training logs, does what its input says.

Each input file says in JSON what the calls on it do:
{"calls": [{"features": {"n": 3}, "variants": {"a": 1e-3, "b": "crash"}}], "end": "crash"}
A variant is a metric (a number), a metric and whether its output is the default's bit by bit
([1e-3, true]), or crash, hang, slow (half a second), throw, wrong, exclude, "constraint threw: no",
exit, quiet (no sample).
A feature is its value (a number), or a text: why it has none.
Calls with an "until" wait, in their first run, for a file of that name beside the program.
Functions that it names as "also" do the same. A build of it may offer "now": factors of variants'
metrics, or what they do instead, and "feature": a factor of all features' values; an "old" one
knows no comparison.
Asked to compare, it runs what the models choose, which have to be trees; "compare" in a call says
what a contender does instead: {"candidate": "crash"}.
The program notes each start and each run of a variant in runs.txt beside itself.
"""

from __future__ import annotations

import fcntl
import marshal
import stat
import sys
from functools import cache
from pathlib import Path

_PROGRAM = r"""
# Built-in modules only: a test starts hundreds of these, and json, pathlib and urllib take twice as
# long to import as the interpreter to start.
import _json, fcntl, gc, math, os, sys, time

gc.disable()
here = os.path.dirname(os.path.realpath(__file__))
alive = open(here + "/alive", "w")  # locked for as long as this process lives
fcntl.flock(alive, fcntl.LOCK_SH)
request = dict(part.split("=", 1) for part in os.environ.get("FETTLE_TRAINING", "").split())

def unquote(text):
    first, *quoted = os.fsencode(text).split(b"%")
    decoded = first + b"".join(bytes.fromhex(q[:2].decode()) + q[2:] for q in quoted)
    return decoded.decode(errors="replace")

def read(path):
    with open(path) as file:
        return file.read()

def of_json(text):
    words = {"true": True, "false": False, "null": None, "NaN": math.nan, "Infinity": math.inf}
    return eval(text, words)

def to_json(value):
    if isinstance(value, dict):
        fields = (f"{to_json(key)}: {to_json(its)}" for key, its in value.items())
        return "{" + ", ".join(fields) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(to_json, value)) + "]"
    if isinstance(value, str):
        return _json.encode_basestring_ascii(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if value != value:
        return "NaN"
    return repr(value) if abs(value) < math.inf else "Infinity" if value > 0 else "-Infinity"

def log(**fields):
    with open(os.environ["FETTLE_TRAINING_LOG"], "a") as file:
        file.write(to_json(fields) + "\n")

def note(*words):
    with open(here + "/runs.txt", "a", errors="backslashreplace") as file:
        file.write(" ".join(map(str, words)) + "\n")

def choice(directory, values):
    facts = [line.split() for line in read(directory + "/model.txt").splitlines()]
    def line(key):
        return [unquote(word) for word in next(its[1:] for its in facts if its[0] == key)]
    shown = []
    for _, transform, *names, low, high in (its for its in facts if its[0] == "input"):
        f, *g = (values[unquote(name)] for name in names)
        if "log" in transform and min(f, *g, f) <= 0:
            return line("default")[0]
        known = {"linear": f, "log": math.log(max(f, 1e-9)), "root_fraction": math.sqrt(abs(f)) % 1}
        if g and g[0] != 0:
            known |= {"ratio": f / g[0], "fraction": f / g[0] % 1}
            known["log_ratio"] = math.log(max(f / g[0], 1e-9))
        value, low, high, guard = known[transform], float(low), float(high), line("guard")[0]
        room = float(guard) * (high - low or max(1, abs(low))) if guard != "none" else math.inf
        if not low - room <= value <= high + room:
            return line("default")[0]
        shown.append(value)
    _, _, *rest = read(directory + "/" + line("predictor")[0]).splitlines()
    trees, costs = [], []
    for kind, *words in map(str.split, rest):
        if kind == "tree":
            trees.append([])
        else:
            trees[-1].append((kind, *map(float, words)))
    for nodes in trees:
        node = nodes[0]
        while node[0] == "split":
            node = nodes[int(node[3 if shown[int(node[1])] <= node[2] else 4])]
        costs.append(node[1:])
    sums = [sum(of) for of in zip(*costs)]
    return line("variants")[sums.index(min(sums))]

def limit(what):
    return {"hang": 1.0, "slow": 0.1}.get(str(what), 600.0)

def run(number, variant, what, bits=None, samples=2):
    if what == "crash":
        os.kill(os.getpid(), 11)  # SIGSEGV
    elif what == "hang":
        while True:
            time.sleep(1)
    elif what == "slow":
        time.sleep(0.5)
        log(call=number, variant=variant, event="sample", metric=[0.5])
    elif what == "exit":
        print("the variant gave up", flush=True)
        sys.exit(3)
    elif what == "throw":
        log(call=number, variant=variant, event="failed", reason="exception: bad luck")
    elif what == "wrong":
        log(call=number, variant=variant, event="failed", reason="wrong result")
    else:
        metric = what if isinstance(what, list) else [what] * samples
        fields = {} if bits is None else {"bitwise": bits}
        log(call=number, variant=variant, event="sample", metric=metric, **fields)

def contenders():
    return {"default": None} | {
        name: unquote(request[name]) for name in ("deployed", "candidate") if name in request
    }

def compare(number, call, values):
    for name, directory in contenders().items():
        chosen = OFFER["variants"][0] if directory is None else choice(directory, values)
        if call["variants"].get(chosen) == "exclude":
            chosen = OFFER["variants"][0]
        what = call["variants"].get(chosen, 1.0)
        what = call.get("compare", {}).get(name, what[0] if isinstance(what, list) else what)
        log(call=number, variant=name, event="start", limit_s=limit(what))
        note("compare", name, chosen, request["input"])
        run(number, name, what, samples=3)
    log(call=number, event="end", outcome="budget", best="")

def measure(number, call):
    skip = request.get("skip", "").split(",") if number == int(request["first_call"]) else []
    for variant in OFFER["variants"]:
        if variant in [unquote(name) for name in skip]:
            continue
        what, now = call["variants"].get(variant, 1.0), OFFER.get("now", {}).get(variant, 1.0)
        what, bits = what if isinstance(what, list) else (what, None)
        what = now if isinstance(now, str) else what if isinstance(what, str) else now * what
        if what in ("exclude", "constraint threw: no"):
            reason = "constraint failed" if what == "exclude" else what
            log(call=number, variant=variant, event="excluded", reason=reason)
            continue
        if what == "quiet":
            continue
        log(call=number, variant=variant, event="start", limit_s=limit(what))
        note("run", variant, request["input"])
        if "profiler" in request and what != "crash":
            log(call=number, variant=variant, event="measured")
            continue
        while not os.path.exists(here + "/" + call.get("until", ".")):
            time.sleep(0.01)
        run(number, variant, what, bits)
    log(call=number, event="end", outcome="settled", best="")

def main():
    mode = request.get("mode", "measure")
    note("start", mode, request.get("first_call"), request.get("skip", ""), *sys.argv[1:])
    told = of_json(read(os.path.join(here, sys.argv[1])))
    if told.get("begin") == "crash":
        print("cannot read the input", flush=True)
        os.kill(os.getpid(), 6)  # SIGABRT
    if told.get("begin") == "hang":
        time.sleep(60)
    function = unquote(request.get("function", ""))
    if not request or function not in (OFFER["function"], *OFFER.get("also", ())):
        return 0
    header = {"fettle_log": 1, "unit": "s", "larger_is_better": False}
    header["default"] = OFFER["variants"][0]
    offer = OFFER | {"function": function}
    if mode == "compare" and not OFFER.get("old"):
        offer |= {"variants": [*contenders()]}
    log(**{**header, "machine": {"processor": "test", "cores": 1}, "program": __file__, **offer})
    if told.get("garbage"):
        with open(os.environ["FETTLE_TRAINING_LOG"], "a") as file:
            file.write("Iteration 1 of 100\n")
    if told.get("misuse"):
        log(event="error", reason="move-only argument without set_reset")
    for number, call in enumerate(told["calls"]):
        if not int(request.get("first_call", 0)) <= number < int(request.get("max_calls", 64)):
            continue
        factor = OFFER.get("feature", 1)
        values = {name: call["features"][name] for name in OFFER["features"]}
        problems = {name: value for name, value in values.items() if isinstance(value, str)}
        values = {
            name: "nan" if name in problems else factor * value for name, value in values.items()
        }
        more = {"feature_problems": problems} if problems else {}
        log(call=number, input=unquote(request["input"]), features=values,
            feature_ns={name: 1000.0 + os.getpid() % 97 / 97 for name in values}, **more)
        if mode == "measure" and not problems:
            measure(number, call)
        elif mode == "compare":
            compare(number, call, values)
    if told.get("end") == "crash":
        os.kill(os.getpid(), 11)  # SIGSEGV
    return told.get("exit", 0)

sys.exit(main())
"""


@cache
def _compiled() -> bytes:
    """The program's bytecode: to compile it would take a sixth of a start."""
    return marshal.dumps(compile(_PROGRAM, "app", "exec"))


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
        run = f"import marshal\nOFFER = {self.offer!r}\nexec(marshal.loads({_compiled()!r}))\n"
        self.path.write_text(f"#!{sys.executable} -IS\n{run}")
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
