#include "tests/engine/cases.hpp"

#include <algorithm>
#include <cmath>

namespace corral::test {
namespace {

Boundary boundary_of(Sides sides) {
  switch (sides) {
  case Sides::periodic: return Boundary::periodic;
  case Sides::open: return Boundary::open;
  case Sides::halo: return Boundary::halo;
  default: return Boundary::wall;
  }
}

/// A position in index space on one axis.
double place(const Axis& axis, Placement placement, Random& random) {
  const auto cells = static_cast<double>(axis.cells);
  switch (placement) {
  case Placement::lattice: return static_cast<double>(random.below(16 * axis.cells + 1)) / 16;
  case Placement::anywhere: return random.uniform(0, cells);
  default: return cells - 1 + static_cast<double>(random.below(16)) / 16;
  }
}

} // namespace

Grid make_grid(std::array<std::int64_t, 3> cells, Sides sides, Placement placement, Random& random) {
  constexpr std::array closed{Boundary::wall, Boundary::open, Boundary::halo};
  const bool exact = placement != Placement::anywhere;
  std::array<Axis, 3> axes;
  for (std::size_t d = 0; d < 3; ++d) {
    Axis& a = axes[d];
    a.cells = cells[d];
    a.spacing = exact ? 0.25 * static_cast<double>(1 << d) : 0.1 + 0.07 * static_cast<double>(d);
    a.origin = exact ? static_cast<double>(d) - 0.5 : 0.3 - static_cast<double>(d) / 3;
    a.low = a.high = boundary_of(sides);
    if (sides == Sides::mixed && random.below(4) == 0) {
      a.low = a.high = Boundary::periodic;
    } else if (sides == Sides::mixed) {
      a.low = random.pick(closed);
      a.high = random.pick(closed);
    }
  }
  return Grid(axes);
}

std::array<Sign, 3> wall_signs(Sides sides, Random& random) {
  const auto draw = [&] {
    if (sides == Sides::mixed) return random.coin() ? Sign::plus : Sign::minus;
    return sides == Sides::wall_minus ? Sign::minus : Sign::plus;
  };
  return {draw(), draw(), draw()};
}

std::array<Offset, 3> offsets(Offsets offsets, Random& random) {
  const auto draw = [&] {
    if (offsets == Offsets::mixed) return random.coin() ? Offset::zero : Offset::half;
    return offsets == Offsets::half ? Offset::half : Offset::zero;
  };
  return {draw(), draw(), draw()};
}

template <class T>
Particles<T> make_particles(const Grid& grid, std::int64_t n, Placement placement, Random& random) {
  Particles<T> p;
  const std::array<std::vector<T>*, 3> columns{&p.x, &p.y, &p.z};
  for (std::int64_t i = 0; i < n; ++i)
    for (int d = 0; d < 3; ++d) {
      const Axis& axis = grid.axis(d);
      double index = place(axis, placement, random);
      if (random.below(12) == 0) index += static_cast<double>((random.below(5) - 2) * axis.cells);
      T x = static_cast<T>(axis.origin + axis.spacing * index);
      if (random.below(60) == 0) x = std::numeric_limits<T>::quiet_NaN();
      if (random.below(60) == 0) x = -std::numeric_limits<T>::infinity();
      columns[d]->push_back(x);
    }
  return p;
}

template Particles<float> make_particles(const Grid&, std::int64_t, Placement, Random&);
template Particles<double> make_particles(const Grid&, std::int64_t, Placement, Random&);

std::string describe(const Grid& grid) {
  std::string text;
  for (int d = 0; d < 3; ++d) {
    const Axis& a = grid.axis(d);
    text += std::to_string(a.cells) + " cells " + std::string(name(a.low)) + "/" + std::string(name(a.high)) + "  ";
  }
  return text;
}

} // namespace corral::test
