/* Stokes sums from C: small spheres on a cubic lattice fall more slowly than one alone (Hasimoto 1959). */
#include "stokes/stokes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { side = 8, spheres = side * side * side };

static void must(int status) {
  if (status == corral_ok) return;
  fprintf(stderr, "%s\n", corral_stokes_last_error());
  exit(1);
}

int main(void) {
  static double xyz[3 * spheres], force[3 * spheres], u[3 * spheres];
  const double pi = 3.14159265358979324, mu = 1e-3, radius = 0.05, weight = 1e-6; /* [Pa s], [m], [N] */
  const corral_stokes_task task = {
      .struct_size = sizeof task, .edge = {side, side, side}, .tolerance = 1e-7, .sources = spheres};
  corral_column at[3], strength[3], velocity[3];
  const corral_stokes_results results = {
      .struct_size = sizeof results, .velocity_count = 3, .velocity = velocity};
  corral_stokes_plan* plan;
  const char* report;

  for (int i = 0; i < spheres; ++i) {
    xyz[3 * i] = i % side;
    xyz[3 * i + 1] = i / side % side;
    xyz[3 * i + 2] = i / (side * side);
    force[3 * i + 2] = -weight;
  }
  for (int d = 0; d < 3; ++d) {
    const corral_column interleaved = {.struct_size = sizeof interleaved, .size = spheres, .stride = 3};
    at[d] = strength[d] = velocity[d] = interleaved;
    at[d].data = xyz + d;
    strength[d].data = force + d;
    velocity[d].data = u + d;
  }

  must(corral_stokes_plan_make(&task, NULL, &plan));
  must(corral_stokes_plan_report(plan, &report));
  printf("%s", report);
  must(corral_stokes_plan_sum(plan, at, 3, strength, NULL, &results));
  corral_stokes_plan_destroy(plan);

  const double alone = -weight / (6 * pi * mu * radius);
  const double ratio = 1 + u[2] / (8 * pi * mu) / alone, theory = 1 - 2.837297 * radius;
  printf("on a lattice they fall at %.6f of the speed of one alone (%.6f by theory)\n", ratio, theory);
  return fabs(ratio - theory) < 1e-6 ? 0 : 1;
}
