# Longer chains of `and` and `or` nest to the right.
def f(a, b, c):
    if a and b and c:
        return a or b or c or not a
    return a and b

# --- expected
# function f  boolean.py:2
#   FunctionDef f  @2:1
#     Block
#       arg a  @2:7
#       arg b  @2:10
#       arg c  @2:13
#     Block
#       If  @3:5
#         BoolOp And  @3:8
#           Block
#             Name a  @3:8
#             BoolOp And  @3:14
#               Block
#                 Name b  @3:14
#                 Name c  @3:20
#         Block
#           Return  @4:9
#             BoolOp Or  @4:16
#               Block
#                 Name a  @4:16
#                 BoolOp Or  @4:21
#                   Block
#                     Name b  @4:21
#                     BoolOp Or  @4:26
#                       Block
#                         Name c  @4:26
#                         UnaryOp Not  @4:31
#                           Name a  @4:35
#         Block
#       Return  @5:5
#         BoolOp And  @5:12
#           Block
#             Name a  @5:12
#             Name b  @5:18
