#include "structure/markers/inside.hpp"

#include "geometry/vector.hpp"

#include <corral/for_each.hpp>

namespace corral::structure {

using geometry::Vector;
using geometry::operator*;
using geometry::operator-;

namespace {

/// f(corners, twice the area vector) of each triangle: in parallel, but for those of one membrane.
template <class F> void each_triangle(Cpu cpu, const SurfacesOnHost& surfaces, F f) {
  const auto at = [&x = surfaces.x](std::int64_t i) { return Vector{x[0][i], x[1][i], x[2][i]}; };
  const std::int32_t* const corners = surfaces.corners;
  for (const SurfacesOnHost::Kind& kind : surfaces.kinds) {
    const std::int64_t begin = kind.first, each = (kind.end - begin) / kind.membranes; // membrane's
    for_each_chunk(cpu, kind.membranes, 1, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t t = begin + first * each; t < begin + last * each; ++t) {
        const std::int32_t* const c = corners + 3 * t;
        const Vector a = at(c[0]), b = at(c[1]) - a, d = at(c[2]) - a;
        f(c, geometry::cross(b, d));
      }
    });
  }
}

} // namespace

Inside::Inside(const fluid::Domain& domain, const std::string& kernel, Method method)
    : volume_(domain.whole().cell_volume() * static_cast<double>(domain.whole().cells())), maps_(domain, kernel, method),
      potential_(domain), order_(domain), field_(fluid::make_face_arrays(domain.grid())) {}

void Inside::find(Cpu cpu, const std::vector<SurfacesOnHost>& all, std::span<const MembraneMeasures> measures, double* inside) {
  maps_.clear(cpu, fluid::writable_pointers(field_));
  for (const SurfacesOnHost& surfaces : all) {
    const ConstPoints& x = surfaces.x;
    for (auto& component : areas_) component.resize(surfaces.markers), component.fill(0);
    each_triangle(cpu, surfaces, [&](const std::int32_t* corners, const Vector& twice) {
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
  potential_.find(cpu, fluid::pointers(field_), volume / volume_, inside);
}

} // namespace corral::structure
