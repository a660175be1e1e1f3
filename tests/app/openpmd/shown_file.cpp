#include "tests/app/checkpoint/small_state.hpp"
#include "tests/app/messages.hpp"
#include "tests/app/temporary_directory.hpp"
#include "tests/catch.hpp"

#include "app/openpmd/hdf5_file.hpp"
#include "app/output/openpmd/series.hpp"
#include "app/output/openpmd/shown_file.hpp"

#include <corral/error.hpp>

#include <cstring>
#include <map>

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
      {"/data/1/fields/derived", {3, 4, 6}},    {"/data/1/fields/slip/x", {3, 4, 5}},
      {"/data/1/fields/slip/y", {3, 4, 5}},     {"/data/1/fields/slip/z", {3, 4, 5}},
      {"/data/1/fields/velocity_x", {3, 4, 6}}, {"/data/1/fields/velocity_y", {3, 4, 5}},
      {"/data/1/fields/velocity_z", {3, 4, 5}}};
  const std::map<std::string, Extents> vertices{
      {"/corral/state/vertices.tension", {2}},        {"/corral/state/vertices.triangles", {2, 3}},
      {"/data/1/particles/vertices/id", {40}},        {"/data/1/particles/vertices/position/x", {40}},
      {"/data/1/particles/vertices/position/y", {40}}, {"/data/1/particles/vertices/position/z", {40}}};
  write_shown(out / "fields.h5", state.state, {.fields = true}, state.clock);
  CHECK(extents_in(out / "fields.h5") == fields);
  write_shown(out / "vertices.h5", state.state, {.sets = {state.set}}, state.clock);
  CHECK(extents_in(out / "vertices.h5") == vertices);
  write_shown(out / "all.h5", state.state, {.fields = true, .sets = {state.set}}, state.clock);
  std::map<std::string, Extents> all = fields;
  all.insert(vertices.begin(), vertices.end());
  CHECK(extents_in(out / "all.h5") == all);

  const Hdf5File file = Hdf5File::open(out / "all.h5");
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
