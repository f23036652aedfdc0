"""Complex numbers: compiled kernels against CPython and NumPy, in value, sign, type and text."""

from __future__ import annotations

import cmath
import itertools
import math
from typing import Any

import numpy as np
import pytest
from test_language import outcome, same

from mpijit import CompileError, jit, mpi

STRONG = [np.complex64, np.complex128]
PARTS = [0.0, -0.0, 1.0, -2.5, 1e-320, -3e38, 1e300, math.inf, -math.inf, math.nan]
SPECIAL = [complex(re, im) for re in PARTS for im in PARTS]
GLOBAL, STRONG_GLOBAL = 1 - 2j, np.complex64(0.1 + 3j)


def ordinary(count: int, seed: int = 1, scale: float = 1.0) -> list[complex]:
    rng = np.random.default_rng(seed)
    return [complex(*pair) for pair in rng.standard_normal((count, 2)) * scale]


def as_type(kind: Any, z: complex) -> Any:
    with np.errstate(all="ignore"):
        return kind(z)


def bits(z: Any) -> tuple[Any, ...]:
    """What tells two numbers apart: type and parts, with any nan equal to any other."""
    parts = [math.nan if x != x else float(x) for x in (z.real, z.imag)]
    return type(z), *map(repr, parts)


def described(x: Any) -> Any:
    """Something equal for values that cannot be told apart."""
    if isinstance(x, tuple):
        return tuple(map(described, x))
    if isinstance(x, np.ndarray):
        return x.dtype, [bits(z) for z in x]
    return bits(x) if isinstance(x, (complex, np.complexfloating)) else (type(x), repr(x))


def agree(kernel: Any, *args: Any) -> None:
    """The compiled kernel does what CPython does, to the bit."""
    got, wanted = outcome(kernel, args), outcome(kernel.py_func, args)
    assert described(got) == described(wanted), (kernel.__name__, args)


def exactly(kernel: Any, *args: Any) -> None:
    """The compiled kernel gives what the interpreter does, to the bit."""
    with np.errstate(all="ignore"):
        assert bits(kernel(*args)) == bits(kernel.py_func(*args)), (kernel.__name__, args)


def closely(kernel: Any, *args: Any, ulps: float = 4) -> None:
    """The same with errors of a few units in the last place of the number."""
    with np.errstate(all="ignore"):
        try:
            wanted = kernel.py_func(*args)
        except (ValueError, OverflowError, ZeroDivisionError):
            return  # IEEE values in kernels
        got = kernel(*args)
    assert type(got) is type(wanted), (args, got, wanted)
    size = abs(wanted)
    if not np.isfinite(size):
        assert bits(got) == bits(wanted), (kernel.__name__, args)
        return
    unit = np.spacing(np.float32(size) if isinstance(wanted, (np.complex64, np.float32)) else np.float64(size))
    assert abs(got - wanted) <= ulps * unit, (kernel.__name__, args, got, wanted)


# ---- operators ---------------------------------------------------------------------------------------------


@jit
def add(a, b):
    return a + b


@jit
def sub(a, b):
    return a - b


@jit
def mul(a, b):
    return a * b


@jit
def div(a, b):
    return a / b


@jit
def power(a, b):
    return a**b


@jit
def negative(a):
    return -a


@jit
def positive(a):
    return +a


@pytest.mark.parametrize("kernel", [add, sub, mul, div], ids=lambda k: k.__name__)
@pytest.mark.parametrize("kind", [complex, *STRONG])
def test_operators_give_numpys_bits(kernel, kind):
    values = [
        as_type(kind, z) for z in [*SPECIAL[::7], *ordinary(20), *ordinary(10, 2, 1e-160), *ordinary(10, 3, 1e30)]
    ]
    for a, b in itertools.product(values, values):
        if kernel is div and kind is complex and b == 0:
            continue  # Python's own numbers raise; see below
        exactly(kernel, a, b)


@pytest.mark.compiled
def test_division_by_zero_is_ieee_as_for_floats():
    for z in SPECIAL:
        assert bits(div(z, 0j)) == bits(complex(div.py_func(np.complex128(z), 0j)))


@pytest.mark.parametrize("kernel", [negative, positive], ids=lambda k: k.__name__)
def test_signs(kernel):
    for kind in (complex, *STRONG):
        for z in SPECIAL:
            exactly(kernel, as_type(kind, z))


@pytest.mark.parametrize("kernel", [add, sub, mul, div], ids=lambda k: k.__name__)
def test_mixed_operands_and_their_types(kernel):
    numbers = [True, 3, -2.5, 1 + 2j, np.bool_(True), np.int8(-7), np.uint64(2**63), np.float32(0.1), np.float64(0.1)]
    numbers += [np.complex64(0.1 - 1j), np.complex128(3 + 0.1j)]
    for a, b in itertools.product(numbers, numbers):
        if isinstance(a, (complex, np.complex64)) or isinstance(b, (complex, np.complex64)):
            exactly(kernel, a, b)


@pytest.mark.parametrize("kind", [complex, *STRONG])
def test_powers(kind):
    exponents = [0, 1, 2, 3, 7, -1, -5, 0.5, -1.5, 1j, 0.3 - 0.2j, 2 + 0j, np.float32(2)]
    for z, b in itertools.product([as_type(kind, z) for z in ordinary(30)], exponents):
        closely(power, z, b, ulps=16)
    for z in (as_type(kind, z) for z in (0j, 1j, -1 + 0j, complex(2, -0.0))):
        for b in (0, 1, 2, 3, 5, 0.5):
            closely(power, z, b)
    for b in (-1, 1j, complex(-1, 1)):
        assert bits(power(np.complex128(0), b)) == bits(complex_nan := np.complex128(complex(math.nan, math.nan))), (
            b,
            complex_nan,
        )


@jit
def literal_powers(z):
    return z**0, z**1, z**2, z**3, z**-2, 2**z, 1.5**z, pow(z, 2)


def test_powers_with_literals():
    for kind in (complex, *STRONG):
        for z in ordinary(20):
            got, wanted = literal_powers(kind(z)), literal_powers.py_func(kind(z))
            for x, y in zip(got, wanted, strict=True):
                assert type(x) is type(y)
                assert abs(x - y) <= 1e-6 * abs(y) if isinstance(y, np.complex64) else abs(x - y) <= 4e-15 * abs(y)


@jit
def compare(a, b):
    return a == b, a != b, a in (b, 1), bool(a), not a, (1 if a else 2), (a, 1) == (b, 1)


def test_comparison_and_truth():
    def numbers() -> list[Any]:  # objects of their own: a nan is in a tuple that holds the same object
        parts = [(0, 0), (0, -0.0), (0, 1), (1, 0), (math.nan, 0), (0, math.nan)]
        weak = [complex(float(re), float(im)) for re, im in parts]
        return [*weak, 1, float("0"), True, *(kind(z) for kind in STRONG for z in weak)]

    for a, b in itertools.product(numbers(), numbers()):
        agree(compare, a, b)


@jit
def literals():
    return 2j, 1 + 2j, -2j, 1 - 0j, -(0j), 1j * 1j, 3 * 1j, 1e400j, (1j, 2)


@jit
def captured(x):
    return GLOBAL, STRONG_GLOBAL, GLOBAL.real, GLOBAL * x, STRONG_GLOBAL * x, cmath.infj


@jit
def with_default(x, z=2j):
    return x * z


def test_literals_captured_values_and_defaults():
    for got, wanted in zip(literals()[:-1], literals.py_func()[:-1], strict=True):
        assert bits(got) == bits(wanted)
    assert literals()[-1] == (1j, 2)
    for x in (2, 0.5, np.float32(0.1), np.complex64(1j)):
        agree(captured, x)
        agree(with_default, x)
        agree(with_default, x, 3 + 1j)


def test_a_captured_number_that_changes_is_seen():
    global GLOBAL
    before = GLOBAL
    try:
        GLOBAL = complex(1, -2)
        assert captured(2)[0] == 1 - 2j
        GLOBAL = complex(-0.0, 3)
        assert bits(captured(2)[0]) == bits(complex(-0.0, 3))
    finally:
        GLOBAL = before


@jit
def joined(c, x):
    y = 1 if c else x
    s = 0
    for i in range(3):
        s += x * i
    z = 1j
    if c:
        z = x
    return y + z, s, y, z


@pytest.mark.compiled
def test_joined_types():
    assert same(
        joined(True, np.complex64(2j)), (np.complex64(1 + 2j), np.complex64(6j), np.complex64(1), np.complex64(2j))
    )
    y, s, *_ = joined(False, 2.0 + 1j)
    assert type(y) is type(s) is complex


# ---- parts and functions -----------------------------------------------------------------------------------


@jit
def parts(z):
    return z.real, z.imag, z.conjugate(), abs(z), np.real(z), np.imag(z)


@jit
def numpy_parts(z):
    return np.conj(z), np.conjugate(z), np.abs(z), np.absolute(z), np.angle(z)


@jit
def numpy_methods(z):
    return z.conj(), z.conjugate(), z.real, z.imag


def test_parts_of_numbers():
    numbers = [*SPECIAL[::3], 1 - 2j, True, -3, 2.5, np.int8(-3), np.float32(-0.5), np.bool_(True), np.uint16(7)]
    numbers += [as_type(kind, z) for kind in STRONG for z in [1 - 2j, *SPECIAL[::5]]]
    for z in numbers:
        if not (isinstance(z, complex) and math.isfinite(z.real) and math.isfinite(z.imag) and abs(z.real) > 1e307):
            for got, wanted in zip(parts(z), parts.py_func(z), strict=True):
                assert bits(got) == bits(wanted), z
        if isinstance(z, np.generic):
            for got, wanted in zip(numpy_methods(z), numpy_methods.py_func(z), strict=True):
                assert type(got) is type(wanted) and bits(got * 1) == bits(wanted * 1), z
        with np.errstate(all="ignore"):
            wanted = numpy_parts.py_func(z)
        eight_bits = isinstance(z, (bool, np.bool_, np.int8))  # NumPy's angle is a float16
        for k, (x, y) in enumerate(zip(numpy_parts(z), wanted, strict=True)):
            if k < 4:
                assert bits(x * 1) == bits(y * 1), (z, k)
            elif not eight_bits:
                assert type(x) is type(y)
                assert x == pytest.approx(y, rel=4 * float(np.finfo(y.dtype).eps), nan_ok=True)


@jit
def make(a, b):
    return complex(a, b), complex(a), complex(real=a, imag=b), complex(imag=b), 0j


@jit
def strong(a):
    return np.complex64(a), np.complex128(a)


def test_constructors():
    imag = [1, -0.0, True, 2 + 3j, np.float32(0.1), np.complex128(1j)]
    for a, b in itertools.product([*imag, np.complex64(1j)], imag):
        for got, wanted in zip(make(a, b), make.py_func(a, b), strict=True):
            assert bits(got) == bits(wanted), (a, b)
        agree(strong, a)


@jit
def strong_of_two(a, b):
    return np.complex64(a, b), np.complex128(a, b)


def test_strong_constructors_of_two_parts():
    agree(strong_of_two, 0.1, -0.0)


NAMES = "sqrt exp log sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh log10".split()
NUMPYS = {"asin": "arcsin", "acos": "arccos", "atan": "arctan"}
NUMPYS |= {"asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh"}


def function_kernels(tmp_path, module: str, names: list[str]) -> dict[str, Any]:
    path = tmp_path / f"functions_{module}.py"
    lines = [f"import {module}"]
    lines += [f"def {name}(z):\n    return {module}.{name}(z)" for name in names]
    path.write_text("\n".join(lines) + "\n")
    space: dict[str, Any] = {}
    exec(compile(path.read_text(), str(path), "exec"), space)
    return {name: jit(space[name]) for name in names}


def test_functions_of_cmath(tmp_path):
    for name, kernel in function_kernels(tmp_path, "cmath", NAMES).items():
        for z in [
            *ordinary(60),
            *ordinary(20, 5, 0.01),
            *ordinary(20, 6, 5.0),
            2,
            0.5,
            np.float32(0.25),
            np.complex64(1j),
        ]:
            closely(kernel, z, ulps=8 if name in ("tan", "tanh", "acos", "acosh", "log", "log10") else 4)


def test_functions_of_numpy(tmp_path):
    names = [NUMPYS.get(n, n) for n in NAMES] + ["log2", "exp2"]
    for kernel in function_kernels(tmp_path, "numpy", names).values():
        for z in [*ordinary(40), *ordinary(20, 5, 0.01), *ordinary(20, 6, 5.0)]:
            closely(kernel, np.complex128(z), ulps=8)
            closely(kernel, np.complex64(z), ulps=8)
            closely(kernel, z, ulps=8)


@jit
def polar(z):
    return cmath.phase(z), cmath.polar(z), cmath.log(z, 2), cmath.isnan(z), cmath.isinf(z), cmath.isfinite(z)


@jit
def rectangular(r, phi):
    return cmath.rect(r, phi)


@jit
def numpy_tests(z):
    return np.isnan(z), np.isinf(z), np.isfinite(z)


def test_polar_coordinates_and_tests():
    for z in ordinary(30):
        got, wanted = polar(z), polar.py_func(z)
        assert got[0] == wanted[0] and got[1] == wanted[1] and got[3:] == wanted[3:]
        assert abs(got[2] - wanted[2]) < 1e-15 * abs(wanted[2]) * 4
    for z in SPECIAL:
        agree(numpy_tests, np.complex128(z))
        agree(numpy_tests, as_type(np.complex64, z))
    for r, phi in [
        (1, 2),
        (2.5, -1.0),
        (-2, 0.0),
        (-2.0, -0.0),
        (math.inf, 0.0),
        (math.inf, 1.0),
        (0.0, 1.0),
        (3, math.pi),
    ]:
        closely(rectangular, r, phi)


# ---- arrays ------------------------------------------------------------------------------------------------


@jit
def dot(a, b):
    s = 0
    for i in range(a.shape[0]):
        s += a[i] * np.conj(b[i])
    return s


@jit
def scale(a, x):
    for i in range(a.shape[0]):
        a[i] = a[i] * x
        a[i] += 1


@jit
def put(a, x):
    a[0] = x


@jit
def new(n):
    a = np.ones(n, complex)
    b = np.zeros(n, np.complex64)
    c = np.ones_like(b)
    a[0] = 2
    b[n - 1] = 1j
    return a, b, c


@pytest.mark.parametrize("dtype", STRONG)
def test_elements(dtype):
    a, b = np.array(ordinary(50), dtype), np.array(ordinary(50, 2), dtype)
    agree(dot, a, b)
    agree(dot, a[::-2], b[::2])
    for x in (2, 0.5, 1j, np.complex64(1 + 2j)):
        agree(scale, a, x)
        agree(scale, a[::3], x)
    for x in (True, 3, 2.5, 1j, np.int8(3), np.float32(0.1), np.complex64(2j), np.complex128(0.1 + 1j)):
        agree(put, a, x)
        agree(put, np.zeros(2, bool), x)
    agree(new, 3)


def test_elements_of_records():
    records = np.zeros(5, [("z", np.complex128), ("x", np.float64)])  # 24 bytes from one z to the next
    records["z"] = ordinary(5)
    agree(dot, records["z"], records["z"][::-1])
    scale(records["z"], 2j)
    assert np.array_equal(records["z"], np.array(ordinary(5)) * 2j + 1) and not records["x"].any()


@jit
def arrays(a, b, x):
    c = a + b * 2
    c += 1j
    return c, -a, a - x, a / 2, a == b, a * x


@pytest.mark.parametrize("dtype", STRONG)
def test_whole_arrays(dtype):
    a, b = np.array(ordinary(50), dtype), np.array(ordinary(50, 2), dtype)
    for x in (2, 0.5, 1j, np.complex64(1j), np.float64(2)):
        for got, wanted in zip(arrays(a, b, x), arrays.py_func(a, b, x), strict=True):
            assert got.dtype == wanted.dtype
            np.testing.assert_allclose(got, wanted, rtol=1e-6 if dtype is np.complex64 else 1e-15)


@jit
def mandelbrot(c, n):
    z = 0j
    for i in range(n):
        if abs(z) > 2:
            return i
        z = z * z + c
    return n


def test_a_loop_that_carries_a_complex_number():
    for c in [*ordinary(100), 0j, -1 + 0j, 0.25]:
        agree(mandelbrot, c, 50)
        agree(mandelbrot, np.complex128(c), 50)


@jit
def total(x):
    return mpi.allreduce(x)


@jit
def product(x):
    return mpi.allreduce(x, op=mpi.PROD)


def test_reductions_of_one_process():
    for x in (1 + 2j, np.complex64(1j), np.complex128(2 - 1j)):
        assert same(total(x), x) and same(product(x), x)
    for dtype in STRONG:
        assert same(total(np.array(1 + 2j, dtype)), dtype(1 + 2j))
        assert np.array_equal(total(np.array([1j, 2], dtype)), np.array([1j, 2], dtype))


@jit
def show(z):
    print(z, (z, 1), sep=";")


def test_print(capfd):
    def shown(f, z):
        f(z)
        return capfd.readouterr().out

    numbers = [*SPECIAL, 1e16j, 123456789.5 + 1e-5j]
    for z in itertools.chain(numbers, (as_type(kind, z) for kind in STRONG for z in numbers)):
        assert shown(show, z) == shown(show.py_func, z)


# ---- refusals ----------------------------------------------------------------------------------------------


@jit
def less(a, b):
    return a < b


@jit
def floordiv(a, b):
    return a // b


@jit
def as_int(a):
    return int(a)


@jit
def as_float(a):
    return float(a)


@jit
def real_function(a):
    return math.sin(a)


@jit
def largest(a, b):
    return max(a, b)


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("kernel", "args"),
    [
        (less, (1j, 2)),
        (floordiv, (1j, 2)),
        (as_int, (1j,)),
        (as_float, (1j,)),
        (real_function, (1j,)),
        (largest, (1j, 2)),
        (put, (np.zeros(2), 1j)),
        (put, (np.zeros(2, int), np.complex128(1))),
    ],
    ids=lambda x: getattr(x, "__name__", ""),
)
def test_what_python_refuses(kernel, args):
    with pytest.raises(CompileError):
        kernel(*args)
    if kernel is not put or (isinstance(args[1], complex) and type(args[1]) is complex):
        assert outcome(kernel.py_func, args)[:2] == ("raises", TypeError)
