#include "app/insitu/in_situ.hpp"
#include "app/insitu/plugin.hpp"
#include "app/insitu/shared/plugin.hpp"
#include "tests/app/checkpoint/small_state.hpp"
#include "tests/app/insitu/watched.hpp"
#include "tests/catch.hpp"

#include <cfenv>
#include <clocale>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

using namespace corral;
using namespace corral::app;
using namespace corral::test;

TEST_CASE("A script sees the run when it is due, the start included") {
  Watched run("look");
  const std::string seen = run.seen();
  INFO(seen);
  CHECK(seen.starts_with("open " + (run.out / "insitu/view").string() + " case fields 1\n"));
  for (const char* moment : {"show 0 0 size 1", "show 0.05 5 size 1", "show 0.1 10 size 1"})
    CHECK(contains(seen, moment));
  CHECK(count_of(seen, "wants") == 3);
  CHECK(run.calls() == 3);
  CHECK(seen.ends_with("close\n"));
}

TEST_CASE("Without an interval a script is asked in every step, and sees what it wants") {
  Watched run("odd steps", 0);
  CHECK(count_of(run.seen(), "wants") == 11);
  CHECK(count_of(run.seen(), "\nshow ") == 5);
}

TEST_CASE("What a script sees is the run's own memory") {
  Watched run("look");
  const std::string seen = run.seen();
  INFO(seen);
  const run::Registry& registry = run.driver.registry();
  CHECK(contains(seen, "field pressure_shown components 1 at " + address(registry.find("pressure_shown")->reals()->data()) +
                           " staggering 0 points 24\n"));
  std::string gas = "field gas components 3 at";
  const int points[] = {24, 32, 36}; // x is periodic, y and z are not
  for (int d = 0; d < 3; ++d)
    gas += " " + address(registry.find("gas", d)->reals()->data()) + " staggering " + std::to_string(2 + d) + " points " +
           std::to_string(points[d]);
  CHECK(contains(seen, gas + "\n"));

  const run::ParticleSet& set = run.driver.parcels();
  const auto vector = [&](const std::string& name, const std::string& unit) {
    std::string text = "column " + name + " [" + unit + "] type 0 count 10 stride 1 at";
    for (int d = 0; d < 3; ++d) text += " " + address(set.find(name, d)->reals()->data());
    return text + "\n";
  };
  CHECK(contains(seen, vector("position", "m")));
  CHECK(contains(seen, vector("velocity", "m/s")));
  CHECK(contains(seen, "column id [] type 1 count 10 stride 1 at " + address(set.ids()->data()) + "\n"));
  CHECK_FALSE(contains(seen, "field pressure components")); // it is not shown
}

TEST_CASE("Integers are shown as they are, and components that are no vector's one by one") {
  SmallState state;
  state.fill(1);
  const app::BorrowedState borrowed(state.state, state.clock);
  const corral_insitu_set& set = borrowed.view().sets[0];
  std::map<std::string, const corral_insitu_column*> columns;
  for (std::int64_t i = 0; i < set.column_count; ++i) columns[set.columns[i].name] = &set.columns[i];
  REQUIRE(columns.size() == 8); // id, kind, six of strain
  CHECK(columns.at("kind")->type == CORRAL_INSITU_INTEGER);
  CHECK(columns.at("kind")->data[0] == state.kind->data());
  CHECK(columns.at("strain_5")->components == 1);
  CHECK(columns.at("strain_5")->data[0] == state.strain[5]->data());
  std::map<std::string, const double*> fields;
  const corral_insitu_mesh& mesh = borrowed.view().mesh;
  for (std::int64_t i = 0; i < mesh.field_count; ++i) fields[mesh.fields[i].name] = mesh.fields[i].data[0];
  CHECK(fields.at("populations_1") == state.populations[1]->data());
}

TEST_CASE("Derived fields are brought up to date for a script, also where no file is due") {
  Watched run("look", 0.04); // files are due at multiples of .03 and .05 s
  const std::string seen = run.seen();
  const std::size_t moment = seen.find("show 0.04 4 ");
  REQUIRE(moment != std::string::npos);
  std::ostringstream expected;
  expected << "first of pressure_shown " << std::sin(0.03) << "\n";
  CHECK(contains(seen.substr(moment, seen.find("show 0.08 8 ") - moment), expected.str()));
}

TEST_CASE("A script that fails ends alone: the run goes on and says so once") {
  const std::string order = GENERATE("fail to open", "fail to want", "fail to show");
  Watched run(order, 0);
  const std::string summary = run.summary();
  INFO(summary);
  CHECK(contains(summary, "\"outcome\": \"end\""));
  CHECK(count_of(summary, "in situ, view is off, the run goes on: it would not ") == 1);
  CHECK(count_of(summary, "u001b") == 0);
  if (order != "fail to open") {
    CHECK(count_of(run.seen(), "wants") == 1);
    CHECK(run.seen().ends_with("close\n"));
  }
}

TEST_CASE("Without a plug-in, or with one of another version, the run goes on and says so once") {
  const auto [plugin, why] = GENERATE(std::pair{"/nowhere/corral_catalyst.so", "there is no plug-in /nowhere/"},
                                      std::pair{FAKE_PLUGIN_OF_LATER, "is of version 99 (this corral takes version 3)"},
                                      std::pair{"/dev/null", "the plug-in cannot be loaded"});
  Watched run("look", 0, plugin);
  INFO(run.summary());
  CHECK(count_of(run.summary(), "in situ is off: ") == 1);
  CHECK(contains(run.summary(), why));
  CHECK(contains(run.summary(), "\"outcome\": \"end\""));
}

TEST_CASE("Results have the same bits whatever a script does to the process, and so has what it changed") {
  const auto before = std::signal(SIGTERM, SIG_DFL);
  const std::string locale = std::setlocale(LC_ALL, nullptr);
  const auto working_directory = std::filesystem::current_path();
  Watched meddled("meddle", 0), failed("fail to show", 0);
  CHECK(std::fegetround() == FE_TONEAREST);
  CHECK(std::setlocale(LC_ALL, nullptr) == locale);
  CHECK(std::filesystem::current_path() == working_directory);
  CHECK(std::signal(SIGTERM, before) == SIG_DFL);

  TemporaryDirectory out;
  FakeDriver driver;
  run_into(out.path(), driver);
  CHECK(results(meddled.out) == results(out));
  CHECK(results(failed.out) == results(out));
}

TEST_CASE("A process that a script forks and forgets does not go on as the run") {
  Watched forked("fork", 0), looked("look", 0);
  CHECK(count_of(forked.seen(), "wants") == count_of(looked.seen(), "wants"));
  CHECK(count_of(forked.seen(), "close") == 1);
  CHECK(results(forked.out) == results(looked.out));
}

TEST_CASE("A signal ends a watched run, too") {
  const auto inherited = std::signal(SIGINT, SIG_DFL);
  ::setenv("CORRAL_INSITU_PLUGIN", FAKE_PLUGIN, 1);
  TemporaryDirectory out;
  put(out / "script", "meddle\n");
  FakeDriver driver;
  driver.at_step = [](std::int64_t step) {
    if (step == 3) std::raise(SIGINT);
  };
  RunPlan watched = plan;
  watched.in_situ = {{"view", out / "script", 0}};
  CHECK(run_into(out / "out", driver, watched) == 3);
  ::unsetenv("CORRAL_INSITU_PLUGIN");
  std::signal(SIGINT, inherited);
}

using namespace corral::insitu;

namespace {

using Values = std::vector<double>;

/// A component on `points` of this staggering.
struct Component {
  std::int32_t staggering;
  std::int64_t points[3];
  Values values;
};

corral_insitu_field field_of(const std::vector<Component>& components) {
  corral_insitu_field f{};
  f.components = static_cast<std::int32_t>(components.size());
  for (std::size_t c = 0; c < components.size(); ++c) {
    f.staggering[c] = components[c].staggering;
    for (int d = 0; d < 3; ++d) f.points[c][d] = components[c].points[d];
    f.data[c] = components[c].values.data();
  }
  return f;
}

Values means(const std::vector<Component>& components, const std::int64_t (&cells)[3]) {
  Values out(static_cast<std::size_t>(cells[0] * cells[1] * cells[2]) * components.size());
  cell_values(field_of(components), {{0, 0, 0}, {cells[0], cells[1], cells[2]}}, out.data());
  return out;
}

} // namespace

TEST_CASE("Means over cells are those of the points on their faces, by hand") {
  CHECK(means({{CORRAL_INSITU_FACE_X, {3, 1, 1}, {1, 3, 7}}}, {2, 1, 1}) == Values{2, 5});
  CHECK(means({{CORRAL_INSITU_FACE_Y, {2, 2, 1}, {1, 2, 5, 10}}}, {2, 1, 1}) == Values{3, 6});
  CHECK(means({{CORRAL_INSITU_FACE_Z, {1, 1, 3}, {0, 2, 4}}}, {1, 1, 2}) == Values{1, 3});
  CHECK(means({{CORRAL_INSITU_NODE, {2, 2, 2}, {0, 8, 0, 8, 0, 8, 0, 24}}}, {1, 1, 1}) == Values{6});
}

TEST_CASE("The last cell of a periodic axis ends at the face where the first begins") {
  CHECK(means({{CORRAL_INSITU_FACE_X, {3, 1, 1}, {1, 3, 8}}}, {3, 1, 1}) == Values{2, 5.5, 4.5});
}

TEST_CASE("Components of a cell stand side by side, those at the centre as they are") {
  CHECK(means({{CORRAL_INSITU_FACE_X, {3, 1, 1}, {1, 3, 7}},
               {CORRAL_INSITU_FACE_Y, {2, 2, 1}, {1, 2, 5, 10}},
               {CORRAL_INSITU_CENTRE, {2, 1, 1}, {-1, -2}}},
              {2, 1, 1}) == Values{2, 3, -1, 5, 6, -2});
}

TEST_CASE("A field is at the centres where all its components are") {
  CHECK(at_centres(field_of({{CORRAL_INSITU_CENTRE, {1, 1, 1}, {1}}, {CORRAL_INSITU_CENTRE, {1, 1, 1}, {1}}})));
  CHECK_FALSE(at_centres(field_of({{CORRAL_INSITU_CENTRE, {1, 1, 1}, {1}}, {CORRAL_INSITU_FACE_Y, {1, 2, 1}, {1, 2}}})));
}

TEST_CASE("A process shows its own cells and one layer of others', none beyond the whole") {
  corral_insitu_mesh mesh{};
  const std::int64_t whole[]{8, 4, 9}, cells[]{7, 4, 5}, first[]{-2, 0, 4}, begin[]{2, 0, 2}, end[]{5, 4, 5};
  for (int d = 0; d < 3; ++d) {
    mesh.whole[d] = whole[d], mesh.cells[d] = cells[d], mesh.first[d] = first[d];
    mesh.own_begin[d] = begin[d], mesh.own_end[d] = end[d];
  }
  CHECK(own_cells(mesh) == Cells{{2, 0, 2}, {5, 4, 5}});
  CHECK(cells_with_neighbours(mesh) == Cells{{2, 0, 1}, {6, 4, 5}}); // below x lies what is beyond a periodic side
  mesh.own_end[2] = 2;
  CHECK(cells_with_neighbours(mesh).count() == 0);
}

TEST_CASE("Values of some cells are the run's memory where they stand there one behind the other") {
  const std::vector<Component> one{{CORRAL_INSITU_CENTRE, {2, 2, 3}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}}};
  const corral_insitu_field field = field_of(one);
  const double* const u = one.front().values.data();
  CHECK(in_place(field, 0, {{0, 0, 0}, {2, 2, 3}}) == u);
  CHECK(in_place(field, 0, {{0, 0, 1}, {2, 2, 3}}) == u + 4);
  CHECK(in_place(field, 0, {{0, 1, 2}, {2, 2, 3}}) == u + 10);
  CHECK(in_place(field, 0, {{1, 0, 2}, {2, 1, 3}}) == u + 9);
  CHECK(in_place(field, 0, {{0, 1, 0}, {2, 2, 3}}) == nullptr);
  CHECK(in_place(field, 0, {{1, 0, 0}, {2, 2, 3}}) == nullptr);
  Values copied(4);
  cell_values(field, {{1, 0, 1}, {2, 2, 3}}, copied.data());
  CHECK(copied == Values{5, 7, 9, 11});
}
