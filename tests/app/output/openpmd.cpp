#include "app/checkpoint/checkpoints.hpp"
#include "app/command/commands.hpp"
#include "app/openpmd/hdf5_file.hpp"
#include "app/output/state_files.hpp"
#include "tests/app/checkpoint/small_state.hpp"
#include "tests/app/surroundings.hpp"
#include "tests/catch.hpp"

#include <corral/error.hpp>

#include <cstring>
#include <map>
#include <string>

using namespace corral;
using namespace corral::app;
using namespace corral::test;

namespace {

using Extents = Hdf5File::Extents;

std::map<std::string, Extents> extents_in(const std::filesystem::path& file) {
  std::map<std::string, Extents> extents;
  for (const Hdf5File::DataSet& set : Hdf5File::open(file).data_sets()) extents[set.path] = set.extents;
  return extents;
}

template <class T> bool same_bits(const Array<T>& values, const Hdf5File& file, const std::string& place) {
  std::vector<T> there(static_cast<std::size_t>(values.size()));
  file.read(place, there.data());
  return there.empty() || std::memcmp(there.data(), values.data(), there.size() * sizeof(T)) == 0;
}

} // namespace

TEST_CASE("What is shown stands where the standard looks for it, components on faces as records of their own") {
  const TemporaryDirectory out;
  SmallState state; // 5 x 4 x 3 cells, walls along x alone
  state.fill(1.0 / 3);
  const std::map<std::string, Extents> fields{
      {"/data/1/fields/populations/0", {3, 4, 5}}, {"/data/1/fields/populations/1", {3, 4, 5}},
      {"/data/1/fields/derived", {3, 4, 6}},    {"/data/1/fields/slip/x", {3, 4, 5}},
      {"/data/1/fields/slip/y", {3, 4, 5}},     {"/data/1/fields/slip/z", {3, 4, 5}},
      {"/data/1/fields/velocity_x", {3, 4, 6}}, {"/data/1/fields/velocity_y", {3, 4, 5}},
      {"/data/1/fields/velocity_z", {3, 4, 5}}};
  std::map<std::string, Extents> vertices{
      {"/corral/state/vertices.tension", {2}},        {"/corral/state/vertices.triangles", {2, 3}},
      {"/data/1/particles/vertices/id", {40}},        {"/data/1/particles/vertices/position/x", {40}},
      {"/data/1/particles/vertices/kind", {40}},
      {"/data/1/particles/vertices/position/y", {40}}, {"/data/1/particles/vertices/position/z", {40}}};
  for (int c = 0; c < 6; ++c) vertices["/data/1/particles/vertices/strain/" + std::to_string(c)] = {40};
  write_shown(out / "fields.h5", state.state, {.fields = true}, state.clock);
  CHECK(extents_in(out / "fields.h5") == fields);
  write_shown(out / "vertices.h5", state.state, {.sets = {state.set}}, state.clock);
  CHECK(extents_in(out / "vertices.h5") == vertices);
  write_shown(out / "all.h5", state.state, {.fields = true, .sets = {state.set}}, state.clock);
  std::map<std::string, Extents> all = fields;
  all.insert(vertices.begin(), vertices.end());
  CHECK(extents_in(out / "all.h5") == all);

  const Hdf5File file = Hdf5File::open(out / "all.h5");
  CHECK(same_bits(*state.kind, file, "/data/1/particles/vertices/kind"));
  CHECK(same_bits(*state.strain[5], file, "/data/1/particles/vertices/strain/5"));
  CHECK(same_bits(*state.populations[1], file, "/data/1/fields/populations/1"));
  for (std::size_t d = 0; d < 3; ++d) {
    CHECK(same_bits(*state.velocity[d], file, std::string("/data/1/fields/velocity_") + "xyz"[d]));
    CHECK(same_bits(*state.centred[d], file, std::string("/data/1/fields/slip/") + "xyz"[d]));
    CHECK(same_bits(*state.position[d], file, std::string("/data/1/particles/vertices/position/") + "xyz"[d]));
  }
  CHECK(same_bits(*state.ids, file, "/data/1/particles/vertices/id"));
  CHECK(same_bits(*state.triangles, file, "/corral/state/vertices.triangles"));
  CHECK(same_bits(*state.tension, file, "/corral/state/vertices.tension"));
  CHECK(file.number("/data/1", "time") == state.clock.time());
  CHECK(file.number("/data/1", "dt") == 1.0 / 3);
  CHECK(file.number("/data/1/fields/slip/y", "unitSI") == 1);
  CHECK(file.number("/data/1", "no such") == std::nullopt);
  CHECK(file.number("/data/1/fields/slip", "gridSpacing") == std::nullopt); // three numbers
}

TEST_CASE("The same state is the same output file, and no particles are none") {
  const TemporaryDirectory out;
  SmallState state(0);
  state.fill(2);
  for (const char* name : {"a", "b"})
    write_shown(out / name, state.state, {.fields = true, .sets = {state.set}}, state.clock, "some_%T.h5");
  CHECK(contents(out / "a") == contents(out / "b"));
  CHECK(extents_in(out / "a").at("/data/1/particles/vertices/position/x") == Extents{0});
  CHECK(extents_in(out / "a").at("/corral/state/vertices.triangles") == Extents{0, 3});
}

TEST_CASE("A set without places is refused by name") {
  const TemporaryDirectory out;
  run::Registry registry(Grid({Axis{.cells = 2}, Axis{.cells = 2}, Axis{.cells = 2}}));
  run::ParticleSet& set = registry.declare_set({.name = "ghosts", .one = "ghost"});
  CHECK(contains(message_of([&] { write_shown(out / "a.h5", registry, {.sets = {&set}}, run::Clock()); }),
                 "ghosts have no vector column \"position\""));
  CHECK(files_in(out.path()).empty());
}

TEST_CASE("A series names its files by their steps, and a run that goes on removes later ones alone") {
  const TemporaryDirectory out;
  SmallState state;
  OpenpmdSeries series(out.path());
  for (int step = 0; step < 4; ++step) {
    state.fill(1);
    if (step != 1) series.add(state.state, {.fields = true}, state.clock);
  }
  for (const char* mine : {"openpmd_9.h5", "openpmd_00000000000x.h5", "openpmd_000000000009.h5.bak"}) put(out / mine);
  run::Clock second;
  second.set_dt(1);
  for (int step = 0; step < 3; ++step) second.advance();
  series.restore(second);
  std::vector<std::string> names;
  for (const auto& [name, content] : files_in(out.path())) names.push_back(name);
  CHECK(names == std::vector<std::string>{"openpmd.pmd", "openpmd_000000000001.h5", "openpmd_000000000003.h5",
                                          "openpmd_000000000009.h5.bak", "openpmd_00000000000x.h5", "openpmd_9.h5"});
}

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
  const std::string short_list = info({out / "a.h5"}), said = info({out / "a.h5", true});
  INFO(short_list << said);
  CHECK(contains(short_list, "/data/1/fields/velocity_x              3 x 4 x 6 [m/s]: of the gas\n"));
  CHECK(!contains(short_list, "/corral/state"));
  CHECK(contains(short_list, "  /corral/...: 2 of the run's own (--all lists them)\n"));
  CHECK(!contains(said, "--all"));
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
