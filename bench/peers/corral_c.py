"""corral's C interface (engine/corral/corral.h) through ctypes: the calls that the comparison with peers times.

Columns and fields stay in the caller's memory; they are handed over as addresses, so that numpy isn't needed here.
"""

import ctypes
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t, c_void_p

DOUBLE, CENTRE, PERIODIC, OFFSET_HALF = 0, 0, 0, 1


class SizedStruct(ctypes.Structure):
    """A struct of corral.h: it begins with its own size, and what isn't given is 0."""

    def __init__(self, **members):
        super().__init__(struct_size=ctypes.sizeof(type(self)), **members)


class Axis(SizedStruct):
    _fields_ = [("struct_size", c_size_t), ("cells", c_int64), ("origin", c_double), ("spacing", c_double),
                ("low", c_int32), ("high", c_int32), ("offset", c_int64), ("global_cells", c_int64),
                ("global_periodic", c_int32), ("reserved", c_int32)]


class Column(SizedStruct):
    _fields_ = [("struct_size", c_size_t), ("data", c_void_p), ("size", c_int64), ("stride", c_int64),
                ("type", c_int32), ("reserved", c_int32)]


class OrderOptions(SizedStruct):
    _fields_ = [("struct_size", c_size_t), ("type", c_int32), ("threads", c_int32), ("offset", c_int32 * 3),
                ("backend", c_int32), ("stream", c_void_p)]


class Counts(SizedStruct):
    _fields_ = [("struct_size", c_size_t), ("inside", c_int64), ("outside", c_int64), ("not_finite", c_int64)]


class Field(SizedStruct):
    _fields_ = [("struct_size", c_size_t), ("data", c_void_p), ("type", c_int32), ("staggering", c_int32),
                ("stride", c_int64 * 3), ("wall_sign", c_int32 * 3), ("reserved", c_int32), ("ghosts", c_int64),
                ("extent", c_int64 * 3)]


class MapOptions(SizedStruct):
    _fields_ = [("struct_size", c_size_t), ("kernel", c_char_p), ("method", c_char_p), ("deterministic", c_int32),
                ("reserved", c_int32), ("beta", c_double)]


class Library:
    """The shared library at a path. Its calls raise RuntimeError with corral's own words where corral refuses."""

    def __init__(self, path):
        self._calls = ctypes.CDLL(str(path))
        self._calls.corral_last_error.restype = c_char_p
        for name, arguments in {
            "corral_grid_make": [POINTER(Axis), POINTER(c_void_p)],
            "corral_order_make": [c_void_p, POINTER(OrderOptions), POINTER(c_void_p)],
            "corral_order_sort": [c_void_p, POINTER(Column), POINTER(Counts)],
            "corral_order_reorder": [c_void_p, c_int64, POINTER(Column)],
            "corral_spread": [c_void_p, POINTER(MapOptions), c_int64, POINTER(Column), POINTER(Field)],
            "corral_interpolate": [c_void_p, POINTER(MapOptions), c_int64, POINTER(Column), POINTER(Field)],
        }.items():
            getattr(self._calls, name).argtypes = arguments
        for name in ("corral_grid_destroy", "corral_order_destroy"):
            getattr(self._calls, name).argtypes = [c_void_p]
            getattr(self._calls, name).restype = None

    def call(self, name, *arguments):
        if getattr(self._calls, name)(*arguments) != 0:
            raise RuntimeError(f"{name}: {self._calls.corral_last_error().decode()}")

    def destroy(self, name, handle):
        getattr(self._calls, name)(handle)


class Order:
    """An order over a periodic cube of cells^3 cells whose centres lie at origin + (i + 1/2) spacing."""

    def __init__(self, library, cells, origin, spacing, threads):
        self._library = library
        self._cells = cells
        axis = Axis(cells=cells, origin=origin, spacing=spacing, low=PERIODIC, high=PERIODIC)
        grid, self._handle = c_void_p(), c_void_p()
        library.call("corral_grid_make", (Axis * 3)(axis, axis, axis), byref(grid))
        options = OrderOptions(type=DOUBLE, threads=threads, offset=(c_int32 * 3)(*[OFFSET_HALF] * 3))
        try:
            library.call("corral_order_make", grid, byref(options), byref(self._handle))
        finally:
            library.destroy("corral_grid_destroy", grid)

    def __del__(self):
        if getattr(self, "_handle", None):
            self._library.destroy("corral_order_destroy", self._handle)

    @staticmethod
    def _columns(addresses, size):
        return (Column * len(addresses))(*[Column(data=address, size=size, type=DOUBLE) for address in addresses])

    def _fields(self, addresses):
        extent = (c_int64 * 3)(*[self._cells] * 3)
        return (Field * len(addresses))(*[Field(data=address, type=DOUBLE, staggering=CENTRE, extent=extent)
                                          for address in addresses])

    def sort(self, positions, size):
        """Sorts the particles whose x, y, z stand at three addresses; returns how many lie inside."""
        counts = Counts()
        self._library.call("corral_order_sort", self._handle, self._columns(positions, size), byref(counts))
        return counts.inside

    def reorder(self, columns, size):
        self._library.call("corral_order_reorder", self._handle, len(columns), self._columns(columns, size))

    def map(self, name, kernel, beta, columns, fields, size):
        """`name` is spread or interpolate; one column for each field; beta 0 is the kernel's own."""
        options = MapOptions(kernel=kernel.encode(), beta=beta)
        self._library.call(f"corral_{name}", self._handle, byref(options), len(columns),
                           self._columns(columns, size), self._fields(fields))
