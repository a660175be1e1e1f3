#include "structure/markers/inside.hpp"

#include "geometry/vector.hpp"

#include <corral/for_each.hpp>

namespace corral::structure {

using geometry::Vector;
using geometry::operator*;
using geometry::operator-;

Inside::Inside(const fluid::Domain& domain, const std::string& kernel, Method method)
    : grid_(domain.grid()), maps_(domain, kernel, method), solver_(domain, Staggering::centre), order_(domain.grid()),
      field_(fluid::make_face_arrays(domain.grid())) {}

void Inside::find(Cpu cpu, const std::deque<Population>& populations, std::span<const MembraneMeasures> measures,
                  double* inside) {
  maps_.clear(cpu, fluid::writable_pointers(field_));
  for (const Population& p : populations) spread_areas(cpu, p);
  divergence(cpu, inside);
  solver_.solve(cpu, 0, 1, inside, inside);
  double volume = 0;
  for (const MembraneMeasures& m : measures) volume += m.volume;
  const double mean = volume / (grid_.cell_volume() * static_cast<double>(grid_.cells()));
  for_each(cpu, grid_.cells(), [=](std::int64_t c) { inside[c] += mean; });
}

void Inside::spread_areas(Cpu cpu, const Population& population) {
  const std::int64_t n = population.markers();
  for (auto& component : areas_) {
    component.resize(n);
    component.fill(0);
  }
  const ConstPoints x = population.at();
  const auto at = [&](std::int64_t i) { return Vector{x[0][i], x[1][i], x[2][i]}; };
  const Array<std::int32_t>& corners = population.triangles();
  for (std::int64_t t = 0; t < corners.size(); t += 3) {
    const Vector a = at(corners[t]);
    const Vector third = (1.0 / 6) * geometry::cross(at(corners[t + 1]) - a, at(corners[t + 2]) - a);
    for (std::int64_t k = t; k < t + 3; ++k)
      for (std::size_t d = 0; d < 3; ++d) areas_[d][corners[k]] += third[d];
  }
  order_.sort(cpu, positions(x[0], x[1], x[2], n));
  maps_.spread(cpu, order_, n, {areas_[0].data(), areas_[1].data(), areas_[2].data()}, fluid::writable_pointers(field_));
}

void Inside::divergence(Cpu cpu, double* to) const {
  const std::int64_t nx = grid_.axis(0).cells, ny = grid_.axis(1).cells;
  for_each(cpu, grid_.cells(), [=, this](std::int64_t c) {
    const std::array<std::int64_t, 3> cell{c % nx, c / nx % ny, c / (nx * ny)};
    double sum = 0;
    for (int d = 0; d < 3; ++d) {
      const Axis& axis = grid_.axis(d);
      const Staggering faces = run::on_faces[static_cast<std::size_t>(d)];
      const auto value = [&](std::array<std::int64_t, 3> face) {
        if (axis.periodic() && face[static_cast<std::size_t>(d)] == axis.cells) face[static_cast<std::size_t>(d)] = 0;
        return field_[d][face[0] + grid_.points(faces, 0) * (face[1] + grid_.points(faces, 1) * face[2])];
      };
      auto next = cell;
      ++next[static_cast<std::size_t>(d)];
      sum += (value(next) - value(cell)) / axis.spacing;
    }
    to[c] = sum;
  });
}

} // namespace corral::structure
