#pragma once

/// The loops of face_sums.hpp, for either processor.

#include "mppic/gas/face_sums.hpp"

#include <corral/kernels/linear.hpp>

#include <corral/for_each.hpp>
#include <corral/spread.hpp>

#include <algorithm>
#include <vector>

namespace corral::mppic {

template <Execution E>
void FaceSums::spread(E execution, const CellOrder<double>& order, const Parcels& parcels, double dt, Flow& flow) {
  set_columns(execution, parcels, dt);
  spread_faces(execution, order, parcels);
  spread_cells(execution, order, parcels, flow);
  divide(execution, flow);
}

template <Execution E> void FaceSums::set_columns(E execution, const Parcels& parcels, double dt) {
  const std::int64_t n = parcels.size();
  vq_.resize(n);
  for (std::size_t d = 0; d < 3 && !frozen_; ++d) vu_[d].resize(n), vqu_[d].resize(n);
  if (!frozen_) vuu_.resize(n), v_over_r_.resize(n);
  const bool frozen = frozen_;
  const double *drag = parcels.drag.data(), *volume = parcels.volume.data(), *diameter = parcels.diameter.data();
  const std::array<double*, 3> velocity = run::pointers(parcels.velocity);
  double *vq = vq_.data(), *vuu = vuu_.data(), *v_over_r = v_over_r_.data();
  const fluid::FacePointers vu = fluid::writable_pointers(vu_), vqu = fluid::writable_pointers(vqu_);
  for_each(execution, n, [=] CORRAL_HOST_DEVICE(std::int64_t i) {
    const double x = dt * drag[i], q = frozen ? x : x / (1 + x), v = volume[i];
    vq[i] = v * q;
    if (frozen) return;
    double square = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      const double u = velocity[d][i];
      vu[d][i] = v * u;
      vqu[d][i] = v * q * u;
      square += u * u;
    }
    vuu[i] = v * square;
    v_over_r[i] = 2 * v / diameter[i];
  });
}

template <Execution E>
void FaceSums::spread_faces(E execution, const CellOrder<double>& order, const Parcels& parcels) {
  std::vector<Spread<double>> terms;
  const auto add = [&](const Array<double>& column, Array<double>& field, Staggering staggering) {
    fluid::fill(execution, field, 0);
    terms.push_back({{column.data(), parcels.size()}, field_view(domain_.grid(), field.data(), staggering)});
  };
  for (std::size_t d = 0; d < 3; ++d) {
    const Staggering faces = face(static_cast<int>(d));
    add(parcels.volume, theta[d], faces);
    add(vq_, P[d], faces);
    if (frozen_) continue;
    add(vu_[d], U[d], faces);
    add(vqu_[d], Q[d], faces);
  }
  corral::spread<kernels::Linear, double>(execution, order, kernels::Linear{}, terms);
  maps_ = static_cast<int>(terms.size());
}

/// Everything that lies in cells, and with it the boxes' sums.
template <Execution E>
void FaceSums::spread_cells(E execution, const CellOrder<double>& order, const Parcels& parcels, Flow& flow) {
  std::vector<Boxes::Term> terms{{parcels.volume.data(), flow.solids_fraction.data()}};
  if (!frozen_) {
    for (std::size_t d = 0; d < 3; ++d) {
      terms.push_back({vu_[d].data(), mean_velocity[d].data()});
      terms.front().faces[d] = box_theta[d].data();
      terms.back().faces[d] = box_U[d].data();
    }
    terms.push_back({vuu_.data(), mean_square.data()});
    terms.push_back({v_over_r_.data(), sauter_radius.data()});
  }
  boxes_.spread(execution, order, parcels.places(), terms);
  maps_ += frozen_ ? 1 : 12;
}

template <Execution E> void FaceSums::divide(E execution, Flow& flow) {
  const double per_cell = 1 / domain_.grid().cell_volume();
  for (std::size_t d = 0; d < 3; ++d) {
    const std::array<double*, 4> by_face{theta[d].data(), P[d].data(), U[d].data(), Q[d].data()};
    const std::array<double*, 2> by_cell{box_theta[d].data(), box_U[d].data()};
    const double* s = inverse_volume_[d].data();
    for_each(execution, theta[d].size(), [=] CORRAL_HOST_DEVICE(std::int64_t f) {
      for (double* sums : by_face) sums[f] *= s[f];
      for (double* sums : by_cell) sums[f] *= per_cell;
    });
  }
  double* const theta_c = flow.solids_fraction.data();
  const std::array<double*, 3> mean{mean_velocity[0].data(), mean_velocity[1].data(), mean_velocity[2].data()};
  double *square = mean_square.data(), *radius = sauter_radius.data();
  for_each(execution, domain_.grid().cells(), [=] CORRAL_HOST_DEVICE(std::int64_t c) {
    const double volume = theta_c[c];
    theta_c[c] *= per_cell;
    const double share = volume * per_cell > 1e-12 ? 1 / volume : 0;
    for (std::size_t d = 0; d < 3; ++d) mean[d][c] *= share;
    square[c] *= share;
    radius[c] = radius[c] > 0 ? volume / radius[c] : 0;
  });
}

template <Execution E> double FaceSums::drag_rate(E execution, double theta_least, double dt) const {
  double rates = 0, faces = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    const double *th = theta[d].data(), *p = P[d].data();
    faces += sum(execution, theta[d].size(),
                 [=] CORRAL_HOST_DEVICE(std::int64_t f) { return th[f] >= theta_least ? 1.0 : 0.0; });
    rates += sum(execution, theta[d].size(), [=] CORRAL_HOST_DEVICE(std::int64_t f) {
      return th[f] >= theta_least ? p[f] / std::max(th[f] - p[f], 1e-9 * th[f]) : 0.0;
    });
  }
  return faces > 0 && dt > 0 ? rates / faces / dt : 0;
}

} // namespace corral::mppic
