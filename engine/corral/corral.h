#pragma once

/* corral for C, and for every language that can call C: maps between particles and grids.
 *
 *   corral_grid_make   ->  a grid of cells
 *   corral_order_make  ->  an order of particles over that grid
 *   corral_order_sort      once per step, when positions have changed
 *   corral_spread          any number of times: particles to grid
 *   corral_interpolate     any number of times: grid to particles
 *
 * Particles and fields stay in the caller's memory and are described by a pointer and strides, counted in values.
 *
 * Every function that can fail returns a corral_status; corral_last_error() says in words what was wrong. A call that
 * is refused (corral_bad_argument) has changed nothing. No C++ exception leaves a function.
 *
 * Each struct begins with its own size, so that later versions can add members at the end. Set to zero what you don't
 * need, as an initialiser does: a member that is zero has its default.
 *
 *   corral_column mass = {.struct_size = sizeof mass, .data = m, .size = n};
 *
 * Different handles may be used from different threads at the same time; one order serves one call at a time, and a
 * call that finds another at work on its order is refused.
 * docs/linking.md shows how to build and what is promised about the binary interface. */

#include <corral/export.h>

#include <stddef.h>
#include <stdint.h>

#define CORRAL_VERSION_MAJOR 0
#define CORRAL_VERSION_MINOR 1
#define CORRAL_VERSION_PATCH 0
/* Equal numbers have the same binary interface: 1000 * major + minor. */
#define CORRAL_ABI_VERSION (1000 * CORRAL_VERSION_MAJOR + CORRAL_VERSION_MINOR)

#ifdef __cplusplus
extern "C" {
#endif

/* CORRAL_ABI_VERSION of the library that the program runs with, to be compared with that of this header. */
CORRAL_PUBLIC int corral_abi_version(void);

typedef enum corral_status {
  corral_ok = 0,
  corral_bad_argument = 1,  /* refused, nothing was changed */
  corral_out_of_memory = 2, /* fields and columns of a map, and columns that were being reordered, may be partly
                             * written; an order whose sort failed is empty, as of no particles, and can be used */
  corral_failed = 3         /* anything else */
} corral_status;

/* What the last call that failed on this thread found, as "problem (why) suggestion"; "" before any has. The text is
 * valid until another call fails on this thread; it is cut at 511 bytes. */
CORRAL_PUBLIC const char* corral_last_error(void);

/* ---- values of the members below ---- */

/* What a stencil point beyond a side of the grid means; the same for spread and interpolate. */
typedef enum corral_boundary {
  corral_periodic = 0, /* wraps to the other side; both sides of an axis */
  corral_wall = 1,     /* reflects, times the field's sign along that axis */
  corral_open = 2,     /* drops the point */
  corral_halo = 3      /* uses the caller's ghost points */
} corral_boundary;

/* Where the points of a field lie in the cell. Centred fields have N points along an axis of N cells; nodes, and faces
 * along their normal, N + 1 from the lower end to the upper, or N where the axis is periodic. */
typedef enum corral_staggering {
  corral_centre = 0,
  corral_node = 1,
  corral_face_x = 2,
  corral_face_y = 3,
  corral_face_z = 4
} corral_staggering;

typedef enum corral_type {
  corral_double = 0,
  corral_float = 1,
  corral_int32 = 2, /* for corral_order_reorder alone, as are the two below */
  corral_int64 = 3,
  corral_uint64 = 4
} corral_type;

/* Where an order sorts and maps. */
typedef enum corral_backend {
  corral_cpu = 0,
  corral_gpu = 1 /* the current CUDA device: positions, columns and fields lie in its memory */
} corral_backend;

/* Where the groups of an order begin along an axis: at faces, or half a cell above them. */
typedef enum corral_offset { corral_offset_zero = 0, corral_offset_half = 1 } corral_offset;

/* ---- the grid ---- */

typedef struct corral_grid corral_grid;

/* One direction of a grid: equal cells from `origin` upwards. Both sides are periodic, or neither is. A part of a
 * larger axis, as a rank has it, names the whole by its `origin` and `global_cells`; where the whole goes on, its side is
 * corral_halo. Keys and results are then the whole's (docs/parts.md). */
typedef struct corral_axis {
  size_t struct_size; /* sizeof(corral_axis) */
  int64_t cells;      /* 1 or more; 1 is a thin axis, where centred fields have one point of weight 1: that is 2D;
                       * nodes and faces there collect all weights of the kernel, whose sum is not 1 for windows */
  double origin;      /* lower end, of the whole axis [m] */
  double spacing;     /* size of a cell [m], above 0 */
  int32_t low, high;  /* corral_boundary */
  int64_t offset;     /* of a part: index in the whole axis of its first cell; else 0 */
  int64_t global_cells;    /* of a part: cells of the whole axis; 0: this is the whole */
  int32_t global_periodic; /* of a part: 1 where the whole axis is periodic, and positions wrap as on it; else 0 */
  int32_t reserved;        /* 0 */
} corral_axis;

/* Makes a grid of the axes x, y, z; x is the fastest direction of every field. On failure *grid is NULL. */
CORRAL_PUBLIC int corral_grid_make(const corral_axis axes[3], corral_grid** grid);

/* Orders keep what they need of their grid, which may be destroyed before them. NULL is ignored. */
CORRAL_PUBLIC void corral_grid_destroy(corral_grid* grid);

/* Sets points[0..2] to the points of a field along x, y, z. */
CORRAL_PUBLIC int corral_grid_points(const corral_grid* grid, int staggering, int64_t points[3]);

/* ---- particles in cell order ---- */

/* One number per particle: value i, i in [0, size), stands at data[i * stride]. Interleaved coordinates are three
 * columns with stride 3 that begin at x, x + 1 and x + 2. */
typedef struct corral_column {
  size_t struct_size; /* sizeof(corral_column) */
  void* data;         /* only read by sort and spread */
  int64_t size;       /* particles */
  int64_t stride;     /* [values]; 0 means 1; may be negative */
  int32_t type;       /* corral_type */
  int32_t reserved;   /* 0 */
} corral_column;

typedef struct corral_order corral_order;

typedef struct corral_order_options {
  size_t struct_size; /* sizeof(corral_order_options) */
  int32_t type;       /* of positions, columns and fields: corral_double or corral_float */
  int32_t threads;    /* of a call with this order at most, 1 to 65536; 0: all that the caller's oneTBB arena has */
  int32_t offset[3];  /* corral_offset; half is the fastest for the kernel `linear` and centred fields */
  int32_t backend;    /* corral_backend; corral_gpu is refused where no device is */
  void* stream;       /* a cudaStream_t, on which all calls with a corral_gpu order run; NULL: the default stream */
} corral_order_options;

/* Makes an order over the grid that holds no particles yet; options may be NULL. On failure *order is NULL. */
CORRAL_PUBLIC int corral_order_make(const corral_grid* grid, const corral_order_options* options, corral_order** order);

/* NULL is ignored. */
CORRAL_PUBLIC void corral_order_destroy(corral_order* order);

typedef struct corral_counts {
  size_t struct_size; /* sizeof(corral_counts), set by the caller */
  int64_t inside;
  int64_t outside;    /* beyond an axis that isn't periodic (by more than positions of that type are apart there, which
                       * is half a cell at most), or too far off to wrap; mapped nowhere */
  int64_t not_finite; /* a coordinate is NaN or infinite; mapped nowhere */
} corral_counts;

/* Sorts the particles at positions[0..2] (x, y, z [m]) by cell. The order copies what it needs: positions may change
 * afterwards, maps keep to the ones that were sorted. counts may be NULL; otherwise a call on the GPU, which else
 * returns before its work is done, waits for it. */
CORRAL_PUBLIC int corral_order_sort(corral_order* order, const corral_column positions[3], corral_counts* counts);

/* Brings `count` columns into cell order, in place, after which maps run faster. Hand over all columns of the
 * particles in one call, each once, positions and numbers of every type included. */
CORRAL_PUBLIC int corral_order_reorder(corral_order* order, int64_t count, const corral_column columns[]);

/* ---- maps ---- */

/* A field over the grid's points of one staggering: point (i, j, k) stands at
 * data[i * stride[0] + j * stride[1] + k * stride[2]]. */
typedef struct corral_field {
  size_t struct_size;   /* sizeof(corral_field) */
  void* data;           /* the point (0, 0, 0): ghost points lie before it; only read by interpolate */
  int32_t type;         /* corral_type, that of the order */
  int32_t staggering;   /* corral_staggering */
  int64_t stride[3];    /* [values]; 0 0 0: contiguous, x fastest, `ghosts` points more at either end of each axis */
  int32_t wall_sign[3]; /* what reflection does along x, y, z: 1 or 0 keeps the value, -1 turns its sign */
  int32_t reserved;     /* 0 */
  int64_t ghosts;       /* points beyond the field on each of its sides, for halo boundaries; 0 or more */
  int64_t extent[3];    /* points along x, y, z without ghosts, which a map compares with corral_grid_points before it
                         * touches any; 0 0 0: not known, and the field is believed to have them all */
} corral_field;

typedef struct corral_map_options {
  size_t struct_size;    /* sizeof(corral_map_options) */
  const char* kernel;    /* by name, see corral_kernel_name; NULL: "linear" */
  const char* method;    /* how the map goes about its work, see corral_method_name; NULL: "automatic" */
  int32_t deterministic; /* 1: refuse a method whose last bits may differ from run to run (atomic); 0: take any */
  int32_t reserved;      /* 0 */
  double beta;           /* shape of the windows kaiser_bessel* and exponential_semicircle*, docs/kernels.md: half
                          * to twice their default; 0: that default; other kernels have none */
} corral_map_options;

/* Name i, i = 0, 1, ..., of the kernels that corral ships; NULL beyond the last one. */
CORRAL_PUBLIC const char* corral_kernel_name(int64_t i);

/* The same for methods; `automatic` is the first. */
CORRAL_PUBLIC const char* corral_method_name(int64_t i);

/* Particle to grid: for each i in [0, count), fields[i](x) += sum over particles of phi_x phi_y phi_z columns[i], in
 * one pass. Adds to the fields and never divides by a volume. Several terms may read one column. Each field has its
 * values for itself: refused are fields whose strides put two points in one place, two of equal strides (or one first
 * point) that share a value, and columns in the memory of a field. Fields of other strides, and ghosts, are yours to
 * keep apart. options may be NULL. */
CORRAL_PUBLIC int corral_spread(corral_order* order, const corral_map_options* options, int64_t count,
                                const corral_column columns[], const corral_field fields[]);

/* Grid to particle, the exact adjoint of spread: columns[i] = sum over points of phi_x phi_y phi_z fields[i].
 * Overwrites the columns, no two of which may share values, nor one with a field; particles that the order skipped
 * (outside, not finite) keep what they had. options may be NULL. */
CORRAL_PUBLIC int corral_interpolate(corral_order* order, const corral_map_options* options, int64_t count,
                                     const corral_column columns[], const corral_field fields[]);

#ifdef __cplusplus
}
#endif
