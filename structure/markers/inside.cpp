#include "structure/markers/inside.hpp"

#include "geometry/vector.hpp"

#include <corral/for_each.hpp>

namespace corral::structure {

using geometry::Vector;
using geometry::operator*;
using geometry::operator-;

Inside::Inside(const fluid::Domain& domain, const std::string& kernel, Method method)
    : grid_(domain.grid()), volume_(domain.whole().cell_volume() * static_cast<double>(domain.whole().cells())),
      maps_(domain, kernel, method), solver_(domain, Staggering::centre), order_(domain), field_(fluid::make_face_arrays(domain.grid())),
      ghosts_(domain) {}

template <class F>
void Inside::each_triangle(Cpu cpu, const SurfacesOnHost& surfaces, std::span<const double> weights, F f) {
  const auto at = [&x = surfaces.x](std::int64_t i) { return Vector{x[0][i], x[1][i], x[2][i]}; };
  const std::int32_t* const corners = surfaces.corners;
  for (const SurfacesOnHost::Kind& kind : surfaces.kinds) {
    const std::int64_t begin = kind.first, count = kind.membranes;
    const std::int64_t each = (kind.end - begin) / count; // membrane's
    const double weight = weights.empty() ? 1 : weights[kind.surface];
    for_each_chunk(cpu, count, 1, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t t = begin + first * each; t < begin + last * each; ++t) {
        const std::int32_t* const c = corners + 3 * t;
        const Vector a = at(c[0]), b = at(c[1]) - a, d = at(c[2]) - a;
        f(t, c, weight, geometry::cross(b, d));
      }
    });
  }
}

void Inside::find(Cpu cpu, const std::vector<SurfacesOnHost>& all, std::span<const MembraneMeasures> measures, double* inside) {
  maps_.clear(cpu, fluid::writable_pointers(field_));
  for (const SurfacesOnHost& surfaces : all) {
    const ConstPoints& x = surfaces.x;
    for (auto& component : areas_) component.resize(surfaces.markers), component.fill(0);
    each_triangle(cpu, surfaces, {}, [&](std::int64_t, const std::int32_t* corners, double, const Vector& twice) {
      const Vector third = (1.0 / 6) * twice;
      for (int c = 0; c < 3; ++c)
        for (std::size_t d = 0; d < 3; ++d) areas_[d][corners[c]] += third[d];
    });
    order_.sort(cpu, x, surfaces.markers);
    maps_.spread(cpu, order_, surfaces.markers, {areas_[0].data(), areas_[1].data(), areas_[2].data()},
                 fluid::writable_pointers(field_));
  }
  double volume = 0;
  for (const MembraneMeasures& m : measures) volume += m.volume;
  solve(cpu, volume, inside);
}

void Inside::find_midway(Cpu cpu, const std::deque<Population<Cpu>>& populations, std::span<const double> weights, double* to) {
  maps_.clear(cpu, fluid::writable_pointers(field_));
  double volume = 0;
  for (const Population<Cpu>& p : populations) {
    const ConstPoints x = p.midway();
    const std::int64_t triangles = p.triangles().size() / 3;
    for (auto& component : areas_) component.resize(p.markers()), component.fill(0);
    for (auto* vectors : {&middles_, &whole_areas_})
      for (auto& component : *vectors) component.resize(triangles);
    each_triangle(cpu, p.surfaces_on_host(x, p.triangles().data()), weights, [&](std::int64_t t, const std::int32_t* corners, double weight, const Vector& twice) {
      for (std::size_t d = 0; d < 3; ++d) {
        middles_[d][t] = (x[d][corners[0]] + x[d][corners[1]] + x[d][corners[2]]) / 3;
        whole_areas_[d][t] = 3.0 / 8 * weight * twice[d];
        for (int c = 0; c < 3; ++c) areas_[d][corners[c]] += weight / 24 * twice[d];
      }
    });
    for (std::size_t d = 0; d < 3; ++d) // a third of the middle times the whole area
      volume += sum(cpu, triangles, [a = whole_areas_[d].data(), at = middles_[d].data()](std::int64_t t) {
                  return 4.0 / 9 * a[t] * at[t];
                });
    p.spread_midway(cpu, maps_, {areas_[0].data(), areas_[1].data(), areas_[2].data()}, fluid::writable_pointers(field_));
    order_.sort(cpu, {middles_[0].data(), middles_[1].data(), middles_[2].data()}, triangles);
    maps_.spread(cpu, order_, triangles, {whole_areas_[0].data(), whole_areas_[1].data(), whole_areas_[2].data()},
                 fluid::writable_pointers(field_));
  }
  solve(cpu, volume, to);
}

void Inside::solve(Cpu cpu, double volume, double* inside) {
  divergence(cpu, inside);
  solver_.solve(cpu, 0, 1, inside, inside);
  ghosts_.fill_cells(inside);
  const double mean = volume / volume_;
  for_each(cpu, grid_.cells(), [=](std::int64_t c) { inside[c] += mean; });
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
