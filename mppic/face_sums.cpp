#include "mppic/face_sums.hpp"

#include <corral/kernels/linear.hpp>

#include <corral/for_each.hpp>
#include <corral/spread.hpp>

#include <vector>

namespace corral::mppic {

using fluid::make_face_arrays;

FaceSums::FaceSums(const fluid::Domain& domain, const Setup& setup)
    : theta(make_face_arrays(domain.grid())), U(make_face_arrays(domain.grid())), P(make_face_arrays(domain.grid())),
      Q(make_face_arrays(domain.grid())), domain_(domain), frozen_(setup.solids.frozen),
      inverse_volume_(make_face_arrays(domain.grid())) {
  const Grid& grid = domain.grid();
  for (int d = 0; d < 3; ++d)
    fluid::for_each_face(Cpu{}, grid, d, [&, d](const fluid::Face& f) {
      inverse_volume_[static_cast<std::size_t>(d)][f.index] = (f.boundary() ? 2 : 1) / grid.cell_volume();
    });
}

void FaceSums::spread(Cpu cpu, const CellOrder<double>& order, const Parcels& parcels, double dt, Flow& flow) {
  const Grid& grid = domain_.grid();
  const std::int64_t n = parcels.size();
  vq_.resize(n);
  for (std::size_t d = 0; d < 3 && !frozen_; ++d) vu_[d].resize(n), vqu_[d].resize(n);

  for_each(cpu, n, [&](std::int64_t i) {
    const double x = dt * parcels.drag[i], q = frozen_ ? x : x / (1 + x), v = parcels.volume[i];
    vq_[i] = v * q;
    if (frozen_) return;
    for (std::size_t d = 0; d < 3; ++d) {
      const double u = (*parcels.velocity[d])[i];
      vu_[d][i] = v * u;
      vqu_[d][i] = v * q * u;
    }
  });

  std::vector<Spread<double>> terms;
  const auto add = [&](const Array<double>& column, Array<double>& field, Staggering staggering) {
    for_each(cpu, field.size(), [&field](std::int64_t i) { field[i] = 0; });
    terms.push_back({{column.data(), n}, field_view(grid, field.data(), staggering)});
  };
  for (std::size_t d = 0; d < 3; ++d) {
    const Staggering faces = face(static_cast<int>(d));
    add(parcels.volume, theta[d], faces);
    add(vq_, P[d], faces);
    if (frozen_) continue;
    add(vu_[d], U[d], faces);
    add(vqu_[d], Q[d], faces);
  }
  add(parcels.volume, flow.solids_fraction, Staggering::centre);
  corral::spread<kernels::Linear, double>(cpu, order, kernels::Linear{}, terms);
  maps_ = static_cast<int>(terms.size());

  for (std::size_t d = 0; d < 3; ++d)
    for_each(cpu, theta[d].size(), [&](std::int64_t f) {
      const double s = inverse_volume_[d][f];
      theta[d][f] *= s;
      P[d][f] *= s;
      U[d][f] *= s;
      Q[d][f] *= s;
    });
  const double s = 1 / grid.cell_volume();
  for_each(cpu, grid.cells(), [&](std::int64_t c) { flow.solids_fraction[c] *= s; });
}

} // namespace corral::mppic
