#pragma once

#include "distributed/team.hpp"
#include "run/state/file_values.hpp"
#include "run/state/registry.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace corral::run {

/// The state of a case that ranks share, as one: a registry with the same entries. Of a grid that ranks share its fields are those of
/// the whole, and so are fields that each rank knows its own piece of (Entry::known). Of a set that they share out it has all particles, rank
/// after rank. None of these has memory here: values come and go by pieces.
/// All else is the same on all ranks, and rank 0's counts.
class WholeState {
public:
  using Piece = distributed::Piece;

  /// Of this rank's registry, which has all its entries by now. `grid` is null where each rank has all of it. Collective, as all calls.
  WholeState(Registry& mine, const distributed::Team& team, const distributed::SharedGrid* grid);

  Registry& whole() { return whole_; }
  /// How many particles there are by now, for who asks the sets of the whole.
  void count();

  /// Which rows each rank has by now, once some have come or gone.
  void find_rows();
  /// Each rank gets those values of an entry that is elsewhere which it makes its piece of.
  void bring(const Entry& of_whole, const FileValues::PiecesOf&, const std::vector<Piece>& made, std::byte* to) const;
  /// Each rank hands out its piece of the values.
  void send(const Entry& of_whole, const std::vector<Piece>& given, const std::byte* from) const;
  /// Ghosts of a field of a shared grid whose values have all been sent.
  void fill_ghosts(const Entry& of_whole) const;

  /// What each rank has all of comes from rank 0, and the sizes of all sets.
  void send_copied();

private:
  void declare_whole();
  bool is_elsewhere(const Entry& mine) const { return mine.known || shared_out(mine) || (grid_ && (mine.kind == Kind::field || mine.fields)); }
  static bool shared_out(const Entry& mine) { return mine.set && mine.set->shared(); }
  const Entry& mine(const Entry& of_whole) const;
  void find_known();
  std::size_t number_of(const Entry& of_whole) const;
  const std::vector<std::int64_t>& first_row(const Entry& of_whole) const;
  std::int64_t first_here(const Entry& of_whole) const;
  template <class F> void each_part(const Entry& of_whole, std::size_t rank, const std::vector<Piece>& pieces, const F& f) const;
  const distributed::SharedFields& fields(const Entry& mine) const;
  std::vector<distributed::FieldBegin> begins(const Entry& mine) const;
  template <class T> void copy_of_rank_0(Array<T>& values) const;
  bool leads() const { return team_.rank() == 0; }

  Registry& mine_;
  const distributed::Team& team_;
  const distributed::SharedGrid* grid_; ///< null where each rank has all of it
  Registry whole_;
  std::vector<std::vector<std::int64_t>> first_row_; ///< of each set, of each rank, and their number
  std::vector<std::vector<std::int64_t>> first_known_; ///< by entry: likewise of fields that each rank knows its own piece of
  mutable std::array<std::unique_ptr<distributed::SharedFields>, 5> of_staggering_;
  mutable std::vector<std::unique_ptr<distributed::SharedFields>> of_table_; ///< by entry, where it has fields
};

} // namespace corral::run
