# Control flow: loops, their else, what names hold after them.


#: run 5 -> (10, 4)
#: run 0 raises UnboundLocalError: cannot access local variable 'i'
def after_loop(n):
    s = 0
    for i in range(n):
        s += i
    return s, i


#: run 0; 10; 3 -> 18
#: run 10; 0; -3 -> 22
#: run 0; 10; -1 -> 0
#: run 0; 1; 0 raises ValueError: range() arg 3 must not be zero
#: run 9223372036854775806; 9223372036854775807; 1 -> 9223372036854775806
#: run -9223372036854775808; 9223372036854775807; 9223372036854775807 -> -3
def steps(a, b, c):
    s = 0
    for i in range(a, b, c):
        s += i
    return s


#: run 5 -> 10
def reassigned(n):
    s = 0
    for i in range(n):
        s += i
        i = 100
        n = 2
    return s


#: run 3; 10 -> (3, False)
#: run 30; 10 -> (-1, True)
def search(x, n):
    found = -1
    missed = False
    for i in range(n):
        if i == x:
            found = i
            break
    else:
        missed = True
    return found, missed


#: run 10 -> 25
def odd_sum(n):
    s = 0
    i = -1
    while True:
        i += 1
        if i >= n:
            break
        if i % 2 == 0:
            continue
        s += i
    return s


#: run 3 -> 1
#: run 0 -> 2
def while_else(n):
    while n > 0:
        n -= 1
        if n == 1:
            return 1
    else:
        n = 2
    return n


#: run False raises UnboundLocalError: cannot access local variable 'x'
#: run True -> 1
def maybe(c):
    if c:
        x = 1
    return x


#: run 4; float64[3]=1 2 3 -> bool:False
#: run 1; float64[3]=1 2 3 -> bool:True
def short_circuit(i, a):
    return i < len(a) and a[i] > 0


#: run 3 -> ((2, 3), 5, 3)
def tuples(n):
    t = (n - 1, n)
    a, (b, c) = 1, t
    a, b = b, a
    return t, a + c, t[-1]


#: run (1, 2, 3); -1 -> 3
#: run (1, 2, 3); 3 raises IndexError: tuple index out of range
def run_time_index(t, k):
    return t[k]


#: run 2 -> True
#: run 5 -> False
def contains(x):
    return x in (1, 2, 3)


#: run 3 -> 6.0
def mixed(n):
    s = 0
    for i in range(n):
        for j in range(i):
            if j == 2:
                break
            s += j + 1.0
        else:
            s += 1
    return s - 1


#: run 1000000 -> 499999500000
def long_loop(n):
    s = 0
    for i in range(n):
        s += i
    return s
