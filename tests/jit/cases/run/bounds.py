# Ranges of indices: what the bounds pass cuts, tests and shifts must end as plain Python ends, and what was stored
# before a bad index stays stored.


#: run float64[4]=1 2 3 4; float64[4]=0 0 0 0; 4 -> None | float64[4]=1.0 2.0 3.0 4.0; float64[4]=5.0 3.0 5.0 7.0
#: run float64[4]=1 2 3 4; float64[4]=0 0 0 0; 1 -> None | float64[4]=1.0 2.0 3.0 4.0; float64[4]=5.0 0.0 0.0 0.0
#: run float64[4]=1 2 3 4; float64[4]=0 0 0 0; 0 -> None | float64[4]=1.0 2.0 3.0 4.0; float64[4]=0.0 0.0 0.0 0.0
#: run float64[4]=1 2 3 4; float64[4]=0 0 0 0; 6 raises IndexError: index 4 is out of bounds for axis 0 with size 4 | float64[4]=1.0 2.0 3.0 4.0; float64[4]=5.0 3.0 5.0 7.0
#: run float64[0]=; float64[2]=0 0; 1 raises IndexError: index -1 is out of bounds for axis 0 with size 0 | float64[0]=; float64[2]=0.0 0.0
def wraps_at_zero(u, v, n):
    for i in range(n):
        v[i] = u[i - 1] + u[i]


#: run float64[4]=1 2 3 4; float64[4]=0 0 0 0; 4; 2 -> None | float64[4]=1.0 2.0 3.0 4.0; float64[4]=3.0 4.0 1.0 2.0
#: run float64[4]=1 2 3 4; float64[4]=0 0 0 0; 4; 4 -> None | float64[4]=1.0 2.0 3.0 4.0; float64[4]=1.0 2.0 3.0 4.0
#: run float64[4]=1 2 3 4; float64[4]=0 0 0 0; 4; -1 raises IndexError: index 4 is out of bounds for axis 0 with size 4 | float64[4]=1.0 2.0 3.0 4.0; float64[4]=2.0 3.0 4.0 0.0
#: run float64[4]=1 2 3 4; float64[6]=0 0 0 0 0 0; 6; 1 raises IndexError: index 4 is out of bounds for axis 0 with size 4 | float64[4]=1.0 2.0 3.0 4.0; float64[6]=4.0 1.0 2.0 3.0 4.0 0.0
#: run float64[4]=1 2 3 4; float64[4]=0 0 0 0; 4; 9 raises IndexError: index -9 is out of bounds for axis 0 with size 4 | float64[4]=1.0 2.0 3.0 4.0; float64[4]=0.0 0.0 0.0 0.0
#: run float64[4]=1 2 3 4; float64[4]=0 0 0 0; 0; 9 -> None | float64[4]=1.0 2.0 3.0 4.0; float64[4]=0.0 0.0 0.0 0.0
#: run float64[4]=1 2 3 4; float64[4]=0 0 0 0; 4; 9223372036854775807 raises IndexError: index -9223372036854775807 is out of bounds for axis 0 with size 4 | float64[4]=1.0 2.0 3.0 4.0; float64[4]=0.0 0.0 0.0 0.0
def shifted(u, v, n, k):
    for i in range(n):
        v[i] = u[i - k]


#: run float64[4]=1 2 3 4; float64[4]=0 0 0 0; 4; 2 -> None | float64[4]=1.0 2.0 3.0 4.0; float64[4]=7.0 7.0 1.0 2.0
#: run float64[4]=1 2 3 4; float64[4]=0 0 0 0; 4; 9 -> None | float64[4]=1.0 2.0 3.0 4.0; float64[4]=7.0 7.0 7.0 7.0
#: run float64[4]=1 2 3 4; float64[6]=0 0 0 0 0 0; 6; -1 raises IndexError: index 4 is out of bounds for axis 0 with size 4 | float64[4]=1.0 2.0 3.0 4.0; float64[6]=2.0 3.0 4.0 7.0 0.0 0.0
def guarded_shift(u, v, n, k):
    for i in range(n):
        v[i] = 7.0
        if i >= k:
            v[i] = u[i - k]


#: run float64[4]=1 2 3 4; float64[4]=0 0 0 0; 4 -> None | float64[4]=1.0 2.0 3.0 4.0; float64[4]=4.0 3.0 2.0 1.0
#: run float64[4]=1 2 3 4; float64[6]=0 0 0 0 0 0; 6 raises IndexError: index -5 is out of bounds for axis 0 with size 4 | float64[4]=1.0 2.0 3.0 4.0; float64[6]=4.0 3.0 2.0 1.0 0.0 0.0
def backwards(u, v, n):
    for i in range(n):
        v[i] = u[-i - 1]


#: run float64[4]=1 2 3 4; float64[4]=0 0 0 0; 4 -> 3 | float64[4]=1.0 2.0 3.0 4.0; float64[4]=1.0 4.0 3.0 2.0
#: run float64[4]=1 2 3 4; float64[6]=0 0 0 0 0 0; 6 raises IndexError: index -5 is out of bounds for axis 0 with size 4 | float64[4]=1.0 2.0 3.0 4.0; float64[6]=1.0 4.0 3.0 2.0 1.0 0.0
#: run float64[4]=1 2 3 4; float64[6]=0 0 0 0 0 0; 1 -> 0 | float64[4]=1.0 2.0 3.0 4.0; float64[6]=1.0 0.0 0.0 0.0 0.0 0.0
def first_and_then_backwards(u, v, n):
    for i in range(n):
        v[i] = u[-i]
    return i


#: run float64[2x3]=0 1 2 3 4 5; float64[2x3]=0 0 0 0 0 0 -> None | float64[2x3]=0.0 1.0 2.0 3.0 4.0 5.0; float64[2x3]=230.0 41.0 152.0 503.0 314.0 425.0
#: run float64[2x3]=0 1 2 3 4 5; float64[2x2]=0 0 0 0 raises IndexError: index 2 is out of bounds for axis 1 with size 2 | float64[2x3]=0.0 1.0 2.0 3.0 4.0 5.0; float64[2x2]=230.0 41.0 0.0 0.0
#: run float64[1x3]=0 1 2; float64[1x3]=0 0 0 -> None | float64[1x3]=0.0 1.0 2.0; float64[1x3]=200.0 11.0 122.0
#: run float64[0x3]=; float64[1x1]=0 -> None | float64[0x3]=; float64[1x1]=0.0
def wraps_in_a_plane(a, b):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            b[i, j] = a[i, j] + 10 * a[i - 1, j] + 100 * a[i, j - 1]


#: run float64[2x3]=0 1 2 3 4 5; float64[2x3]=0 0 0 0 0 0; 1 -> None | float64[2x3]=0.0 1.0 2.0 3.0 4.0 5.0; float64[2x3]=3.0 4.0 5.0 0.0 1.0 2.0
#: run float64[2x3]=0 1 2 3 4 5; float64[2x3]=0 0 0 0 0 0; 3 raises IndexError: index -3 is out of bounds for axis 0 with size 2 | float64[2x3]=0.0 1.0 2.0 3.0 4.0 5.0; float64[2x3]=0.0 0.0 0.0 0.0 0.0 0.0
#: run float64[2x3]=0 1 2 3 4 5; float64[2x3]=0 0 0 0 0 0; -1 raises IndexError: index 2 is out of bounds for axis 0 with size 2 | float64[2x3]=0.0 1.0 2.0 3.0 4.0 5.0; float64[2x3]=3.0 4.0 5.0 0.0 0.0 0.0
def shifted_rows(a, b, k):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            b[i, j] = a[i - k, j]


#: run float64[5]=1 2 3 4 5; float64[3]=1 10 100; float64[5]=0 0 0 0 0 raises IndexError: index 5 is out of bounds for axis 0 with size 5 | float64[5]=1.0 2.0 3.0 4.0 5.0; float64[3]=1.0 10.0 100.0; float64[5]=215.0 321.0 432.0 543.0 54.0
#: run float64[2]=1 2; float64[3]=1 10 100; float64[5]=0 0 0 0 0 raises IndexError: index 2 is out of bounds for axis 0 with size 2 | float64[2]=1.0 2.0; float64[3]=1.0 10.0 100.0; float64[5]=212.0 21.0 0.0 0.0 0.0
def convolved(u, w, v):
    h = len(w) // 2
    for i in range(len(v)):
        for j in range(len(w)):
            v[i] += w[j] * u[i + j - h]


#: run float64[4]=1 2 3 4; 4 -> 2 | float64[4]=4.0 8.0 16.0 32.0
#: run float64[4]=1 2 3 4; 5 raises IndexError: index 4 is out of bounds for axis 0 with size 4 | float64[4]=4.0 8.0 16.0 32.0
def end_reassigned(u, n):
    s = 0.0
    for i in range(n):
        s += u[i - 1]
        u[i] = s
        n = 2
    return n


#: run float64[4]=1 2 3 4; 9; 2 -> 2 | float64[4]=2.0 3.0 3.0 5.0
#: run float64[4]=1 2 3 4; 9; 7 raises IndexError: index 4 is out of bounds for axis 0 with size 4 | float64[4]=2.0 3.0 4.0 6.0
def leaves_in_time(u, n, last):
    for i in range(n):
        u[i - 1] = u[i - 1] + 1.0
        if i == last:
            break
    else:
        i = -1
    return i


#: run float64[4]=1 2 3 4; 3; 4 -> 310 | float64[4]=4.0 5.0 6.0 7.0
#: run float64[4]=1 2 3 4; 1; 4 -> 104 | float64[4]=2.0 3.0 4.0 5.0
#: run float64[4]=1 2 3 4; 3; 5 raises IndexError: index 4 is out of bounds for axis 0 with size 4 | float64[4]=2.0 3.0 4.0 6.0
def inner_loop_leaves(u, n, m):
    found = 0
    for j in range(n):
        for i in range(m):
            u[i - 1] += 1.0
            if u[i] > 5.0:
                continue
            found += 1
        else:
            found += 100
    return found


#: run float64[4]=1 2 3 4; 4 -> 3 | float64[4]=11.0 12.0 3.0 14.0
#: run float64[4]=1 2 3 4; 6 -> 5 | float64[4]=11.0 12.0 13.0 24.0
def goes_on_in_the_first(u, n):
    count = 0
    for i in range(n):
        if i == 0:
            continue
        u[i - 2] += 10.0
        count += 1
    return count


#: run float64[2x3]=0 1 2 3 4 5; float64[2x3]=0 0 0 0 0 0; 3 -> None | float64[2x3]=0.0 1.0 2.0 3.0 4.0 5.0; float64[2x3]=1.0 2.0 3.0 4.0 5.0 6.0
#: run float64[2x3]=0 1 2 3 4 5; float64[2x3]=0 0 0 0 0 0; 4 raises IndexError: index 3 is out of bounds for axis 0 with size 3 | float64[2x3]=0.0 1.0 2.0 3.0 4.0 5.0; float64[2x3]=1.0 2.0 3.0 4.0 5.0 6.0
#: run float64[2x3]=0 1 2 3 4 5; float64[1x3]=0 0 0; 3 raises IndexError: index 1 is out of bounds for axis 1 with size 1 | float64[2x3]=0.0 1.0 2.0 3.0 4.0 5.0; float64[1x3]=1.0 0.0 0.0
def turned(a, b, n):
    for i in range(n):
        for j in range(a.shape[0]):
            b.T[i, j] = a.T[i, j] + 1.0


#: run float64[2x3]=0 1 2 3 4 5; float64[3]=0 0 0; 0 -> None | float64[2x3]=0.0 1.0 2.0 3.0 4.0 5.0; float64[3]=3.0 5.0 7.0
#: run float64[2x3]=0 1 2 3 4 5; float64[3]=0 0 0; 1 raises IndexError: index 3 is out of bounds for axis 0 with size 3 | float64[2x3]=0.0 1.0 2.0 3.0 4.0 5.0; float64[3]=0.0 1.0 2.0
#: run float64[2x3]=0 1 2 3 4 5; float64[2]=0 0; 0 raises IndexError: index 2 is out of bounds for axis 0 with size 2 | float64[2x3]=0.0 1.0 2.0 3.0 4.0 5.0; float64[2]=0.0 1.0
def over_rows(a, v, more):
    for row in a:
        for j in range(len(row) + more):
            v[j] += row[j]
