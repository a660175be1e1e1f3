/* corral from C: particles between walls, their mass to the grid and back. */
#include <corral/corral.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { cells = 16, particles = 10000 };

static void must(int status) {
  if (status == corral_ok) return;
  fprintf(stderr, "%s\n", corral_last_error());
  exit(1);
}

int main(void) {
  static double xyz[3 * particles], mass[particles], seen[particles], density[cells * cells * cells];
  const corral_axis axis = {
      .struct_size = sizeof axis, .cells = cells, .spacing = 1.0 / cells, .low = corral_wall, .high = corral_wall};
  const corral_axis axes[3] = {axis, axis, axis};
  const corral_order_options options = {.struct_size = sizeof options,
                                        .offset = {corral_offset_half, corral_offset_half, corral_offset_half}};
  const corral_column positions[3] = {
      {.struct_size = sizeof *positions, .data = xyz, .size = particles, .stride = 3},
      {.struct_size = sizeof *positions, .data = xyz + 1, .size = particles, .stride = 3},
      {.struct_size = sizeof *positions, .data = xyz + 2, .size = particles, .stride = 3},
  };
  const corral_column mass_column = {.struct_size = sizeof mass_column, .data = mass, .size = particles};
  const corral_column seen_column = {.struct_size = sizeof seen_column, .data = seen, .size = particles};
  const corral_field field = {.struct_size = sizeof field, .data = density, .staggering = corral_centre};
  corral_counts counts = {.struct_size = sizeof counts};
  corral_grid* grid;
  corral_order* order;
  double total = 0, squares = 0, products = 0;

  for (int i = 0; i < 3 * particles; ++i) xyz[i] = fmod(0.7548776662466927 * (i + 1), 1.0);
  for (int i = 0; i < particles; ++i) mass[i] = 1e-3;

  must(corral_grid_make(axes, &grid));
  must(corral_order_make(grid, &options, &order));
  must(corral_order_sort(order, positions, &counts));
  must(corral_spread(order, NULL, 1, &mass_column, &field));
  must(corral_interpolate(order, NULL, 1, &seen_column, &field));
  corral_order_destroy(order);
  corral_grid_destroy(grid);

  for (int i = 0; i < cells * cells * cells; ++i) {
    total += density[i];
    squares += density[i] * density[i];
  }
  for (int i = 0; i < particles; ++i) products += mass[i] * seen[i];
  printf("%lld particles inside; mass %.9g kg on the grid; adjoint to %.1g\n", (long long)counts.inside, total,
         fabs(squares - products) / squares);
  return fabs(total - 1e-3 * particles) < 1e-10 && fabs(squares - products) < 1e-12 * squares ? 0 : 1;
}
