#pragma once

/// What runs between the products of DeviceRadialMembranes: a thread a site of a membrane, or a representative, and sums.

#include "structure/radial/device/tables.hpp"
#include "structure/radial/radial_membranes.hpp"
#include "structure/triangles/loops.hpp"

#include <corral/for_each.cuh>

#include <array>
#include <cstddef>
#include <cstdint>

namespace corral::structure::radial {

namespace on_device {

struct ThreeSums {
  double of[3] = {0, 0, 0};
};
struct AddSums {
  CORRAL_HOST_DEVICE void operator()(ThreeSums& a, const ThreeSums& b) const {
    for (int d = 0; d < 3; ++d) a.of[d] += b.of[d];
  }
  CORRAL_HOST_DEVICE void operator()(SurfaceSums& a, const SurfaceSums& b) const { a += b; }
};

/// Means of positions, from the first one.
inline void find_origins(Gpu gpu, std::int64_t members, std::int64_t n, const ConstPoints& x, Array<ThreeSums>& parts, ThreeSums* sums,
                         Vector* origins) {
  sum_of_each(gpu, members, n, ThreeSums{}, [=] CORRAL_BODY(std::int64_t c, std::int64_t j, ThreeSums& sum) {
    for (int d = 0; d < 3; ++d) sum.of[d] += x[d][c * n + j] - x[d][c * n];
  }, AddSums{}, parts, sums);
  for_each(gpu, members, [=] CORRAL_BODY(std::int64_t c) {
    for (int d = 0; d < 3; ++d) origins[c][d] = x[d][c * n] + sums[c].of[d] / static_cast<double>(n);
  });
}

/// Of positions from their origins, in the first columns.
inline void halve_places(Gpu gpu, std::int64_t members, const SitesView& data, const ConstPoints& x, const Vector* origins, const HalvesView& to) {
  for_each_of(gpu, data.representatives(), members, [=] CORRAL_BODY(std::int64_t j, std::int64_t m) {
    for (int d = 0; d < 3; ++d) {
      const std::int64_t place = j * to.columns + 3 * m + d;
      const double here = x[d][m * data.count + j] - origins[m][d], there = x[d][m * data.count + data.partner(j)] - origins[m][d];
      const bool alone = j >= data.pairs(); // its value is even
      to.even[place] = alone ? here : 0.5 * (here + there);
      to.odd[place] = alone ? 0 : 0.5 * (here - there);
    }
  });
}

/// H - H0 behind the positions.
inline void append_curvature(Gpu gpu, std::int64_t members, const ShapesView& shapes, const SitesView& data, const double* rest, const HalvesView& to) {
  for_each_of(gpu, data.representatives(), members, [=] CORRAL_BODY(std::int64_t j, std::int64_t m) {
    const std::int64_t place = j * to.columns + 3 * members + m, other = data.partner(j);
    const double here = Curvature(shapes.tangents(j, m), shapes.bends(j, m)).mean - rest[j];
    const double there = Curvature(shapes.tangents(other, m), shapes.bends(other, m)).mean - rest[other];
    const bool alone = j >= data.pairs();
    to.even[place] = alone ? here : 0.5 * (here + there);
    to.odd[place] = alone ? 0 : 0.5 * (here - there);
  });
}

inline void find_penalties(Gpu gpu, const GroupView& group, double volume, double area, Array<SurfaceSums>& parts, SurfaceSums* sums, PenaltyOf* to) {
  if (!is_constrained(group.material))
    return for_each(gpu, group.members, [=] CORRAL_BODY(std::int64_t m) { to[m] = {}; });
  sum_of_each(gpu, group.members, group.sites.count, SurfaceSums{},
              [=] CORRAL_BODY(std::int64_t m, std::int64_t i, SurfaceSums& sum) { group.add_extent_of(i, m, sum); }, AddSums{}, parts, sums);
  for_each(gpu, group.members, [=] CORRAL_BODY(std::int64_t m) {
    const SurfaceSums& of = sums[m];
    to[m] = {penalty_of(group.material, volume, area, of.volume, of.area), {of.open[0], of.open[1], of.open[2]}};
  });
}

inline void put_collocated(Gpu gpu, const GroupView& group, const Points& forces) {
  for_each_of(gpu, group.members, group.sites.count, [=] CORRAL_BODY(std::int64_t m, std::int64_t i) {
    const Vector f = group.collocated(i, m);
    for (int d = 0; d < 3; ++d) forces[d][m * group.sites.count + i] = f[d];
  });
}

/// Weights of the sums over sites, halved as halve_weights does, of one derivative each.
inline void put_derivatives(Gpu gpu, const GroupView& group, const std::array<HalvesView, 6>& to) {
  for_each_of(gpu, group.sites.representatives(), group.members, [=] CORRAL_BODY(std::int64_t i, std::int64_t m) {
    const std::array<Vector, 6> here = group.derivatives(i, m).all();
    const std::int64_t other = group.sites.partner(i);
    for (std::size_t k = 0; k < 6; ++k)
      for (std::size_t d = 0; d < 3; ++d) {
        const std::int64_t place = i * to[k].columns + 3 * m + static_cast<std::int64_t>(d);
        to[k].even[place] = to[k].odd[place] = group.weights[i] * here[k][d];
      }
    if (other == i) return;
    const std::array<Vector, 6> there = group.derivatives(other, m).all();
    for (std::size_t k = 0; k < 6; ++k)
      for (std::size_t d = 0; d < 3; ++d) {
        const std::int64_t place = i * to[k].columns + 3 * m + static_cast<std::int64_t>(d);
        const double more = group.weights[other] * there[k][d];
        to[k].even[place] += more, to[k].odd[place] -= more;
      }
  });
}

/// What every data site moves: VariationalRule::start_sums.
inline void start_sums(Gpu gpu, std::int64_t members, const SitesView& data, const PenaltyOf* penalties, const HalvesView& to) {
  for_each_of(gpu, data.representatives(), members, [=] CORRAL_BODY(std::int64_t j, std::int64_t m) {
    const Vector share = penalties[m].penalty.pressure / 3 * penalties[m].open / static_cast<double>(data.count);
    for (int d = 0; d < 3; ++d) {
      const std::int64_t place = j * to.columns + 3 * m + d;
      to.even[place] = -(data.partner(j) == j ? 1 : 2) * share[d];
      to.odd[place] = 0;
    }
  });
}

inline void put_spread(Gpu gpu, const GroupView& group, const ResultsView& values, const Points& forces) {
  for_each_of(gpu, group.members, group.sites.count, [=] CORRAL_BODY(std::int64_t m, std::int64_t i) {
    for (int d = 0; d < 3; ++d) forces[d][m * group.sites.count + i] = -group.weights[i] * values.at(i, 3 * m + d);
  });
}

inline void put_places(Gpu gpu, const GroupView& group, const Points& to) {
  for_each_of(gpu, group.members, group.sites.count, [=] CORRAL_BODY(std::int64_t m, std::int64_t i) {
    const Vector x = group.origins[m] + group.shapes.position(i, m);
    for (int d = 0; d < 3; ++d) to[d][m * group.sites.count + i] = x[d];
  });
}

inline void put_measures(Gpu gpu, const GroupView& group, double volume, double area, Array<SurfaceSums>& parts, SurfaceSums* sums,
                         MembraneMeasures* to) {
  sum_of_each(gpu, group.members, group.sites.count, SurfaceSums{},
              [=] CORRAL_BODY(std::int64_t m, std::int64_t i, SurfaceSums& sum) { group.add_all_of(i, m, sum); }, AddSums{}, parts, sums);
  for_each(gpu, group.members, [=] CORRAL_BODY(std::int64_t m) {
    set_measures(sums[m], group.origins[m], to[m]);
    to[m].constraint_energy = penalty_of(group.material, volume, area, sums[m].volume, sums[m].area).energy;
  });
}

inline void put_columns(Gpu gpu, std::int64_t members, const SitesView& data, const ShapesView& shapes, const SurfaceTensor* rest,
                        const Material& material, const MarkerColumns& to) {
  for_each_of(gpu, members, data.count, [=] CORRAL_BODY(std::int64_t m, std::int64_t j) {
    const std::int64_t marker = m * data.count + j;
    const Tangents tangents = shapes.tangents(j, m);
    const auto [larger, smaller] = principal_tensions(rest[j], tangents.metric(), material);
    if (to.mean_curvature) to.mean_curvature[marker] = Curvature(tangents, shapes.bends(j, m)).mean;
    if (to.larger_tension) to.larger_tension[marker] = larger;
    if (to.smaller_tension) to.smaller_tension[marker] = smaller;
  });
}

} // namespace on_device
} // namespace corral::structure::radial
