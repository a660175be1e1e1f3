#pragma once

#include "engine/gpu/methods/gather/job.cuh"

#include <cstddef>

namespace corral::gpu::gather {

/// Formulas: of both kernels, and of thin axes; [stretch][even powers, odd ones, of the root], then what is under the root.
inline constexpr int formulas = 3, odd_powers = kernels::WeightFormula::most_terms, of_root = 2 * odd_powers, of_stretch = of_root + 1,
                     under_root = kernels::WeightFormula::most_stretches * of_stretch, of_formula = under_root + 2;

/// Where things stand in the shared memory of a block [bytes]: points, formulas, weights of each warp, and what is known of
/// its particles.
struct MemoryLayout {
  int set;                           ///< doubles of a set of fields: [plane][row][point][field]
  int plane;                         ///< doubles
  std::size_t formulas;
  std::size_t weights, warp_weights; ///< of the first warp; of each
  std::size_t runs;                  ///< what Groups has
  std::size_t bytes;

  template <class S> CORRAL_HOST_DEVICE static MemoryLayout of(const Division& division, const int (&buffer)[2]) {
    MemoryLayout m{};
    m.plane = S::plane(division.rows);
    m.set = division.planes * m.plane;
    m.formulas = sizeof(double) * static_cast<std::size_t>(S::sets * m.set);
    m.weights = m.formulas + sizeof(double) * gather::formulas * of_formula;
    m.warp_weights = sizeof(double) * static_cast<std::size_t>((buffer[0] + buffer[1]) * weight_pitch);
    m.runs = m.weights + S::warps * m.warp_weights;
    m.bytes = m.runs + sizeof(std::uint32_t) * static_cast<std::size_t>(division.columns * (2 * division.runs() + 3));
    return m;
  }
};

} // namespace corral::gpu::gather
