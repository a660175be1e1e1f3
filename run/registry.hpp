#pragma once

#include <corral/array.hpp>
#include <corral/grid.hpp>

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace corral::run {

/// What an entry's values belong to.
enum class Kind : std::uint8_t { cell_field, face_field, parcel_column, scalar };

/// What is done with an entry; flags, combined with |.
enum class Use : unsigned {
  none = 0,
  saved = 1,    ///< part of the state: checkpoints hold it, the NaN scan reads it
  shown = 2,    ///< written to the field or parcel files
  reordered = 4 ///< a parcel column that moves with its parcel when parcels are reordered
};

constexpr Use operator|(Use a, Use b) {
  return static_cast<Use>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
/// True where `set` holds every flag of `flags`.
constexpr bool has(Use set, Use flags) {
  return (static_cast<unsigned>(set) & static_cast<unsigned>(flags)) == static_cast<unsigned>(flags);
}

/// One array, scalar or counter of the state, with what everybody needs to know about it.
struct Entry {
  std::string name;
  std::string unit; ///< SI, "" where dimensionless
  std::string meaning;
  Kind kind = Kind::scalar;
  Use use = Use::none;
  int axis = -1; ///< component 0, 1, 2 of a face field (its normal) or of a vector column, otherwise -1
  std::array<std::int64_t, 3> extents{}; ///< points per axis of a field, x fastest
  std::variant<Array<double>, Array<std::uint64_t>, double, std::int64_t> value;

  const Array<double>* reals() const { return std::get_if<Array<double>>(&value); }
  Array<double>* reals() { return std::get_if<Array<double>>(&value); }
  const Array<std::uint64_t>* ids() const { return std::get_if<Array<std::uint64_t>>(&value); }
  Array<std::uint64_t>* ids() { return std::get_if<Array<std::uint64_t>>(&value); }
  /// The name, with _x, _y or _z where the entry is one of three components.
  std::string full_name() const;
  std::int64_t bytes() const;
};

/// The three components of a vector: arrays that the registry owns.
using Components = std::array<Array<double>*, 3>;

/// The state of a run: every persistent array is declared here once, and output, checkpoints, the NaN scan and the
/// memory report iterate it. The registry owns what is declared; references stay valid as long as it lives.
/// Declaring a name twice throws Error. Names are made of letters, digits, _ and -; arrays begin as zeros.
class Registry {
public:
  explicit Registry(const Grid& grid) : grid_(grid) {}
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;

  const Grid& grid() const { return grid_; }

  /// grid().points(Staggering::centre) values.
  Array<double>& declare_cell_field(std::string name, std::string unit, std::string meaning, Use use);
  /// A vector by its normal components: component d has grid().points(face(d)) values.
  Components declare_face_field(const std::string& name, const std::string& unit, const std::string& meaning,
                                Use use);
  /// parcel_count() values. Parcel files take their points from the vector column "position" [m].
  Array<double>& declare_column(std::string name, std::string unit, std::string meaning, Use use);
  Components declare_vector_column(const std::string& name, const std::string& unit, const std::string& meaning,
                                   Use use);
  /// Permanent 64-bit numbers of the parcels; messages call parcels by the first one declared.
  Array<std::uint64_t>& declare_id_column(std::string name, std::string meaning, Use use);
  double& declare_scalar(std::string name, std::string unit, std::string meaning, Use use);
  std::int64_t& declare_counter(std::string name, std::string meaning, Use use);

  /// Gives every parcel column `count` values; those that are new are zeros.
  void set_parcel_count(std::int64_t count);
  std::int64_t parcel_count() const { return parcel_count_; }

  std::deque<Entry>& entries() { return entries_; }
  const std::deque<Entry>& entries() const { return entries_; }
  const Entry* find(std::string_view name, int axis = -1) const; ///< nullptr where nothing has that name
  std::int64_t bytes() const;                                    ///< memory of all arrays

  /// Names the first value (by order of declaration, then of index) of a `saved` real entry that is infinite or
  /// NaN: "gas_velocity_y at face (3, 0, 7) is nan". Nothing where all are finite.
  std::optional<std::string> find_not_finite() const;

private:
  Entry& declare(Entry entry);
  Components declare_components(const std::string& name, const std::string& unit, const std::string& meaning,
                                Kind kind, Use use);

  Grid grid_;
  std::deque<Entry> entries_; // a deque never moves what it holds
  std::int64_t parcel_count_ = 0;
};

} // namespace corral::run
