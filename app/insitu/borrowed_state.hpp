#pragma once

#include "app/insitu/corral_insitu.h"
#include "run/clock.hpp"
#include "run/state/registry.hpp"

#include <deque>
#include <string>
#include <vector>

namespace corral::app {

/// The name of the mesh that every driver has, as of its files.
inline constexpr const char* mesh_name = "fields";

/// The `shown` entries of a registry as a plug-in sees them: pointers to the run's own memory, no value copied. Good
/// until the registry changes.
class BorrowedState {
public:
  /// Throws Error where a set has no position column.
  BorrowedState(const run::Registry& registry, const run::Clock& clock);
  BorrowedState(const BorrowedState&) = delete;
  BorrowedState& operator=(const BorrowedState&) = delete;

  const corral_insitu_state& view() const { return state_; }

private:
  void borrow_fields(const run::Registry& registry);
  void borrow_set(const run::ParticleSet& set);

  std::vector<corral_insitu_field> fields_;
  std::deque<std::vector<corral_insitu_column>> columns_; // a deque never moves what it holds
  std::vector<corral_insitu_set> sets_;
  corral_insitu_state state_{};
};

} // namespace corral::app
