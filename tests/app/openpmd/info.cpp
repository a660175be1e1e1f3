#include "tests/app/checkpoint/small_state.hpp"
#include "tests/app/messages.hpp"
#include "tests/app/temporary_directory.hpp"
#include "tests/catch.hpp"

#include "app/checkpoint/info.hpp"
#include "app/checkpoint/state_file.hpp"
#include "app/output/openpmd/shown_file.hpp"
#include "app/output/vtk/vtk.hpp"

#include <corral/error.hpp>

#include <string>

using namespace corral;
using namespace corral::app;
using namespace corral::test;

namespace {

std::string what_of(const std::filesystem::path& file) {
  return message_of([&] { info({file}); });
}

} // namespace

TEST_CASE("info says what is in an output file") {
  const TemporaryDirectory out;
  SmallState state;
  state.fill(0.25);
  write_shown(out / "a.h5", state.state, {.fields = true, .sets = {state.set}}, state.clock);
  const std::string said = info({out / "a.h5"});
  INFO(said);
  CHECK(contains(said, "a.h5: step 1, 0.25 s, "));
  CHECK(contains(said, " bytes, whole\n"));
  CHECK(contains(said, "/data/1/fields/velocity_x              3 x 4 x 6 [m/s]: of the gas\n"));
  CHECK(contains(said, "/corral/state/vertices.triangles       2 x 3: places of their corners\n"));
}

TEST_CASE("info says what is in files by VTK") {
  const TemporaryDirectory out;
  SmallState state;
  write_fields(out / "a.vti", state.state, 0.25);
  write_particles(out / "a.vtp", *state.set, 0.5);
  const std::string fields = info({out / "a.vti"}), particles = info({out / "a.vtp"});
  INFO(fields << particles);
  CHECK(contains(fields, "a.vti: 0.25 s, "));
  CHECK(contains(fields, " bytes, 5 x 4 x 3 cells\n"));
  CHECK(contains(fields, "\n  velocity  Float64 x 3\n"));
  CHECK(contains(particles, "a.vtp: 0.5 s, "));
  CHECK(contains(particles, ", 40 points, 2 triangles\n  id  UInt64 x 1\n"));
  const std::string whole = contents(out / "a.vti");
  for (std::size_t size = 0; size < whole.size(); size += 13) {
    put(out / "cut.vti", whole.substr(0, size));
    CHECK(contains(what_of(out / "cut.vti"), size < 900 ? "cut.vti " : "lost its end"));
  }
  put(out / "other.vti", "nothing of VTK");
  CHECK(contains(what_of(out / "other.vti"), "its beginning is another"));
}

TEST_CASE("info opens nothing whose bytes are not those that were written") {
  const TemporaryDirectory out;
  SmallState state;
  state.fill(2);
  write_shown(out / "a.h5", state.state, {.fields = true}, state.clock);
  const std::string whole = contents(out / "a.h5");
  CHECK_NOTHROW(info({out / "a.h5"}));
  for (std::size_t at = 0; at < whole.size(); at += at < 520 ? 7 : 301) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 16);
    put(out / "damaged.h5", damaged);
    INFO(at);
    CHECK(contains(what_of(out / "damaged.h5"), at < 120 ? "damaged.h5 is" : "is damaged"));
    put(out / "cut.h5", whole.substr(0, at));
    CHECK(contains(what_of(out / "cut.h5"), at < 512 ? "no output file of corral" : "is damaged"));
  }
  put(out / "longer.h5", whole + "?");
  CHECK(contains(what_of(out / "longer.h5"), "is damaged"));
  write_state(out / "unsealed.h5", state.state, state.loop, state.clock);
  CHECK(contains(what_of(out / "unsealed.h5"), "is no output file of corral"));
  put(out / "log.csv", "step,time\n");
  CHECK(contains(what_of(out / "log.csv"), "is neither an output file of corral nor part of a checkpoint"));
  put(out / "renamed.data", whole); // by what it holds, whatever its name
  CHECK_NOTHROW(info({out / "renamed.data"}));
}
