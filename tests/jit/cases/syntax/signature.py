# Parameters with their markers, defaults, annotations dropped.
import numpy as np


def f(a, b, /, c: float, d=1.5, *rest, e, g=(1, "é\n"), h=np.uint64(2**64 - 1), **other):
    return f(a, *rest, e=1, **other)

# --- expected
# function f  signature.py:5
#   capture f = kernel 0
#   default float 1.5
#   default unsupported "a parameter without a default"
#   default unsupported "a parameter without a default"
#   default tuple 2 int 1 str "é\n"
#   default scalar uint64 big "18446744073709551615"
#   FunctionDef f  @5:1
#     Block
#       arg a  @5:7
#       arg b  @5:10
#       arg /
#       arg c  @5:16
#       arg d  @5:26
#       arg *rest  @5:34
#       arg e  @5:40
#       arg g  @5:43
#       arg h  @5:57
#       arg **other  @5:83
#     Block
#       Return  @6:5
#         Call  @6:12
#           Name f  @6:12
#           Block
#             Name a  @6:14
#             Starred  @6:17
#               Name rest  @6:18
#           Block
#             keyword e  @6:24
#               Constant int 1  @6:26
#             keyword  @6:29
#               Name other  @6:31
