#pragma once

#include "distributed/team.hpp"
#include "run/state/registry.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace corral::run {

/// The state of a case that ranks share, as one: on rank 0 a registry with the same entries. Of a grid that ranks share its fields
/// are those of the whole; of a set that they share out it has all particles, rank after rank. All else is the same on all ranks, and
/// rank 0's counts.
class WholeState {
public:
  /// Of entries by their number, in order of declaration.
  using Which = std::vector<std::uint8_t>;

  /// Of this rank's registry, which has all its entries by now. `grid` is null where each rank has all of it. Collective, as all calls.
  WholeState(Registry& mine, const distributed::Team& team, const distributed::SharedGrid* grid);

  /// Rank 0's.
  Registry& whole() { return *whole_; }
  Registry& mine() { return mine_; }
  /// Values of such entries from all ranks to the whole, and back, with which ghosts are filled. Particles of a set that ranks share
  /// out all go to rank 0 then: their driver shares them out.
  void bring(const Which& which);
  void send(const Which& which);
  /// How many particles there are by now, for who asks the sets of the whole.
  void count();

private:
  using Three = std::array<std::int64_t, 3>;
  enum class Way : std::uint8_t { bring, send };

  void declare_whole();
  const distributed::SharedFields& fields(Staggering);
  const distributed::SharedFields& fields(std::size_t entry);
  bool whole_here(const Entry& mine) const { return !grid_ || (mine.kind != Kind::field && !mine.fields); }
  bool shared_out(const Entry& mine) const { return mine.set && mine.set->shared(); }
  void move(std::size_t entry, Way way);
  template <class T> void move_values(const distributed::SharedFields&, const std::vector<std::int64_t>& first_mine,
                                      const std::vector<std::int64_t>& first_whole, Array<T>* mine, Array<T>* whole, std::int64_t size, Way way);
  void move_copied(std::size_t entry, Way way);
  void resize_sets(Way way);
  void move_rows(std::size_t entry, Way way);
  template <class T> void gather_rows(const Array<T>& mine, Array<T>* whole);
  template <class T> void copy_of_rank_0(Array<T>& values);
  bool leads() const { return team_.rank() == 0; }

  Registry& mine_;
  const distributed::Team& team_;
  const distributed::SharedGrid* grid_; ///< null where each rank has all of it
  std::optional<Registry> whole_; ///< rank 0's
  std::array<std::unique_ptr<distributed::SharedFields>, 5> of_staggering_;
  std::vector<std::unique_ptr<distributed::SharedFields>> of_table_; ///< by entry, where it has fields
};

} // namespace corral::run
