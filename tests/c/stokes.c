/* Stokes sums by the C interface: values of direct sums in long double, every way in which it refuses, word by word, and
 * that nothing was changed then. */
#define LAST_ERROR corral_stokes_last_error
#include "stokes/stokes.h"

#include "check.h"

#include <math.h>
#include <stdatomic.h>
#include <threads.h>
#include <time.h>

static corral_stokes_task unit_box(int32_t kind) {
  corral_stokes_task task = {.struct_size = sizeof task, .kind = kind, .all_results = 1, .edge = {1, 1, 1}, .sources = 1};
  return task;
}

static corral_stokes_plan* plan_of(const corral_stokes_task* task) {
  corral_stokes_plan* plan = NULL;
  CHECK_OK(corral_stokes_plan_make(task, NULL, &plan));
  return plan;
}

/* `count` columns of interleaved values. */
static void columns_of(corral_column* columns, double* values, int64_t points, int count) {
  for (int c = 0; c < count; ++c) columns[c] = column_of(values + c, points, count);
}

static void near_to(const double* got, const double* expected, int n, double most, int line) {
  for (int i = 0; i < n; ++i) {
    if (fabs(got[i] - expected[i]) < most) continue;
    fprintf(stderr, "%s:%d: value %d is %.14g, not %.14g\n", __FILE__, line, i, got[i], expected[i]);
    ++failures;
  }
}
#define NEAR(got, expected, n, most) near_to(got, expected, n, most, __LINE__)

/* One source at the origin of a unit box, seen from (.3, .1, -.2): velocity, pressure, gradient, as there are. */
static const struct {
  int strengths, velocities, pressures, gradients;
  double strength[6], expected[13];
} kinds[4] = {
    {3, 3, 1, 9, {1}, {1.14821832164643, .41151572454894, -.80300456207740, 8.85790206393598, -2.29869564727373,
                       -5.73301436876241, 11.14271539603223, -2.34079618566064, 2.95016131749065, 2.19629124657538,
                       4.63557677167325, 2.19629124657538, -.65146567021691}},
    {6, 3, 1, 9, {.7, -.4, .2, .1, .9, -.3},
     {-5.71114092743638, -2.84719819298834, 3.62508946687378, -58.72550410217660, 5.26178109849450, 3.97984210701938,
      -39.37255881084886, 11.63219822131950, -22.62902518574693, -15.06370889222652, -20.62546300214777,
      -10.62985578115914, 8.57078465720100}},
    {3, 3, 0, 9, {1}, {0, 3.25356931217949, 1.69610909155089, 0, 0, 0, -22.24518432053061, -7.76637597080062,
                       1.10543456207927, -11.23431814816649, 12.60585264774524, 7.76637597080062}},
    {1, 1, 0, 3, {1}, {.11300989824810, -4.42895103196799, -1.69610909155089, 3.25356931217949}},
};

static void values(int32_t kind, double tolerance) {
  double origin[3] = {0}, at[3] = {.3, .1, -.2}, strength[6], got[13];
  corral_column sources[3], strengths[6], targets[3], results[13];
  corral_stokes_task task = unit_box(kind);
  corral_stokes_results to = {.struct_size = sizeof to};
  corral_stokes_plan* plan;
  const int first = kinds[kind].velocities + kinds[kind].pressures;
  task.tolerance = tolerance;
  task.threads = 1;
  plan = plan_of(&task);
  memcpy(strength, kinds[kind].strength, sizeof strength);
  columns_of(sources, origin, 1, 3);
  columns_of(targets, at, 1, 3);
  columns_of(strengths, strength, 1, kinds[kind].strengths);
  for (int i = 0; i < 13; ++i) {
    got[i] = NAN;
    results[i] = column_of(got + i, 1, 0);
  }
  to.velocity = results;
  to.velocity_count = kinds[kind].velocities;
  if (kinds[kind].pressures > 0) to.pressure = results + kinds[kind].velocities;
  to.gradient = results + first;
  to.gradient_count = kinds[kind].gradients;
  CHECK_OK(corral_stokes_plan_sum(plan, sources, kinds[kind].strengths, strengths, targets, &to));
  /* The unit of errors is |strength|; pressures and gradients of this one source come to a hundred times more. */
  NEAR(got, kinds[kind].expected, first + kinds[kind].gradients, 60 * tolerance);
  corral_stokes_plan_destroy(plan);
}

/* Forces at their own places: what images do. */
static void at_sources(void) {
  double xyz[6] = {0, 0, 0, .3, .1, -.2}, force[6] = {1, 0, 0, 0, 0, 0}, u[6] = {0};
  const double expected[6] = {-3.783063305974, 0, 0, 1.14821832164643, .41151572454894, -.80300456207740};
  corral_column at[3], strength[3], velocity[3];
  corral_stokes_results to = {.struct_size = sizeof to, .velocity_count = 3, .velocity = velocity};
  corral_stokes_seconds seconds = {.struct_size = sizeof seconds};
  corral_stokes_parameters fixed = {.struct_size = sizeof fixed}, chosen = fixed;
  corral_stokes_task task = unit_box(corral_stokeslet);
  corral_stokes_plan* plan = NULL;
  const char* report = NULL;
  int64_t bytes = 0;
  task.sources = 2;
  fixed.support = 10;
  fixed.window = corral_exponential_semicircle;
  columns_of(at, xyz, 2, 3);
  columns_of(strength, force, 2, 3);
  columns_of(velocity, u, 2, 3);
  CHECK_OK(corral_stokes_plan_make(&task, &fixed, &plan));
  CHECK_OK(corral_stokes_plan_sum(plan, at, 3, strength, NULL, &to));
  NEAR(u, expected, 6, 3e-6);
  CHECK_OK(corral_stokes_plan_parameters(plan, &chosen));
  CHECK(chosen.struct_size == sizeof chosen && chosen.support == 10 && chosen.window == corral_exponential_semicircle);
  CHECK(chosen.xi > 0 && chosen.cut_off > 0 && chosen.modes[0] > 1 && chosen.modes[2] > 1 && chosen.beta > 10);
  CHECK_OK(corral_stokes_plan_report(plan, &report));
  CHECK(strstr(report, "windows of 10 points") != NULL && strstr(report, "1e-06 asked for") != NULL);
  CHECK_OK(corral_stokes_plan_seconds(plan, &seconds));
  CHECK(seconds.sort > 0 && seconds.spread > 0 && seconds.transform > 0 && seconds.interpolate > 0 && seconds.near > 0);
  CHECK_OK(corral_stokes_plan_bytes(plan, &bytes));
  CHECK(bytes > 8 * 3 * chosen.modes[0] * chosen.modes[1] * chosen.modes[2]);
  corral_stokes_plan_destroy(plan);

  /* On a sphere of the radius a: 4/(3 a) of its own, and 16 pi a^2/9 of its images beside a point's. */
  task.radius = .1;
  task.all_results = 0;
  plan = plan_of(&task);
  CHECK_OK(corral_stokes_plan_sum(plan, at, 3, strength, NULL, &to));
  NEAR(u, ((const double[]){9.606120521, 0, 0}), 3, 1e-5);
  corral_stokes_plan_destroy(plan);
  task.radius = 0;

  /* Without images a force does nothing at its own place, and beside it what the formula says. */
  const double alone[6] = {0, 0, 0, 4.39072040284697, .57270266124091, -1.14540532248182};
  for (int d = 0; d < 3; ++d) {
    task.free_axis[d] = 1;
    task.origin[d] = -1;
    task.edge[d] = 2;
  }
  plan = plan_of(&task);
  CHECK_OK(corral_stokes_plan_sum(plan, at, 3, strength, NULL, &to));
  NEAR(u, alone, 6, 3e-6);
  corral_stokes_plan_destroy(plan);
}

static void plans_refused(void) {
  struct {
    corral_stokes_task known;
    double later;
  } longer = {.known = unit_box(corral_stokeslet)};
  corral_stokes_task task = unit_box(corral_stokeslet);
  corral_stokes_parameters fixed = {.struct_size = sizeof fixed};
  corral_stokes_plan* plan = (corral_stokes_plan*)&task;
  REFUSED(corral_stokes_plan_make(&task, NULL, NULL), "plan is NULL");
  REFUSED(corral_stokes_plan_make(NULL, NULL, &plan), "corral_stokes_task is NULL");
  CHECK(plan == NULL);
#define PLAN_REFUSED(member, value, message)                            \
  task.member = value;                                                  \
  REFUSED(corral_stokes_plan_make(&task, &fixed, &plan), message);      \
  CHECK(plan == NULL);                                                  \
  task = unit_box(corral_stokeslet)
  PLAN_REFUSED(kind, 4, "corral_stokes_kind 4 (known are 0 to 3)");
  PLAN_REFUSED(kind, -1, "corral_stokes_kind -1 (known are 0 to 3)");
  PLAN_REFUSED(all_results, 2, "all_results 2 (known are 0 to 1)");
  PLAN_REFUSED(free_axis[1], -1, "free_axis -1 (known are 0 to 1)");
  PLAN_REFUSED(threads, -1, "-1 threads (a number is never negative) 0 sets no limit");
  PLAN_REFUSED(edge[1], 0, "a box of 1 x 0 x 1 m (each edge must be positive and finite)");
  PLAN_REFUSED(edge[2], NAN, "a box of 1 x 1 x nan m (each edge must be positive and finite)");
  PLAN_REFUSED(origin[0], INFINITY, "a box of 1 x 1 x 1 m (each edge must be positive and finite)");
  PLAN_REFUSED(tolerance, .5, "tolerance 0.5 (1e-14, which double precision reaches, to .1)");
  PLAN_REFUSED(tolerance, NAN, "tolerance nan (1e-14, which double precision reaches, to .1)");
  PLAN_REFUSED(sources, 0,
               "a plan for 0 sources (their number decides what is fastest) say about how many there will be");
  PLAN_REFUSED(targets, -5, "-5 targets (a number is never negative)");
  PLAN_REFUSED(struct_size, 96,
               "corral_stokes_task with struct_size 96 (this library has 112) set it to sizeof(corral_stokes_task)");
  fixed.window = 2;
  PLAN_REFUSED(kind, 0, "corral_stokes_window 2 (known are 0 to 1)");
  fixed.window = 0;
  fixed.support = 5;
  PLAN_REFUSED(kind, 0, "a window of 5 points (windows of Ewald sums have 4, 6, ... 16)");
  fixed.support = 0;
  fixed.modes[1] = 11;
  PLAN_REFUSED(kind, 0, "11 modes along an axis (a product of 2, 3, 5 and 7 is needed, 2 or more)");
  /* A program compiled for a later version, whose new members are zero, or are not. */
  longer.known.struct_size = sizeof longer;
  CHECK_OK(corral_stokes_plan_make(&longer.known, NULL, &plan));
  corral_stokes_plan_destroy(plan);
  longer.later = 1;
  REFUSED(corral_stokes_plan_make(&longer.known, NULL, &plan),
          "corral_stokes_task sets a member that this library does not know (it is version 0.1)");
  corral_stokes_plan_destroy(NULL);
}

static void sums_refused(void) {
  double xyz[6] = {0, 0, 0, .3, .1, -.2}, force[6] = {1, 0, 0, 0, 0, 0}, u[18] = {7, 7, 7, 7, 7, 7};
  corral_column at[3], strength[3], velocity[3], gradient[9], bad[3];
  corral_stokes_results to = {.struct_size = sizeof to, .velocity_count = 3, .velocity = velocity}, asked = to;
  corral_stokes_task task = unit_box(corral_stokeslet);
  corral_stokes_plan *plan, *plain, *rotlets;
  const corral_stokes_seconds short_struct = {.struct_size = 8};
  corral_stokes_seconds seconds = short_struct;
  plan = plan_of(&task);
  task.all_results = 0;
  plain = plan_of(&task);
  task = unit_box(corral_rotlet);
  rotlets = plan_of(&task);
  columns_of(at, xyz, 2, 3);
  columns_of(strength, force, 2, 3);
  columns_of(velocity, u, 2, 3);
  columns_of(gradient, u, 2, 9);

  REFUSED(corral_stokes_plan_sum(NULL, at, 3, strength, NULL, &to), "plan is NULL");
  REFUSED(corral_stokes_plan_sum(plan, NULL, 3, strength, NULL, &to), "sources is NULL");
  REFUSED(corral_stokes_plan_sum(plan, at, 3, NULL, NULL, &to), "strengths is NULL");
  REFUSED(corral_stokes_plan_sum(plan, at, 3, strength, NULL, NULL), "corral_stokes_results is NULL");
  REFUSED(corral_stokes_plan_sum(plan, at, 6, strength, NULL, &to), "6 columns of strengths (kind stokeslet has 3)");
  asked.velocity_count = 1;
  REFUSED(corral_stokes_plan_sum(plan, at, 3, strength, NULL, &asked), "1 columns of velocity (kind stokeslet has 3)");
  asked.velocity_count = 0;
  REFUSED(corral_stokes_plan_sum(plan, at, 3, strength, NULL, &asked), "0 columns of velocity (kind stokeslet has 3)");
  asked = to;
  asked.velocity = NULL;
  REFUSED(corral_stokes_plan_sum(plan, at, 3, strength, NULL, &asked), "velocity is NULL");
  asked = to;
  asked.gradient = gradient;
  asked.gradient_count = 3;
  REFUSED(corral_stokes_plan_sum(plan, at, 3, strength, NULL, &asked), "3 columns of gradient (kind stokeslet has 9)");
  asked.gradient_count = 9;
  REFUSED(corral_stokes_plan_sum(plain, at, 3, strength, NULL, &asked),
          "pressure or gradient from a plan of velocities (make it with all_results)");
  asked = to;
  asked.pressure = velocity;
  REFUSED(corral_stokes_plan_sum(rotlets, at, 3, strength, NULL, &asked), "a pressure of kind rotlet (it has none)");
  memcpy(bad, velocity, sizeof bad);
  asked = to;
  asked.velocity = bad;
  bad[1].size = 1;
  REFUSED(corral_stokes_plan_sum(plan, at, 3, strength, NULL, &asked), 
          "a column of velocity has 1 values (there are 2 points)");
  bad[1].size = 2;
  bad[1].data = NULL;
  REFUSED(corral_stokes_plan_sum(plan, at, 3, strength, NULL, &asked), NO_DATA("column"));
  bad[1] = velocity[1];
  bad[2].type = corral_float;
  REFUSED(corral_stokes_plan_sum(plan, at, 3, strength, NULL, &asked), "a column of float (sums are of double)");
  memcpy(bad, at, sizeof bad);
  bad[2].size = 1;
  REFUSED(corral_stokes_plan_sum(plan, bad, 3, strength, NULL, &to),
          "sources with coordinates of 2, 2 and 1 points (three columns are equally long) in Fortran hand over an array "
          "of three rows");
  REFUSED(corral_stokes_plan_sum(plan, at, 3, strength, bad, &to),
          "targets with coordinates of 2, 2 and 1 points (three columns are equally long) in Fortran hand over an array "
          "of three rows");
  force[4] = NAN;
  REFUSED(corral_stokes_plan_sum(plan, at, 3, strength, NULL, &to), "strength 1 is not finite at 1 sources");
  force[4] = 0;
  xyz[3] = NAN;
  REFUSED(corral_stokes_plan_sum(plan, at, 3, strength, NULL, &to),
          "1 of 2 sources are not finite, or too far off to wrap (coordinates are in metres)");
  xyz[3] = .3;
  for (int i = 0; i < 6; ++i) CHECK(u[i] == 7);
  CHECK_OK(corral_stokes_plan_sum(plan, at, 3, strength, NULL, &to)); /* and the plan can be used */
  CHECK(u[0] < -3 && u[3] > 1);

  REFUSED(corral_stokes_plan_report(NULL, NULL), "plan is NULL");
  REFUSED(corral_stokes_plan_report(plan, NULL), "text is NULL");
  REFUSED(corral_stokes_plan_bytes(NULL, NULL), "plan is NULL");
  REFUSED(corral_stokes_plan_bytes(plan, NULL), "bytes is NULL");
  REFUSED(corral_stokes_plan_parameters(NULL, NULL), "plan is NULL");
  REFUSED(corral_stokes_plan_parameters(plan, NULL), "corral_stokes_parameters is NULL");
  REFUSED(corral_stokes_plan_seconds(NULL, &seconds), "plan is NULL");
  REFUSED(corral_stokes_plan_seconds(plan, &seconds),
          "corral_stokes_seconds with struct_size 8 (this library has 48) set it to sizeof(corral_stokes_seconds)");
  CHECK(memcmp(&seconds, &short_struct, sizeof seconds) == 0);
  corral_stokes_plan_destroy(plan);
  corral_stokes_plan_destroy(plain);
  corral_stokes_plan_destroy(rotlets);
}

static atomic_int seen;

/* Sums until the other thread has seen it at work. */
static int sum_until_seen(void* plan) {
  double xyz[3] = {0}, force[3] = {1, 0, 0}, u[3];
  corral_column at[3], strength[3], velocity[3];
  corral_stokes_results to = {.struct_size = sizeof to, .velocity_count = 3, .velocity = velocity};
  columns_of(at, xyz, 1, 3);
  columns_of(strength, force, 1, 3);
  columns_of(velocity, u, 1, 3);
  while (!atomic_load(&seen)) corral_stokes_plan_sum(plan, at, 3, strength, NULL, &to);
  return 0;
}

static void one_call_at_a_time(void) {
  const corral_stokes_task task = unit_box(corral_stokeslet);
  corral_stokes_plan* plan = plan_of(&task);
  int64_t bytes;
  thrd_t thread;
  int status = corral_ok;
  CHECK(thrd_create(&thread, sum_until_seen, plan) == thrd_success);
  for (const time_t begin = time(NULL); status == corral_ok && time(NULL) - begin < 20;)
    status = corral_stokes_plan_bytes(plan, &bytes);
  REFUSED(status, "a plan that another call is at work on (it serves one at a time) make one for each thread");
  atomic_store(&seen, 1);
  thrd_join(thread, NULL);
  CHECK_OK(corral_stokes_plan_bytes(plan, &bytes));
  corral_stokes_plan_destroy(plan);
}

int main(void) {
  CHECK(strcmp(corral_stokes_last_error(), "") == 0);
  for (int32_t kind = 0; kind < 4; ++kind) {
    values(kind, 1e-4);
    values(kind, 1e-10);
  }
  at_sources();
  plans_refused();
  sums_refused();
  one_call_at_a_time();
  CHECK(strcmp(corral_last_error(), "") == 0); /* errors of sums are told by their own function */
  return failures != 0;
}
