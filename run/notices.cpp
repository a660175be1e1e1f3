#include "run/notices.hpp"

#include "run/case/values.hpp"

namespace corral::run {

void Notices::bind(Doubt& doubt, Registry& registry, const std::string& name, std::string what, std::string unit) {
  registry.bind(name + "_worst", unit, "worst so far: " + what, doubt.worst_);
  registry.bind(name + "_when", "s", "when that was", doubt.when_);
  registry.bind(name + "_said", unit, "what was said of it last", doubt.said_);
  doubt.what_ = std::move(what);
  doubt.unit_ = std::move(unit);
  doubts_.push_back(&doubt);
}

std::vector<std::string> Notices::doubts() const {
  std::vector<std::string> all;
  for (const Doubt* doubt : doubts_)
    if (doubt->worst_ > 0)
      all.push_back(doubt->what_ + ": " + brief(doubt->worst_) + (doubt->unit_.empty() ? "" : " ") + doubt->unit_ +
                    " at worst, at " + brief(doubt->when_) + " s");
  return all;
}

} // namespace corral::run
