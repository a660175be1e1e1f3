#include "app/checkpoint/checkpointer.hpp"
#include "run/case/problems.hpp"
#include "tests/app/checkpoint/small_state.hpp"
#include "tests/app/fake_driver.hpp"
#include "tests/app/surroundings.hpp"
#include "tests/catch.hpp"

#include <string>

using namespace corral;
using namespace corral::app;
using namespace corral::test;

namespace {

/// What is said of a case whose checkpoint has its used.ini without a line that begins so; "" where it may go on.
std::string said_without(const std::string& line) {
  const Case c = parse_case(case_with(0, ""), "case.ini", ".", {}, fake_kinds());
  std::string used = used_ini(c);
  const std::size_t begin = used.find("\n" + line);
  REQUIRE(begin != std::string::npos);
  used.erase(begin, used.find('\n', begin + 1) - begin);
  TemporaryDirectory out;
  SmallState state(8);
  state.fill(3);
  Checkpoints checkpoints(out.path());
  checkpoints.add(state.state, state.loop, state.clock, {used, {}, {}, {}}, 1);
  std::vector<std::string> refused;
  try {
    require_same_case(c, checkpoints.newest(refused).value());
    return "";
  } catch (const run::CaseError& e) {
    return e.what();
  }
}

} // namespace

TEST_CASE("A run goes on with a key that the version before did not have, where its default holds") {
  CHECK(said_without("viscosity = ") == ""); // at its default
  CHECK(contains(said_without("frozen = "), "solids.frozen is true, and was not given"));
  CHECK(contains(said_without("density = "), "gas.density is 1.2 kg/m3, and was not given"));
}
