# What kernels cannot use is one node without children, named in the user's words.
def f(a):
    import math

    with a:
        x = [i for i in a]
    x = [1], {1}, {1: 2}, f"{a}", {*a}, (i for i in a), lambda b=1: b
    try:
        del x
    except ValueError:
        raise ValueError from None
    raise TypeError from x

# --- expected
# function f  unsupported.py:2
#   FunctionDef f  @2:1
#     Block
#       arg a  @2:7
#     Block
#       Unsupported import  @3:5
#       Unsupported a with statement  @5:5
#       Assign  @7:5
#         Block
#           Name x  @7:5
#         Tuple  @7:9
#           Block
#             List  @7:9
#               Block
#                 Constant int 1  @7:10
#             Unsupported a set  @7:14
#             Unsupported a dict  @7:19
#             Unsupported an f-string  @7:27
#             Unsupported a set  @7:35
#             Unsupported a generator expression  @7:41
#             Unsupported a lambda with default arguments  @7:57
#       Unsupported a try statement  @8:5
#       Unsupported raise ... from  @12:5
