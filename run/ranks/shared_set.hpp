#pragma once

#include "distributed/team.hpp"
#include "run/phases.hpp"
#include "run/state/particle_set.hpp"

#include <corral/array.hpp>
#include <corral/grid.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace corral::run {

/// A set of particles whose rows ranks share out by the groups of a cell order: each has those of a range of groups, with as many
/// particles as the others as nearly as groups allow. Fields of the grid are the same on all ranks; what each has spread of its
/// particles is added up by `add`.
///
/// Without a team all particles are this process's, and calls give back what they get. With one they are collective, but for those
/// that only say what is known. Their time counts to the phase "ranks".
class SharedSet {
  template <class F> auto timed(const F& work) const {
    const auto t = phases_->time("ranks");
    return work();
  }

public:
  /// The set has a vector column "position", and outlives this.
  SharedSet(ParticleSet& set, const Grid& grid, const std::array<Offset, 3>& offset);
  /// With ranks from now on. They and the phases outlive this.
  void share_with(const distributed::Team& team, Phases& phases);

  /// Those that come in are the last rank's.
  bool takes_newcomers() const { return !team_ || team_->rank() + 1 == team_->size(); }
  /// Of things that are made at the start, those that this rank makes: as many as the others, in their order.
  distributed::Piece part_of(std::int64_t count) const;
  /// Groups are shared out anew, and each row goes to the rank that has its group, where it takes the place of one that leaves. Rows
  /// without a finite position inside the box stay where they are.
  void share_out() { share_out(Stay::in_place); }
  /// Likewise of rows that were read, some by each rank: those of a rank stand as they did in the whole, rank after rank.
  void share_out_in_order() { share_out(Stay::in_order); }
  /// Counts the particles of all ranks (ParticleSet::total), once some have come or gone.
  void count();

  /// Of all ranks, in their order: the same bits on each. T is a number, or has +=; it is copied byte by byte.
  template <class T> T total(const T& mine) const;
  double largest(double mine) const { return team_ ? timed([&] { return team_->maximum(mine); }) : mine; }
  /// Those values of a list that are sums and those that are maxima over this rank's particles become those over all.
  template <class Values> Values totals(Values values, std::initializer_list<int> sums, std::initializer_list<int> maxima = {}) const;
  /// Whole numbers, exactly.
  void add(std::span<std::uint64_t> counts) const;
  void add(std::span<std::int64_t> counts) const { add(std::span(reinterpret_cast<std::uint64_t*>(counts.data()), counts.size())); }
  /// Fields of what this rank's particles spread, into those of all. Empty ones stay so.
  void add(std::span<const std::span<double>> fields) const;
  void add(std::initializer_list<Array<double>*> fields) const;
  /// The same of the planes that each rank wants, where it holds something in some alone: as Team::add.
  void add(std::span<const distributed::FieldOfPlanes> fields, std::span<const distributed::Piece> held,
           const distributed::PiecesOfRanks& wanted) const;
  /// Throws Error on all ranks where one has a problem.
  void agree(const std::string& problem) const;

private:
  /// Which ranks have which groups.
  struct Share {
    std::int64_t particles = 0;      ///< of all ranks
    Array<std::int64_t> group;       ///< of each row; negative where it has none
    std::vector<std::int64_t> first; ///< of the groups of each rank
  };

  enum class Stay : std::uint8_t { in_place, in_order };

  void share_out(Stay stay);
  Share share() const;
  ParticleSet& set_;
  const distributed::Team* team_ = nullptr;
  Phases* phases_ = nullptr;
  Grid grid_;
  std::array<Offset, 3> offset_;
};

template <class T> T SharedSet::total(const T& mine) const {
  static_assert(std::is_trivially_copyable_v<T>);
  if (!team_) return mine;
  const std::vector<std::byte> all = timed([&] { return team_->all(std::as_bytes(std::span(&mine, 1))); });
  T sum{};
  for (std::size_t at = 0; at < all.size(); at += sizeof(T)) {
    T of_rank;
    std::memcpy(&of_rank, all.data() + at, sizeof(T));
    sum += of_rank;
  }
  return sum;
}

template <class Values>
Values SharedSet::totals(Values values, std::initializer_list<int> sums, std::initializer_list<int> maxima) const {
  if (!team_) return values;
  std::vector<double> mine;
  for (const auto& list : {sums, maxima})
    for (const int k : list) mine.push_back(values[static_cast<std::size_t>(k)]);
  const std::vector<std::byte> bytes = timed([&] { return team_->all(std::as_bytes(std::span(mine))); });
  std::vector<double> all(bytes.size() / sizeof(double));
  std::memcpy(all.data(), bytes.data(), bytes.size());
  std::size_t i = 0;
  const auto combine = [&](double& value, const auto& with) {
    value = all[i];
    for (std::size_t of_rank = i + mine.size(); of_rank < all.size(); of_rank += mine.size()) value = with(value, all[of_rank]);
    ++i;
  };
  for (const int k : sums) combine(values[static_cast<std::size_t>(k)], [](double a, double b) { return a + b; });
  for (const int k : maxima) combine(values[static_cast<std::size_t>(k)], [](double a, double b) { return std::isnan(a) || a >= b ? a : b; });
  return values;
}

} // namespace corral::run
