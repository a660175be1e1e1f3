#pragma once

#include "bench/scene/particles.hpp"

#include <array>
#include <cstdint>

namespace corral::bench {

/// A cube of cells around a particle, wrapped at the sides of the grid: the part of a workload over which a spread is
/// compared with the plain loop's where the whole would take that minutes.
class Neighbourhood {
public:
  /// The largest one that holds no more particles than `most`, but wide enough that at least 3 points an axis have the
  /// whole stencils of a kernel of so many points; the whole grid where all particles are no more.
  template <class T>
  Neighbourhood(const Workload& work, Particles<T>& particles, std::int64_t most, int support);

  bool whole() const { return whole_; }
  /// Particles that lie within, and their values.
  template <class T> Particles<T> within(Particles<T>& particles) const;
  /// Whether the neighbourhood holds every particle whose stencil has the point; of all staggerings.
  bool complete(const std::array<std::int64_t, 3>& point) const { return whole_ || around(point, reach_ - margin_); }

private:
  bool around(const std::array<std::int64_t, 3>& cell, std::int64_t reach) const;
  template <class T> bool holds(Particles<T>& particles, std::int64_t i) const;

  Workload work_; ///< without its calls
  std::array<std::int64_t, 3> centre_{};
  std::int64_t reach_ = 0, margin_; ///< [cells] to each side of the centre; of it, where points lack particles
  bool whole_;
};

} // namespace corral::bench
