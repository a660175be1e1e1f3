#pragma once

#include "engine/gpu/methods/gather/memory.cuh"

/// The weights of a group in shared memory: [point of the own stencil][particle], a buffer of a warp for each axis. Two lanes
/// see to a particle, lane % 16.
namespace corral::gpu::gather {

/// Brings the formulas to shared memory, where lanes may read different ones; the last is that of a thin axis.
template <class S> __device__ void put_formulas(const Job& job, double* to) {
  for (int i = static_cast<int>(threadIdx.x); i < formulas * of_formula; i += S::threads) {
    const int which = i / of_formula, at = i % of_formula, stretch = at / of_stretch, term = at % of_stretch;
    const kernels::WeightFormula& f = job.formula[which == thin_formula ? 0 : which];
    if (which == thin_formula) to[i] = at == 0 ? 1.0 : 0.0;
    else if (at >= under_root) to[i] = f.under_root[at - under_root];
    else to[i] = term < odd_powers ? f.even[stretch][term] : term < of_root ? f.odd[stretch][term - odd_powers] : f.of_root[stretch];
  }
}

/// A stretch of a formula along some axes that share it. z: the place in the cell along each, from -1 to 1. The weights of a
/// stretch and of the one that mirrors it are even + z odd and even - z odd.
template <int axes> struct Stretch {
  double even[axes], odd[axes];

  __device__ Stretch(const double* of, int terms, bool rooted, const double (&z)[axes], const double (&root)[axes]) {
#pragma unroll
    for (int a = 0; a < axes; ++a) even[a] = odd[a] = 0;
#pragma unroll 2
    for (int k = terms - 1; k >= 0; --k) // Horner's scheme
#pragma unroll
      for (int a = 0; a < axes; ++a) {
        even[a] = fma(even[a], z[a] * z[a], of[k]);
        odd[a] = fma(odd[a], z[a] * z[a], of[odd_powers + k]);
      }
    if (!rooted) return;
#pragma unroll
    for (int a = 0; a < axes; ++a) even[a] = fma(of[of_root], root[a], even[a]);
  }
};

/// The root of a formula.
inline __device__ double root_of(const double* formula, bool rooted, double z) {
  return rooted ? sqrt(fma(formula[under_root + 1], z * z, formula[under_root])) : 0.0;
}

/// 0 or 1: the point of the cell's stencil at which the particle's own begins.
inline __device__ int lead(const StencilsOfAxis& axis, double u) { return axis.straddled && u >= 0.5 ? 1 : 0; }

/// The fraction of a particle, from -1 to 1 on the cell around which its own stencil lies (shared::stencil_position).
inline __device__ double place_in_cell(const StencilsOfAxis& axis, double u) {
  return fma(2.0, u, axis.straddled ? (u >= 0.5 ? -2.0 : 0.0) : -1.0);
}

/// Along one axis; `place` and u are those of the lane's particle.
inline __device__ void put_weights(const Job& job, const double* formulas_here, int d, std::uint32_t place, double u, double* buffer) {
  const StencilsOfAxis& axis = job.axis[d];
  const int lane = static_cast<int>(threadIdx.x) % 32;
  double* const mine = buffer + lane % together;
  if (axis.weights == nullptr) {
    const double* const formula = formulas_here + axis.formula * of_formula;
    const double z[1] = {place_in_cell(axis, u)}, root[1] = {root_of(formula, axis.rooted, z[0])};
#pragma unroll 1
    for (int j = lane / together; 2 * j < axis.points; j += 2) {
      const Stretch<1> s(formula + j * of_stretch, axis.terms, axis.rooted, z, root);
      mine[j * weight_pitch] = fma(z[0], s.odd[0], s.even[0]);
      mine[(axis.points - 1 - j) * weight_pitch] = fma(-z[0], s.odd[0], s.even[0]); // in the middle the same: odd powers are 0
    }
    return;
  }
  const double* from = axis.weights + place + (lane < together ? 0 : job.places.size);
#pragma unroll 4
  for (int j = lane / together; j < axis.points; j += 2) {
    mine[j * weight_pitch] = *from;
    from += 2 * job.places.size;
  }
}

/// Along all axes at once, where they share a formula: every coefficient is read once. Those along z wait here until the
/// buffer is free.
template <int most> struct AlikeWeights {
  double low[most], high[most];

  __device__ void put_x_y(const Job& job, const double* formulas_here, const double (&u)[3], double* of_x, double* of_y) {
    const StencilsOfAxis& axis = job.axis[0];
    const double* const formula = formulas_here + axis.formula * of_formula;
    const double z[3] = {place_in_cell(axis, u[0]), place_in_cell(job.axis[1], u[1]), place_in_cell(job.axis[2], u[2])};
    const double root[3] = {root_of(formula, axis.rooted, z[0]), root_of(formula, axis.rooted, z[1]), root_of(formula, axis.rooted, z[2])};
    for_each_stretch(axis.points, [&](int i, int at_low, int at_high) {
      const Stretch<3> s(formula + at_low * of_stretch, axis.terms, axis.rooted, z, root);
      of_x[at_low * weight_pitch] = fma(z[0], s.odd[0], s.even[0]);
      of_y[at_low * weight_pitch] = fma(z[1], s.odd[1], s.even[1]);
      low[i] = fma(z[2], s.odd[2], s.even[2]);
      of_x[at_high * weight_pitch] = fma(-z[0], s.odd[0], s.even[0]);
      of_y[at_high * weight_pitch] = fma(-z[1], s.odd[1], s.even[1]);
      high[i] = fma(-z[2], s.odd[2], s.even[2]);
    });
  }
  __device__ void put_z(int points, double* of_z) const {
    for_each_stretch(points, [&](int i, int at_low, int at_high) {
      of_z[at_low * weight_pitch] = low[i];
      of_z[at_high * weight_pitch] = high[i];
    });
  }

private:
  template <class F> __device__ static void for_each_stretch(int points, F&& f) {
    const int half = static_cast<int>(threadIdx.x) % 32 / together;
#pragma unroll
    for (int i = 0; i < most; ++i)
      if (2 * (half + 2 * i) < points) f(i, half + 2 * i, points - 1 - half - 2 * i);
  }
};

/// Weight of a point of the own stencil of a group's particle; 0 where it has none.
inline __device__ double weight(const double* buffer, int j, int points, int particle) {
  return unsigned(j) < unsigned(points) ? buffer[j * weight_pitch + particle] : 0.0;
}

} // namespace corral::gpu::gather
