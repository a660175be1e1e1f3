#include "run/case/step_keys.hpp"

namespace corral::run {

void declare_step_lengths(KeyTable& table, const StepWords& words) {
  table.add(choice("time", "step", {"fixed", "adaptive"}, words.fallback, words.step));
  table.add(within(positive("time", "dt", "s", std::nullopt, "the time step; where adaptive the largest one"), 1e-15, 1e6));
  table.add(where("step", {"adaptive"},
                  optional_positive("time", "dt_least", "s",
                                    "adaptive: a shorter step ends the run with the reason (1e-4 " + words.longest + ")")));
}

StepLengths read_step_lengths(const Settings& settings, Problems& problems) {
  StepLengths lengths{.adaptive = settings.choice("time", "step") == "adaptive", .dt = settings.real("time", "dt")};
  if (settings.given("time", "end")) lengths.end = settings.real("time", "end");
  if (!settings.given("time", "dt_least")) return lengths;
  lengths.least = settings.real("time", "dt_least");
  if (lengths.least >= lengths.dt)
    problems.add(settings.where("time", "dt_least"),
                 "time.dt_least is not below time.dt (steps are as long as time.dt at most) give a shorter one");
  return lengths;
}

} // namespace corral::run
