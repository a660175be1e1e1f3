#include "mppic/seeds/seeding.hpp"

#include "run/case/values.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

namespace corral::mppic {

Box domain(const Grid& grid) {
  Box box;
  for (std::size_t d = 0; d < 3; ++d) {
    const Axis& axis = grid.axis(static_cast<int>(d));
    box.low[d] = axis.origin;
    box.high[d] = axis.origin + axis.length();
  }
  return box;
}

Box clipped(const Box& region, const Grid& grid) {
  const Box whole = domain(grid);
  Box box;
  for (std::size_t d = 0; d < 3; ++d) {
    box.low[d] = std::max(whole.low[d], region.low[d]);
    box.high[d] = std::min(whole.high[d], region.high[d]);
    if (!(box.low[d] < box.high[d])) {
      throw Error("region from " + run::write_number(region.low[d]) + " to " + run::write_number(region.high[d]) +
                  " m along " + "xyz"[d] + " (nothing of it lies in the domain, " + run::write_number(whole.low[d]) +
                  " to " + run::write_number(whole.high[d]) + " m)");
    }
  }
  return box;
}

namespace {

using run::Purpose;

/// Keeps round-off from putting a point on the upper side, which belongs to the next cell.
double inside(double x, double low, double high) { return std::clamp(x, low, std::nextafter(high, low)); }

double between(double low, double high, double u) { return inside(low + u * (high - low), low, high); }

double particle_volume(double d) { return std::numbers::pi / 6.0 * d * d * d; }

/// Per direction the bounds of cells, which cut a region into pieces: the products of the three lists. Pieces, and the
/// points of a lattice, are counted with x fastest.
using Lines = std::array<std::vector<double>, 3>;

std::array<std::int64_t, 3> piece(std::int64_t i, std::int64_t nx, std::int64_t ny) {
  return {i % nx, i / nx % ny, i / nx / ny};
}

constexpr std::int64_t most_parcels = std::numeric_limits<std::int64_t>::max();

/// The nearest whole number, or the largest one that there is.
std::int64_t rounded(double parcels) {
  return parcels < static_cast<double>(most_parcels) ? std::llround(parcels) : most_parcels;
}

Lines cell_bounds(const Grid& grid, const Box& box) {
  Lines bounds;
  for (std::size_t d = 0; d < 3; ++d) {
    const Axis& axis = grid.axis(static_cast<int>(d));
    const double sliver = 1e-9 * axis.spacing; // what round-off alone cuts off belongs to the next cell
    bounds[d].push_back(box.low[d]);
    for (std::int64_t i = 1; i < axis.cells; ++i) {
      const double x = axis.origin + static_cast<double>(i) * axis.spacing;
      if (x > box.low[d] + sliver && x < box.high[d] - sliver) bounds[d].push_back(x);
    }
    bounds[d].push_back(box.high[d]);
  }
  return bounds;
}

/// Points of one axis that lie in the box. They rise with their number, so that the ends are found by bisection: a
/// lattice may have more points than anybody could count.
LatticeLine lattice_line(const Axis& axis, double low, double high, std::int64_t points, bool per_cell) {
  const std::int64_t n = points * (per_cell ? axis.cells : 1);
  LatticeLine line{.start = per_cell ? axis.origin : low,
                   .pitch = (per_cell ? axis.length() : high - low) / static_cast<double>(n)};
  const auto points_below = [&](double bound) {
    std::int64_t below = 0, above = n;
    while (below < above) {
      const std::int64_t middle = below + (above - below) / 2;
      if (line.at(middle) < bound) below = middle + 1;
      else above = middle;
    }
    return below;
  };
  const std::int64_t first = points_below(low);
  line.count = points_below(high) - first;
  line.first = first;
  return line;
}

void check_lattice(const Grid& grid, const Box& box, const Seeding& seeding) {
  for (std::size_t d = 0; d < 3; ++d) {
    const std::int64_t n = seeding.lattice[d];
    const std::string along = std::string(" along ") + "xyz"[d];
    if (n < 1 || n > 1'000'000) {
      throw Error("lattice of " + std::to_string(n) + " points" + along + " (1 to 1000000 are possible)");
    }
    const double length = seeding.arrangement == Arrangement::lattice ? box.high[d] - box.low[d]
                                                                      : grid.axis(static_cast<int>(d)).spacing;
    const double half_pitch = 0.5 * length / static_cast<double>(n);
    if (!(seeding.jitter >= 0.0 && seeding.jitter <= half_pitch)) {
      throw Error("jitter " + run::write_number(seeding.jitter) + " m (it goes from 0 to half the lattice's pitch, " +
                  run::write_number(half_pitch) + " m" + along + ")");
    }
  }
}

void check(const Grid& grid, const Box& box, const Seeding& seeding) {
  if (seeding.solids_fraction.has_value() == seeding.particles_per_parcel.has_value()) {
    throw Error("the amount of solids is given twice or not at all (by the solids fraction, or by the particles in a "
                "parcel)");
  }
  if (const auto theta = seeding.solids_fraction; theta && !(*theta > 0.0 && *theta < 1.0)) {
    throw Error("solids fraction " + run::write_number(*theta) + " (it lies between 0 and 1)");
  }
  if (const auto n = seeding.particles_per_parcel; n && !(*n > 0.0 && std::isfinite(*n))) {
    throw Error(run::write_number(*n) + " particles in a parcel (a positive number is needed)");
  }
  if (is_lattice(seeding)) return check_lattice(grid, box, seeding);
  if (seeding.parcels < 0) throw Error(std::to_string(seeding.parcels) + " parcels (0 or more are possible)");
  if (seeding.arrangement == Arrangement::stratified && (seeding.axis < 0 || seeding.axis > 2)) {
    throw Error("axis " + std::to_string(seeding.axis) + " (there are 0, 1 and 2)");
  }
}

std::array<LatticeLine, 3> lines_in(const Grid& grid, const Box& box, const Seeding& seeding) {
  std::array<LatticeLine, 3> lines;
  for (std::size_t d = 0; d < 3; ++d)
    lines[d] = lattice_line(grid.axis(static_cast<int>(d)), box.low[d], box.high[d], seeding.lattice[d],
                            seeding.arrangement == Arrangement::cell_lattice);
  return lines;
}

/// Sets the positions of those of the seeds, numbered from `first_id`, that are to be made.
struct Placer {
  const Box& box;
  const Seeding& seeding;
  const run::Random& random;
  std::uint64_t first_id;
  const SeedShare& share;
  std::array<Array<double>, 3>& position;
  Cpu cpu;

  /// f(number, place among those that are made)
  template <class F> void each(const F& f) const {
    for_each(cpu, share.end - share.begin, [&](std::int64_t k) { f(share.begin + k, k); });
  }

  double uniform(std::int64_t i, std::size_t d) const {
    return random.uniform(Purpose::position, 0, first_id + static_cast<std::uint64_t>(i), static_cast<int>(d));
  }

  void at_random() const {
    const bool sliced = seeding.arrangement == Arrangement::stratified;
    each([&](std::int64_t i, std::int64_t k) {
      for (std::size_t d = 0; d < 3; ++d) {
        double u = uniform(i, d);
        if (sliced && static_cast<int>(d) == seeding.axis) {
          u = (static_cast<double>(i) + u) / static_cast<double>(seeding.parcels);
        }
        position[d][k] = between(box.low[d], box.high[d], u);
      }
    });
  }

  void on_lattice(const std::array<LatticeLine, 3>& lines) const {
    each([&](std::int64_t i, std::int64_t k) {
      const auto index = piece(i, lines[0].count, lines[1].count);
      for (std::size_t d = 0; d < 3; ++d) {
        double x = lines[d].at(index[d]);
        if (seeding.jitter > 0.0) x += seeding.jitter * (2.0 * uniform(i, d) - 1.0);
        position[d][k] = inside(x, box.low[d], box.high[d]);
      }
    });
  }

  void in_cells(const Lines& bounds) const {
    const auto pieces = [&](std::size_t d) { return static_cast<std::int64_t>(bounds[d].size()) - 1; };
    const std::int64_t nx = pieces(0), ny = pieces(1), cells = nx * ny * pieces(2);
    const auto cell = [&](std::int64_t c) {
      const auto index = piece(c, nx, ny);
      Box part;
      for (std::size_t d = 0; d < 3; ++d) {
        const auto i = static_cast<std::size_t>(index[d]);
        part.low[d] = bounds[d][i];
        part.high[d] = bounds[d][i + 1];
      }
      return part;
    };
    // Parcels up to and with a cell are the rounded share of the volume up to it, so that no remainder is lost.
    Array<std::int64_t> first(cells + 1, 0);
    double filled = 0;
    for (std::int64_t c = 0; c < cells; ++c) {
      filled += cell(c).volume() / box.volume();
      first[c + 1] = std::llround(static_cast<double>(seeding.parcels) * std::min(1.0, filled));
    }
    first[cells] = seeding.parcels;
    for_each(cpu, cells, [&](std::int64_t c) {
      const Box part = cell(c);
      for (std::int64_t i = std::max(first[c], share.begin); i < std::min(first[c + 1], share.end); ++i) {
        for (std::size_t d = 0; d < 3; ++d) position[d][i - share.begin] = between(part.low[d], part.high[d], uniform(i, d));
      }
    });
  }
};

/// Gives each seed its particles: one number for all where sizes count particles, one volume where they count mass.
void set_weights(Cpu cpu, Seeds& seeds, const Seeding& seeding, const SizeDistribution& sizes, double region_volume, std::int64_t parcels,
                 const SeedShare& share) {
  const std::int64_t n = seeds.size();
  if (sizes.weighting() == Weighting::number) {
    const double mine = sum(cpu, n, [&](std::int64_t i) { return particle_volume(seeds.diameter[i]); });
    const double volume = share.total ? share.total(mine) : mine;
    const double weight = seeding.solids_fraction ? *seeding.solids_fraction * region_volume / volume
                                                  : *seeding.particles_per_parcel;
    for_each(cpu, n, [&](std::int64_t i) { seeds.weight[i] = weight; });
  } else {
    const double volume = seeding.solids_fraction
                              ? *seeding.solids_fraction * region_volume / static_cast<double>(parcels)
                              : *seeding.particles_per_parcel * sizes.mean_particle_volume();
    for_each(cpu, n, [&](std::int64_t i) { seeds.weight[i] = volume / particle_volume(seeds.diameter[i]); });
  }
}

} // namespace

std::int64_t parcels_by_cell(const Grid& grid, const Box& region, double per_cell) {
  return rounded(per_cell * clipped(region, grid).volume() / grid.cell_volume());
}

std::int64_t parcels_at_packing(const Grid& grid, const Box& region, double per_cell, double solids_fraction,
                                double theta_cp) {
  return parcels_by_cell(grid, region, per_cell * solids_fraction / theta_cp);
}

bool is_lattice(const Seeding& seeding) {
  return seeding.arrangement == Arrangement::lattice || seeding.arrangement == Arrangement::cell_lattice;
}

std::array<LatticeLine, 3> lattice_lines(const Grid& grid, const Seeding& seeding) {
  const Box box = clipped(seeding.region, grid);
  check(grid, box, seeding);
  return lines_in(grid, box, seeding);
}

std::int64_t seed_count(const Grid& grid, const Seeding& seeding) {
  const Box box = clipped(seeding.region, grid);
  check(grid, box, seeding);
  if (!is_lattice(seeding)) return seeding.parcels;
  const auto [x, y, z] = lines_in(grid, box, seeding);
  return rounded(static_cast<double>(x.count) * static_cast<double>(y.count) * static_cast<double>(z.count));
}

double parcel_volume(const Grid& grid, const Seeding& seeding, const SizeDistribution& sizes) {
  const std::int64_t parcels = seed_count(grid, seeding);
  if (parcels == 0) return 0;
  if (seeding.particles_per_parcel) return *seeding.particles_per_parcel * sizes.mean_particle_volume();
  return *seeding.solids_fraction * clipped(seeding.region, grid).volume() / static_cast<double>(parcels);
}

Seeds seed(Cpu cpu, const Grid& grid, const Seeding& seeding, const SizeDistribution& sizes, const run::Random& random,
           std::uint64_t first_id) {
  return seed(cpu, grid, seeding, sizes, random, first_id, {.end = seed_count(grid, seeding)});
}

Seeds seed(Cpu cpu, const Grid& grid, const Seeding& seeding, const SizeDistribution& sizes, const run::Random& random,
           std::uint64_t first_id, const SeedShare& share) {
  const std::int64_t parcels = seed_count(grid, seeding), n = share.end - share.begin;
  const Box box = clipped(seeding.region, grid);
  Seeds seeds;
  for (auto* column : {&seeds.position[0], &seeds.position[1], &seeds.position[2], &seeds.diameter, &seeds.weight}) {
    column->resize(n);
  }
  const Placer place{box, seeding, random, first_id, share, seeds.position, cpu};
  switch (seeding.arrangement) {
  case Arrangement::random:
  case Arrangement::stratified: place.at_random(); break;
  case Arrangement::cells: place.in_cells(cell_bounds(grid, box)); break;
  case Arrangement::lattice:
  case Arrangement::cell_lattice: place.on_lattice(lines_in(grid, box, seeding)); break;
  }
  for_each(cpu, n, [&](std::int64_t i) {
    const auto id = first_id + static_cast<std::uint64_t>(share.begin + i);
    seeds.diameter[i] = sizes.sample(random.uniform_open(Purpose::size, 0, id));
  });
  set_weights(cpu, seeds, seeding, sizes, box.volume(), parcels, share);
  return seeds;
}

} // namespace corral::mppic
