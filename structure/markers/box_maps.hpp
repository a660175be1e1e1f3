#pragma once

#include "structure/fluids/fluid.hpp"
#include "structure/markers/box_order.hpp"

#include <corral/kernel_weights.hpp>
#include <corral/method.hpp>
#include <corral/views.hpp>

#include <array>
#include <cstdint>
#include <memory>

namespace corral::structure {

/// Maps between points that all ranks know and fields in the middles of the cells of a rank's box: what MarkerMaps does where
/// ranks share the grid. Calls are collective.
///
/// With Method::serial, which `interpolate` then takes, too, results have the bits of the whole grid on any number of ranks. One case
/// differs in the last bits: what is spread both near a wall and near a periodic side along an axis that is before it and cut.
class BoxMaps {
public:
  using Signs = std::array<std::array<Sign, 3>, 3>; ///< at walls, by component

  /// Keeps a reference. Throws Error where kernels of so many points reach beyond the ghosts.
  BoxMaps(const distributed::SharedGrid&, int kernel_points);

  /// Sets the values of all points [n] from fields whose ghosts are good: each by the rank whose cell it lies in.
  void interpolate(Cpu, const BoxOrder&, const KernelWeights<double>&, Method, const ConstVectorField&, const Signs&, const Points& values);
  /// fields += scale times the values of all points, in the rank's own cells; ghosts get what their owners have.
  void spread(Cpu, const BoxOrder&, const KernelWeights<double>&, Method, const ConstPoints& values, double scale, const Signs&,
              const VectorField& fields);

  static std::int64_t reach(int kernel_points) { return (kernel_points + 1) / 2; } ///< beyond a cell [cells]

private:
  template <class T> FieldView<T> own_view(T* field, const std::array<Sign, 3>& sign) const;
  FieldView<double> scratch_view(std::size_t component, const std::array<Sign, 3>& sign);
  void load(Cpu, const double* field, std::size_t component);
  void store(Cpu, std::size_t component, double* field) const;

  const distributed::SharedGrid& shared_;
  MappedBox box_;
  std::unique_ptr<distributed::SharedFields> cells_;
  std::array<std::int64_t, 3> around_{}, points_{}; ///< of scratch: beyond the own cells at either end, and in all
  std::array<Array<double>, 3> scratch_, columns_;
  Array<double> joined_;
};

} // namespace corral::structure
