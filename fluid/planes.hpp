#pragma once

#include "distributed/team.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace corral::fluid {

/// Planes of cells across the last axis of a box, which ranks share the work on: rank after rank has some that follow each other, its own.
/// Each rank has memory for all of them, and finds the values of its own. It has those of others' planes once they are filled
/// or completed, and else anything there. Without a team all planes are this process's own, and calls do nothing.
///
/// Loops over them, and sums plane by plane, have the same bits on any number of ranks (pressure_rows.hpp).
class Planes {
public:
  explicit Planes(std::int64_t count = 0) : end_(count), count_(count) {}
  /// Rank r has those from first[r] up to first[r + 1]; the last number is how many there are. The team outlives this.
  Planes(const distributed::Team& team, std::vector<std::int64_t> first, bool periodic)
      : team_(&team), first_(std::move(first)), periodic_(periodic), begin_(first_[own()]), end_(first_[own() + 1]), count_(first_.back()) {}

  bool shared() const { return team_ != nullptr; }
  std::int64_t count() const { return count_; } ///< of all ranks
  std::int64_t begin() const { return begin_; } ///< of its own
  std::int64_t end() const { return end_; }

  /// Those of a grid that is coarsened by this factor. Where ranks share them, each begins with a whole pair.
  Planes coarser(std::int64_t factor) const {
    if (!shared()) return Planes((count_ + factor - 1) / factor);
    std::vector<std::int64_t> first = first_;
    for (std::int64_t& k : first) k = (k + factor - 1) / factor;
    return {*team_, std::move(first), periodic_};
  }

  /// The `width` planes below and above its own get their owners' values, around where the axis is periodic. Every rank has
  /// at least so many. Collective, as all that follow. `plane_0` is where plane 0 begins, of so many values.
  template <class T> void fill(T* plane_0, std::int64_t values, std::int64_t width = 1) const {
    if (!shared()) return;
    const std::int64_t below = begin_ > 0 ? begin_ : count_, above = end_ < count_ ? end_ : 0;
    const bool has_below = periodic_ || begin_ > 0, has_above = periodic_ || end_ < count_;
    const auto bytes = [=](std::int64_t plane, bool there) {
      return std::as_writable_bytes(std::span(plane_0 + plane * values, there ? static_cast<std::size_t>(width * values) : 0));
    };
    distributed::SwappedBytes up{}, down{};
    up.to_behind = bytes(end_ - width, has_above);
    up.from_before = bytes(below - width, has_below);
    down.to_before = bytes(begin_, has_below);
    down.from_behind = bytes(above, has_above);
    if (periodic_ && count_ - (end_ - begin_) < 2 * width) { // the same planes come from both sides, of the only other rank
      team_->swap(up);
      return team_->swap(down);
    }
    team_->swap({down.to_before, up.to_behind, up.from_before, down.from_behind});
  }
  /// Of this rank's values the largest over all of them; no number where one has none.
  double largest(double mine) const { return shared() ? team_->maximum(mine) : mine; }
  /// Of each place the sum over ranks, in their order: all get the same bits. `Values` is a range of doubles.
  template <class Values> Values totals(Values mine) const {
    if (shared()) std::ranges::copy(team_->sums(mine), mine.begin());
    return mine;
  }
  /// All planes get their owners' values, and `beyond` more behind the last one those of the last rank.
  template <class T> void complete(T* plane_0, std::int64_t values, std::int64_t beyond = 0) const {
    if (!shared()) return;
    team_->complete(reinterpret_cast<std::byte*>(plane_0), values * static_cast<std::int64_t>(sizeof(T)), with_beyond(beyond));
  }

  /// Planes that each rank asks for, where they are shared; it may ask beyond the ends: around where the axis is periodic, else for the
  /// faces behind the last plane.
  distributed::PiecesOfRanks asked(distributed::Piece mine) const;
  /// Its own of each rank, and `width` more on both sides.
  distributed::PiecesOfRanks around(std::int64_t width) const;
  /// What of that is this rank's.
  const std::vector<distributed::Piece>& mine(const distributed::PiecesOfRanks& of_ranks) const { return of_ranks[own()]; }
  /// As `complete`, but each rank gets what it asks for alone.
  template <class T> void deliver(const distributed::PiecesOfRanks& asked, T* plane_0, std::int64_t values, std::int64_t beyond = 0) const {
    if (!shared()) return;
    team_->deliver(reinterpret_cast<std::byte*>(plane_0), values * static_cast<std::int64_t>(sizeof(T)), with_beyond(beyond), asked);
  }

private:
  std::vector<distributed::Piece> pieces_of(distributed::Piece asked) const;
  std::vector<std::int64_t> with_beyond(std::int64_t beyond) const {
    std::vector<std::int64_t> first = first_;
    first.back() += beyond;
    return first;
  }
  std::size_t own() const { return static_cast<std::size_t>(team_->rank()); }

  const distributed::Team* team_ = nullptr;
  std::vector<std::int64_t> first_;
  bool periodic_ = false;
  std::int64_t begin_ = 0, end_, count_;
};

/// How ranks share the planes of a pressure equation, whose grids are coarsened along all axes or some. Cuts lie between pairs on as
/// many grids as keeps ranks nearly even: each has whole pairs of planes there.
struct PlaneCut {
  std::vector<std::int64_t> first; ///< Planes; empty where there are too few planes for all ranks
  std::int64_t deepest = 1;        ///< grids coarsened along the axis by more than this have no cut
};
PlaneCut cut_planes(std::int64_t planes, std::int64_t ranks);

} // namespace corral::fluid
