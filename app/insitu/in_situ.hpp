#pragma once

#include "app/insitu/corral_insitu.h"
#include "app/output/log.hpp"
#include "run/driver.hpp"
#include "run/state/registry.hpp"

#include <deque>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace corral::app {

/// The name of the mesh that every driver has, as of its files.
inline constexpr const char* mesh_name = "fields";

/// The `shown` entries of a registry on the host as a plug-in sees them: pointers to its memory, no value copied. Good
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
  const std::string& name_of(const run::Entry& e);

  std::vector<corral_insitu_field> fields_;
  std::deque<std::vector<corral_insitu_column>> columns_; // a deque never moves what it holds
  std::deque<std::string> names_;
  std::vector<corral_insitu_set> sets_;
  corral_insitu_state state_{};
};

/// A script that watches the run: a block [insitu.NAME] of the case.
struct InSituPlan {
  std::string name;
  std::filesystem::path script; ///< absolute
  double interval = 0;          ///< [s], 0: asked in every step whether it wants to see it
};

/// Shows a run to scripts while it goes on, through a plug-in that is loaded with the first of them. Nothing that
/// happens here ends the run or changes its results: a script that fails is closed, and said once to have failed.
class InSitu {
public:
  using Say = std::function<void(const std::string& sentence)>;

  /// Results of each script go to directory/insitu/NAME.
  InSitu(const std::vector<InSituPlan>& plans, std::filesystem::path directory, std::string title, Say say);
  InSitu(const InSitu&) = delete;
  InSitu& operator=(const InSitu&) = delete;
  ~InSitu();

  /// Shows what is due. Takes the driver's phase "in situ", where anything is.
  void look(run::Driver& driver, const run::Clock& clock);
  /// In place of the look that another run had at this moment, which this one goes on from.
  void looked(const run::Clock& clock);

private:
  struct Script {
    InSituPlan plan;
    DueTimes due;
    std::string directory{};
    bool opened = false;    ///< or tried to
    void* handle = nullptr; ///< the plug-in's; none before it is opened and after it failed
  };

  bool is_due(Script& script, const run::Clock& clock) const;
  void look(Script& script, run::Driver& driver, const run::Clock& clock);
  void open(Script& script, const run::Registry& registry);
  void load();
  void close(Script& script);
  void end(Script& script, const std::string& why);

  std::deque<Script> scripts_;
  std::filesystem::path directory_;
  std::string title_;
  Say say_;
  const corral_insitu_plugin* plugin_ = nullptr;
  bool off_ = false; ///< no plug-in: nothing is tried again
};

} // namespace corral::app
