#pragma once

#include "app/insitu/corral_insitu.h"
#include "distributed/team.hpp"
#include "run/driver.hpp"
#include "run/state/registry.hpp"

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace corral::app {

/// The name of the mesh that every driver has, as of its files.
inline constexpr const char* mesh_name = "fields";

/// What of a run this process shows.
struct ShownPart {
  Grid whole;
  std::array<std::int64_t, 3> first{}, own_begin{}, own_end{}; ///< as of corral_insitu_mesh
  bool sets = true; ///< those that every process has all of, too: one of them shows these
};
/// Of a process that has all of it.
ShownPart all_of(const Grid& grid);
/// Of a rank: its part of a grid that ranks share, or the planes across z that it knows (run::Entry::known). Where each has all of the grid,
/// an even share of these planes; of the longest axis where z has fewer cells than there are ranks.
ShownPart part_of(run::Driver& own, const distributed::Team& team);

/// The `shown` entries of a registry on the host as a plug-in sees them: pointers to its memory, no value copied. Good
/// until the registry changes.
class BorrowedState {
public:
  /// Throws Error where a set has no position column.
  BorrowedState(const run::Registry& registry, const run::Clock& clock) : BorrowedState(registry, clock, all_of(registry.grid())) {}
  BorrowedState(const run::Registry& registry, const run::Clock& clock, const ShownPart& part);
  BorrowedState(const BorrowedState&) = delete;
  BorrowedState& operator=(const BorrowedState&) = delete;

  const corral_insitu_state& view() const { return state_; }

private:
  void borrow_fields(const run::Registry& registry);
  void borrow_set(const run::ParticleSet& set, bool particles);
  const std::string& name_of(const run::Entry& e);

  std::vector<corral_insitu_field> fields_;
  std::deque<std::vector<corral_insitu_column>> columns_; // a deque never moves what it holds
  std::deque<std::string> names_;
  std::vector<corral_insitu_set> sets_;
  corral_insitu_state state_{};
};

} // namespace corral::app
