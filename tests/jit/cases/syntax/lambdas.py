# A captured lambda becomes a function; one inside a kernel stays.
g = lambda x, y=2: x if 0 < x < y else -1


def f(a):
    return g(a) + (lambda a: a + 1)(a)

# --- expected
# function f  lambdas.py:5
#   capture g = kernel 1
#   FunctionDef f  @5:1
#     Block
#       arg a  @5:7
#     Block
#       Return  @6:5
#         BinOp Add  @6:12
#           Call  @6:12
#             Name g  @6:12
#             Block
#               Name a  @6:14
#             Block
#           Call  @6:19
#             Lambda  @6:20
#               Block
#                 arg a  @6:27
#               BinOp Add  @6:30
#                 Name a  @6:30
#                 Constant int 1  @6:34
#             Block
#               Name a  @6:37
#             Block
# function <lambda>  lambdas.py:2
#   default int 2
#   FunctionDef <lambda>  @2:5
#     Block
#       arg x  @2:12
#       arg y  @2:15
#     Block
#       Return  @2:20
#         IfExp  @2:20
#           BoolOp And  @2:25
#             Block
#               Compare Lt  @2:25
#                 Constant int 0  @2:25
#                 Block
#                   Name x  @2:29
#               Compare Lt  @2:29
#                 Name x  @2:29
#                 Block
#                   Name y  @2:33
#           Name x  @2:20
#           Constant int -1  @2:40
