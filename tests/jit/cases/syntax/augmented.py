# Only names, constants, attributes and simple arithmetic of these are evaluated twice.
def f(a, h, i, k):
    i += 1
    a[i - 1, :] *= 2.0
    a[a.size - 1 : -1] -= i
    h[k[i]] += 1
    a[g(i)][i // 2] |= g(k)
    a.real[i] += 1
    a[i] @= (i := 3)
    k += (k := 4)


def g(i):
    return i

# --- expected
# function f  augmented.py:2
#   capture g = kernel 1
#   FunctionDef f  @2:1
#     Block
#       arg a  @2:7
#       arg h  @2:10
#       arg i  @2:13
#       arg k  @2:16
#     Block
#       Assign inplace  @3:5
#         Block
#           Name i  @3:5
#         BinOp Add  @3:5
#           Name i  @3:5
#           Constant int 1  @3:10
#       Assign inplace  @4:5
#         Block
#           Subscript  @4:5
#             Name a  @4:5
#             Tuple  @4:7
#               Block
#                 BinOp Sub  @4:7
#                   Name i  @4:7
#                   Constant int 1  @4:11
#                 Slice  @4:14
#                   Empty
#                   Empty
#                   Empty
#         BinOp Mult  @4:5
#           Subscript  @4:5
#             Name a  @4:5
#             Tuple  @4:7
#               Block
#                 BinOp Sub  @4:7
#                   Name i  @4:7
#                   Constant int 1  @4:11
#                 Slice  @4:14
#                   Empty
#                   Empty
#                   Empty
#           Constant float 2  @4:20
#       Assign inplace  @5:5
#         Block
#           Subscript  @5:5
#             Name a  @5:5
#             Slice  @5:7
#               BinOp Sub  @5:7
#                 Attribute size  @5:7
#                   Name a  @5:7
#                 Constant int 1  @5:16
#               Constant int -1  @5:20
#               Empty
#         BinOp Sub  @5:5
#           Subscript  @5:5
#             Name a  @5:5
#             Slice  @5:7
#               BinOp Sub  @5:7
#                 Attribute size  @5:7
#                   Name a  @5:7
#                 Constant int 1  @5:16
#               Constant int -1  @5:20
#               Empty
#           Name i  @5:27
#       Assign  @6:7
#         Block
#           Name $1  @6:7
#         Subscript  @6:7
#           Name k  @6:7
#           Name i  @6:9
#       Assign inplace  @6:5
#         Block
#           Subscript  @6:5
#             Name h  @6:5
#             Name $1  @6:7
#         BinOp Add  @6:5
#           Subscript  @6:5
#             Name h  @6:5
#             Name $1  @6:7
#           Constant int 1  @6:16
#       Assign  @7:5
#         Block
#           Name $2  @7:5
#         Subscript  @7:5
#           Name a  @7:5
#           Call  @7:7
#             Name g  @7:7
#             Block
#               Name i  @7:9
#             Block
#       Assign  @7:13
#         Block
#           Name $3  @7:13
#         BinOp FloorDiv  @7:13
#           Name i  @7:13
#           Constant int 2  @7:18
#       Assign inplace  @7:5
#         Block
#           Subscript  @7:5
#             Name $2  @7:5
#             Name $3  @7:13
#         BinOp BitOr  @7:5
#           Subscript  @7:5
#             Name $2  @7:5
#             Name $3  @7:13
#           Call  @7:24
#             Name g  @7:24
#             Block
#               Name k  @7:26
#             Block
#       Assign inplace  @8:5
#         Block
#           Subscript  @8:5
#             Attribute real  @8:5
#               Name a  @8:5
#             Name i  @8:12
#         BinOp Add  @8:5
#           Subscript  @8:5
#             Attribute real  @8:5
#               Name a  @8:5
#             Name i  @8:12
#           Constant int 1  @8:18
#       Assign  @9:7
#         Block
#           Name $4  @9:7
#         Name i  @9:7
#       Assign inplace  @9:5
#         Block
#           Subscript  @9:5
#             Name a  @9:5
#             Name $4  @9:7
#         BinOp MatMult  @9:5
#           Subscript  @9:5
#             Name a  @9:5
#             Name $4  @9:7
#           NamedExpr  @9:14
#             Name i  @9:14
#             Constant int 3  @9:19
#       Assign  @10:5
#         Block
#           Name $5  @10:5
#         Name k  @10:5
#       Assign inplace  @10:5
#         Block
#           Name $5  @10:5
#         BinOp Add  @10:5
#           Name $5  @10:5
#           NamedExpr  @10:11
#             Name k  @10:11
#             Constant int 4  @10:16
#       Assign  @10:5
#         Block
#           Name k  @10:5
#         Name $5  @10:5
# function g  augmented.py:13
#   FunctionDef g  @13:1
#     Block
#       arg i  @13:7
#     Block
#       Return  @14:5
#         Name i  @14:12
