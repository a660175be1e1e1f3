#pragma once

/* The least that a test in C needs: what failed is said with file and line, and all checks run. */

#include <corral/corral.h>

#include <stdio.h>
#include <string.h>

#ifndef LAST_ERROR /* where what was wrong is said; files whose calls say it elsewhere define it before */
#define LAST_ERROR corral_last_error
#endif

static int failures = 0;

static void check(int good, const char* what, const char* file, int line) {
  if (good) return;
  fprintf(stderr, "%s:%d: %s\n", file, line, what);
  ++failures;
}

static void check_status(int status, int expected, const char* file, int line) {
  if (status == expected) return;
  fprintf(stderr, "%s:%d: status %d, not %d: %s\n", file, line, status, expected, LAST_ERROR());
  ++failures;
}

static inline void check_refused(int status, int expected, const char* message, const char* file, int line) {
  check_status(status, expected, file, line);
  if (strcmp(LAST_ERROR(), message) == 0) return;
  fprintf(stderr, "%s:%d: \"%s\", not \"%s\"\n", file, line, LAST_ERROR(), message);
  ++failures;
}

#define CHECK(condition) check(condition, #condition, __FILE__, __LINE__)
#define CHECK_OK(call) check_status(call, corral_ok, __FILE__, __LINE__)
#define REFUSED(call, message) check_refused(call, corral_bad_argument, message, __FILE__, __LINE__)

#define NO_DATA(what)                                                                                 \
  "a " what "'s data is NULL (in Fortran, corral_" what "_of gives none to what it cannot view) hand over its memory"

/* An axis of n cells of size 1 that begins at 0. */
static inline corral_axis axis_of(int64_t cells, int32_t side) {
  corral_axis axis = {.struct_size = sizeof axis};
  axis.cells = cells;
  axis.spacing = 1;
  axis.low = axis.high = side;
  return axis;
}

static inline corral_column column_of(void* data, int64_t size, int64_t stride) {
  corral_column column = {.struct_size = sizeof column};
  column.data = data;
  column.size = size;
  column.stride = stride;
  return column;
}

static inline corral_field field_of(void* data, int32_t staggering) {
  corral_field field = {.struct_size = sizeof field};
  field.data = data;
  field.staggering = staggering;
  return field;
}

/* A row of three cells along x between sides of one kind; y and z are thin and periodic. */
static inline corral_grid* row_of_three(int32_t side) {
  corral_axis axes[3];
  corral_grid* grid = NULL;
  axes[0] = axis_of(3, side);
  axes[1] = axes[2] = axis_of(1, corral_periodic);
  CHECK_OK(corral_grid_make(axes, &grid));
  return grid;
}
