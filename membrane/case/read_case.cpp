#include "membrane/case/case_reader.hpp"
#include "membrane/case/membrane_case.hpp"
#include "membrane/case/setup_checks.hpp"

namespace corral::membrane {

MembraneSetup SetupReader::read() {
  flow();
  coupling();
  for (const std::string& block : s_.blocks("surface")) surface(block);
  if (has_box_ && !complained_)
    for (const std::string& block : s_.blocks("membranes")) group(block);
  if (!complained_)
    for (const std::string& block : s_.blocks("pull")) pull(block);
  time();
  if (problems_.empty()) check_setup(setup_, s_, problems_);
  if (problems_.empty()) {
    unread_blocks();
    const std::vector<std::string> more = warnings(setup_);
    setup_.warnings.insert(setup_.warnings.end(), more.begin(), more.end());
  }
  return std::move(setup_);
}

std::optional<MembraneSetup> read_setup(const run::Settings& settings, run::Problems& problems) {
  MembraneSetup setup = SetupReader(settings, problems).read();
  if (!problems.empty()) return std::nullopt;
  return setup;
}

} // namespace corral::membrane
