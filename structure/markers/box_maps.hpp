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

/// Maps between points that all ranks know and fields of a rank's box, in the middles of cells or on faces: what MarkerMaps does where
/// ranks share the grid. Calls are collective.
///
/// With Method::serial, which `interpolate` then takes, too, results have the bits of the whole grid on any number of ranks. One case
/// differs in the last bits: what is spread both near a wall and near a periodic side along an axis that is before it and cut.
class BoxMaps {
public:
  using Signs = std::array<std::array<Sign, 3>, 3>; ///< at walls, by component

  /// `staggering` says where components of fields lie. Keeps a reference. Throws Error where kernels of so many points reach beyond the
  /// ghosts.
  BoxMaps(const distributed::SharedGrid&, int kernel_points, const std::array<Staggering, 3>& staggering);

  /// Sets the values of all points [n] from fields whose ghosts are good: each by the rank whose cell it lies in.
  void interpolate(Cpu, const BoxOrder&, const KernelWeights<double>&, Method, const ConstVectorField&, const Signs&, const Points& values);
  /// fields += scale times the values of all points, in the rank's own cells; ghosts get what their owners have.
  void spread(Cpu, const BoxOrder&, const KernelWeights<double>&, Method, const ConstPoints& values, double scale, const Signs&,
              const VectorField& fields);

  static std::int64_t reach(int kernel_points) { return (kernel_points + 1) / 2; } ///< beyond a cell [cells]

private:
  /// How one of a vector field lies in memory.
  struct Component {
    Staggering staggering;
    std::unique_ptr<distributed::SharedFields> fields; ///< of it, and of those behind it that lie so, too
    std::array<std::int64_t, 3> extent{};  ///< points along each axis that maps of the rank's cells see; those on faces of others' among them
    std::array<std::int64_t, 3> own{};     ///< those that are the rank's
    std::array<std::int64_t, 3> scratch{}; ///< of scratch
    std::array<std::int64_t, 3> box{};     ///< of the box
  };

  template <class T> FieldView<T> own_view(std::size_t component, T* field, const std::array<Sign, 3>& sign) const;
  FieldView<double> scratch_view(std::size_t component, const std::array<Sign, 3>& sign);
  void load(Cpu, const double* field, std::size_t component);
  void store(Cpu, std::size_t component, double* field) const;
  void fill(const VectorField& fields) const;

  const distributed::SharedGrid& shared_;
  MappedBox box_;
  std::array<std::int64_t, 3> around_{}; ///< points of scratch beyond the own ones at either end
  std::array<Component, 3> components_;
  std::array<Array<double>, 3> scratch_, columns_;
  Array<double> joined_;
};

} // namespace corral::structure
