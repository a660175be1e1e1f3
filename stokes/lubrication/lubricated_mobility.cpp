#include "stokes/lubrication/lubricated_mobility.hpp"

#include "stokes/near/box_cells.hpp"
#include "stokes/sums/long_vectors.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>
#include <corral/pairs.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace corral::stokes {
namespace {

LubricatedMobility::Options checked(const LubricatedMobility::Options& o) {
  if (!(o.least_gap > 0 && o.least_gap < o.range && o.range <= 100))
    throw Error("lubrication from gaps of " + std::to_string(o.least_gap) + " to " + std::to_string(o.range) +
                " radii (above 0, rising, 100 at most)");
  if (!(o.error >= 1e-12 && o.error <= 0.1))
    throw Error("lubrication to an error of " + std::to_string(o.error) + " (1e-12 to .1)");
  return o;
}

Grid cells_within(const Spheres& spheres, double reach) {
  const Box& box = spheres.box;
  // Summed pair by pair the box may be far larger than what it holds.
  const double most = spheres.sum == SphereSum::pairs ? std::cbrt(8 * static_cast<double>(most_by_pairs)) : 512;
  std::array<std::int64_t, 3> cells{};
  for (std::size_t d = 0; d < 3; ++d)
    cells[d] = static_cast<std::int64_t>(std::clamp(2 * box.edge[d] / reach, 1.0, most));
  return cells_of(box.origin, box.edge, cells, box.periodic);
}

} // namespace

LubricatedMobility::LubricatedMobility(Mobility& mobility, const Options& options)
    : mobility_(mobility), options_(checked(options)), table_(options_.range, options_.least_gap),
      cells_(cells_within(mobility.spheres(), (2 + options_.range) * mobility.radius())), order_(cells_) {}

std::int64_t LubricatedMobility::bytes() const {
  std::int64_t all = order_.bytes();
  for (const Array<double>* a : {&velocity_, &rest_, &moved_, &direction_, &along_, &product_}) all += a->bytes();
  return all;
}

void LubricatedMobility::add_drag(Cpu cpu, const Array<double>& velocity, Array<double>& drag) const {
  const double a = mobility_.radius(), unit = 6 * std::numbers::pi * mobility_.viscosity() * a;
  const auto lubricated = static_cast<std::int64_t>(assembly_.size());
  const OrderView<double> view = order_.view(cpu);
  for_each_pair(
      cpu, cells_, view, view, (2 + options_.range) * a,
      [&](std::int64_t i, std::int64_t j, const std::array<double, 3>& apart, double square) {
        if (!(square > 0)) return; // spheres in one place have no line of centres
        const double r = std::sqrt(square);
        const TwoSphereDrag excess = table_(r / a - 2);
        double same = 0, opposite = 0; // velocities along the line of centres
        for (std::int64_t d = 0; d < 3; ++d) {
          const double n = apart[static_cast<std::size_t>(d)] / r;
          same += n * 0.5 * (velocity[3 * i + d] + velocity[3 * j + d]);
          opposite += n * 0.5 * (velocity[3 * i + d] - velocity[3 * j + d]);
        }
        const double force = unit * (excess.same * same + excess.opposite * opposite) / r;
        for (std::int64_t d = 0; d < 3; ++d) drag[3 * i + d] += force * apart[static_cast<std::size_t>(d)];
      },
      [&](std::int64_t i, std::int64_t j) {
        return i < lubricated && j < lubricated &&
               assembly_[static_cast<std::size_t>(i)] != assembly_[static_cast<std::size_t>(j)];
      });
}

void LubricatedMobility::apply(Cpu cpu, const Positions<double>& at, const Array<double>& force,
                               Array<double>& velocity) {
  std::array<Column<const double>, 3> f;
  std::array<Column<double>, 3> u;
  for (std::size_t d = 0; d < 3; ++d) {
    f[d] = {force.data() + d, at.size(), 3};
    u[d] = {velocity.data() + d, at.size(), 3};
  }
  mobility_(cpu, at, f, u);
}

void LubricatedMobility::operator()(Cpu cpu, const Positions<double>& at, std::span<const std::int32_t> assembly,
                                    const std::array<Column<const double>, 3>& force,
                                    const std::array<Column<double>, 3>& velocity) {
  const std::int64_t n = at.size();
  if (static_cast<std::int64_t>(assembly.size()) > n)
    throw Error(std::to_string(assembly.size()) + " spheres with an assembly of " + std::to_string(n));
  for (std::size_t d = 0; d < 3; ++d)
    if (force[d].size != n || velocity[d].size != n)
      throw Error("a column of forces or velocities is not as long as positions");
  for (Array<double>* a : {&velocity_, &rest_, &moved_, &direction_, &along_, &product_}) a->resize(3 * n);
  assembly_ = assembly;
  const std::int64_t inside = order_.sort(cpu, at).inside;
  // Of (1 + R M) f = F, by conjugate gradients in the product x.My, in which 1 + R M is symmetric: one product with M
  // each.
  for (std::int64_t d = 0; d < 3; ++d)
    for_each(cpu, n, [&, f = force[static_cast<std::size_t>(d)]](std::int64_t i) { direction_[3 * i + d] = f[i]; });
  apply(cpu, at, direction_, velocity_);
  if (inside != n) // a grid has refused them already
    throw Error(std::to_string(n - inside) + " of " + std::to_string(n) +
                " spheres are outside of the box (lubrication looks for neighbours in it)");
  const double scale = std::abs(dot(cpu, direction_, velocity_));
  rest_.fill(0.0);
  add_drag(cpu, velocity_, rest_);
  combine(cpu, -1, rest_, 0, rest_);
  double before = 0;
  for (iterations_ = 0;; ++iterations_) {
    apply(cpu, at, rest_, moved_);
    const double square = dot(cpu, rest_, moved_);
    if (!(square > options_.error * options_.error * scale)) break;
    if (iterations_ == most_iterations)
      throw Error("lubricated velocities did not come to an error of " + std::to_string(options_.error) + " in " +
                  std::to_string(most_iterations) + " iterations (a larger least gap needs fewer)");
    const double keep = before > 0 ? square / before : 0;
    combine(cpu, keep, direction_, 1, rest_);
    combine(cpu, keep, along_, 1, moved_);
    combine(cpu, 0, product_, 1, direction_);
    add_drag(cpu, along_, product_);
    const double length = square / dot(cpu, along_, product_);
    combine(cpu, 1, velocity_, length, along_);
    combine(cpu, 1, rest_, -length, product_);
    before = square;
  }
  for (std::int64_t d = 0; d < 3; ++d)
    for_each(cpu, n, [&, u = velocity[static_cast<std::size_t>(d)]](std::int64_t i) { u[i] = velocity_[3 * i + d]; });
}

} // namespace corral::stokes
