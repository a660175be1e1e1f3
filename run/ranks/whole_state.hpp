#pragma once

#include "distributed/team.hpp"
#include "run/state/registry.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace corral::run {

/// The state of a case that ranks share, as one: on rank 0 a registry with the same entries, whose fields are those of the whole
/// grid. Numbers, and tables that are not made of fields, are the same on all ranks, and rank 0's count.
class WholeState {
public:
  /// Of entries by their number, in order of declaration.
  using Which = std::vector<std::uint8_t>;

  /// Of this rank's registry, which has all its entries by now. Collective, as all calls. Throws Error where it has particles.
  WholeState(Registry& mine, const distributed::SharedGrid& grid);

  /// Rank 0's.
  Registry& whole() { return *whole_; }
  Registry& mine() { return mine_; }
  /// Values of such entries from all ranks to the whole, and back, with which ghosts are filled.
  void bring(const Which& which);
  void send(const Which& which);

private:
  using Three = std::array<std::int64_t, 3>;
  enum class Way : std::uint8_t { bring, send };

  void declare_whole();
  const distributed::SharedFields& fields(Staggering);
  const distributed::SharedFields& fields(std::size_t entry);
  void move(std::size_t entry, Way way);
  template <class T> void move_values(const distributed::SharedFields&, const std::vector<std::int64_t>& first_mine,
                                      const std::vector<std::int64_t>& first_whole, Array<T>* mine, Array<T>* whole, std::int64_t size, Way way);
  void move_copied(std::size_t entry, Way way);
  template <class T> void copy_of_rank_0(Array<T>& values);
  bool leads() const { return grid_.team().rank() == 0; }

  Registry& mine_;
  const distributed::SharedGrid& grid_;
  std::optional<Registry> whole_; ///< rank 0's
  std::array<std::unique_ptr<distributed::SharedFields>, 5> of_staggering_;
  std::vector<std::unique_ptr<distributed::SharedFields>> of_table_; ///< by entry, where it has fields
};

} // namespace corral::run
