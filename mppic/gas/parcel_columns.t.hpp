#pragma once

/// The columns of parcels that face_sums.hpp spreads, for either processor.

#include "mppic/gas/face_sums.hpp"

#include <corral/for_each.hpp>
#include <corral/vector_loops.hpp>

#include <array>
#include <cstdint>

namespace corral::mppic {

/// What the columns know of the parcels' densities.
struct OneDensity {
  static constexpr bool mixed = false, many = false;
};
struct TwoDensities {
  static constexpr bool mixed = true, many = false;
  ParcelProperty of_parcel;
};
struct ManyDensities {
  static constexpr bool mixed = true, many = true;
  ParcelProperty of_parcel;
};

/// V q, V u_d and V q u_d. In the first of these the axes agree: it is found with the first.
struct ColumnsOfAxis {
  double dt;
  bool first;
  const double *drag, *volume, *velocity;
  double *vq, *vu, *vqu;

  CORRAL_HOST_DEVICE void operator()(std::int64_t i) const {
    const double v = volume[i], u = velocity[i];
    if (first) {
      const double x = dt * drag[i], q = x / (1 + x);
      vq[i] = v * q;
    }
    vu[i] = v * u;
    vqu[i] = vq[i] * u;
  }
};
struct FluxColumns {
  const double* volume;
  std::array<const double*, 3> velocity;
  fluid::FacePointers vu;
  CORRAL_HOST_DEVICE void operator()(std::int64_t i) const {
    for (std::size_t d = 0; d < 3; ++d) vu[d][i] = volume[i] * velocity[d][i];
  }
};
struct SizeColumns {
  const double *volume, *diameter;
  std::array<const double*, 3> velocity;
  double *vuu, *v_over_r;
  CORRAL_HOST_DEVICE void operator()(std::int64_t i) const {
    double square = 0;
    for (std::size_t d = 0; d < 3; ++d) square += velocity[d][i] * velocity[d][i];
    vuu[i] = volume[i] * square;
    v_over_r[i] = 2 * volume[i] / diameter[i];
  }
};

/// The columns that are spread beside those that parcels have; of several densities by mass, too, as damping's mean square
/// is then.
template <bool frozen, class Density> struct ParcelColumns {
  static constexpr bool mixed = Density::mixed, many = Density::many && !frozen;
  double dt, per_rho;
  Density density;
  bool sizes;
  const double *drag, *volume, *diameter;
  std::array<double*, 3> velocity;
  double *vq, *vuu, *v_over_r, *relative, *vs, *vsq, *v_over_s, *free_over_s;
  fluid::FacePointers vu, vqu, vsqu;

  CORRAL_HOST_DEVICE void operator()(std::int64_t i) const {
    const double x = dt * drag[i], q = frozen ? x : x / (1 + x), v = volume[i];
    double s = 1;
    vq[i] = v * q;
    if constexpr (mixed) {
      s = density.of_parcel.of_its_solid(i) * per_rho;
      relative[i] = s;
      vs[i] = s * v;
      vsq[i] = s * (v * q);
    }
    if (!frozen || sizes) v_over_r[i] = 2 * v / diameter[i];
    if constexpr (frozen) return;
    double square = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      const double u = velocity[d][i];
      vu[d][i] = v * u;
      vqu[d][i] = v * q * u;
      if constexpr (mixed) vsqu[d][i] = s * (v * q * u);
      square += u * u;
    }
    vuu[i] = mixed ? v * square * s : v * square;
    if constexpr (many) {
      v_over_s[i] = v / s;
      free_over_s[i] = (v - v * q) / s;
    }
  }
};

template <bool frozen, Execution E, class Density>
void FaceSums::set_columns(E execution, const Parcels& parcels, double dt, const Density& density) {
  using Columns = ParcelColumns<frozen, Density>;
  const std::int64_t n = parcels.size();
  for_each_in_vectors(execution, n,
                      Columns{.dt = dt,
                              .per_rho = 1 / rho_,
                              .density = density,
                              .sizes = sizes_,
                              .drag = parcels.drag.data(),
                              .volume = parcels.volume.data(),
                              .diameter = parcels.diameter.data(),
                              .velocity = run::pointers(parcels.velocity),
                              .vq = vq_.data(),
                              .vuu = vuu_.data(),
                              .v_over_r = v_over_r_.data(),
                              .relative = s_.data(),
                              .vs = vs_.data(),
                              .vsq = vsq_.data(),
                              .v_over_s = v_over_s_.data(),
                              .free_over_s = free_over_s_.data(),
                              .vu = fluid::writable_pointers(vu_),
                              .vqu = fluid::writable_pointers(vqu_),
                              .vsqu = fluid::writable_pointers(vsqu_)});
}

template <Execution E> void FaceSums::set_restitutions(E execution, const Parcels& parcels) {
  const std::int32_t* solid = parcels.solid->data();
  const double *of_solid = restitutions_.data(), *surface = v_over_r_.data();
  double* weighted = ev_over_r_.data();
  for_each(execution, parcels.size(), [=] CORRAL_BODY(std::int64_t i) {
    weighted[i] = of_solid[solid[i]] * surface[i];
  });
}

} // namespace corral::mppic
