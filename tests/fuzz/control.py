"""Rows that write statements of control flow and assignments to names."""

from __future__ import annotations

from .kinds import BINARY, BOOL, FLOAT, INT, NAMES, Array, result
from .rows import family, row
from .scalars import join
from .writer import EVALUATIONS, Expr, Var, Writer

EXCEPTIONS = ("ValueError", "RuntimeError", "KeyError", "OverflowError", "ArithmeticError", "IndexError")


def _assignable(w: Writer) -> list[Var]:
    return w.scalars(lambda v: not v.counter)


@row("statement", "new scalar", "y = x + 1\nreturn y", weight=3)
def new_scalar(w: Writer) -> bool:
    with w.exact():
        e = w.scalar()
    name = w.fresh()
    w.emit(f"{name} = {e.text}")
    w.declare(name, e.type)
    return True


@row("statement", "assign scalar", "y = x\ny = 2.5\nreturn y", weight=2)
def assign_scalar(w: Writer) -> bool:
    some = _assignable(w)
    if not some:
        return False
    v = w.rng.choice(some)
    with w.exact():
        w.emit(f"{v.name} = {w.scalar(v.type).text}")
    return True


@row("statement", "annotated assignment", "y: float = x\nreturn y", weight=0.4)
def annotated(w: Writer) -> bool:
    with w.exact():
        e = w.scalar(w.choice(INT, FLOAT))
    name = w.fresh()
    w.emit(f"{name}: {'int' if e.type == INT else 'float'} = {e.text}")
    w.declare(name, e.type)
    return True


@row("statement", "chained assignment", "p = q = x\nreturn p + q", weight=0.5)
def chained_assignment(w: Writer) -> bool:
    with w.exact():
        e = w.scalar()
    names = w.fresh(), w.fresh()
    w.emit(f"{names[0]} = {names[1]} = {e.text}")
    for name in names:
        w.declare(name, e.type)
    return True


@row("statement", "walrus", "if (y := i) > 1:\n    x = 2.0\nreturn x + y", weight=0.5)
def walrus(w: Writer) -> bool:
    with w.exact():
        e = w.scalar()
    if e.type.kind == "c":
        return False
    name = w.fresh()
    w.emit(f"if ({name} := {e.text}) > {w.choice(0, 1, 2)}:")
    w.declare(name, e.type)
    with w.block():
        w.statements(1, 2)
    return True


@row("statement", "swap", "p = x\nq = 2.0\np, q = q, p\nreturn p", weight=0.5)
def swap(w: Writer) -> bool:
    some = _assignable(w)
    pairs = [(p, q) for p in some for q in some if p is not q and p.type == q.type]
    if not pairs:
        return False
    p, q = w.rng.choice(pairs)
    w.emit(f"{p.name}, {q.name} = {q.name}, {p.name}")
    return True


@family(
    "statement",
    "scalar {}=",
    [op for op in BINARY if op != "**"],
    lambda op: f"i {op}= 2\nreturn i",
    weight={"+": 4, "-": 3, "*": 3},
)
def augmented(w: Writer, op: str) -> bool:
    some = _assignable(w)
    if not some:
        return False
    v = w.rng.choice(some)
    with w.exact():
        b = w.scalar()
    if op in ("//", "%") and b.type.weak and w.chance(0.8):
        b = Expr("3", INT, 3)
    if op in ("<<", ">>"):
        b = Expr(str(w.rng.randint(0, 9)), INT, 1)
    b = w.fitting(b, v.type)
    if result(BINARY[op], v.type, b.type) != v.type:
        return False
    w.emit(f"{v.name} {op}= {b.text}")
    return True


@row("statement", "joined accumulator", "s = 0\nfor y in range(3):\n    s += x\nreturn s", table=(20, 46))
def accumulator(w: Writer) -> bool:
    """A sum that starts as a weak number and takes the type of what is added to it."""
    start = w.choice(INT, FLOAT)
    if w.turns * 5 > EVALUATIONS:
        return False
    name, counter = w.fresh("s"), w.fresh("i")
    w.scopes.append([])
    w.declare(counter, INT, counter=True)
    with w.exact():
        e = w.scalar()
    w.scopes.pop()
    t = join(start, result(BINARY["+"], start, e.type) or e.type)
    if t is None or t.kind not in "iuf" or result(BINARY["+"], t, e.type) != t:
        e, t = Expr("1", INT, 1), start
    mark = ("weak " if t.weak else "") + t.dtype
    first = "0" if start == INT else w.choice("0.0", "1.5")
    w.emit(f'{name} = J_({first}, "{mark}")')
    w.emit(f"for {counter} in range({w.rng.randint(0, 4)}):")
    w.emit(f"    {name} += {e.text}")
    w.declare(name, t)
    return True


@row("statement", "joined branches", "if i:\n    y = 1\nelse:\n    y = x\nreturn y", table=(20, 36, 46))
def joined_branches(w: Writer) -> bool:
    with w.exact():
        c, a, b = w.run_time_condition(), w.scalar(), w.scalar()
    if c is None:
        return False
    t = join(a.type, b.type)
    if t is None or a.type == b.type:
        return False
    name, mark = w.fresh(), ("weak " if t.weak else "") + t.dtype
    w.emit(f"if {c.text}:")
    w.emit(f'    {name} = J_({a.text}, "{mark}")')
    w.emit("else:")
    w.emit(f'    {name} = J_({b.text}, "{mark}")')
    w.declare(name, t)
    return True


@row("statement", "if", "if x > 1:\n    return 1.0\nreturn x", weight=3)
def if_(w: Writer) -> bool:
    if w.indent > 5:
        return False
    w.emit(f"if {w.condition().text}:")
    with w.block():
        w.statements(1, 2)
    if w.has("elif") and w.chance(0.15):
        w.use("elif")
        w.emit(f"elif {w.condition().text}:")
        with w.block():
            w.statements(1, 2)
    if w.chance(0.4):
        w.emit("else:")
        with w.block():
            w.statements(1, 2)
    return True


@row("statement", "elif", "if x > 1:\n    y = 1\nelif x > 0:\n    y = 2\nelse:\n    y = 3\nreturn y", weight=0.1)
def elif_(w: Writer) -> bool:
    w.emit(f"if {w.condition().text}:")
    with w.block():
        w.statements(1, 1)
    w.emit(f"elif {w.condition().text}:")
    with w.block():
        w.statements(1, 1)
    return True


def _loop_body(w: Writer, turns: int, low: int = 1, high: int = 3) -> None:
    w.loops += 1
    with w.block(turns):
        w.statements(low, high)
        if w.chance(0.12) and w.has("break", "continue"):
            word = w.choice("break", "continue")
            w.use(word)
            w.emit(f"if {w.condition().text}:")
            w.emit(f"    {word}")
    w.loops -= 1


@row("statement", "for range", "for y in range(1, i, 2):\n    x += y\nreturn x", weight=4, table=(21, 24, 32, 33))
def for_range(w: Writer) -> bool:
    if w.loops > 2 or w.indent > 5:
        return False
    arrays = w.arrays(lambda v: v.type.ndim > 0 and v.type.shape[0] is not None)
    name = w.fresh("i")
    if arrays and w.chance(0.75):
        v = w.rng.choice(arrays)
        axis = w.rng.randrange(v.type.ndim)
        extent = v.type.shape[axis]
        if extent is None:
            return False
        length = f"len({v.name})" if axis == 0 and w.chance(0.6) else f"{v.name}.shape[{axis}]"
        turns = max(extent)
        stop = w.choice("", "", "", " - 1", " - 2", " + 1")
        start, step = w.choice("", "", "", "1, ", "2, ", "-1, "), ""
        safe = stop in ("", " - 1", " - 2") and start != "-1, "
        if w.chance(0.2):
            start, step = start or "0, ", w.choice(", 2", ", 3", ", 1")
        bounds = f"{start}{length}{stop}{step}"
        if w.chance(0.15):
            bounds, safe = f"{length} - 1, {w.choice('-1', '0')}, {w.choice('-1', '-1', '-2')}", True
        extent = extent if safe else None
    else:
        turns, extent = 6, None
        with w.exact():
            bounds = w.choice(
                f"{w.rng.randint(0, 6)}",
                f"{w.rng.randint(-3, 3)}, {w.rng.randint(0, 3)}",
                f"{w.scalar(INT).text} % 6",
                f"{w.rng.randint(2, 5)}, -1, -1",
                f"0, {w.scalar(INT).text} % 6, {w.choice(1, 2, 3)}",
            )
            if w.chance(0.05):
                bounds = f"0, {w.rng.randint(0, 5)}, {w.scalar(INT).text} % 3"
    if w.turns * turns > EVALUATIONS:
        return False
    w.emit(f"for {name} in range({bounds}):")
    w.scopes.append([])
    w.declare(name, INT, counter=True, extent=extent)
    _loop_body(w, turns)
    w.scopes.pop()
    if w.has("loop else") and w.chance(0.08):
        w.use("loop else")
        w.emit("else:")
        with w.block():
            w.statements(1, 1)
    if w.chance(0.1):  # the variable after its loop: perhaps unbound
        w.declare(name, INT, counter=True)
    return True


@row(
    "statement",
    "reassigned loop variable",
    "for y in range(3):\n    y = y + 2\n    x += y\nreturn x",
    weight=0.3,
    table=(33,),
)
def reassigned(w: Writer) -> bool:
    some = [v for v in _assignable(w) if v.type == INT]
    if not some or w.turns * 4 > EVALUATIONS:
        return False
    name, v = w.fresh("i"), w.rng.choice(some)
    w.emit(f"for {name} in range(4):")
    w.emit(f"    {name} = {name} * 2")
    w.emit(f"    {v.name} = {v.name} + {name}")
    return True


@row("statement", "while", "while x < 3:\n    x += 1\nreturn x", weight=1)
def while_(w: Writer) -> bool:
    if w.loops > 2 or w.indent > 5 or w.turns * 6 > EVALUATIONS:
        return False
    name = w.fresh("c")
    w.emit(f"{name} = 0")
    w.declare(name, INT, counter=True)
    more = f" and {w.condition().text}" if w.chance(0.4) else ""
    w.emit(f"while {name} < {w.rng.randint(1, 5)}{more}:")
    w.emit(f"    {name} += 1")
    _loop_body(w, 5)
    if w.has("loop else") and w.chance(0.1):
        w.use("loop else")
        w.emit("else:")
        with w.block():
            w.statements(1, 1)
    return True


LOOP = "for y in range(i):\n    if x > 2:\n        {}\n    x += 1\n"


@family("statement", "{}", ["break", "continue"], lambda word: LOOP.format(word) + "return x", weight=0.4)
def jump(w: Writer, word: str) -> bool:
    if not w.loops or w.indent < 2:
        return False
    w.emit(f"if {w.condition().text}:")
    w.emit(f"    {word}")
    return True


@row("statement", "loop else", LOOP.format("break") + "else:\n    x = 0.0\nreturn x", weight=0.2)
def loop_else(w: Writer) -> bool:
    if w.turns * 4 > EVALUATIONS or w.loops > 2:
        return False
    name = w.fresh("i")
    w.emit(f"for {name} in range({w.rng.randint(0, 4)}):")
    w.emit(f"    if {w.condition().text}:")
    w.emit("        break")
    w.emit("else:")
    with w.block():
        w.statements(1, 2)
    return True


@row("statement", "early return", "if x > 2:\n    return 1.0\nreturn x", weight=0.3)
def early_return(w: Writer) -> bool:
    """Only where the returned types are known: of the tuple that the kernel returns at its end."""
    if w.returns is None or w.in_helper:
        return False
    w.emit(f"if {w.condition().text}:")
    w.emit(f"    return {', '.join(w.returns)}")
    return True


@row("statement", "possibly unbound", "if x > 2:\n    y = 1.0\nreturn y", weight=0.3, table=(34, 32))
def unbound(w: Writer) -> bool:
    name = w.fresh("w")
    with w.exact():
        e = w.scalar()
    w.emit(f"if {w.condition().text}:")
    w.emit(f"    {name} = {e.text}")
    if w.chance(0.5):
        w.emit("else:")
        w.emit(f"    {name} = {w.scalar(e.type).text}")
    w.declare(name, e.type)
    return True


@row("statement", "assert", 'assert x < 5, "big"\nreturn x', weight=0.2)
def assertion(w: Writer) -> bool:
    test = w.condition().text
    w.emit(f"assert not {test}" if w.chance(0.3) else f'assert {test} or True, "message"')
    return True


@row("statement", "raise", 'if x > 5:\n    raise ValueError("big")\nreturn x', weight=0.25)
def raise_(w: Writer) -> bool:
    message = w.choice("", "()", '("why")')
    w.emit(f"if {w.condition().text}:")
    w.emit(f"    raise {w.rng.choice(EXCEPTIONS)}{message}")
    return True


@row("statement", "pass", "pass\nreturn x", weight=0.1)
def pass_(w: Writer) -> bool:
    w.emit("pass")
    return True


@row("statement", "print", 'print(x, i, sep="-")\nreturn x', weight=0.25)
def print_(w: Writer) -> bool:
    if w.turns > 50:
        return False
    with w.exact():
        items = [w.scalar(w.choice(INT, FLOAT, BOOL)) for _ in range(w.rng.randint(1, 3))]
    options = w.choice("", "", ', sep="; "', ', end=".\\n"')
    w.emit(f'print("p", {", ".join(e.text for e in items)}{options})')
    return True


@row("statement", "constant-folded if", "if N0 > 2:\n    return x\nreturn 0.0", prelude="N0 = 3\n", weight=0.4)
def folded(w: Writer) -> bool:
    """A branch that is pruned before typing: what is in the other one does not matter."""
    name = w.fresh("N")
    w.module.append(f"{name} = {w.choice('1', '0', 'True', 'False', 'None', '2.5')}")
    test = w.choice(name, f"not {name}", f"{name} is None", f"{name} is not None")
    w.emit(f"if {test}:")
    with w.block():
        w.statements(1, 2)
    w.emit("else:")
    with w.block():
        w.statements(1, 2)
    return True


@row("statement", "pruned by ndim", "if m.ndim == 2:\n    return x\nreturn m.nothing", weight=0.3)
def pruned(w: Writer) -> bool:
    some = w.arrays()
    if not some:
        return False
    v = w.rng.choice(some)
    t: Array = v.type
    w.emit(f"if {v.name}.ndim != {t.ndim}:")
    w.emit(f"    {v.name}.nothing_of_that_name()")
    w.emit("else:")
    with w.block():
        w.statements(1, 2)
    return True


@row("statement", "pruned by dtype", "if a.dtype == np.float64:\n    return x\nreturn a.nothing", weight=0.3)
def pruned_dtype(w: Writer) -> bool:
    some = w.arrays()
    if not some:
        return False
    v = w.rng.choice(some)
    w.emit(f"if {v.name}.dtype == np.{NAMES[v.type.dtype].replace('bool', 'bool_')}:")
    with w.block():
        w.statements(1, 2)
    w.emit("else:")
    w.emit(f"    {v.name}.nothing_of_that_name()")
    return True
