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
  if (mixed_) set_mixed_columns(execution, parcels);
  spread_faces(execution, order, parcels);
  spread_cells(execution, order, parcels, flow);
  divide(execution, flow);
}

template <Execution E> void FaceSums::set_columns(E execution, const Parcels& parcels, double dt) {
  const std::int64_t n = parcels.size();
  vq_.resize(n);
  for (std::size_t d = 0; d < 3 && !frozen_; ++d) vu_[d].resize(n), vqu_[d].resize(n);
  if (!frozen_) vuu_.resize(n);
  if (sizes_) v_over_r_.resize(n);
  const bool frozen = frozen_, sizes = sizes_;
  const double *drag = parcels.drag.data(), *volume = parcels.volume.data(), *diameter = parcels.diameter.data();
  const std::array<double*, 3> velocity = run::pointers(parcels.velocity);
  double *vq = vq_.data(), *vuu = vuu_.data(), *v_over_r = v_over_r_.data();
  const fluid::FacePointers vu = fluid::writable_pointers(vu_), vqu = fluid::writable_pointers(vqu_);
  for_each(execution, n, [=] CORRAL_HOST_DEVICE(std::int64_t i) {
    const double x = dt * drag[i], q = frozen ? x : x / (1 + x), v = volume[i];
    vq[i] = v * q;
    if (sizes) v_over_r[i] = 2 * v / diameter[i];
    if (frozen) return;
    double square = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      const double u = velocity[d][i];
      vu[d][i] = v * u;
      vqu[d][i] = v * q * u;
      square += u * u;
    }
    vuu[i] = v * square;
  });
}

/// Beside the columns of one density; damping's mean square becomes that by mass.
template <Execution E> void FaceSums::set_mixed_columns(E execution, const Parcels& parcels) {
  const std::int64_t n = parcels.size();
  vs_.resize(n), vsq_.resize(n);
  if (!frozen_) v_over_s_.resize(n), free_over_s_.resize(n);
  for (std::size_t d = 0; d < 3 && !frozen_; ++d) vsu_[d].resize(n), vsqu_[d].resize(n);
  const bool frozen = frozen_;
  const double *vq = vq_.data(), *volume = parcels.volume.data(), per_rho = 1 / rho_;
  const ParcelProperty density = parcels.density();
  double *vs = vs_.data(), *vsq = vsq_.data(), *v_over_s = v_over_s_.data(), *free_over_s = free_over_s_.data();
  double* vuu = vuu_.data();
  const fluid::ConstFacePointers vu = fluid::pointers(vu_), vqu = fluid::pointers(vqu_);
  const fluid::FacePointers vsu = fluid::writable_pointers(vsu_), vsqu = fluid::writable_pointers(vsqu_);
  for_each(execution, n, [=] CORRAL_HOST_DEVICE(std::int64_t i) {
    const double s = density[i] * per_rho;
    vs[i] = s * volume[i];
    vsq[i] = s * vq[i];
    if (frozen) return;
    v_over_s[i] = volume[i] / s;
    free_over_s[i] = (volume[i] - vq[i]) / s;
    for (std::size_t d = 0; d < 3; ++d) {
      vsu[d][i] = s * vu[d][i];
      vsqu[d][i] = s * vqu[d][i];
    }
    vuu[i] *= s;
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
    if (mixed_) add(vsq_, Pm[d], faces);
    if (frozen_) continue;
    add(vu_[d], U[d], faces);
    add(vqu_[d], Q[d], faces);
    if (!mixed_) continue;
    add(vs_, M[d], faces);
    add(vsqu_[d], Qm[d], faces);
    add(v_over_s_, L[d], faces);
    add(free_over_s_, N[d], faces);
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
      terms.push_back({vu_[d].data(), mixed_ ? nullptr : mean_velocity[d].data()});
      terms.front().faces[d] = box_theta[d].data();
      terms.back().faces[d] = box_U[d].data();
    }
    terms.push_back({vuu_.data(), mean_square.data()});
    for (std::size_t d = 0; d < 3 && mixed_; ++d) terms.push_back({vsu_[d].data(), mean_velocity[d].data()});
    if (mixed_) terms.push_back({vs_.data(), relative_density.data()});
  }
  if (sizes_) terms.push_back({v_over_r_.data(), sauter_radius.data()});
  boxes_.spread(execution, order, parcels.places(), terms);
  maps_ += (frozen_ ? 0 : mixed_ ? 12 : 11) + (sizes_ ? 1 : 0) + (frozen_ && !sizes_ ? 1 : 0);
}

template <Execution E> void FaceSums::divide(E execution, Flow& flow) {
  const double per_cell = 1 / domain_.grid().cell_volume();
  for (std::size_t d = 0; d < 3; ++d) {
    const std::array<double*, 9> by_face{theta[d].data(), P[d].data(),  U[d].data(), Q[d].data(), M[d].data(),
                                         Pm[d].data(),    Qm[d].data(), L[d].data(), N[d].data()};
    const std::size_t sums_of_face = mixed_ ? by_face.size() : 4;
    const std::array<double*, 2> by_cell{box_theta[d].data(), box_U[d].data()};
    const double* s = inverse_volume_[d].data();
    for_each(execution, theta[d].size(), [=] CORRAL_HOST_DEVICE(std::int64_t f) {
      for (std::size_t k = 0; k < sums_of_face; ++k) by_face[k][f] *= s[f];
      for (double* sums : by_cell) sums[f] *= per_cell;
    });
  }
  double* const theta_c = flow.solids_fraction.data();
  const std::array<double*, 3> mean{mean_velocity[0].data(), mean_velocity[1].data(), mean_velocity[2].data()};
  double *square = mean_square.data(), *radius = sauter_radius.data(), *density = relative_density.data();
  for_each(execution, domain_.grid().cells(), [=] CORRAL_HOST_DEVICE(std::int64_t c) {
    const double volume = theta_c[c];
    theta_c[c] *= per_cell;
    const double share = volume * per_cell > 1e-12 ? 1 / (density ? density[c] : volume) : 0;
    if (density) density[c] = share > 0 ? density[c] / volume : 1;
    for (std::size_t d = 0; d < 3; ++d) mean[d][c] *= share;
    square[c] *= share;
    radius[c] = radius[c] > 0 ? volume / radius[c] : 0;
  });
}

template <Execution E> double FaceSums::drag_rate(E execution, double theta_least, double dt) const {
  double rates = 0, faces = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    const double *th = theta[d].data(), *m = mixed_ ? M[d].data() : th, *p = mixed_ ? Pm[d].data() : P[d].data();
    faces += sum(execution, theta[d].size(),
                 [=] CORRAL_HOST_DEVICE(std::int64_t f) { return th[f] >= theta_least ? 1.0 : 0.0; });
    rates += sum(execution, theta[d].size(), [=] CORRAL_HOST_DEVICE(std::int64_t f) {
      return th[f] >= theta_least ? p[f] / std::max(m[f] - p[f], 1e-9 * m[f]) : 0.0;
    });
  }
  return faces > 0 && dt > 0 ? rates / faces / dt : 0;
}

} // namespace corral::mppic
