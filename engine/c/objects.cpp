#include "engine/c/arguments.hpp"
#include "engine/shared/requirements.hpp"

#include <type_traits>
#include <vector>

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

namespace {

template <class T> corral_order* make(const Grid& grid, const corral_order_options& options) {
  const auto offset = [&](int d) { return c::enumerator<Offset>(options.offset[d], 2, "corral_offset"); };
  const auto backend = c::enumerator<std::size_t>(options.backend, 2, "corral_backend");
  if (backend == corral_gpu) shared::require_device(); // here, and not in the first sort
  return new corral_order{CellOrder<T>(grid, {offset(0), offset(1), offset(2)}), options.threads, backend == corral_gpu,
                          Gpu{static_cast<CUstream_st*>(options.stream)}};
}

/// Throws Error for a type that is not known.
std::int64_t bytes_of(std::int32_t type) {
  c::type_name(type);
  return type == corral_float || type == corral_int32 ? 4 : 8;
}

} // namespace

int corral_order_make(const corral_grid* grid, const corral_order_options* options, corral_order** order) {
  return c::guarded([&] {
    c::require_pointer(order, "order");
    *order = nullptr;
    c::require_pointer(grid, "grid");
    corral_order_options o{};
    if (options != nullptr) o = c::read(options, 0, "corral_order_options");
    c::require_threads(o.threads); // here, and not in the first sort
    if (o.type != corral_double && o.type != corral_float)
      throw Error(std::string("an order of ") + c::type_name(o.type) + " (positions are double or float)");
    *order = o.type == corral_float ? make<float>(grid->grid, o) : make<double>(grid->grid, o);
  });
}

void corral_order_destroy(corral_order* order) { delete order; }

int corral_order_sort(corral_order* order, const corral_column positions[3], corral_counts* counts) {
  return c::guarded([&] {
    if (counts != nullptr) c::read(counts, 0, "corral_counts");
    c::with_order(order, [&]<class E, class T>(E execution, CellOrder<T>& cell_order) {
      Positions<T> at;
      for (std::size_t d = 0; d < 3; ++d) at.axis[d] = c::typed<const T>(c::read_column(positions, std::int64_t(d)));
      SortCounts found; // this sort's own, whatever sorts the order next
      if constexpr (std::is_same_v<E, Cpu>) found = cell_order.sort(execution, at);
      else cell_order.sort(execution, at);
      if (counts == nullptr) return; // and a sort on the GPU is not waited for
      if constexpr (std::is_same_v<E, Gpu>) found = cell_order.counts();
      counts->inside = found.inside;
      counts->outside = found.outside;
      counts->not_finite = found.not_finite;
    });
  });
}

int corral_order_reorder(corral_order* order, int64_t count, const corral_column columns[]) {
  return c::guarded([&] {
    c::require_count(count, "columns");
    c::with_order(order, [&]<class E, class T>(E execution, CellOrder<T>& cell_order) {
      std::vector<detail::ColumnMemory> all;
      for (std::int64_t i = 0; i < count; ++i) {
        const corral_column column = c::read_column(columns, i);
        all.push_back({column.data, column.size, column.stride, bytes_of(column.type)});
      }
      cell_order.reorder(execution, all);
    });
  });
}

corral::c::LastError& corral::c::last_error() noexcept {
  static thread_local LastError of_this_thread;
  return of_this_thread;
}

int corral_abi_version(void) { return CORRAL_ABI_VERSION; }

const char* corral_last_error(void) { return c::last_error().text(); }
