#pragma once

#include "app/insitu/borrowed_state.hpp"
#include "app/insitu/corral_insitu.h"
#include "distributed/team.hpp"
#include "run/driver.hpp"

#include <array>
#include <cstddef>
#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace corral::app {

/// A script that watches the run: a block [insitu.NAME] of the case.
struct InSituPlan {
  std::string name;
  std::filesystem::path script; ///< absolute
  double interval = 0;          ///< [s], 0: asked in every step whether it wants to see it
};

/// The scripts of a run on this process, and the plug-in that runs them, which is loaded for the first of them. Of processes that share
/// the run each has these; calls are collective then, and a script that fails on one of them is closed on all.
class InSituScripts {
public:
  /// Results of each script go to directory/insitu/NAME, on this machine. Team: null where this process is alone.
  InSituScripts(const std::vector<InSituPlan>& plans, std::filesystem::path directory, std::string title,
                const distributed::Team* team = nullptr);
  InSituScripts(const InSituScripts&) = delete;
  InSituScripts& operator=(const InSituScripts&) = delete;
  ~InSituScripts(); ///< closes them

  std::size_t size() const { return scripts_.size(); }
  /// False where it has failed, or there is no plug-in.
  bool watches(std::size_t script) const { return !off_ && (scripts_[script].handle || !scripts_[script].opened); }
  /// Shows the run to a script that watches and wants to see this moment; `own` is the driver of this process. Returns what is to be
  /// said of it, where it fails; the same on all ranks.
  std::string look(std::size_t script, run::Driver& own, const run::Clock& clock);
  /// Closes all. Processes that share the run end what they have in common.
  void finish();

private:
  struct Script {
    InSituPlan plan;
    std::string directory{};
    bool opened = false;    ///< or tried to
    void* handle = nullptr; ///< the plug-in's; none before it is opened and after it failed
  };

  template <class F> void together(const F& work) const;
  void load();
  void open(Script& script, const run::Registry& registry);
  bool wants(const Script& script, const run::Clock& clock) const;
  void show(const Script& script, run::Driver& own, const run::Clock& clock);
  void fill_ghosts(run::Driver& own);
  void close(Script& script);
  std::string end(Script& script, const std::string& why);

  std::deque<Script> scripts_;
  std::filesystem::path directory_;
  std::string title_;
  const distributed::Team* team_;
  distributed::LentCommunicator lent_;
  std::array<std::unique_ptr<distributed::SharedFields>, 5> ghosts_; ///< by staggering
  const corral_insitu_plugin* plugin_ = nullptr;
  bool off_ = false; ///< no plug-in: nothing is tried again
};

} // namespace corral::app
