/// Of a command that runs over ranks.

#include "app/ranks/started.hpp"
#include "distributed/session.hpp"
#include "distributed/make_team.hpp"

namespace corral::app {

namespace {

struct Started {
  distributed::Session session{};
  std::unique_ptr<distributed::Team> team = distributed::make_team(distributed::Ranks::world());
};

} // namespace

std::shared_ptr<const distributed::Team> started_team() {
  if (started_processes() < 2) return nullptr;
  const auto started = std::make_shared<Started>();
  return {started, started->team.get()};
}

} // namespace corral::app
