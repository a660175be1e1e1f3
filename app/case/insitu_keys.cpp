#include "app/case/insitu_keys.hpp"

namespace corral::app {

void declare_insitu_keys(run::KeyTable& table) {
  table.add({.section = "output",
             .name = "watch",
             .type = run::KeyType::boolean,
             .fallback = "true",
             .meaning = "whether the scripts of [insitu.NAME] are run",
             .when_resumed = true});
  table.add({.section = "insitu.*",
             .name = "script",
             .type = run::KeyType::file,
             .required = true,
             .meaning = "Python script of ParaView Catalyst that watches the run",
             .when_resumed = true});
  table.add({.section = "insitu.*",
             .name = "interval",
             .unit = "s",
             .required = true,
             .minimum = 0,
             .meaning = "interval at which the script is shown the run, 0: asked in every step whether it wants that",
             .when_resumed = true});
}

std::vector<InSituPlan> insitu_plans(const run::Settings& settings) {
  std::vector<InSituPlan> plans;
  if (!settings.flag("output", "watch")) return plans;
  for (const std::string& block : settings.blocks("insitu"))
    plans.push_back({block.substr(block.find('.') + 1), settings.file(block, "script"),
                     settings.real(block, "interval")});
  return plans;
}

} // namespace corral::app
