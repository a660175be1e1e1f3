#pragma once

/// The profile of profile.hpp, for either processor.

#include "membrane/output/profile.hpp"

#include <corral/for_each.hpp>

#include <concepts>
#include <cstddef>
#include <exception>
#include <string>
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
  LayerMeans(E execution, const fluid::Domain& domain, const double* values, Staggering at)
      : means_(static_cast<std::size_t>(domain.whole().points(at, 1)), 0.0) {
    if (domain.shared()) sum_over_ranks(domain, values, at);
    else sum_here(execution, domain.grid(), values, at);
  }
  double operator[](std::int64_t j) const { return means_[static_cast<std::size_t>(j)]; }

private:
  template <Execution E> void sum_here(E execution, const Grid& grid, const double* values, Staggering at) {
    const std::int64_t nx = grid.points(at, 0), nz = grid.points(at, 2), ny = grid.points(at, 1);
    Array<double> sums(ny * nz, memory_for<E>);
    sum_rows(execution, ny * nz, nx, values, sums.data());
    const std::vector<double> of_rows = sums.values();
    for (std::size_t r = 0; r < of_rows.size(); ++r) means_[r % means_.size()] += of_rows[r] / static_cast<double>(nx * nz);
  }
  void sum_over_ranks(const fluid::Domain& domain, const double* values, Staggering at) {
    const std::int64_t nx = domain.grid().points(at, 0), ny = domain.grid().points(at, 1);
    const auto& [begin, end] = domain.own_points(at);
    const auto of_layer = static_cast<double>(domain.whole().points(at, 0) * domain.whole().points(at, 2));
    for (std::int64_t k = begin[2]; k < end[2]; ++k)
      for (std::int64_t j = begin[1]; j < end[1]; ++j)
        for (std::int64_t i = begin[0]; i < end[0]; ++i)
          means_[static_cast<std::size_t>(domain.shared()->first(1) + j)] += values[i + nx * (j + ny * k)] / of_layer;
    means_ = domain.shared()->team().sums(means_);
  }

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
  if constexpr (std::same_as<E, Cpu>) return domain_.shared() ? find_shared(step) : find_inside(step, inside_.data());
  Array<double> found(domain_.grid().cells());
  find_inside(step, found.data());
  inside_.assign(found.span());
}

template <Execution E> void Profile<E>::find_inside(const MembraneStep<E>& step, double* inside) {
  const CouplingModel& by = setup_.coupling;
  if (!membranes_ && domain_.shared()) membranes_.emplace(setup_.make_domain(), by.kernel, by.method);
  else if (!membranes_) membranes_.emplace(domain_, by.kernel, by.method);
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

/// By rank 0, which has room for the whole grid where files are due, and all membranes.
template <Execution E> void Profile<E>::find_shared(const MembraneStep<E>& step) {
  const distributed::Team& team = domain_.shared()->team();
  Array<double> found;
  std::string problem;
  if (team.rank() == 0) {
    try {
      found.resize(domain_.whole().cells());
      find_inside(step, found.data());
    } catch (const std::exception& e) {
      problem = "the share that membranes enclose was not found: " + std::string(e.what());
    }
  }
  team.agree(problem);
  if (!cells_) cells_ = domain_.shared()->fields(Staggering::centre);
  cells_->scatter(found.data(), inside_.data());
}

template <Execution E> run::Rows Profile<E>::rows(const MembraneStep<E>& step) const {
  const Axis& y = domain_.whole().axis(1);
  const ConstVectorField u = step.fluid().velocity();
  const std::array<Staggering, 3> at = step.fluid().staggering();
  const E execution = step.execution();
  const profile::LayerMeans inside(execution, domain_, inside_.data(), Staggering::centre);
  const std::array<profile::LayerMeans, 3> means{profile::LayerMeans(execution, domain_, u[0], at[0]),
                                                 profile::LayerMeans(execution, domain_, u[1], at[1]),
                                                 profile::LayerMeans(execution, domain_, u[2], at[2])};
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
