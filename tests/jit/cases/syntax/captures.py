# What names are bound to.
import math
from math import sin

import numpy as np

from mpijit import mpi, prange

N = 3
BIG = 2**64
T = (1, (2.5, "a", None), (), True)
F32 = np.float32(0.1)
DT = np.dtype("i4")
TABLE = np.zeros(3)
CONFIG = {"a": 1}


class Thing:
    pass


thing = Thing()


def f(a):
    x = math.pi, sin(a), math.sin, np.pi, np.sin, np.zeros, np.linalg.norm, np.float64, np.bool_, np.newaxis
    y = N, BIG, T, F32, DT, TABLE, CONFIG, Thing, thing, thing.x.y, np.inf, -np.inf
    z = len, range, int, float, bool, ValueError, np, math, print, open, np.linalg, np.nothing
    w = mpi.send, mpi.SUM, mpi.COMM_WORLD, mpi.IN_PLACE, mpi.ANY_SOURCE, prange, mpi
    return helper(helper), unknown, N.real


def helper(a):
    return f(a) + N

# --- expected
# function f  captures.py:25
#   capture BIG = big "18446744073709551616"
#   capture CONFIG = unsupported "a dict"
#   capture DT = dtype "int32"
#   capture F32 = scalar float32 float 0.10000000149011612
#   capture N = int 3
#   capture T = tuple 4 int 1 tuple 3 float 2.5 str "a" none tuple 0 bool True
#   capture TABLE = array 0 "float64[::1]"
#   capture Thing = unsupported "the class Thing"
#   capture ValueError = exception "ValueError"
#   capture bool = function "builtins.bool"
#   capture float = function "builtins.float"
#   capture helper = kernel 1
#   capture int = function "builtins.int"
#   capture len = function "builtins.len"
#   capture math = module "math"
#   capture math.pi = float 3.141592653589793
#   capture math.sin = function "math.sin"
#   capture mpi = module "mpijit.mpi"
#   capture mpi.ANY_SOURCE = int -2
#   capture mpi.COMM_WORLD = handle comm 1
#   capture mpi.IN_PLACE = handle in_place 0
#   capture mpi.SUM = handle operator 0
#   capture mpi.send = function "mpijit.mpi.send"
#   capture np = module "numpy"
#   capture np.bool_ = dtype "bool"
#   capture np.float64 = dtype "float64"
#   capture np.inf = float inf
#   capture np.linalg = module "numpy.linalg"
#   capture np.linalg.norm = function "numpy.linalg.norm"
#   capture np.newaxis = none
#   capture np.pi = float 3.141592653589793
#   capture np.sin = function "numpy.sin"
#   capture np.zeros = function "numpy.zeros"
#   capture open = unsupported "the function open"
#   capture prange = function "mpijit.prange"
#   capture print = function "builtins.print"
#   capture range = function "builtins.range"
#   capture sin = function "math.sin"
#   capture thing = unsupported "an object of class Thing"
#   FunctionDef f  @25:1
#     Block
#       arg a  @25:7
#     Block
#       Assign  @26:5
#         Block
#           Name x  @26:5
#         Tuple  @26:9
#           Block
#             Attribute pi  @26:9
#               Name math  @26:9
#             Call  @26:18
#               Name sin  @26:18
#               Block
#                 Name a  @26:22
#               Block
#             Attribute sin  @26:26
#               Name math  @26:26
#             Attribute pi  @26:36
#               Name np  @26:36
#             Attribute sin  @26:43
#               Name np  @26:43
#             Attribute zeros  @26:51
#               Name np  @26:51
#             Attribute norm  @26:61
#               Attribute linalg  @26:61
#                 Name np  @26:61
#             Attribute float64  @26:77
#               Name np  @26:77
#             Attribute bool_  @26:89
#               Name np  @26:89
#             Attribute newaxis  @26:99
#               Name np  @26:99
#       Assign  @27:5
#         Block
#           Name y  @27:5
#         Tuple  @27:9
#           Block
#             Name N  @27:9
#             Name BIG  @27:12
#             Name T  @27:17
#             Name F32  @27:20
#             Name DT  @27:25
#             Name TABLE  @27:29
#             Name CONFIG  @27:36
#             Name Thing  @27:44
#             Name thing  @27:51
#             Attribute y  @27:58
#               Attribute x  @27:58
#                 Name thing  @27:58
#             Attribute inf  @27:69
#               Name np  @27:69
#             UnaryOp USub  @27:77
#               Attribute inf  @27:78
#                 Name np  @27:78
#       Assign  @28:5
#         Block
#           Name z  @28:5
#         Tuple  @28:9
#           Block
#             Name len  @28:9
#             Name range  @28:14
#             Name int  @28:21
#             Name float  @28:26
#             Name bool  @28:33
#             Name ValueError  @28:39
#             Name np  @28:51
#             Name math  @28:55
#             Name print  @28:61
#             Name open  @28:68
#             Attribute linalg  @28:74
#               Name np  @28:74
#             Attribute nothing  @28:85
#               Name np  @28:85
#       Assign  @29:5
#         Block
#           Name w  @29:5
#         Tuple  @29:9
#           Block
#             Attribute send  @29:9
#               Name mpi  @29:9
#             Attribute SUM  @29:19
#               Name mpi  @29:19
#             Attribute COMM_WORLD  @29:28
#               Name mpi  @29:28
#             Attribute IN_PLACE  @29:44
#               Name mpi  @29:44
#             Attribute ANY_SOURCE  @29:58
#               Name mpi  @29:58
#             Name prange  @29:74
#             Name mpi  @29:82
#       Return  @30:5
#         Tuple  @30:12
#           Block
#             Call  @30:12
#               Name helper  @30:12
#               Block
#                 Name helper  @30:19
#               Block
#             Name unknown  @30:28
#             Attribute real  @30:37
#               Name N  @30:37
# function helper  captures.py:33
#   capture N = int 3
#   capture f = kernel 0
#   FunctionDef helper  @33:1
#     Block
#       arg a  @33:12
#     Block
#       Return  @34:5
#         BinOp Add  @34:12
#           Call  @34:12
#             Name f  @34:12
#             Block
#               Name a  @34:14
#             Block
#           Name N  @34:19
