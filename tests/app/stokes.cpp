#include "tests/app/fake_driver.hpp"

#include "app/command/commands.hpp"
#include "tests/app/surroundings.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <sstream>

using namespace corral;
using test::contains;

namespace {

using Words = std::vector<std::string>;

struct Said {
  int status;
  std::string out, err;
};

/// `corral stokes` with a table of its own.
class StokesWord {
public:
  std::string put(const std::string& name, const std::string& text) const {
    test::put(folder / name, text);
    return (folder / name).string();
  }
  Said operator()(const Words& words) const {
    Words all{"stokes"};
    all.insert(all.end(), words.begin(), words.end());
    std::ostringstream out, err;
    const int status = app::execute(all, test::fake_kinds(), out, err);
    return {status, out.str(), err.str()};
  }
  /// Of a table POINTS in a unit box.
  Said of(const std::string& points, const Words& more = {}) const {
    Words words{put("points.csv", points), "--box", "1 1 1"};
    words.insert(words.end(), more.begin(), more.end());
    return (*this)(words);
  }

  test::TemporaryDirectory folder;
};

/// Rows of numbers below the names.
std::vector<std::vector<double>> numbers(const std::string& csv) {
  std::vector<std::vector<double>> rows;
  std::istringstream lines(csv.substr(std::min(csv.find('\n'), csv.size())));
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    rows.emplace_back();
    for (const char* at = line.data(); at < line.data() + line.size(); ++at)
      at = std::from_chars(at, line.data() + line.size(), rows.back().emplace_back()).ptr;
  }
  return rows;
}

constexpr const char* at_three = "x,y,z\n.3,.1,-.2\n0,0,0\n.5,.5,.5\n";
constexpr const char* force = "x,y,z,fx,fy,fz\n0,0,0,1,0,0\n";

} // namespace

TEST_CASE("corral stokes gives published values, at targets and at the sources") {
  const StokesWord stokes;
  const std::string at = stokes.put("at.csv", at_three);
  const Said said = stokes.of(force, {"--targets", at, "--tolerance", "1e-10"});
  REQUIRE(said.err == "");
  REQUIRE(said.status == 0);
  CHECK(said.out.starts_with("x,y,z,ux,uy,uz\n0.3,0.1,-0.2,1.148218"));
  const auto rows = numbers(said.out);
  REQUIRE(rows.size() == 3);
  const double expected[3][3]{{1.14821832164643, .41151572454894, -.80300456207740}, {-3.783063305974, 0, 0}, {-1.069247960037, 0, 0}};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t d = 0; d < 3; ++d) CHECK(std::abs(rows[i][3 + d] - expected[i][d]) < 1e-9);
  // Names in another order and in quotes, blanks, a mark before them, lines of other systems.
  const Said other = stokes.of("\xEF\xBB\xBF\"fz\", \"x\",y,z,fx,fy\r\n 0,0,0,+0,1,0e0\r\n\r\n", {"--tolerance", "1e-10"});
  REQUIRE(other.err == "");
  CHECK(std::abs(numbers(other.out)[0][3] - expected[1][0]) < 1e-9);
}

TEST_CASE("boxes have units and an origin, and sums scale with them") {
  const StokesWord stokes;
  const std::string points = stokes.put("points.csv", "x,y,z,fx,fy,fz\n-1e-3,0,0,1,0,0\n");
  for (const std::string box : {"1 1 1 mm", "1, 1, 1 mm", "1e-3 1e-3 1e-3"}) {
    const Said said = stokes({points, "--box", box, "--origin", "-1 0 0 mm"});
    CHECK(said.err == "");
    CHECK(std::abs(numbers(said.out).at(0).at(3) + 3783.063) < .01);
  }
}

TEST_CASE("pressure and derivatives come where they are asked for, of a fluid where its viscosity is known") {
  const StokesWord stokes;
  const std::string at = stokes.put("at.csv", at_three);
  const Said plain = stokes.of(force, {"--targets", at, "--pressure", "--gradient"});
  CHECK(plain.out.starts_with("x,y,z,ux,uy,uz,p,dux_dx,dux_dy,dux_dz,duy_dx,duy_dy,duy_dz,duz_dx,duz_dy,duz_dz\n"));
  CHECK(stokes.of(force, {"--pressure"}).out.starts_with("x,y,z,ux,uy,uz,p\n"));
  CHECK(stokes.of("x,y,z,charge\n0,0,0,1\n", {"--gradient"}).out.starts_with("x,y,z,phi,dphi_dx,dphi_dy,dphi_dz\n"));
  const Said fluid = stokes.of(force, {"--targets", at, "--pressure", "--gradient", "--viscosity", "2 mPa s"});
  REQUIRE(fluid.err == "");
  const std::vector<double> sums = numbers(plain.out).at(0), flow = numbers(fluid.out).at(0);
  CHECK(std::abs(sums[7] + sums[11] + sums[15]) < 1e-4); // no divergence
  for (std::size_t c = 3; c < 16; ++c) {
    const double factor = 8 * std::numbers::pi * (c == 6 ? 1 : .002); // p of 8 pi f.r/r^3 has no viscosity in it
    CHECK(std::abs(flow[c] * factor - sums[c]) <= 1e-14 * std::abs(sums[c]));
  }
}

TEST_CASE("forces act on spheres where a radius is given") {
  const StokesWord stokes;
  const Said said = stokes.of(force, {"--radius", "100 mm", "--tolerance", "1e-8"});
  REQUIRE(said.err == "");
  constexpr double volume = 4 * std::numbers::pi / 3;
  CHECK(std::abs(numbers(said.out).at(0).at(3) - 40. / 3 * (1 - 2.837297 * .1 + volume * .001)) < 1e-4);
}

TEST_CASE("the sum is that of the strengths there are, or the one that is asked for") {
  const StokesWord stokes;
  const std::string both = "x,y,z,fx,fy,fz,tx,ty,tz\n0,0,0,1,2,3,4,5,6\n.5,.2,.1,0,0,1,0,1,0\n";
  const Said force_alone = stokes.of("x,y,z,fx,fy,fz\n0,0,0,1,2,3\n.5,.2,.1,0,0,1\n");
  CHECK(stokes.of(both, {"--sum", "stokeslet"}).out == force_alone.out);
  CHECK(stokes.of(both, {"--sum", "rotlet"}).out != force_alone.out);
  const Said said = stokes.of(both);
  CHECK(said.status == 2);
  CHECK(contains(said.err, "points.csv:1: strengths of a stokeslet and a rotlet (one sum is done at a time) choose one with --sum"));

  // A published value, and what is next to a source, where its images count for little.
  const auto at = [&](const std::string& place, const std::string& source) {
    return numbers(stokes.of(source, {"--targets", stokes.put("at.csv", "x,y,z\n" + place + "\n"), "--tolerance", "1e-9"}).out).at(0);
  };
  const std::vector<double> stress = at(".3,.1,-.2", "x,y,z,qx,qy,qz,nx,ny,nz\n0,0,0,.7,-.4,.2,.1,.9,-.3\n");
  const double expected[3]{-5.711140927436, -2.847198192988, 3.625089466874};
  for (std::size_t d = 0; d < 3; ++d) CHECK(std::abs(stress[3 + d] - expected[d]) < 1e-8);
  CHECK(std::abs(at(".01,0,0", "x,y,z,tx,ty,tz\n0,0,0,0,0,1\n")[4] - 1e4) < 1);
  CHECK(std::abs(at(".01,0,0", "x,y,z,charge\n0,0,0,1\n")[3] - (100 - 2.837297)) < 1e-3);
}

TEST_CASE("threads do not change a bit of the answer") {
  const StokesWord stokes;
  std::string points = "x,y,z,fx,fy,fz\n";
  for (int i = 0; i < 300; ++i)
    points += std::to_string(.37 * i) + "," + std::to_string(.51 * i * i) + "," + std::to_string(.13 * i) + ",1," + std::to_string(i % 7) + ",-2\n";
  const Said one = stokes.of(points, {"--threads", "1"});
  CHECK(one.status == 0);
  CHECK(numbers(one.out).size() == 300);
  CHECK(stokes.of(points, {"--threads", "2"}).out == one.out);
}

TEST_CASE("results go to a file, which is not replaced unasked") {
  const StokesWord stokes;
  const std::string answer = stokes.of(force).out;
  for (const std::string name : {"u.csv", "u.vtp"}) {
    const std::string file = (stokes.folder / name).string();
    const Said first = stokes.of(force, {"--output", file});
    CHECK(first.err == "");
    CHECK(first.out == "");
    const std::string written = test::contents(file);
    if (name == "u.csv") CHECK(written == answer);
    else CHECK(contains(written, "Name=\"velocity\" NumberOfComponents=\"3\""));
    const Said again = stokes.of("x,y,z,fx,fy,fz\n0,0,0,2,0,0\n", {"--output", file});
    CHECK(again.status == 2);
    CHECK(contains(again.err, "is there (results don't replace files unasked) replace it with --overwrite"));
    CHECK(test::contents(file) == written);
    CHECK(stokes.of("x,y,z,fx,fy,fz\n0,0,0,2,0,0\n", {"--output", file, "--overwrite"}).status == 0);
    CHECK(test::contents(file) != written);
  }
  CHECK(test::files_in(stokes.folder.path()).size() == 3); // nothing is left beside them
}

TEST_CASE("a report tells parameters, errors and times; numbers that cannot meet the tolerance are refused") {
  const StokesWord stokes;
  const Said said = stokes.of(force, {"--report", "--viscosity", "1"});
  for (const std::string part : {"stokeslet, 1 sources, 1 targets\n", "xi ", "expected error ", "near field ", "8 pi mu"})
    CHECK(contains(said.err, part));
  const Said fixed = stokes.of(force, {"--report", "--xi", "20", "--modes", "64 64 64", "--support", "10", "--window", "exponential_semicircle"});
  for (const std::string part : {"xi 20 1/m", "64 x 64 x 64 modes", "windows of 10 points"}) CHECK(contains(fixed.err, part));
  const Said bad = stokes.of(force, {"--xi", "1", "--cut-off", ".1"});
  CHECK(bad.status == 2);
  CHECK(contains(bad.err, "err by "));
}

TEST_CASE("tables that are no points are refused with file and line") {
  const StokesWord stokes;
  struct Bad {
    std::string points, message;
  };
  const std::vector<Bad> all{
      {"", "points.csv:1: the file is empty"},
      {"\n \n", "the file is empty"},
      {"x,y,z,fx,fy,fz\n", "points.csv:1: no points"},
      {"x,y,z,fx,fy,fz,mass\n", "points.csv:1: 'mass' is not the name of a column (x, y, z, fx, fy, fz, qx,"},
      {"0,0,0,1,0,0\n", "points.csv:1: the first line names no columns (x, y,"},
      {"x,y,z,fx,fy,fx\n", "points.csv:1: column 'fx' is there twice"},
      {"x,y,z,\"fx\n", "points.csv:1: '\"fx' has no closing quote"},
      {"x,y,fx,fy,fz\n", "points.csv:1: column 'z' is missing"},
      {"x,y,z\n0,0,0\n", "points.csv:1: no strengths (fx, fy, fz of a stokeslet; qx,"},
      {"x,y,z,fx,fz\n0,0,0,1,1\n", "points.csv:1: no column fy (strengths of a stokeslet are fx, fy, fz)"},
      {"x,y,z,charge\n0,0,0,1\n\n0,0,nan,1\n", "points.csv:4: z is 'nan' (a finite number is expected)"},
      {"x,y,z,charge\n0,0,-inf,1\n", "points.csv:2: z is '-inf' (a finite number"},
      {"x,y,z,charge\n0,1e999,0,1\n", "points.csv:2: y is '1e999' (beyond the range"},
      {"x,y,z,charge\n0,1 m,0,1\n", "points.csv:2: y is '1 m' (a decimal number"},
      {"x,y,z,charge\n0,,0,1\n", "points.csv:2: y has no value"},
      {"x,y,z,charge\n0,0,0\n", "points.csv:2: a row of 3 values (the first line names 4 columns)"},
      {"x,y,z,charge\n0,0,0,1,2\n", "points.csv:2: a row of 5 values"},
      {std::string("\xFF\xFEx\0,\0", 6), "points.csv:1: the file is written in UTF-16"},
  };
  for (const Bad& bad : all) {
    const Said said = stokes.of(bad.points, {"--output", (stokes.folder / "u.csv").string()});
    INFO("said: " << said.err);
    CHECK(said.status == 2);
    CHECK(contains(said.err, bad.message));
    CHECK(std::ranges::count(said.err, '\n') == 1);
    CHECK(said.out == "");
    CHECK(test::files_in(stokes.folder.path()).size() == 1);
  }
  const Said two = stokes.of("x,y,z,charge\n0,a,0,1\n0,0,b,1\n");
  CHECK(std::ranges::count(two.err, '\n') == 2); // all at once
}

TEST_CASE("points of a .vtp file are read as corral writes them") {
  const StokesWord stokes;
  const std::string at = (stokes.folder / "at.vtp").string();
  REQUIRE(stokes.of("x,y,z,fx,fy,fz\n.3,.1,-.2,1,2,3\n0,.5,.5,4,5,6\n", {"--output", at}).status == 0);
  std::string bytes = test::contents(at);
  const Said by_table = stokes.of(force, {"--targets", stokes.put("at.csv", "x,y,z\n.3,.1,-.2\n0,.5,.5\n")});
  CHECK(stokes.of(force, {"--targets", at}).out == by_table.out);

  // Velocities become forces, as long a word: names of arrays are all that differs.
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string other = bytes;
    const std::size_t place = other.find(from);
    REQUIRE(place != other.npos);
    return other.replace(place, from.size(), to);
  };
  const auto answer = [&](const std::string& file) { return stokes({stokes.put("p.vtp", file), "--box", "1 1 1"}); };
  const Said forces = answer(replaced("Name=\"velocity\"", "Name=\"force\""));
  CHECK(forces.err == "");
  CHECK(numbers(forces.out).size() == 2);
  const std::vector<std::pair<std::string, std::string>> bad{
      {bytes, "p.vtp:1: no strengths"},
      {"", "p.vtp:1: no file of points as corral writes it"},
      {bytes.substr(0, 300), "p.vtp:1: no file of points"},
      {bytes.substr(0, bytes.find("\n_") + 20), "array 'Points' is not whole"},
      {replaced("PolyData", "ImageData"), "no file of points"},
      {replaced("NumberOfPoints=\"2\"", "NumberOfPoints=\"3\""), "is not whole"},
      {replaced("NumberOfPoints=\"2\"", "NumberOfPoints=\"0\""), "no points"},
      {replaced("NumberOfPoints=\"2\"", "NumberOfPoints=\"-2\""), "no points"},
      {replaced("NumberOfPoints=\"2\"", "NumberOfPoints=\"99999999999\""), "fewer bytes than points"},
      {replaced("Name=\"velocity\"", "Name=\"charge\""), "array 'charge' has other values than 1 raw Float64 a point"},
      {replaced("Name=\"velocity\"", "Name=\"Points\""), "column 'x' is there twice"},
      {replaced("Name=\"Points\"", "Name=\"Place\""), "the file has no array 'Points'"},
  };
  for (const auto& [file, message] : bad) {
    const Said said = answer(file);
    INFO("said: " << said.err << " expected: " << message);
    CHECK(said.status == 2);
    CHECK(contains(said.err, message));
    CHECK(std::ranges::count(said.err, '\n') == 1);
  }
  std::string nan = bytes;
  nan.replace(nan.find("\n_") + 2 + 8 + 6, 2, "\xF8\x7F");
  CHECK(contains(answer(nan.replace(nan.find("Name=\"velocity\""), 15, "Name=\"force\"   ")).err, "fx of point 0 is nan"));
}

TEST_CASE("bad options of corral stokes are refused in one line") {
  const StokesWord stokes;
  const std::string points = stokes.put("points.csv", force), torque = stokes.put("t.csv", "x,y,z,tx,ty,tz\n0,0,0,1,0,0\n");
  const std::string charge = stokes.put("q.csv", "x,y,z,charge\n0,0,0,1\n"), missing = (stokes.folder / "no.csv").string();
  struct Bad {
    Words words;
    std::string message;
  };
  const std::vector<Bad> all{
      {{}, "corral stokes needs a table of points"},
      {{points, torque}, "takes one table"},
      {{points}, "corral stokes needs --box"},
      {{points, "--box", "1 0 1"}, "--box: 0 m is out of range (above 0)"},
      {{points, "--box", "1, 1"}, "has 2 values (3 are expected"},
      {{points, "--box", "1 1 1 s"}, "--box: "},
      {{points, "--box", "1 1 1", "--origin", "0 0 inf"}, "--origin: "},
      {{points, "--box", "1 1 1", "--tolerance", "1"}, "--tolerance: 1 is out of range (1e-14 to 0.1)"},
      {{points, "--box", "1 1 1", "--tolerance", "1e-15"}, "--tolerance: 1e-15 is out of range"},
      {{points, "--box", "1 1 1", "--sum", "stokeslets"}, "--sum: "},
      {{points, "--box", "1 1 1", "--sum", "rotlet"}, "no column tx, ty, tz"},
      {{torque, "--box", "1 1 1", "--pressure"}, "--pressure: a rotlet has none"},
      {{charge, "--box", "1 1 1", "--viscosity", "1"}, "--viscosity: a laplace sum is a potential"},
      {{torque, "--box", "1 1 1", "--radius", ".1"}, "--radius: spheres have forces and velocities alone (this is a rotlet)"},
      {{points, "--box", "1 1 1", "--radius", ".1", "--pressure"}, "(--pressure is asked for)"},
      {{points, "--box", "1 1 1", "--radius", "2"}, "spheres of the radius 2 m"},
      {{points, "--box", "1 1 1", "--viscosity", "0"}, "--viscosity: 0 Pa s is out of range"},
      {{points, "--box", "1 1 1", "--modes", "11 22 33"}, "11 modes along an axis (a product of 2, 3, 5 and 7"},
      {{points, "--box", "1 1 1", "--support", "5"}, "a window of 5 points"},
      {{points, "--box", "1 1 1", "--support", "18"}, "--support: 18 is out of range (4 to 16)"},
      {{points, "--box", "1 1 1", "--window", "gauss"}, "--window: "},
      {{points, "--box", "1 1 1", "--targets", missing}, "no.csv does not exist"},
      {{missing, "--box", "1 1 1"}, "no.csv does not exist"},
      {{stokes.folder.path().string(), "--box", "1 1 1"}, "is a directory"},
      {{points, "--box", "1 1 1", "--output", "u.txt"}, "ends in neither .csv nor .vtp"},
      {{points, "--box", "1 1 1", "--output", missing + "/u.csv"}, "no.csv is not a directory"},
      {{points, "--box", "1 1 1", "--overwrite", "--output", points}, "is what is read"},
      {{points, "--box", "1 1 1", "--cutoff", "1"}, "(nearest: --cut-off)"},
  };
  for (const Bad& bad : all) {
    const Said said = stokes(bad.words);
    INFO("said: " << said.err << " expected: " << bad.message);
    CHECK(said.status == 2);
    CHECK(contains(said.err, bad.message));
    CHECK(std::ranges::count(said.err, '\n') == 1);
    CHECK(said.out == "");
  }
}
