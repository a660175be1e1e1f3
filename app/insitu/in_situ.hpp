#pragma once

#include "app/insitu/scripts.hpp"
#include "app/output/log.hpp"
#include "run/driver.hpp"
#include "run/ranks/leading_driver.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace corral::app {

/// Shows a run to scripts while it goes on. Nothing that happens here ends the run or changes its results: a script that
/// fails is closed, and said once to have failed.
class InSitu {
public:
  using Say = std::function<void(const std::string& sentence)>;

  /// Results of each script go to directory/insitu/NAME. Lead: of ranks that share the run, which then `obey`; null where one process
  /// has all of it.
  InSitu(const std::vector<InSituPlan>& plans, std::filesystem::path directory, std::string title, Say say, const run::Lead* lead = nullptr);
  InSitu(const InSitu&) = delete;
  InSitu& operator=(const InSitu&) = delete;
  ~InSitu();

  /// Shows what is due. Takes the driver's phase "in situ", where anything is.
  void look(run::Driver& driver, const run::Clock& clock);
  /// In place of the look that another run had at this moment, which this one goes on from.
  void looked(const run::Clock& clock);

private:
  struct Moments {
    bool all; ///< it is asked in every step
    DueTimes due;
  };

  bool is_due(std::size_t script, const run::Clock& clock);

  InSituScripts scripts_;
  std::vector<Moments> moments_; ///< of each script
  Say say_;
  const run::Lead* lead_;
};

/// On the other ranks, what rank 0's does at these words, with scripts of the same plans.
void obey(InSituScripts& scripts, run::Driver& own, const std::string& words);

} // namespace corral::app
