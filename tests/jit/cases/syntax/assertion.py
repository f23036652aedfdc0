# A failed assertion raises the exception itself, with its message evaluated only then.
def f(a, n):
    assert n > 0
    assert 0 < a[0] < 1, "outside"

# --- expected
# function f  assertion.py:2
#   FunctionDef f  @2:1
#     Block
#       arg a  @2:7
#       arg n  @2:10
#     Block
#       If  @3:5
#         UnaryOp Not  @3:12
#           Compare Gt  @3:12
#             Name n  @3:12
#             Block
#               Constant int 0  @3:16
#         Block
#           Raise  @3:5
#             Constant exception "AssertionError"  @3:5
#         Block
#       If  @4:5
#         UnaryOp Not  @4:12
#           BoolOp And  @4:12
#             Block
#               Compare Lt  @4:12
#                 Constant int 0  @4:12
#                 Block
#                   NamedExpr  @4:16
#                     Name $1  @4:16
#                     Subscript  @4:16
#                       Name a  @4:16
#                       Constant int 0  @4:18
#               Compare Lt  @4:16
#                 Name $1  @4:16
#                 Block
#                   Constant int 1  @4:23
#         Block
#           Raise  @4:5
#             Call  @4:5
#               Constant exception "AssertionError"  @4:5
#               Block
#                 Constant str "outside"  @4:26
#               Block
#         Block
