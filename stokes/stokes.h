#pragma once

/* Stokes sums for C, and for every language that can call C: what <corral/corral.h> is for maps.
 *
 *   corral_stokes_plan_make  ->  a plan, made once for a box, a tolerance and about so many points
 *   corral_stokes_plan_sum       any number of times: strengths at sources to flow at targets
 *
 * docs/stokes.md says what is summed, and how well. Statuses, columns, sizes of structs and the meaning of zero are those
 * of <corral/corral.h>: a call that is refused (corral_bad_argument) has changed nothing, and no C++ exception leaves a
 * function. What was wrong is said by corral_stokes_last_error(), not by corral_last_error().
 *
 * Different plans may be used from different threads at the same time. A call that finds another at work on its plan is
 * refused. */

#include <corral/corral.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the last call of this header that failed on this thread found, as "problem (why) suggestion"; "" before any has.
 * The text is valid until another call fails on this thread; it is cut at 511 bytes. */
const char* corral_stokes_last_error(void);

/* What a source gives at r = target - source, before its images. No factor 1/(8 pi mu) is in it. */
typedef enum corral_stokes_kind {
  corral_stokeslet = 0, /* f/r + (f.r) r/r^3, of a force f; strengths fx fy fz */
  corral_stresslet = 1, /* -6 (q.r)(n.r) r/r^5, of a double layer; strengths qx qy qz nx ny nz */
  corral_rotlet = 2,    /* t x r/r^3, of a torque t; strengths tx ty tz */
  corral_laplace = 3    /* q/r, of a charge q */
} corral_stokes_kind;

/* What a plan is made for. */
typedef struct corral_stokes_task {
  size_t struct_size;   /* sizeof(corral_stokes_task) */
  int32_t kind;         /* corral_stokes_kind */
  int32_t all_results;  /* 1: pressure and gradient, too, as accurate as the velocity; 0: velocities alone */
  int32_t free_axis[3]; /* 1: no images along x, y, z, and the box holds all points; 0: periodic */
  int32_t threads;      /* of a call at most, 1 to 65536; 0: all that the caller's oneTBB arena has */
  double origin[3];     /* lower corner of the box [m] */
  double edge[3];       /* of the box [m], above 0 */
  double tolerance;     /* root mean square error over targets (docs/stokes.md has its unit), 1e-14 to .1; 0: 1e-6 */
  int64_t sources;      /* about so many, 1 or more: they decide what is fastest */
  int64_t targets;      /* the same; 0: as many as sources */
  double radius;        /* above 0: forces of stokeslets act on spheres of this radius, and velocities are of such spheres,
                         * that of a source at a target's place included [m]; velocities alone. 0: points */
} corral_stokes_task;

typedef enum corral_stokes_window { corral_kaiser_bessel = 0, corral_exponential_semicircle = 1 } corral_stokes_window;

/* How sums are done. A number of 0 in what is handed over is one to be chosen. */
typedef struct corral_stokes_parameters {
  size_t struct_size; /* sizeof(corral_stokes_parameters) */
  double xi;          /* where near field and far field part [1/m] */
  double cut_off;     /* of the near field [m] */
  int64_t modes[3];   /* points of the grid along each axis: products of 2, 3, 5 and 7 */
  int32_t support;    /* points of the window along each axis: 4, 6, ... 16 */
  int32_t window;     /* corral_stokes_window */
  double beta;        /* shape of the window: 1.5 to 3 times the support */
} corral_stokes_parameters;

/* Where the time of a call went [s]. */
typedef struct corral_stokes_seconds {
  size_t struct_size; /* sizeof(corral_stokes_seconds), set by the caller */
  double sort, spread, transform, interpolate, near;
} corral_stokes_seconds;

typedef struct corral_stokes_plan corral_stokes_plan;

/* Makes a plan, with those parameters fixed that are not 0; `fixed` may be NULL. Refused are boxes without volume, and
 * parameters that miss the tolerance three times over. On failure *plan is NULL. */
int corral_stokes_plan_make(const corral_stokes_task* task, const corral_stokes_parameters* fixed,
                            corral_stokes_plan** plan);

/* NULL is ignored. */
void corral_stokes_plan_destroy(corral_stokes_plan* plan);

/* Where results go, in columns of doubles as long as the targets; what is left NULL is not asked for. Results share no
 * memory with each other, or with what is read. */
typedef struct corral_stokes_results {
  size_t struct_size; /* sizeof(corral_stokes_results) */
  int64_t velocity_count, gradient_count; /* columns of the two below: 3 and 9, of charges 1 and 3 */
  const corral_column* velocity;          /* of charges the potential */
  const corral_column* gradient;          /* d u_i/d x_l at place 3 i + l; of plans of all results, as is the pressure */
  const corral_column* pressure;          /* one column; of stokeslets and stresslets alone */
} corral_stokes_results;

/* Sums over the sources, and their images along periodic axes, at the targets. Columns are of doubles.
 *
 * sources[0..2] and targets[0..2] are x, y, z [m]; they wrap along periodic axes. Targets may be NULL: they are then the
 * sources, which are sorted once. strengths[0..strength_count-1] are the kind's: 3, of stresslets 6, of charges 1.
 *
 * Where a status is neither corral_ok nor corral_bad_argument, results may be partly written. */
int corral_stokes_plan_sum(corral_stokes_plan* plan, const corral_column sources[3], int64_t strength_count,
                           const corral_column strengths[], const corral_column targets[3],
                           const corral_stokes_results* results);

/* What the plan goes by: all that was to be chosen is. The caller sets struct_size. */
int corral_stokes_plan_parameters(const corral_stokes_plan* plan, corral_stokes_parameters* parameters);

/* A few lines for people: parameters, expected errors by part and which one dominates, expected times. The text is the
 * plan's, and valid as long. */
int corral_stokes_plan_report(const corral_stokes_plan* plan, const char** text);

/* Of the last call that summed. The caller sets struct_size. */
int corral_stokes_plan_seconds(const corral_stokes_plan* plan, corral_stokes_seconds* seconds);

/* Memory that the plan holds, scratch included [bytes]. */
int corral_stokes_plan_bytes(const corral_stokes_plan* plan, int64_t* bytes);

#ifdef __cplusplus
}
#endif
