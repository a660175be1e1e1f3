/* The C interface maps as pencil and paper do: every weight is exact, so results are compared exactly. */
#include "check.h"

#include <dirent.h>
#include <math.h>

/* Particles of one set of interleaved positions, over a row of three cells. */
typedef struct {
  corral_grid* grid;
  corral_order* order;
} row;

static row make_row(int32_t side, const double* xyz, int64_t n, int32_t offset) {
  row r = {row_of_three(side), NULL};
  double* at = (double*)xyz;
  corral_order_options options = {.struct_size = sizeof options};
  corral_column positions[3];
  options.threads = 2;
  options.offset[0] = offset;
  for (int d = 0; d < 3; ++d) positions[d] = column_of(at + d, n, 3);
  CHECK_OK(corral_order_make(r.grid, &options, &r.order));
  CHECK_OK(corral_order_sort(r.order, positions, NULL));
  return r;
}

static void destroy_row(row r) {
  corral_grid_destroy(r.grid); /* the order outlives its grid */
  corral_order_destroy(r.order);
}

static int equal(const double* got, const double* expected, int n) {
  int same = 1;
  for (int i = 0; i < n; ++i) {
    if (got[i] == expected[i]) continue;
    fprintf(stderr, "value %d is %.17g, not %.17g\n", i, got[i], expected[i]);
    same = 0;
  }
  return same;
}

/* One particle of value 8 between two walls, 1/4 above a face; centres of the cells are at 1/2, 3/2, 5/2. */
static void walls_staggering_and_kernels(void) {
  const double middle[3] = {1.25, 0.5, 0.5}, at_wall[3] = {0.25, 0.5, 0.5};
  double eight = 8;
  const corral_column value = column_of(&eight, 1, 0);
  for (int32_t offset = 0; offset < 2; ++offset) {
    double centres[3] = {0}, faces[4] = {0}, nearest[3] = {0}, plus[3] = {1, 0, 0}, minus[3] = {0};
    corral_map_options options = {.struct_size = sizeof options};
    corral_field both[2];
    corral_column twice[2];
    corral_field field = field_of(centres, corral_centre);

    row r = make_row(corral_wall, middle, 1, offset);
    both[0] = field;
    both[1] = field_of(faces, corral_face_x);
    twice[0] = twice[1] = value;
    CHECK_OK(corral_spread(r.order, NULL, 2, twice, both));
    CHECK(equal(centres, (const double[]){2, 6, 0}, 3));
    CHECK(equal(faces, (const double[]){0, 6, 2, 0}, 4));
    options.kernel = "nearest";
    options.method = "automatic";
    options.deterministic = 1;
    field = field_of(nearest, corral_centre);
    CHECK_OK(corral_spread(r.order, &options, 1, &value, &field));
    CHECK(equal(nearest, (const double[]){0, 8, 0}, 3));
    destroy_row(r);

    r = make_row(corral_wall, at_wall, 1, offset);
    field = field_of(plus, corral_centre);
    CHECK_OK(corral_spread(r.order, NULL, 1, &value, &field));
    CHECK(equal(plus, (const double[]){9, 0, 0}, 3)); /* adds; the quarter beyond the wall comes back */
    field = field_of(minus, corral_centre);
    field.wall_sign[0] = -1;
    CHECK_OK(corral_spread(r.order, NULL, 1, &value, &field));
    CHECK(equal(minus, (const double[]){4, 0, 0}, 3)); /* and is taken off here */
    destroy_row(r);
  }
}

static void ghosts_and_strides(void) {
  const double at_side[3] = {0.25, 0.5, 0.5};
  double eight = 8, read[2] = {-1, -1};
  double with_ghosts[5 * 3 * 3] = {0}, pairs[3 * 2] = {1, 0, 2, 0, 4, 0};
  const int first = 1 + 5 * 1 + 15 * 1;
  const corral_column value = column_of(&eight, 1, 0), into = column_of(read, 1, 2);
  row r = make_row(corral_halo, at_side, 1, 0);
  corral_field field = field_of(with_ghosts + first, corral_centre);
  field.ghosts = 1;
  CHECK_OK(corral_spread(r.order, NULL, 1, &value, &field));
  CHECK(equal(with_ghosts + first - 1, (const double[]){2, 6, 0, 0, 0}, 5));
  with_ghosts[first - 1] = 100;
  with_ghosts[first] = 10;
  CHECK_OK(corral_interpolate(r.order, NULL, 1, &into, &field));
  CHECK(equal(read, (const double[]){100. / 4 + 30. / 4, -1}, 2));
  destroy_row(r);

  r = make_row(corral_open, (const double[]){1.25, 0.5, 0.5}, 1, 1);
  field = field_of(pairs, corral_centre); /* the first of two components that lie side by side */
  field.stride[0] = 2;
  field.stride[1] = field.stride[2] = 6;
  CHECK_OK(corral_interpolate(r.order, NULL, 1, &into, &field));
  CHECK(equal(read, (const double[]){1. / 4 + 2 * 3. / 4, -1}, 2));
  CHECK_OK(corral_spread(r.order, NULL, 1, &value, &field));
  CHECK(equal(pairs, (const double[]){3, 0, 8, 0, 4, 0}, 6));
  destroy_row(r);
}

/* Particles that lie out of order, one outside, one not a number; numbers of every type go along. */
static void reorder_columns_of_every_type(void) {
  double x[6] = {2.5, 0.5, -1, 1.5, NAN, 0.25}, half[6] = {.5, .5, .5, .5, .5, .5};
  float f[6] = {0, 1, 2, 3, 4, 5};
  int32_t i32[12] = {0, -1, 1, -1, 2, -1, 3, -1, 4, -1, 5, -1};
  int64_t i64[6] = {0, 1, 2, 3, 4, 5};
  uint64_t u64[6] = {0, 1, 2, 3, 4, 5};
  const int source[6] = {1, 5, 3, 0, 2, 4};
  double sum[3] = {0}, values[6] = {1, 2, 4, 8, 16, 32};
  corral_counts counts = {.struct_size = sizeof counts};
  corral_grid* grid = row_of_three(corral_open);
  corral_order* order = NULL;
  corral_column columns[6], positions[3];
  corral_field field = field_of(sum, corral_centre);
  corral_map_options nearest = {.struct_size = sizeof nearest};
  nearest.kernel = "nearest";
  positions[0] = column_of(x, 6, 0);
  positions[1] = positions[2] = column_of(half, 6, 1);
  CHECK_OK(corral_order_make(grid, NULL, &order));
  CHECK_OK(corral_order_sort(order, positions, &counts));
  CHECK(counts.inside == 4 && counts.outside == 1 && counts.not_finite == 1);

  columns[0] = positions[0];
  columns[1] = column_of(f, 6, 0);
  columns[1].type = corral_float;
  columns[2] = column_of(i32, 6, 2);
  columns[2].type = corral_int32;
  columns[3] = column_of(i64, 6, 0);
  columns[3].type = corral_int64;
  columns[4] = column_of(u64, 6, 0);
  columns[4].type = corral_uint64;
  columns[5] = column_of(values, 6, 0);
  CHECK_OK(corral_order_reorder(order, 6, columns));
  CHECK(equal(x, (const double[]){0.5, 0.25, 1.5, 2.5, -1}, 5));
  for (int i = 0; i < 6; ++i) {
    CHECK(f[i] == (float)source[i] && i32[2 * i] == source[i] && i32[2 * i + 1] == -1);
    CHECK(i64[i] == source[i] && u64[i] == (uint64_t)source[i]);
  }
  CHECK_OK(corral_spread(order, &nearest, 1, &columns[5], &field));
  CHECK(equal(sum, (const double[]){2 + 32, 8, 1}, 3));
  corral_order_destroy(order);
  corral_grid_destroy(grid);
}

static void single_precision(void) {
  float x = 1.25f, half = .5f, eight = 8, field_values[3] = {0}, read = 0;
  corral_order_options options = {.struct_size = sizeof options};
  corral_column positions[3], value = column_of(&eight, 1, 0), into = column_of(&read, 1, 0);
  corral_field field = field_of(field_values, corral_centre);
  corral_grid* grid = row_of_three(corral_periodic);
  corral_order* order = NULL;
  options.type = value.type = into.type = field.type = corral_float;
  positions[0] = column_of(&x, 1, 0);
  positions[1] = positions[2] = column_of(&half, 1, 0);
  for (int d = 0; d < 3; ++d) positions[d].type = corral_float;
  CHECK_OK(corral_order_make(grid, &options, &order));
  CHECK_OK(corral_order_sort(order, positions, NULL));
  CHECK_OK(corral_spread(order, NULL, 1, &value, &field));
  CHECK(field_values[0] == 2 && field_values[1] == 6 && field_values[2] == 0);
  CHECK_OK(corral_interpolate(order, NULL, 1, &into, &field));
  CHECK(read == 5); /* 2/4 + 6 * 3/4 */
  corral_order_destroy(order);
  corral_grid_destroy(grid);
}

static void points_of_fields(void) {
  const int64_t expected[5][3] = {{3, 1, 1}, {4, 1, 1}, {4, 1, 1}, {3, 1, 1}, {3, 1, 1}};
  corral_grid* grid = row_of_three(corral_wall);
  for (int s = corral_centre; s <= corral_face_z; ++s) {
    int64_t points[3] = {0};
    CHECK_OK(corral_grid_points(grid, s, points));
    CHECK(memcmp(points, expected[s], sizeof points) == 0);
  }
  corral_grid_destroy(grid);
}

static int threads_of_this_program(void) {
  DIR* tasks = opendir("/proc/self/task");
  int entries = 0;
  if (tasks == NULL) return 1;
  while (readdir(tasks) != NULL) ++entries;
  closedir(tasks);
  return entries - 2; /* . and .. */
}

/* An order that may use one thread starts no other, with work enough for many. Called before any other map. */
static void one_thread_if_so_wanted(void) {
  enum { n = 300000 };
  static double at[n], sums[3];
  corral_order_options options = {.struct_size = sizeof options, .threads = 1};
  const corral_column column = column_of(at, n, 0), positions[3] = {column, column, column};
  const corral_field field = field_of(sums, corral_centre);
  corral_grid* grid = row_of_three(corral_periodic);
  corral_order* order = NULL;
  for (int i = 0; i < n; ++i) at[i] = 3.0 * i / n;
  CHECK_OK(corral_order_make(grid, &options, &order));
  CHECK_OK(corral_order_sort(order, positions, NULL));
  CHECK_OK(corral_spread(order, NULL, 1, &column, &field));
  CHECK(threads_of_this_program() == 1);
  corral_order_destroy(order);
  corral_grid_destroy(grid);
}

/* Every kernel by name, far from the sides: the weights of all but the spectral kernels sum to 1. */
static void kernels_by_name(void) {
  static double field_values[16 * 32 * 32];
  double at[3] = {16.25, 16.5, 7.75}, eight = 8;
  corral_axis axes[3];
  corral_grid* grid = NULL;
  corral_order* order = NULL;
  corral_column positions[3];
  const corral_column value = column_of(&eight, 1, 0);
  const corral_field field = field_of(field_values, corral_centre);
  int64_t kernels = 0, methods = 0;
  for (int d = 0; d < 3; ++d) {
    axes[d] = axis_of(d == 2 ? 16 : 32, corral_periodic);
    positions[d] = column_of(at + d, 1, 0);
  }
  CHECK_OK(corral_grid_make(axes, &grid));
  CHECK_OK(corral_order_make(grid, NULL, &order));
  CHECK_OK(corral_order_sort(order, positions, NULL));
  for (const char* name; (name = corral_kernel_name(kernels)) != NULL; ++kernels) {
    corral_map_options options = {.struct_size = sizeof options, .kernel = name};
    double total = 0;
    memset(field_values, 0, sizeof field_values);
    CHECK_OK(corral_spread(order, &options, 1, &value, &field));
    for (int i = 0; i < 16 * 32 * 32; ++i) total += field_values[i];
    if (strncmp(name, "kaiser", 6) != 0 && strncmp(name, "exponential", 11) != 0) CHECK(fabs(total - 8) < 1e-12);
    CHECK(total > 0);
  }
  while (corral_method_name(methods) != NULL) ++methods;
  CHECK(kernels > 40 && methods > 10);
  CHECK(strcmp(corral_method_name(0), "automatic") == 0);
  CHECK(corral_kernel_name(-1) == NULL && corral_method_name(-1) == NULL);
  corral_order_destroy(order);
  corral_grid_destroy(grid);
}

int main(void) {
  CHECK(corral_abi_version() == CORRAL_ABI_VERSION);
  CHECK(CORRAL_VERSION_MAJOR == EXPECTED_MAJOR && CORRAL_VERSION_MINOR == EXPECTED_MINOR);
  CHECK(CORRAL_VERSION_PATCH == EXPECTED_PATCH);
  one_thread_if_so_wanted();
  points_of_fields();
  walls_staggering_and_kernels();
  ghosts_and_strides();
  reorder_columns_of_every_type();
  single_precision();
  kernels_by_name();
  return failures != 0;
}
