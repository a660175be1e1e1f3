// The plug-in on Catalyst 2, compiled against the stand-in for its library.
#include "app/insitu/plugin.hpp"
#include "tests/app/insitu/stand_in/catalyst.h"
#include "tests/app/insitu/stand_in/tree.hpp"
#include "tests/app/insitu/watched.hpp"

#include <corral/error.hpp>

#include <array>
#include <filesystem>
#include <vector>

using namespace corral;
using namespace corral::app;
using namespace corral::test;

namespace {

/// The plug-in as another library: a process may use each but once.
struct FreshPlugin {
  FreshPlugin() { std::filesystem::copy_file(CATALYST2_PLUGIN, file()); }
  std::filesystem::path file() const { return folder / "corral_catalyst2.so"; }
  TemporaryDirectory folder;
};

struct WatchedByCatalyst2 : FreshPlugin, Watched {
  explicit WatchedByCatalyst2(const std::string& order, double interval = 0.05)
      : Watched(order, interval, file().string()) {}
};

const std::string channel = "catalyst/channels/";

std::string external(const std::string& path, const std::string& type, std::int64_t count, std::int64_t stride,
                     const void* data) {
  return path + " " + type + " count " + std::to_string(count) + " stride " + std::to_string(stride) + " at " +
         address(data);
}

} // namespace

TEST_CASE("Catalyst 2 is told the script, and shown each moment that is due") {
  WatchedByCatalyst2 run("look");
  const std::string seen = run.seen();
  INFO(seen);
  CHECK(seen.starts_with("initialize " + (run.elsewhere / "script").string() + "\nexecute\n"));
  CHECK(count_of(seen, "execute\n") == 3);
  for (const char* moment : {"timestep int64 0\n", "timestep int64 5\n", "timestep int64 10\n", "time float64 0.05"})
    CHECK(contains(seen, std::string("catalyst/state/") + moment));
  CHECK_FALSE(contains(seen, "broken"));
  CHECK(seen.ends_with("finalize\n"));
  CHECK(run.calls() == 3);
  CHECK_FALSE(contains(run.summary(), "in situ, view is off"));
}

TEST_CASE("What Catalyst 2 sees is the run's own memory, under both names of a channel") {
  WatchedByCatalyst2 run("look");
  const std::string seen = run.seen(), name = GENERATE("", ".pvd");
  INFO(seen);
  const std::string fields = channel + "fields" + name + "/data/", parcels = channel + "parcels" + name + "/data/";
  CHECK(contains(seen, channel + "fields" + name + "/type text mesh\n"));
  CHECK(contains(seen, fields + "coordsets/coords/dims/i int64 5\n"));
  CHECK(contains(seen, fields + "topologies/mesh/type text uniform\n"));
  CHECK(contains(seen, fields + "fields/pressure_shown/association text element\n"));
  CHECK(contains(seen, external(fields + "fields/pressure_shown/values", "float64", 24, 8,
                                run.driver.registry().find("pressure_shown")->reals()->data())));
  for (const char* axis : {"x", "y", "z"}) // means: of the run's memory they cannot be
    CHECK(contains(seen, fields + "fields/gas/values/" + axis + " float64 count 24 stride 24 at "));

  const run::ParticleSet& set = run.driver.parcels();
  for (int d = 0; d < 3; ++d) {
    const std::string axis(1, "xyz"[d]);
    CHECK(contains(seen, external(parcels + "coordsets/coords/values/" + axis, "float64", 10, 8,
                                  set.find("position", d)->reals()->data())));
    CHECK(contains(seen, external(parcels + "fields/velocity/values/" + axis, "float64", 10, 8,
                                  set.find("velocity", d)->reals()->data())));
  }
  CHECK(contains(seen, external(parcels + "fields/id/values", "uint64", 10, 8, set.ids()->data())));
  CHECK(contains(seen, parcels + "topologies/mesh/elements/connectivity int64 count 10 stride 8 at "));
  CHECK(contains(seen, parcels + "topologies/mesh/elements/shape text point\n"));
  CHECK_FALSE(contains(seen, "fields/pressure/")); // it is not shown
}

TEST_CASE("Columns with gaps and triangles are handed to Catalyst 2 where they lie") {
  const FreshPlugin fresh;
  TemporaryDirectory folder;
  put(folder / "script", "look\n");
  const std::array<double, 12> interleaved{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  const std::array<double, 8> every_other{1, -1, 2, -1, 3, -1, 4, -1};
  const std::array<std::int32_t, 6> corners{0, 1, 2, 1, 2, 3};
  const std::array<std::int32_t, 4> kinds{1, 2, 1, -3};
  const std::array<double, 2> stress{5, 6};
  const corral_insitu_column position{"position", "m", CORRAL_INSITU_REAL, 3, 4, 3,
                                      {interleaved.data(), interleaved.data() + 1, interleaved.data() + 2}};
  const corral_insitu_column columns[]{{"load", "N", CORRAL_INSITU_REAL, 1, 4, 2, {every_other.data(), {}, {}}},
                                       {"kind", "", CORRAL_INSITU_INTEGER, 1, 4, 1, {kinds.data(), {}, {}}}};
  const corral_insitu_column on_triangles{"stress", "Pa", CORRAL_INSITU_REAL, 1, 2, 1, {stress.data(), {}, {}}};
  const corral_insitu_set set{"vertices", 4, position, 2, columns, 2, corners.data(), 1, &on_triangles};
  corral_insitu_state state{};
  state.size = sizeof state;
  state.mesh = {"fields", {1, 2, 3}, {1, 2, 3}, {0, 0, 0}, {0, 0, 0}, {1, 2, 3}, {0, 0, 0}, {1, 1, 1}, 0, nullptr};
  state.set_count = 1;
  state.sets = &set;

  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  const corral_insitu_plugin& plugin = load_plugin(fresh.file());
  std::array<char, CORRAL_INSITU_SENTENCE> why{};
  const std::string file = (folder / "script").string();
  const corral_insitu_request request{sizeof request, file.c_str(), ".", "title", "fields", 0, nullptr, {0, 1, 0, ""}};
  void* script = plugin.open(&request, why.data());
  REQUIRE(script);
  CHECK(plugin.show(script, &state, why.data()) == 0);
  plugin.close(script);
  std::filesystem::current_path(before);

  const std::string seen = contents(folder / "seen.txt"), data = channel + "vertices/data/";
  INFO(seen << why.data());
  CHECK(contains(seen, external(data + "coordsets/coords/values/y", "float64", 4, 24, &interleaved[1])));
  CHECK(contains(seen, external(data + "fields/load/values", "float64", 4, 16, every_other.data()) + " sum 10\n"));
  CHECK(contains(seen, external(data + "fields/kind/values", "int32", 4, 4, kinds.data()) + "\n"));
  CHECK(contains(seen, external(data + "topologies/mesh/elements/connectivity", "int32", 6, 4, corners.data())));
  CHECK(contains(seen, data + "topologies/mesh/elements/shape text tri\n"));
  CHECK(contains(seen, external(data + "fields/stress/values", "float64", 2, 8, stress.data())));
  CHECK(contains(seen, data + "fields/stress/association text element\n"));
}

TEST_CASE("What Catalyst 2 fails at is said once, and the run goes on") {
  const auto [order, sentence, finalized] = GENERATE(
      std::tuple{"fail to initialize", "catalyst_initialize answers with status 100", false},
      std::tuple{"be missing", "libcatalyst finds no implementation of the name", false},
      std::tuple{"be a stub", "libcatalyst has loaded no implementation, so that nothing would be seen", true},
      std::tuple{"fail to execute", "catalyst_execute answers with status 100", true});
  WatchedByCatalyst2 run(order, 0);
  INFO(run.summary() << run.seen());
  CHECK(count_of(run.summary(), std::string("in situ, view is off, the run goes on: ") + sentence) == 1);
  CHECK(contains(run.summary(), "\"outcome\": \"end\""));
  CHECK(run.seen().ends_with("finalize\n") == finalized);
  CHECK(count_of(run.seen(), "execute\n") == (std::string(order) == "fail to execute" ? 1 : 0));
}

TEST_CASE("A process has one Catalyst 2: a second script is off, the first goes on") {
  const FreshPlugin fresh;
  ::setenv("CORRAL_INSITU_PLUGIN", fresh.file().c_str(), 1);
  TemporaryDirectory out;
  put(out / "script", "look\n");
  RunPlan watched = plan;
  watched.in_situ = {{"one", out / "script", 0.05}, {"two", out / "script", 0.05}};
  FakeDriver driver;
  CHECK(run_into(out / "out", driver, watched) == 0);
  ::unsetenv("CORRAL_INSITU_PLUGIN");
  const std::string summary = contents(out / "out/summary.json");
  INFO(summary);
  CHECK(count_of(summary, "in situ, two is off, the run goes on: Catalyst 2 takes one script a run") == 1);
  CHECK(count_of(summary, "is off") == 1);
  CHECK(count_of(contents(out / "out/insitu/one/seen.txt"), "execute\n") == 3);
}

TEST_CASE("The stand-in refuses what breaks a rule of the Blueprint") {
  const std::array<double, 2> values{1, 2};
  const std::array<conduit_int64, 2> places{0, 1};
  const auto mesh = [&] {
    stand_in::Tree tree;
    const auto lend = [&](const char* path, const void* data, stand_in::Type type) {
      stand_in::Tree& node = tree.at(path);
      node.type = type;
      node.data = const_cast<void*>(data);
      node.count = 2;
      node.stride = 8;
    };
    const auto say = [&](const char* path, const char* text) {
      tree.at(path).type = stand_in::Type::text;
      tree.at(path).text = text;
    };
    say("coordsets/coords/type", "explicit");
    for (const char* axis : {"x", "y", "z"})
      lend((std::string("coordsets/coords/values/") + axis).c_str(), values.data(), stand_in::Type::float64);
    say("topologies/mesh/type", "unstructured");
    say("topologies/mesh/coordset", "coords");
    say("topologies/mesh/elements/shape", "point");
    lend("topologies/mesh/elements/connectivity", places.data(), stand_in::Type::int64);
    say("fields/mass/association", "vertex");
    say("fields/mass/topology", "mesh");
    lend("fields/mass/values", values.data(), stand_in::Type::float64);
    return tree;
  };
  CHECK(complaint_about_mesh(mesh()).empty());
  CHECK(contains(complaint_about_call(mesh()), "the call has no catalyst/state/timestep"));
  using Break = void (*)(stand_in::Tree&);
  const std::vector<std::pair<Break, const char*>> breaks{
      {[](auto& t) { t.at("coordsets").children.clear(); }, "a mesh has no coordsets/coords"},
      {[](auto& t) { t.at("topologies/mesh/type").text = "uniform"; }, "no topology uniform on explicit"},
      {[](auto& t) { t.at("topologies/mesh/elements/shape").text = "square"; }, "no shape is called square"},
      {[](auto& t) { t.at("topologies/mesh/elements/shape").text = "tri"; }, "connectivity ends within an element"},
      {[](auto& t) {
         stand_in::Tree& corners = t.at("topologies/mesh/elements/connectivity");
         corners.own = 7;
         corners.data = &corners.own;
         corners.count = 1;
       },
       "connectivity leads to no vertex"},
      {[](auto& t) { t.at("coordsets/coords/values/x").count = 1; }, "components differ in length"},
      {[](auto& t) { t.at("fields/mass/association").text = "face"; }, "stands neither on vertices nor on elements"},
      {[](auto& t) { t.at("fields/mass/values").count = 1; }, "field mass has not one value for each"},
      {[](auto& t) { t.at("fields/mass/values").type = stand_in::Type::text; }, "holds no numbers"},
      {[](auto& t) { t.at("fields/mass").children.erase("topology"); }, "field mass has no topology"}};
  for (const auto& [change, words] : breaks) {
    stand_in::Tree tree = mesh();
    change(tree);
    CHECK(contains(complaint_about_mesh(tree), words));
  }
}
