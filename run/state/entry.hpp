#pragma once

#include "distributed/team.hpp"

#include <corral/array.hpp>
#include <corral/execution.hpp>
#include <corral/grid.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace corral::run {

class ParticleSet; // run/state/particle_set.hpp

/// What an entry's values belong to.
enum class Kind : std::uint8_t {
  field,        ///< one value per point of a staggering
  column,       ///< one value per particle of a set
  connectivity, ///< places in a set of particles, `corners` of them for each element
  on_triangles, ///< one value per triangle of a set
  number,       ///< one value
  table         ///< a list of values that belong to nothing else
};

/// What is done with an entry; flags, combined with |.
enum class Use : unsigned {
  none = 0,
  saved = 1, ///< part of the state: the next step reads it, checkpoints hold it, the NaN scan looks at it
  shown = 2, ///< written to the field or particle files
  optional = 4, ///< of what is saved: a checkpoint may lack it, and it then stays as it was made
  watched = 8   ///< of what is saved: its owner looks for what is no number, and the NaN scan does not
};

constexpr Use operator|(Use a, Use b) {
  return static_cast<Use>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
/// True where `set` holds every flag of `flags`.
constexpr bool has(Use set, Use flags) {
  return (static_cast<unsigned>(set) & static_cast<unsigned>(flags)) == static_cast<unsigned>(flags);
}

/// The stream of a device that a run's steps and copies of its state are asked of: the default one.
inline constexpr CUstream_st* run_stream = nullptr;

/// A table of fields over cells that stand one after the other in it, for ranks that share a grid: each as the layout has it, and
/// where they begin in a box of so many cells.
struct FieldsOfTable {
  distributed::FieldLayout layout;
  std::function<std::vector<std::int64_t>(const std::array<std::int64_t, 3>& cells)> first;
};

/// One array, number or table of the state, with what everybody needs to know about it.
struct Entry {
  std::string name{};
  std::string unit{}; ///< SI, "" where dimensionless
  std::string meaning{};
  Kind kind = Kind::number;
  Use use = Use::none;
  int components = 1;                           ///< of what this is one component of; three are those of a vector
  int component = 0;                            ///< which one
  Staggering staggering = Staggering::centre;   ///< of a field
  std::array<std::int64_t, 3> extents{};        ///< points per axis of a field, x fastest
  ParticleSet* set = nullptr;                   ///< of a column, connectivity or values on triangles
  int corners = 0;                              ///< of connectivity: 2 for bonds, 3 for triangles
  std::optional<FieldsOfTable> fields{};        ///< of a table that has such
  /// How many values ranks have of what they share, which are not in this memory; a column has as many as its set.
  std::optional<std::int64_t> elsewhere{};
  /// Values of a field that this process knows, where other ranks know the others.
  std::optional<distributed::Piece> known{};
  /// The registry's memory, or that of whoever bound it.
  std::variant<Array<double>*, Array<std::uint64_t>*, Array<std::int32_t>*, double*, std::int64_t*, Array<float>*> value{};

  Array<double>* reals() const { return get<Array<double>>(); }
  Array<std::uint64_t>* ids() const { return get<Array<std::uint64_t>>(); }
  Array<std::int32_t>* integers() const { return get<Array<std::int32_t>>(); }
  Array<float>* floats() const { return get<Array<float>>(); } ///< of a table
  double* real() const { return get<double>(); }
  std::int64_t* counter() const { return get<std::int64_t>(); }

  /// "x", "y" or "z" of a vector, the number of one of more or fewer components.
  std::string component_name() const {
    return components == 3 ? std::string(1, "xyz"[component]) : std::to_string(component);
  }
  /// The name, with _x, _y, _z or a number where the entry is one of several components.
  std::string full_name() const { return components == 1 ? name : name + "_" + component_name(); }
  std::int64_t bytes() const; ///< of arrays
  bool on_device() const;     ///< an array that host code cannot reach
  std::int64_t size() const;  ///< how many values
  std::int64_t each() const;  ///< [bytes] of a value
  std::byte* data() const;    ///< the first value
  /// Gives an array `count` values; those that are new are zeros. Does nothing where ranks have them. Throws OutOfMemory that
  /// names the entry, OutOfDeviceMemory where it lies on a device.
  void resize(std::int64_t count) const;
  /// Gives it the values of one of the same kind. Where one of the two lies on a device that is asked of `run_stream`, and
  /// goes on when the call returns.
  void take(const Entry& from) const;

private:
  template <class T> T* get() const {
    T* const* found = std::get_if<T*>(&value);
    return found ? *found : nullptr;
  }
};

/// True of what files and scripts show.
inline bool is_shown(const Entry& e) { return has(e.use, Use::shown); }
/// True of that and of what they show it by: points, and elements between them.
inline bool is_seen(const Entry& e) {
  return is_shown(e) || (e.set && (e.name == "position" || e.kind == Kind::connectivity));
}

/// The three components of a vector: arrays that the registry owns.
using Components = std::array<Array<double>*, 3>;
/// As many components as were asked for, likewise: of a tensor, of populations, of species.
using Columns = std::vector<Array<double>*>;

/// What loops see of a vector: [d][i] for component d.
inline std::array<double*, 3> pointers(const Components& c) { return {c[0]->data(), c[1]->data(), c[2]->data()}; }

} // namespace corral::run
