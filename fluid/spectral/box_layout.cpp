#include "fluid/spectral/box_layout.hpp"

#include "fluid/spectral/symbols.hpp"
#include "fluid/spectral/transformer.hpp"

#include <corral/error.hpp>

#include <string>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace corral::fluid::spectral {
namespace {

std::string name_of(int side) { return std::string(side_names[side]); }

[[noreturn]] void refuse(const Domain& domain, int side) {
  throw Error("side " + name_of(side) + " is " + std::string(name(domain.side_kind_of_whole(side))) +
              " (Fourier solves serve boxes that wrap along all axes, and no_slip walls at both ends of y)");
}

void require_sides(const Domain& domain) {
  for (int side = 0; side < 6; ++side) {
    const SideKind kind = domain.side_kind_of_whole(side);
    if (kind == SideKind::periodic || (kind == SideKind::no_slip && side / 2 == 1)) continue;
    refuse(domain, side);
  }
  if ((domain.side_kind_of_whole(2) == SideKind::no_slip) != (domain.side_kind_of_whole(3) == SideKind::no_slip)) refuse(domain, 2);
}

void require_plain_box(const Domain& domain) {
  if (!domain.inlets().empty())
    throw Error("inlet " + domain.inlets().front().name + " (Fourier solves know no inlets)");
  if (domain.has_closed_faces()) throw Error("blocked cells (Fourier solves need every cell of the box)");
  for (int d = 0; d < 3; ++d)
    if (domain.grid().axis(d).whole_cells() != domain.grid().axis(d).cells)
      throw Error("a part of a grid (Fourier solves need the whole of it)");
}

} // namespace

BoxLayout::BoxLayout(const Domain& domain)
    : grid(domain.grid()), shared(domain.shared()), own(domain.own()), walled(domain.side_kind_of_whole(2) == SideKind::no_slip),
      low_wall(walled && domain.has_side(2)), high_wall(walled && domain.has_side(3)) {
  require_sides(domain);
  require_plain_box(domain);
  const Grid& whole = domain.whole();
  if (walled && whole.axis(1).cells < 2) throw Error("one cell between two walls (two at least are needed)");
  for (int d = 0; d < 3; ++d) {
    if (!walled || d != 1) require_length(whole.axis(d).cells);
    if (d != plane_axis() && grid.axis(d).cells != whole.axis(d).cells)
      throw Error(std::string("a box that ranks share along ") + "xyz"[d] + " (Fourier solves share it along " + "xyz"[plane_axis()] + " alone)");
  }
  shape = {.nx = whole.axis(0).cells, .rows = whole.axis(row_axis()).cells, .planes = whole.axis(plane_axis()).cells};
}

double BoxLayout::transform_factor() const {
  return static_cast<double>(shape.nx) * static_cast<double>(shape.rows) *
         (walled ? 1.0 : static_cast<double>(shape.planes));
}

void FieldRows::read(std::int64_t plane, std::int64_t row, std::int64_t count, double* to, std::int64_t stride) const {
  double more = more_;
  if (layout_.beside_low_wall(plane)) more += beside_walls_[0];
  if (layout_.beside_high_wall(plane)) more += beside_walls_[1];
  for (std::int64_t r = 0; r < count; ++r) {
    const double* const from = values_ + layout_.begin(d_, layout_.j(plane, row + r), layout_.k(plane, row + r));
    for (std::int64_t i = 0; i < layout_.shape.nx; ++i) to[r * stride + i] = factor_ * from[i] + more;
  }
}

void StoredRows::write(std::int64_t plane, std::int64_t row, std::int64_t count, const double* from,
                       std::int64_t stride) const {
  for (std::int64_t r = 0; r < count; ++r) {
    const std::int64_t begin = layout_.begin(d_, layout_.j(plane, row + r), layout_.k(plane, row + r));
    const double* const come = from + r * stride;
    if (start_ == nullptr)
      for (std::int64_t i = 0; i < layout_.shape.nx; ++i) values_[begin + i] = factor_ * come[i];
    else
      for (std::int64_t i = 0; i < layout_.shape.nx; ++i) values_[begin + i] = start_[begin + i] + factor_ * come[i];
  }
}

Array<double> large_array(std::int64_t size) {
  Array<double> a(size);
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  constexpr std::uintptr_t page = std::uintptr_t{1} << 21; // [bytes]; where it is larger, the system rounds
  const auto begin = reinterpret_cast<std::uintptr_t>(a.data());
  const std::uintptr_t first = (begin + page - 1) / page * page;
  const std::uintptr_t last = (begin + static_cast<std::uintptr_t>(a.bytes())) / page * page;
  // Advice alone: where it is refused, small pages serve. It holds for memory that was not yet written to.
  if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#endif
  a.zero();
  return a;
}

} // namespace corral::fluid::spectral
