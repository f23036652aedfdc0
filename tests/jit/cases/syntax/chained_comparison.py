# Middle operands are evaluated once; names and literals need no temporary.
def f(a, i, n):
    x = 0 <= i < n
    y = i < a[0] <= a[1] != n
    while 1 < n == g(i) > 2:
        pass
    return i < n


def g(i):
    return i

# --- expected
# function f  chained_comparison.py:2
#   capture g = kernel 1
#   FunctionDef f  @2:1
#     Block
#       arg a  @2:7
#       arg i  @2:10
#       arg n  @2:13
#     Block
#       Assign  @3:5
#         Block
#           Name x  @3:5
#         BoolOp And  @3:9
#           Block
#             Compare LtE  @3:9
#               Constant int 0  @3:9
#               Block
#                 Name i  @3:14
#             Compare Lt  @3:14
#               Name i  @3:14
#               Block
#                 Name n  @3:18
#       Assign  @4:5
#         Block
#           Name y  @4:5
#         BoolOp And  @4:9
#           Block
#             Compare Lt  @4:9
#               Name i  @4:9
#               Block
#                 NamedExpr  @4:13
#                   Name $1  @4:13
#                   Subscript  @4:13
#                     Name a  @4:13
#                     Constant int 0  @4:15
#             BoolOp And  @4:13
#               Block
#                 Compare LtE  @4:13
#                   Name $1  @4:13
#                   Block
#                     NamedExpr  @4:21
#                       Name $2  @4:21
#                       Subscript  @4:21
#                         Name a  @4:21
#                         Constant int 1  @4:23
#                 Compare NotEq  @4:21
#                   Name $2  @4:21
#                   Block
#                     Name n  @4:29
#       While  @5:5
#         BoolOp And  @5:11
#           Block
#             Compare Lt  @5:11
#               Constant int 1  @5:11
#               Block
#                 Name n  @5:15
#             BoolOp And  @5:15
#               Block
#                 Compare Eq  @5:15
#                   Name n  @5:15
#                   Block
#                     NamedExpr  @5:20
#                       Name $3  @5:20
#                       Call  @5:20
#                         Name g  @5:20
#                         Block
#                           Name i  @5:22
#                         Block
#                 Compare Gt  @5:20
#                   Name $3  @5:20
#                   Block
#                     Constant int 2  @5:27
#         Block
#         Block
#       Return  @7:5
#         Compare Lt  @7:12
#           Name i  @7:12
#           Block
#             Name n  @7:16
# function g  chained_comparison.py:10
#   FunctionDef g  @10:1
#     Block
#       arg i  @10:7
#     Block
#       Return  @11:5
#         Name i  @11:12
