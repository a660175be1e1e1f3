#include "bench/scene/particles.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>

namespace corral::bench {

namespace {

// A random number of (particle, draw) without state: the mixer of SplitMix64 (Steele, Lea and Flood 2014) applied to
// a counter.
double uniform(std::int64_t i, int draw) {
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;
  std::uint64_t z = (static_cast<std::uint64_t>(i) * 8 + static_cast<std::uint64_t>(draw) + 1) * golden;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return static_cast<double>((z ^ z >> 31) >> 11) * 0x1p-53;
}

using Point = std::array<double, 3>; // in units of the sides of the box

Point in_box(std::int64_t i) { return {uniform(i, 0), uniform(i, 1), uniform(i, 2)}; }

Point clustered(std::int64_t i) {
  Point p = in_box(i);
  if (uniform(i, 3) < 8.0 / 9) // the others put 1/90 of all into the cube, too
    for (double& x : p) x = 0.25 + std::cbrt(0.1) * x;
  return p;
}

Point on_sphere(std::int64_t i, const Point& sides) {
  constexpr double two_pi = 6.283185307179586;
  const double radius = *std::min_element(sides.begin(), sides.end()) / 8;
  const double cosine = 2 * uniform(i, 0) - 1, sine = std::sqrt(1 - cosine * cosine);
  const double angle = two_pi * uniform(i, 1);
  const Point normal{sine * std::cos(angle), sine * std::sin(angle), cosine};
  const int octant = static_cast<int>(8 * uniform(i, 2));
  Point p;
  for (std::size_t d = 0; d < 3; ++d)
    p[d] = (octant >> d & 1 ? 0.75 : 0.25) + radius * normal[d] / sides[d];
  return p;
}

Point in_one_cell(std::int64_t i, const std::array<std::int64_t, 3>& cells) {
  Point p = in_box(i);
  for (std::size_t d = 0; d < 3; ++d)
    p[d] = (static_cast<double>(cells[d] / 2) + p[d]) / static_cast<double>(cells[d]);
  return p;
}

Point draw(const Workload& work, std::int64_t i) {
  switch (work.distribution) {
  case Distribution::uniform: return in_box(i);
  case Distribution::clustered: return clustered(i);
  case Distribution::sphere: {
    const auto& n = work.cells;
    return on_sphere(i, {static_cast<double>(n[0]), static_cast<double>(n[1]), static_cast<double>(n[2])});
  }
  case Distribution::one_cell: return in_one_cell(i, work.cells);
  }
  return {};
}

} // namespace

Grid periodic_grid(const std::array<std::int64_t, 3>& cells) {
  return Grid({Axis{cells[0], 0.0, spacing}, Axis{cells[1], 0.0, spacing}, Axis{cells[2], 0.0, spacing}});
}

template <class T>
Values<T>::Values(std::int64_t n, int fields, Layout layout)
    : n_(n), fields_(fields), interleaved_(layout == Layout::interleaved) {
  const int arrays = interleaved_ ? 1 : fields;
  for (int f = 0; f < arrays; ++f) arrays_.emplace_back(interleaved_ ? n * fields : n, T(0));
}

template <class T> void Values<T>::clear() {
  for (Array<T>& array : arrays_)
    for_each_chunk(Cpu{}, array.size(), 1 << 16, [&](std::int64_t begin, std::int64_t end) {
      std::fill(array.begin() + begin, array.begin() + end, T(0));
    });
}

template <class T> void Values<T>::fill_with_numbers() {
  for (int f = 0; f < fields_; ++f) {
    const Column<T> values = column(f);
    for_each(Cpu{}, n_, [=](std::int64_t i) { values[i] = static_cast<T>(0.5 + uniform(i * max_fields + f, 7)); });
  }
}

template <class T> Particles<T> draw_particles(const Workload& work, std::int64_t n) {
  Particles<T> particles{Values<T>(n, 3, Layout::separate), Values<T>(n, work.fields, work.layout)};
  T* x[3] = {particles.position.data(0), particles.position.data(1), particles.position.data(2)};
  for_each(Cpu{}, n, [&](std::int64_t i) {
    const Point p = draw(work, i);
    for (std::size_t d = 0; d < 3; ++d) x[d][i] = static_cast<T>(p[d] * spacing * static_cast<double>(work.cells[d]));
  });
  particles.value.fill_with_numbers();
  return particles;
}

template class Values<float>;
template class Values<double>;
template Particles<float> draw_particles(const Workload&, std::int64_t);
template Particles<double> draw_particles(const Workload&, std::int64_t);

} // namespace corral::bench
