#pragma once

#include "run/state/entry.hpp"

#include <corral/cell_order.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace corral::run {

class Registry;

/// What is known of a set of particles before there are any: a driver names its sets, and from that come their keys
/// under [output], their files and the words of messages.
struct ParticleKind {
  std::string name;         ///< of all: "parcels", "vertices", "sites"
  std::string one;          ///< of one of them: "parcel"
  std::string interval = "0.05"; ///< [s] between files, unless a case says another
  bool keeps_order = false; ///< never reordered, for connectivity refers to places
};

/// Particles of one kind: columns of the same length that the registry owns. Files take points from the vector column
/// "position" [m]; messages call particles by the first column of ids.
class ParticleSet {
public:
  ParticleSet(Registry& registry, ParticleKind kind);
  ParticleSet(const ParticleSet&) = delete;
  ParticleSet& operator=(const ParticleSet&) = delete;

  const Registry& registry() const { return registry_; }
  const std::string& name() const { return kind_.name; }
  const std::string& one() const { return kind_.one; }
  bool keeps_order() const { return kind_.keeps_order; }
  std::int64_t size() const { return size_; }
  /// Of all ranks that share the set out, as they last counted; size() where one process has all of it.
  std::int64_t total() const { return shared_ ? total_ : size_; }
  std::int64_t most() const { return shared_ ? most_ : size_; } ///< that a rank has, likewise
  bool shared() const { return shared_; }                        ///< each rank has some of its particles

  /// size() values, zeros at first. Names are those of one set: another may use them, too.
  Array<double>& declare_column(std::string name, std::string unit, std::string meaning, Use use);
  Columns declare_columns(const std::string& name, const std::string& unit, const std::string& meaning, int components, Use use);
  /// Three components.
  Components declare_vector_column(const std::string& name, const std::string& unit, const std::string& meaning,
                                   Use use);
  /// 32-bit integers: numbers of kinds, counts, flags.
  Array<std::int32_t>& declare_integers(std::string name, std::string meaning, Use use);
  /// Permanent 64-bit numbers of the particles.
  Array<std::uint64_t>& declare_ids(std::string name, std::string meaning, Use use);
  /// Elements between the set's particles, `corners` places each: 2 for bonds, 3 for triangles. Whoever declares it gives it its
  /// size. Throws Error for a set that doesn't keep its order.
  Array<std::int32_t>& declare_connectivity(std::string name, std::string meaning, int corners, Use use);

  /// One value per triangle, zeros at first. Throws Error where the set has none; they must have their size by then.
  Array<double>& declare_on_triangles(std::string name, std::string unit, std::string meaning, Use use);

  /// Gives every column `count` values; those that are new are zeros. Throws OutOfMemory.
  void resize(std::int64_t count);
  /// Brings every column into the order, after which columns and maps stream. Throws Error for a set that keeps its own.
  template <Execution E> void reorder(E, CellOrder<double>& order);
  /// Part of it; public, since nvcc takes the loops of no others.
  template <Execution E> void bring_ids(E, CellOrder<double>& order, Array<std::uint64_t>& ids);
  /// Removes the particles whose flag is set (size() of them), keeping the order of the others.
  template <Execution E> void remove(E, const Array<std::uint8_t>& gone);

  /// For who shares the set out among ranks: run/ranks/shared_set.hpp.
  void share_among_ranks() { shared_ = true; }
  void count_among_ranks(std::int64_t total, std::int64_t most) { total_ = total, most_ = most; }

  std::vector<const Entry*> columns() const;                     ///< in order of declaration
  const Entry* find(std::string_view name, int component = 0) const; ///< nullptr where nothing has that name
  const Array<std::uint64_t>* ids() const;                       ///< the first declared, nullptr where there are none
  const Entry* bonds() const { return elements(2); }     ///< the first connectivity of 2 corners, nullptr where there is none
  const Entry* triangles() const { return elements(3); } ///< likewise of 3
  std::vector<const Entry*> on_triangles() const; ///< values on them, in order of declaration

private:
  friend class HostCopy;
  friend class WholeState;

  Entry entry(std::string name, std::string unit, std::string meaning, Use use);
  Array<std::int32_t>& own_integers(Entry entry, std::int64_t count);
  std::vector<const Entry*> entries_of(Kind kind) const;
  const Entry* elements(int corners) const;

  Registry& registry_;
  ParticleKind kind_;
  std::int64_t size_ = 0, total_ = 0, most_ = 0;
  bool shared_ = false;
  Array<double> real_copy_; // scratch that columns swap places with
  Array<std::uint64_t> id_copy_;
  Array<std::int32_t> integer_copy_;
  Array<std::int64_t> kept_; ///< places of those that stay
};

} // namespace corral::run
