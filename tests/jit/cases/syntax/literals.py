# Signs on literals, docstrings and other statements without effect.
def f(x):
    """Gone."""
    pass
    ...
    if x:
        pass
    elif +2 > -1.5:
        "gone too"
    else:
        x = -9223372036854775808, -(-9223372036854775808), --3, -0.0, +x, -True, ~1, -(2**63)
    for i in range(3):
        continue
    else:
        x = -100000000000000000000
    while x:
        break
    else:
        x = 1
    return x

# --- expected
# function f  literals.py:2
#   capture range = function "builtins.range"
#   FunctionDef f  @2:1
#     Block
#       arg x  @2:7
#     Block
#       If  @6:5
#         Name x  @6:8
#         Block
#         Block
#           If  @8:5
#             Compare Gt  @8:10
#               Constant int 2  @8:10
#               Block
#                 Constant float -1.5  @8:15
#             Block
#             Block
#               Assign  @11:9
#                 Block
#                   Name x  @11:9
#                 Tuple  @11:13
#                   Block
#                     Constant int -9223372036854775808  @11:13
#                     Constant big "9223372036854775808"  @11:35
#                     Constant int 3  @11:60
#                     Constant float -0  @11:65
#                     UnaryOp UAdd  @11:71
#                       Name x  @11:72
#                     UnaryOp USub  @11:75
#                       Constant bool True  @11:76
#                     UnaryOp Invert  @11:82
#                       Constant int 1  @11:83
#                     UnaryOp USub  @11:86
#                       BinOp Pow  @11:88
#                         Constant int 2  @11:88
#                         Constant int 63  @11:91
#       For  @12:5
#         Name i  @12:9
#         Call  @12:14
#           Name range  @12:14
#           Block
#             Constant int 3  @12:20
#           Block
#         Block
#           Continue  @13:9
#         Block
#           Assign  @15:9
#             Block
#               Name x  @15:9
#             Constant big "-100000000000000000000"  @15:13
#       While  @16:5
#         Name x  @16:11
#         Block
#           Break  @17:9
#         Block
#           Assign  @19:9
#             Block
#               Name x  @19:9
#             Constant int 1  @19:13
#       Return  @20:5
#         Name x  @20:12
