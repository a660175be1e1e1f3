#pragma once

/// The profile of profile.hpp, for either processor.

#include "membrane/output/profile.hpp"

#include <corral/for_each.hpp>

#include <concepts>
#include <cstddef>
#include <string_view>

namespace corral::membrane {

using namespace structure;

namespace profile {

template <Execution E>
void sum_rows(E execution, std::int64_t rows, std::int64_t nx, const double* values, double* sums) {
  for_each(execution, rows, [=] CORRAL_BODY(std::int64_t r) {
    double sum = 0;
    for (std::int64_t i = r * nx; i < (r + 1) * nx; ++i) sum += values[i];
    sums[r] = sum;
  });
}

/// Of what stands at `at` in the layers along y.
class LayerMeans {
public:
  template <Execution E>
  LayerMeans(E execution, const Grid& grid, const double* values, Staggering at)
      : means_(static_cast<std::size_t>(grid.points(at, 1)), 0.0) {
    const std::int64_t nx = grid.points(at, 0), nz = grid.points(at, 2), ny = grid.points(at, 1);
    Array<double> sums(ny * nz, memory_for<E>);
    sum_rows(execution, ny * nz, nx, values, sums.data());
    const std::vector<double> of_rows = sums.values();
    for (std::size_t r = 0; r < of_rows.size(); ++r) means_[r % means_.size()] += of_rows[r] / static_cast<double>(nx * nz);
  }
  double operator[](std::int64_t j) const { return means_[static_cast<std::size_t>(j)]; }

private:
  std::vector<double> means_;
};

} // namespace profile

template <Execution E>
Profile<E>::Profile(const MembraneSetup& setup, const fluid::Domain& domain, run::Registry& registry)
    : setup_(setup), domain_(domain), registry_(registry),
      inside_(registry.declare_field("inside", "", "share that membranes enclose, smeared over the kernel's width",
                                     Staggering::centre, run::Use::shown)) {}

template <Execution E> void Profile<E>::update(const MembraneStep<E>& step) {
  if (step.membranes() == 0) return;
  if constexpr (std::same_as<E, Cpu>) return find_inside(step, inside_.data());
  Array<double> found(domain_.grid().cells());
  find_inside(step, found.data());
  inside_.assign(found.span());
}

template <Execution E> void Profile<E>::find_inside(const MembraneStep<E>& step, double* inside) {
  if (!membranes_) membranes_.emplace(domain_, setup_.coupling.kernel, setup_.coupling.method);
  const run::Registry& host = registry_.on_host([](const run::Entry& entry) {
    return entry.set && (entry.name == "position" || entry.kind == run::Kind::connectivity);
  });
  std::vector<SurfacesOnHost> all;
  for (const Population<E>& p : step.populations()) {
    const run::ParticleSet& set = *host.find_set(p.set.name());
    ConstPoints x{};
    for (int d = 0; d < 3; ++d) x[static_cast<std::size_t>(d)] = set.find("position", d)->reals()->data();
    all.push_back(p.surfaces_on_host(x, set.triangles()->integers()->data()));
  }
  membranes_->find(Cpu{}, all, step.measures(), inside);
}

template <Execution E> run::Rows Profile<E>::rows(const MembraneStep<E>& step) const {
  const Grid& grid = domain_.grid();
  const Axis& y = grid.axis(1);
  const ConstVectorField u = step.fluid().velocity();
  const std::array<Staggering, 3> at = step.fluid().staggering();
  const E execution = step.execution();
  const profile::LayerMeans inside(execution, grid, inside_.data(), Staggering::centre);
  const std::array<profile::LayerMeans, 3> means{profile::LayerMeans(execution, grid, u[0], at[0]),
                                                 profile::LayerMeans(execution, grid, u[1], at[1]),
                                                 profile::LayerMeans(execution, grid, u[2], at[2])};
  run::Rows rows;
  for (std::int64_t j = 0; j < y.cells; ++j) {
    std::vector<double> row{y.origin + (static_cast<double>(j) + 0.5) * y.spacing,
                            inside[j]};
    for (std::size_t d = 0; d < 3; ++d) {
      const std::int64_t next = y.periodic() && j + 1 == y.cells ? 0 : j + 1;
      double mean = means[d][j];
      if (at[d] == Staggering::face_y) mean = 0.5 * (mean + means[d][next]);
      row.push_back(mean);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

} // namespace corral::membrane
