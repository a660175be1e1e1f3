#pragma once

#include "stokes/near/krylov_root.hpp"
#include "stokes/sums/normal_numbers.hpp"

#include <corral/array.hpp>
#include <corral/execution.hpp>
#include <corral/views.hpp>

#include <array>
#include <cstdint>

namespace corral::stokes {

/// Spheres and forces on them, as code of one instruction set sees them.
struct PairsTask {
  std::array<const double*, 3> at, force; ///< places, in radii; forces
  std::int64_t sources;                   ///< a multiple of 8: the last ones have no force
  double unit;                            ///< 1/radius [1/m]
  const Column<double>* velocity;
};

/// Sums over spheres in free space, pair by pair (sums/spheres.hpp): exact but for round-off, at n^2 pairs. Vectors run
/// over sources; the same bits for any number of threads. As with SumPlan no factor 1/(8 pi mu) is in them, a sphere's
/// own term is, and spheres may overlap or be in one place. They may be anywhere.
class AllPairs {
public:
  /// Spheres of that radius [m].
  explicit AllPairs(double radius) : unit_(1 / radius) {}

  /// Sets velocities. Throws Error, and has then changed nothing, for columns of other lengths, and where a coordinate
  /// or a force is not finite.
  void operator()(Cpu, const Positions<double>& at, const std::array<Column<const double>, 3>& force,
                  const std::array<Column<double>, 3>& velocity);

  /// Sets the columns to random vectors of mean 0, whose covariance is the sum's matrix: its root times noise, in a
  /// Krylov space of its products, to that tolerance. A dense matrix's factors take longer from thirty spheres on, and
  /// of spheres in one place it has none. Streams 3 to 5 are read, by sphere. Throws Error likewise, and where
  /// KrylovSpace does.
  void fluctuate(Cpu, const Positions<double>& at, double tolerance, const NormalNumbers&,
                 const std::array<Column<double>, 3>& velocity);

  std::int64_t bytes() const;

private:
  void place(Cpu, const Positions<double>& at, const std::array<Column<double>, 3>& velocity);
  void multiply(Cpu, const std::array<Column<const double>, 3>& force, const std::array<Column<double>, 3>& velocity);

  double unit_;
  std::array<Array<double>, 3> at_, force_;
  KrylovSpace krylov_;
};

} // namespace corral::stokes
