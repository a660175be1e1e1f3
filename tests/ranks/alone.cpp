/// A driver whose step fails on one rank alone, in the middle of what all do together: every process ends, and says why.

#include "distributed/make_team.hpp"
#include "distributed/session.hpp"
#include "run/ranks/leading_driver.hpp"

#include <corral/error.hpp>

#include <array>
#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace corral;

class Failing final : public run::Driver {
public:
  Failing(const distributed::Team& team, bool alone) : team_(team), alone_(alone) {}

  run::Registry& registry() override { return registry_; }
  const Grid& grid() const override { return registry_.grid(); }
  void start() override {}
  void restored(const run::Clock&) override {}
  double next_dt() const override { return 1; }
  void step(const run::Clock&) override {
    if (!alone_) throw Error("all have it");
    if (team_.rank() == team_.size() - 1) throw std::bad_alloc();
    team_.sums(std::array{1.0}); // for which that one does not come
  }
  std::vector<run::LogColumn> log_columns() const override { return {}; }
  std::vector<double> log_row() override { return {}; }

private:
  const distributed::Team& team_;
  bool alone_;
  run::Registry registry_{Grid({Axis{}, Axis{}, Axis{}})};
};

} // namespace

int main(int count, char** words) {
  const distributed::Session session;
  const auto team = distributed::make_team(distributed::Ranks::world(), std::chrono::milliseconds(500));
  const bool alone = count > 1 && std::string(words[1]) == "alone";
  const auto make = [&] { return std::make_unique<Failing>(*team, alone); };
  const run::OpenRankFile no_files;
  if (team->rank() > 0) {
    run::follow(*team, no_files, [&](const std::string&) { return make(); });
    return 0;
  }
  run::Lead lead(*team, no_files);
  const auto driver = lead.make(make);
  run::Clock clock;
  clock.set_dt(1);
  try {
    driver->step(clock);
  } catch (const Error& e) {
    return std::string(e.what()) == "all have it" ? 0 : 3;
  }
  return 4;
}
