# Several targets and annotations.
def f(a, i):
    x = y = 0
    x = y = a + 1
    x = a[x] = a + 2
    a[0] = x = a + 3
    x = x, y = z = (1, 2)
    x = (x, y) = z = (a, i)
    x, (y, z) = a
    u: float = 1.5
    v: int
    return u

# --- expected
# function f  targets.py:2
#   FunctionDef f  @2:1
#     Block
#       arg a  @2:7
#       arg i  @2:10
#     Block
#       Assign  @3:5
#         Block
#           Name x  @3:5
#         Constant int 0  @3:13
#       Assign  @3:5
#         Block
#           Name y  @3:9
#         Constant int 0  @3:13
#       Assign  @4:5
#         Block
#           Name x  @4:5
#         BinOp Add  @4:13
#           Name a  @4:13
#           Constant int 1  @4:17
#       Assign  @4:5
#         Block
#           Name y  @4:9
#         Name x  @4:5
#       Assign  @5:5
#         Block
#           Name x  @5:5
#         BinOp Add  @5:16
#           Name a  @5:16
#           Constant int 2  @5:20
#       Assign  @5:5
#         Block
#           Subscript  @5:9
#             Name a  @5:9
#             Name x  @5:11
#         Name x  @5:5
#       Assign  @6:5
#         Block
#           Name $1  @6:16
#         BinOp Add  @6:16
#           Name a  @6:16
#           Constant int 3  @6:20
#       Assign  @6:5
#         Block
#           Subscript  @6:5
#             Name a  @6:5
#             Constant int 0  @6:7
#         Name $1  @6:16
#       Assign  @6:5
#         Block
#           Name x  @6:12
#         Name $1  @6:16
#       Assign  @7:5
#         Block
#           Name $2  @7:20
#         Tuple  @7:20
#           Block
#             Constant int 1  @7:21
#             Constant int 2  @7:24
#       Assign  @7:5
#         Block
#           Name x  @7:5
#         Name $2  @7:20
#       Assign  @7:5
#         Block
#           Tuple  @7:9
#             Block
#               Name x  @7:9
#               Name y  @7:12
#         Name $2  @7:20
#       Assign  @7:5
#         Block
#           Name z  @7:16
#         Name $2  @7:20
#       Assign  @8:5
#         Block
#           Name $3  @8:22
#         Tuple  @8:22
#           Block
#             Name a  @8:23
#             Name i  @8:26
#       Assign  @8:5
#         Block
#           Name x  @8:5
#         Name $3  @8:22
#       Assign  @8:5
#         Block
#           Tuple  @8:9
#             Block
#               Name x  @8:10
#               Name y  @8:13
#         Name $3  @8:22
#       Assign  @8:5
#         Block
#           Name z  @8:18
#         Name $3  @8:22
#       Assign  @9:5
#         Block
#           Tuple  @9:5
#             Block
#               Name x  @9:5
#               Tuple  @9:8
#                 Block
#                   Name y  @9:9
#                   Name z  @9:12
#         Name a  @9:17
#       Assign  @10:5
#         Block
#           Name u  @10:5
#         Constant float 1.5  @10:16
#       Return  @12:5
#         Name u  @12:12
