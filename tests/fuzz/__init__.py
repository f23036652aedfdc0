"""Random kernels, compiled and by CPython with NumPy. README.md says how to use it."""
