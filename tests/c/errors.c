/* Every way in which the C interface refuses, word by word, and that nothing was changed then. */
#include "check.h"

#include <threads.h>

static void grids(void) {
  corral_axis axes[3];
  corral_grid* grid = (corral_grid*)axes;
  int64_t points[3];
  for (int d = 0; d < 3; ++d) axes[d] = axis_of(2, corral_wall);
  REFUSED(corral_grid_make(axes, NULL), "grid is NULL");
  REFUSED(corral_grid_make(NULL, &grid), "corral_axis is NULL");
  CHECK(grid == NULL);
  axes[1].low = 4;
  REFUSED(corral_grid_make(axes, &grid), "corral_boundary 4 (known are 0 to 3)");
  axes[1].low = corral_periodic;
  REFUSED(corral_grid_make(axes, &grid),
          "axis y is periodic on one side only (a periodic axis wraps: make both sides periodic)");
  axes[1].low = corral_wall;
  axes[2].cells = 0;
  REFUSED(corral_grid_make(axes, &grid), "axis z has 0 cells (one at least is needed)");
  grid = row_of_three(corral_wall);
  REFUSED(corral_grid_points(NULL, corral_node, points), "grid is NULL");
  REFUSED(corral_grid_points(grid, corral_node, NULL), "points is NULL");
  REFUSED(corral_grid_points(grid, 5, points), "corral_staggering 5 (known are 0 to 4)");
  REFUSED(corral_grid_points(grid, -1, points), "corral_staggering -1 (known are 0 to 4)");
  corral_grid_destroy(grid);
  corral_grid_destroy(NULL);
}

static void orders(void) {
  corral_grid* grid = row_of_three(corral_wall);
  corral_order_options options = {.struct_size = sizeof options};
  corral_order* order = (corral_order*)grid;
  REFUSED(corral_order_make(grid, NULL, NULL), "order is NULL");
  REFUSED(corral_order_make(NULL, NULL, &order), "grid is NULL");
  CHECK(order == NULL);
  options.type = corral_int64;
  REFUSED(corral_order_make(grid, &options, &order), "an order of int64 (positions are double or float)");
  options.type = 7;
  REFUSED(corral_order_make(grid, &options, &order), "corral_type 7 (known are 0 to 4)");
  options.type = corral_double;
  options.threads = -2;
  REFUSED(corral_order_make(grid, &options, &order), "-2 threads (a number is never negative) 0 sets no limit");
  options.threads = 65537;
  REFUSED(corral_order_make(grid, &options, &order),
          "65537 threads (at most 65536 are served) ask for as many as the machine has");
  options.threads = 0;
  options.backend = corral_gpu;
  if (corral_order_make(grid, &options, &order) == corral_ok) { /* where a device is */
    corral_order_destroy(order);
    order = NULL;
  } else {
    CHECK(order == NULL);
    CHECK(strncmp(corral_last_error(), "a call on the GPU (", 19) == 0);
  }
  options.backend = corral_cpu;
  options.offset[2] = 2;
  REFUSED(corral_order_make(grid, &options, &order), "corral_offset 2 (known are 0 to 1)");
  corral_order_destroy(NULL);
  corral_grid_destroy(grid);
}

static void sorting(corral_order* order) {
  double x[3] = {2.5, 1.5, 0.5};
  int64_t tag[3] = {0, 1, 2};
  corral_column positions[3], columns[2];
  corral_counts counts = {.struct_size = 1};
  for (int d = 0; d < 3; ++d) positions[d] = column_of(x, 3, 0);
  REFUSED(corral_order_sort(NULL, positions, NULL), "order is NULL");
  REFUSED(corral_order_sort(order, NULL, NULL), "corral_column is NULL");
  REFUSED(corral_order_sort(order, positions, &counts),
          "corral_counts with struct_size 1 (this library has 32) set it to sizeof(corral_counts)");
  positions[2].size = 2;
  REFUSED(corral_order_sort(order, positions, NULL),
          "coordinates of 2 and 3 particles (the three columns must be equally long)");
  positions[2].size = -3;
  REFUSED(corral_order_sort(order, positions, NULL), "a column of -3 values (a size is never negative)");
  positions[2] = column_of(NULL, 3, 0);
  REFUSED(corral_order_sort(order, positions, NULL), NO_DATA("column"));
  positions[2] = positions[0];
  positions[2].type = corral_float;
  REFUSED(corral_order_sort(order, positions, NULL), "a column of float (the order is of double)");
  positions[2].type = 9;
  REFUSED(corral_order_sort(order, positions, NULL), "corral_type 9 (known are 0 to 4)");
  positions[2] = positions[0];
  CHECK_OK(corral_order_sort(order, positions, NULL));

  columns[0] = column_of(tag, 3, 0);
  columns[0].type = corral_int64;
  columns[1] = column_of(tag, 2, 0);
  REFUSED(corral_order_reorder(NULL, 2, columns), "order is NULL");
  REFUSED(corral_order_reorder(order, 2, NULL), "corral_column is NULL");
  REFUSED(corral_order_reorder(order, -1, columns), "-1 columns (a number is never negative)");
  REFUSED(corral_order_reorder(order, 2, columns),
          "a column of 2 values cannot be reordered (the order holds 3 particles) "
          "hand over columns as long as the positions");
  columns[1].size = 3;
  columns[1].type = 5;
  REFUSED(corral_order_reorder(order, 2, columns), "corral_type 5 (known are 0 to 4)");
  columns[1] = columns[0];
  REFUSED(corral_order_reorder(order, 2, columns),
          "a column is handed over twice (its values would be reordered twice) name each column once");
  columns[1] = column_of(NULL, 3, 0);
  REFUSED(corral_order_reorder(order, 2, columns), NO_DATA("column"));
  CHECK(tag[0] == 0 && tag[1] == 1 && tag[2] == 2); /* not half of the columns */
}

/* The order holds three particles, see above. */
static void maps(corral_order* order) {
  double values[3] = {1, 1, 1}, points[3] = {0};
  corral_column column = column_of(values, 3, 0), bad_column = column_of(values, 2, 0);
  corral_field field = field_of(points, corral_centre), bad = field;
  corral_column columns[2] = {column, column};
  corral_field fields[2] = {field, field};
  corral_map_options options = {.struct_size = sizeof options};
  REFUSED(corral_spread(NULL, NULL, 1, &column, &field), "order is NULL");
  REFUSED(corral_spread(order, NULL, 1, NULL, &field), "corral_column is NULL");
  REFUSED(corral_spread(order, NULL, 1, &column, NULL), "corral_field is NULL");
  REFUSED(corral_spread(order, NULL, -1, &column, &field), "-1 terms (a number is never negative)");
  REFUSED(corral_spread(order, NULL, 1, &bad_column, &field),
          "a column of 2 values cannot be mapped (the order holds 3 particles) "
          "hand over columns as long as the positions");
  options.kernel = "liner";
  REFUSED(corral_spread(order, &options, 1, &column, &field),
          "kernel \"liner\" is not shipped (corral_kernel_name has those that are)");
  options.kernel = NULL;
  options.method = "magic";
  REFUSED(corral_interpolate(order, &options, 1, &column, &field),
          "method \"magic\" is not known (corral_method_name has those that are)");
  options.method = "atomic";
  options.deterministic = 1;
  REFUSED(corral_spread(order, &options, 1, &column, &field),
          "method \"atomic\" is not deterministic (its additions come in any order) take another one");
  options.method = NULL;
  options.deterministic = 0;
  options.beta = -1;
  REFUSED(corral_spread(order, &options, 1, &column, &field),
          "beta is -1.000000 (0, or the shape of a window)");
  options.beta = 2;
  REFUSED(corral_spread(order, &options, 1, &column, &field),
          "kernel \"linear\" with a beta (only windows have that shape) set beta to 0");
  options.kernel = "kaiser_bessel4";
  REFUSED(corral_spread(order, &options, 1, &column, &field),
          "beta is 2.000000 (kaiser_bessel4 takes 4.580000 to 18.320000 by name) take the default, or a window of another "
          "degree in C++");
  options.kernel = "kaiser_bessel17";
  REFUSED(corral_spread(order, &options, 1, &column, &field),
          "kernel \"kaiser_bessel17\" is not shipped (corral_kernel_name has those that are)");
  options.kernel = NULL;
  options.beta = 0;
  options.deterministic = 2;
  REFUSED(corral_spread(order, &options, 1, &column, &field), "deterministic is 2 (0 or 1 are known)");
  bad.type = corral_float;
  REFUSED(corral_spread(order, NULL, 1, &column, &bad), "a field of float (the order is of double)");
  bad = field;
  bad.data = NULL;
  REFUSED(corral_interpolate(order, NULL, 1, &column, &bad), NO_DATA("field"));
  bad = field;
  bad.staggering = 5;
  REFUSED(corral_interpolate(order, NULL, 1, &column, &bad), "corral_staggering 5 (known are 0 to 4)");
  bad = field;
  bad.ghosts = -1;
  REFUSED(corral_spread(order, NULL, 1, &column, &bad), "-1 ghost points (a number is never negative)");
  bad = field;
  bad.wall_sign[1] = 2;
  REFUSED(corral_spread(order, NULL, 1, &column, &bad), "wall_sign is 2 (-1, 0 or 1 are known)");
  bad = field;
  bad.stride[1] = 1;
  REFUSED(corral_spread(order, NULL, 1, &column, &bad),
          "a centre field with stride 0 along axis x (a spread would add up its 3 points in one) "
          "set its three strides");
  bad = field;
  bad.extent[0] = 4;
  bad.extent[1] = bad.extent[2] = 1;
  REFUSED(corral_interpolate(order, NULL, 1, &column, &bad),
          "a centre field of 4 x 1 x 1 points (the grid has 3 x 1 x 1 of them)");
  REFUSED(corral_spread(order, NULL, 2, columns, fields),
          "a field that two terms add to (they may be added at once) spread them in two calls");
  REFUSED(corral_interpolate(order, NULL, 2, columns, fields),
          "a column that two terms set (each overwrites the other's values) give each a column of its own");
  for (int i = 0; i < 3; ++i) CHECK(values[i] == 1 && points[i] == 0);
}

/* What callers compiled for another version hand over. */
static void sizes_of_structs(corral_order* order) {
  struct {
    corral_column known;
    int64_t later;
  } columns[2];
  double values[3] = {1, 2, 4}, points[2][3] = {{0}};
  corral_field fields[2];
  memset(columns, 0, sizeof columns);
  for (int i = 0; i < 2; ++i) {
    columns[i].known = column_of(values, 3, 0);
    columns[i].known.struct_size = sizeof columns[i];
    fields[i] = field_of(points[i], corral_centre);
  }
  CHECK_OK(corral_spread(order, NULL, 2, &columns[0].known, fields));
  CHECK(points[0][0] == 4 && points[1][0] == 4 && points[1][2] == 1);
  columns[1].later = 1;
  REFUSED(corral_spread(order, NULL, 2, &columns[0].known, fields),
          "corral_column sets a member that this library does not know (it is version 0.1)");
  columns[1].later = 0;
  columns[1].known.struct_size = 0;
  REFUSED(corral_spread(order, NULL, 2, &columns[0].known, fields),
          "corral_column with struct_size 0 (this library has 40) set it to sizeof(corral_column)");
  columns[0].known.struct_size = (size_t)1 << 40; /* not searched for members that are set */
  REFUSED(corral_spread(order, NULL, 1, &columns[0].known, fields),
          "corral_column with struct_size 1099511627776 (this library has 40) set it to sizeof(corral_column)");
  columns[0].known.struct_size = sizeof columns[0];
  columns[1].known.struct_size = sizeof columns[1];
  columns[1].known.reserved = 3;
  REFUSED(corral_spread(order, NULL, 2, &columns[0].known, fields),
          "corral_column with reserved = 3 (that member is 0 in this version) begin with all members zero");
  CHECK(points[0][0] == 4);
}

/* The first version's structs, without the members that came at their ends. */
static void earlier_structs(corral_order* order) {
  double values[3] = {1, 2, 4}, points[2][3] = {{0}};
  corral_column columns[2] = {column_of(values, 3, 0), column_of(values, 3, 0)};
  struct {
    unsigned char bytes[offsetof(corral_field, extent)];
  } fields[2];
  corral_map_options options;
  memset(&options, 0xff, sizeof options); /* what lies behind the struct is not read */
  memset(&options, 0, offsetof(corral_map_options, beta));
  options.struct_size = offsetof(corral_map_options, beta);
  for (int i = 0; i < 2; ++i) {
    corral_field field = field_of(points[i], corral_centre);
    field.struct_size = sizeof fields[i];
    memcpy(&fields[i], &field, sizeof fields[i]);
  }
  CHECK_OK(corral_spread(order, &options, 2, columns, (const corral_field*)(const void*)fields));
  CHECK(points[0][0] == 4 && points[1][0] == 4 && points[1][2] == 1);
}

static int message_of_another_thread(void* message) {
  strcpy(message, corral_last_error());
  corral_grid_make(NULL, NULL);
  return 0;
}

int main(void) {
  char elsewhere[512] = "never called";
  corral_grid* grid = row_of_three(corral_wall);
  corral_order* order = NULL;
  thrd_t thread;
  CHECK(strcmp(corral_last_error(), "") == 0);
  grids();
  orders();
  CHECK_OK(corral_order_make(grid, NULL, &order));
  sorting(order);
  maps(order);
  earlier_structs(order);
  sizes_of_structs(order);
  CHECK(thrd_create(&thread, message_of_another_thread, elsewhere) == thrd_success);
  thrd_join(thread, NULL);
  CHECK(strcmp(elsewhere, "") == 0);
  CHECK(strncmp(corral_last_error(), "corral_column with", 18) == 0);
  corral_order_destroy(order);
  corral_grid_destroy(grid);

#if !SANITIZED /* sanitizers end the program where memory is short */
  for (int bits = 4; bits <= 21; bits += 17) { /* 2^44 cells, and 2^61: more bytes than 64 bits can count */
    corral_axis axes[3];
    for (int d = 0; d < 3; ++d) axes[d] = axis_of(1 << (d == 2 ? bits : 20), corral_wall);
    CHECK_OK(corral_grid_make(axes, &grid));
    check_refused(corral_order_make(grid, NULL, &order), corral_out_of_memory, "out of memory", __FILE__, __LINE__);
    CHECK(order == NULL);
    corral_grid_destroy(grid);
  }
#endif
  return failures != 0;
}
