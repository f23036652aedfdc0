# Complex scalars and elements: NumPy's arithmetic, parts, powers, and what becomes of them.
import cmath

import numpy as np

GLOBAL = 1 - 2j
STRONG = np.complex64(0.5 + 3j)


#: run 1.0+2.0j; 3.0-1.0j -> (4.0+1.0j, -2.0+3.0j, 5.0+5.0j, 0.1+0.7000000000000001j)
#: run 1.0+2.0j; 2 -> (3.0+2.0j, -1.0+2.0j, 2.0+4.0j, 0.5+1.0j)
#: run 2; 0.0+1.0j -> (2.0+1.0j, 2.0-1.0j, 0.0+2.0j, 0.0-2.0j)
#: run 1.0-1.0j; -0.0+0.0j -> (1.0-1.0j, 1.0-1.0j, 0.0+0.0j, inf-infj)
#: run complex64:1.0+2.0j; float32:4.0 -> (complex64:5.0+2.0j, complex64:-3.0+2.0j, complex64:4.0+8.0j, complex64:0.25+0.5j)
#: run complex64:1.0+2.0j; int32:4 -> (complex128:5.0+2.0j, complex128:-3.0+2.0j, complex128:4.0+8.0j, complex128:0.25+0.5j)
#: run complex64:1.0+2.0j; 2.0 -> (complex64:3.0+2.0j, complex64:-1.0+2.0j, complex64:2.0+4.0j, complex64:0.5+1.0j)
#: run 0.0+1.0j; float64:2.0 -> (2.0+1.0j, -2.0+1.0j, 0.0+2.0j, 0.0+0.5j)
#: run float64:2.0; 0.0+1.0j -> (complex128:2.0+1.0j, complex128:2.0-1.0j, complex128:0.0+2.0j, complex128:0.0-2.0j)
def arithmetic(a, b):
    return a + b, a - b, a * b, a / b


# The sign of nan is the machine's, so these are not shown.
#: run complex128:1e308+1e308j; complex128:1e308+1e308j -> (bool:True, bool:True, bool:False)
#: run complex128:inf+0.0j; complex128:0.0+1.0j -> (bool:True, bool:True, bool:False)
def product_is_naive(a, b):
    p = a * b
    return p.imag == np.float64(np.inf), p.real != p.real, p == p


#: run 1.0+2.0j -> (1.0, 2.0, 1.0-2.0j, -1.0-2.0j)
#: run -0.0-0.0j -> (-0.0, -0.0, -0.0+0.0j, 0.0+0.0j)
#: run complex64:1.5+2.5j -> (float32:1.5, float32:2.5, complex64:1.5-2.5j, complex64:-1.5-2.5j)
#: run 3 -> (3, 0, 3, -3)
#: run True -> (1, 0, 1, -1)
#: run float32:1.5 -> (float32:1.5, float32:0.0, float32:1.5, float32:-1.5)
def parts(z):
    return z.real, z.imag, z.conjugate(), -z


#: run 3.0+4.0j -> 5.0
#: run complex64:3.0-4.0j -> float32:5.0
def magnitude(z):
    return abs(z)


#: run 0.0+0.0j -> (False, True, 2)
#: run 0.0+nanj -> (True, False, 1)
#: run complex64:0.0-1.0j -> (True, False, 1)
def truth(z):
    return bool(z), not z, 1 if z else 2


#: run 1.0+0.0j; 1 -> (True, False, True)
#: run 0.0+1.0j; 0.0-1.0j -> (False, True, False)
#: run 0.0+nanj; 0.0+nanj -> (False, True, False)
#: run complex128:2.0+0.0j; 2 -> (bool:True, bool:False, True)
def equality(a, b):
    return a == b, a != b, a in (b, 7j)


#: run 0.0+1.0j -> (1.0+0.0j, 0.0+1.0j, -1.0+0.0j, -0.0-1.0j, -1.0+0.0j, -1.0-0.0j)
#: run complex64:2.0+0.0j -> (complex64:1.0+0.0j, complex64:2.0+0.0j, complex64:4.0+0.0j, complex64:8.0+0.0j, complex64:4.0+0.0j, complex64:0.25+0.0j)
def powers(z):
    return z**0, z**1, z**2, z**3, z**2.0, z**-2


#: run complex128:0.0+0.0j; 2 -> complex128:0.0+0.0j
#: run complex128:0.0+0.0j; 0 -> complex128:1.0+0.0j
#: run complex128:0.0+1.0j; 5 -> complex128:0.0+1.0j
#: run complex128:0.0+1.0j; -1 -> complex128:0.0-1.0j
#: run complex128:2.0+0.0j; 10 -> complex128:1024.0+0.0j
def power(z, n):
    return z**n


#: run -> (1.0-2.0j, complex64:0.5+3.0j, -0.0-2.0j, 1.0+2.0j, -2.0)
def constants():
    return GLOBAL, STRONG, -2j, 1 + 2j, GLOBAL.imag


#: run 1; -0.0 -> (1.0-0.0j, 1.0+0.0j, 0.0+0.0j)
#: run 1.0+2.0j; 1.0+1.0j -> (0.0+3.0j, 1.0+2.0j, 0.0+0.0j)
def make(a, b):
    return complex(a, b), complex(a), complex()


#: run 0.1 -> (complex64:0.10000000149011612+0.0j, complex128:0.1+0.0j)
#: run 0.0+1.0j -> (complex64:0.0+1.0j, complex128:0.0+1.0j)
def strong(x):
    return np.complex64(x), np.complex128(x)


#: run -4.0 -> (0.0+2.0j, 3.141592653589793, 4.0)
#: run complex64:-4.0+0.0j -> (0.0+2.0j, 3.141592653589793, 4.0)
def functions(z):
    r, phi = cmath.polar(z)
    return cmath.sqrt(z), cmath.phase(z), r


#: run complex128:-1.0+0.0j -> (complex128:0.0+1.0j, complex128:-1.0-0.0j, float64:3.141592653589793, bool:False)
#: run complex64:-1.0+0.0j -> (complex64:0.0+1.0j, complex64:-1.0-0.0j, float32:3.1415927410125732, bool:False)
def numpys(z):
    return np.sqrt(z), np.conj(z), np.angle(z), np.isnan(z)


#: run complex64[3]=1.0+1.0j 2.0 0.0-1.0j -> complex64:3.0+0.0j | complex64[3]=2.0+2.0j 4.0+0.0j 0.0-2.0j
#: run complex128[0]= -> complex128:0.0+0.0j | complex128[0]=
def elements(a):
    s = 0j
    for i in range(len(a)):
        s += a[i]
        a[i] *= 2
    return s


#: run complex128[1]=5.0; 2.5 -> None | complex128[1]=2.5+0.0j
#: run complex64[1]=5.0; 1.0-2.0j -> None | complex64[1]=1.0-2.0j
#: run bool[1]=False; 1.0-2.0j -> None | bool[1]=True
def store(a, x):
    a[0] = x


#: run 2 -> (complex128[2]=1.0+0.0j 1.0+0.0j, complex64[2]=0.0+0.0j 0.0+0.0j)
def new(n):
    return np.ones(n, complex), np.zeros(n, np.complex64)


#: run True; complex64:0.0+1.0j -> complex64:2.0+0.0j
#: run False; complex64:0.0+1.0j -> complex64:0.0+1.0j
#: run False; 0.0+1.0j -> 0.0+1.0j
def joined(c, z):
    return 2 if c else z


def helper(z, w=1j):
    return z * w, w


#: run 2.0+0.0j -> ((0.0+2.0j, 0.0+1.0j), (2.0+0.0j, 1))
def calls(z):
    return helper(z), helper(z, 1)
