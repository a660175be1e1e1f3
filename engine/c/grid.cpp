#include "engine/c/arguments.hpp"

using namespace corral;

static_assert(int(Boundary::periodic) == corral_periodic && int(Boundary::wall) == corral_wall);
static_assert(int(Boundary::open) == corral_open && int(Boundary::halo) == corral_halo);
static_assert(int(Staggering::centre) == corral_centre && int(Staggering::node) == corral_node);
static_assert(int(face(0)) == corral_face_x && int(face(1)) == corral_face_y && int(face(2)) == corral_face_z);

namespace {

Axis axis(const corral_axis* axes, int d) {
  const corral_axis a = c::read(axes, d, "corral_axis");
  const auto boundary = [](std::int32_t value) { return c::enumerator<Boundary>(value, 4, "corral_boundary"); };
  return {a.cells, a.origin, a.spacing, boundary(a.low), boundary(a.high), a.global_periodic != 0, a.offset,
          a.global_cells};
}

} // namespace

int corral_grid_make(const corral_axis axes[3], corral_grid** grid) {
  return c::guarded([&] {
    c::require_pointer(grid, "grid");
    *grid = nullptr;
    *grid = new corral_grid{Grid({axis(axes, 0), axis(axes, 1), axis(axes, 2)})};
  });
}

void corral_grid_destroy(corral_grid* grid) { delete grid; }

int corral_grid_points(const corral_grid* grid, int staggering, int64_t points[3]) {
  return c::guarded([&] {
    c::require_pointer(grid, "grid");
    c::require_pointer(points, "points");
    const Staggering s = c::staggering(staggering);
    for (int d = 0; d < 3; ++d) points[d] = grid->grid.points(s, d);
  });
}
