#include "membrane/output/profile.hpp"

namespace corral::membrane {

using namespace structure;

namespace {

/// Of what stands at `at` in layer j along y.
double layer_mean(const Grid& grid, const double* values, Staggering at, std::int64_t j) {
  const std::int64_t nx = grid.points(at, 0), ny = grid.points(at, 1), nz = grid.points(at, 2);
  double sum = 0;
  for (std::int64_t k = 0; k < nz; ++k)
    for (std::int64_t i = 0; i < nx; ++i) sum += values[i + nx * (j + ny * k)];
  return sum / static_cast<double>(nx * nz);
}

} // namespace

Profile::Profile(const MembraneSetup& setup, const fluid::Domain& domain, run::Registry& registry)
    : setup_(setup), domain_(domain),
      inside_(registry.declare_field("inside", "", "share that membranes enclose, smeared over the kernel's width",
                                     Staggering::centre, run::Use::shown)) {}

void Profile::update(const MembraneStep& step) {
  if (step.membranes() == 0) return;
  if (!membranes_) membranes_.emplace(domain_, setup_.coupling.kernel, setup_.coupling.method);
  membranes_->find(Cpu{}, step.populations(), step.measures(), inside_.data());
}

std::vector<run::LogColumn> Profile::columns() {
  return {{"y", "m", "of the layer's middle"},
          {"inside", "", "share of the layer that membranes enclose: the local haematocrit"},
          {"velocity_x", "m/s", "of the fluid, mean over the layer, inside membranes and outside"},
          {"velocity_y", "m/s", "likewise"},
          {"velocity_z", "m/s", "likewise"}};
}

run::Rows Profile::rows(const MembraneStep& step) const {
  const Grid& grid = domain_.grid();
  const Axis& y = grid.axis(1);
  const ConstVectorField u = step.fluid().velocity();
  const std::array<Staggering, 3> at = step.fluid().staggering();
  run::Rows rows;
  for (std::int64_t j = 0; j < y.cells; ++j) {
    std::vector<double> row{y.origin + (static_cast<double>(j) + 0.5) * y.spacing,
                            layer_mean(grid, inside_.data(), Staggering::centre, j)};
    for (std::size_t d = 0; d < 3; ++d) {
      const std::int64_t next = y.periodic() && j + 1 == y.cells ? 0 : j + 1;
      double mean = layer_mean(grid, u[d], at[d], j);
      if (at[d] == Staggering::face_y) mean = 0.5 * (mean + layer_mean(grid, u[d], at[d], next));
      row.push_back(mean);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

} // namespace corral::membrane
