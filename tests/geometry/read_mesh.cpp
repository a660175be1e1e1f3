#include "geometry/files/read_mesh.hpp"

#include "geometry/measures.hpp"
#include "geometry/shapes/shapes.hpp"
#include "geometry/vector.hpp"
#include "tests/app/surroundings.hpp"
#include "tests/catch.hpp"
#include "tests/engine/cases.hpp"
#include "tests/engine/message_of.hpp"
#include "tests/geometry/solids.hpp"
#include "tests/geometry/written.hpp"

#include <clocale>
#include <cmath>
#include <string>
#include <vector>

using namespace corral;
using namespace corral::geometry;
using test::PlyNumbers;

namespace {

Mesh mesh_of_bytes(const std::string& bytes) { return mesh_of({"test", bytes}).mesh; }

// The same triangles at the same places, whatever the numbers of the points.
bool same_surface(const Surface& a, const Surface& b, double tolerance) {
  if (a.triangles.size() != b.triangles.size() || a.points.size() != b.points.size()) return false;
  for (std::int64_t t = 0; t < a.triangles.size(); ++t) {
    const auto x = corners(a.points.span(), a.triangles[t]), y = corners(b.points.span(), b.triangles[t]);
    for (std::size_t c = 0; c < 3; ++c)
      if (!(length(x[c] - y[c]) <= tolerance)) return false;
  }
  return true;
}
bool identical(const Surface& a, const Surface& b) {
  return a.points.values() == b.points.values() && a.triangles.values() == b.triangles.values();
}

Surface red_cell() {
  Surface s = icosphere(5);
  map_to_red_cell(s.points.span(), 3.91e-6);
  return s;
}

std::string with_crlf(const std::string& text) {
  std::string all;
  for (const char c : text) (c == '\n' ? all += '\r' : all) += c;
  return all;
}

} // namespace

TEST_CASE("surfaces come back from every format") {
  for (const Surface& s : {test::tetrahedron(), test::cube(), red_cell()}) {
    CHECK(identical(mesh_of_bytes(test::off_text(s)).surface(), s));
    CHECK(identical(mesh_of_bytes(with_crlf(test::off_text(s))).surface(), s));
    CHECK(identical(mesh_of_bytes(test::obj_text(s)).surface(), s));
    CHECK(identical(mesh_of_bytes(with_crlf(test::obj_text(s))).surface(), s));
    CHECK(same_surface(mesh_of_bytes(test::stl_text(s)).surface(), s, 0));
    CHECK(same_surface(mesh_of_bytes(with_crlf(test::stl_text(s))).surface(), s, 0));
    CHECK(same_surface(mesh_of_bytes(test::stl_bytes(s)).surface(), s, 4e-6 * 1.2e-7));
    CHECK(same_surface(mesh_of_bytes(test::stl_bytes(s, "")).surface(), s, 4e-6 * 1.2e-7));
    for (const PlyNumbers numbers : {PlyNumbers::text, PlyNumbers::little_endian, PlyNumbers::big_endian})
      CHECK(identical(mesh_of_bytes(test::ply(s, numbers)).surface(), s));
    CHECK(identical(mesh_of_bytes(with_crlf(test::ply(s, PlyNumbers::text))).surface(), s));
  }
}

TEST_CASE("what is written as OFF has the same bits when it is read from its file") {
  const test::TemporaryDirectory directory;
  const Surface s = red_cell();
  write_off(directory / "cell.off", s);
  CHECK(identical(read_mesh(directory / "cell.off").mesh.surface(), s));
  CHECK(test::message_of([&] {
          write_off(directory / "none" / "cell.off", s);
        }).find("cannot be written (No such file") != std::string::npos);
}

TEST_CASE("numbers are read as such in every locale") {
  const char* const before = std::setlocale(LC_NUMERIC, nullptr);
  const std::string kept = before;
  for (const char* comma : {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE"})
    if (std::setlocale(LC_NUMERIC, comma) != nullptr) break;
  CHECK(mesh_of_bytes("OFF 4 4 6\n0 0 0\n1.5 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n").points()[1][0] ==
        1.5);
  std::setlocale(LC_NUMERIC, kept.c_str());
}

TEST_CASE("OFF is read with comments, decorations, polygons, and counts in either line") {
  const std::string corners = "0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 1\n";
  const std::string faces = "4 0 2 3 1\n4 4 5 7 6\n4 0 1 5 4\n4 2 6 7 3\n4 0 4 6 2\n4 1 3 7 5\n";
  Surface cube = mesh_of_bytes("OFF\n8 6 12\n" + corners + faces).surface();
  CHECK(cube.triangles.size() == 12);
  CHECK(cube.triangles[0] == Triangle{0, 2, 3});
  CHECK(cube.triangles[1] == Triangle{0, 3, 1});
  CHECK(volume(Cpu{}, cube.points.span(), cube.triangles.span()) == Approx(1));
  CHECK(identical(
      mesh_of_bytes("# a cube\n\nOFF 8 6 # no edges counted\n# corners\n" + corners + "\n# faces\n" + faces).surface(),
      cube));
  CHECK(identical(mesh_of_bytes("OFF\n8 6 0\n" + corners +
                                "4 0 2 3 1 255 0 0\n4 4 5 7 6 .1 .2 .3 .4\n4 0 1 5 4 7\n4 2 6 7 3\n"
                                "4 0 4 6 2\n4 1 3 7 5")
                      .surface(),
                  cube));
  std::string decorated;
  for (const char c : corners) decorated += c == '\n' ? " 255 128 0 1\n" : std::string(1, c);
  for (const std::string header : {"COFF", "NOFF", "CNOFF", "STCNOFF", "STOFF"})
    CHECK(identical(mesh_of_bytes(header + "\n8 6 0\n" + decorated + faces).surface(), cube));
  CHECK(identical(mesh_of_bytes("OFF 8 6 0\n" + corners +
                                "  \t4\t0 +2 3 1\n4 4 5 7 6\n4 0 1 5 4\n4 2 6 7 3\n4 0 4 6 2\n4 1 3 7 5\n\n\n")
                      .surface(),
                  cube));
}

TEST_CASE("OBJ is known by its first record, and its messages have its numbers") {
  const std::string corners = "v 0 0 0\nv 1 0 0 .5 .5 .5\nv 0 1 0 1\nv 0 0 1\n";
  const std::string faces = "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  for (const std::string begin : {"", "\n# v\n \n", "o\n", "g a b\n", "mtllib a.mtl\nunknown record\n", "vn 0 0 1\n"})
    CHECK(identical(mesh_of_bytes(begin + corners + faces).surface(), test::tetrahedron()));
  CHECK(identical(mesh_of_bytes(corners + "f -4 -2 -3\nf -4/1 -3/1 -1/1\nf 1 -1 3\nf 2 3 4\nl 1 2\n").surface(),
                  test::tetrahedron()));
  CHECK(test::message_of([&] { mesh_of({"a.obj", corners + "v 3 3 3\n" + faces}); }) ==
        "a.obj:5: vertex 5 belongs to no triangle (leave it out)");
}

TEST_CASE("PLY names its coordinates, which may stand in any order, and its corners in two ways") {
  const std::string said =
      "ply\nformat ascii 1.0\nelement vertex 4\nproperty float z\nproperty float s\nproperty int x\n"
      "property float y\nproperty float t\nelement face 4\nproperty list uchar uint vertex_index\n"
      "end_header\n0 9 0 0 8\n0 9 1 0 8\n0 9 0 2 8\n3 9 0 0 nan\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";
  const Mesh mesh = mesh_of_bytes(said);
  CHECK(mesh.points()[1] == Vector{1, 0, 0});
  CHECK(mesh.points()[2] == Vector{0, 2, 0});
  CHECK(mesh.points()[3] == Vector{0, 0, 3});
}

TEST_CASE("text STL is read in any case, on any lines, with any names and several solids") {
  const Surface s = test::cube();
  std::string capitals = test::stl_text(s), one_line = capitals;
  for (char& c : capitals) c = static_cast<char>(std::toupper(c));
  CHECK(same_surface(mesh_of_bytes(capitals).surface(), s, 0));
  for (std::size_t i = one_line.find('\n') + 1; i < one_line.size(); ++i)
    if (one_line[i] == '\n') one_line[i] = ' ';
  CHECK(same_surface(mesh_of_bytes(one_line).surface(), s, 0));
  // Two halves, each in a solid of its own.
  std::string halves = test::stl_text(s);
  std::size_t half = 0;
  for (int facet = 0; facet < 6; ++facet) half = halves.find("endfacet\n", half) + 9;
  halves.insert(half, "endsolid\n\nsolid\n");
  CHECK(same_surface(mesh_of_bytes(halves).surface(), s, 0));
}

TEST_CASE("STL files with numbers that differ in their last digits close") {
  test::Random random(1);
  const Surface sphere = icosphere(6);
  Surface parts;
  for (const Triangle& t : sphere.triangles) {
    const auto n = static_cast<std::int32_t>(parts.points.size());
    for (Vector x : corners(sphere.points.span(), t)) {
      for (double& v : x) v += random.uniform(-2e-7, 2e-7);
      test::add(parts, x);
    }
    test::add(parts, Triangle{n, n + 1, n + 2});
  }
  MeshOfFile read = mesh_of({"test", test::stl_bytes(parts)});
  CHECK(read.mesh.point_count() == sphere.points.size());
  CHECK(read.joined_points > sphere.points.size());
  CHECK(read.dropped_triangles == 0);
  // A file that cannot be closed so is told as it is.
  parts.triangles.resize(parts.triangles.size() - 1);
  const std::string said = test::message_of([&] { mesh_of({"test", test::stl_text(parts)}); });
  CHECK(said.find("more open edges") != said.npos);
  // Where the file numbers its points, it has said which of them are one.
  CHECK(test::message_of([&] {
          mesh_of({"test", test::off_text(parts)});
        }).find("more open edges") != std::string::npos);
}

TEST_CASE("surfaces that are inside out are turned round or refused, units scale") {
  Surface s = test::cube();
  turn_round(s);
  for (const std::string& bytes : {test::off_text(s), test::stl_text(s), test::ply(s, PlyNumbers::big_endian)}) {
    const MeshOfFile read = mesh_of({"test", bytes}, {.unit = 1e-6});
    CHECK(read.turned_round);
    CHECK(volume(Cpu{}, read.mesh.points(), read.mesh.triangles()) == Approx(1e-18));
    CHECK_FALSE(mesh_of({"test", test::off_text(read.mesh.surface())}).turned_round);
    const std::string said = test::message_of([&] { mesh_of({"test", bytes}, {.inside_out = InsideOut::refuse}); });
    CHECK(said.find(": the surface is inside out (") != said.npos);
  }
  for (const double unit : {0.0, -1.0, std::nan("")})
    CHECK(test::message_of([&] {
            mesh_of({"test", test::off_text(s)}, {.unit = unit});
          }).starts_with("test:1: a unit of "));
}

TEST_CASE("the triangle that is least high for its length is told with its place") {
  CHECK(mesh_of({"test", test::off_text(icosphere(1))}).thinnest.height == Approx(std::sqrt(0.75)));
  const std::string sliver =
      "OFF\n5 6 0\n0 0 0\n2 0 0\n0 2 0\n0 0 2\n1 1e-6 0\n3 1 4 2\n3 0 4 1\n3 2 4 0\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";
  for (const std::string& bytes : {sliver, "#\n" + sliver}) {
    const Thinnest found = mesh_of({"s.off", bytes}, {.unit = 1e-6}).thinnest;
    CHECK(found.triangle == 1);
    CHECK(found.height == Approx(5e-7));
    CHECK(found.place == (bytes == sliver ? "s.off:9: " : "s.off:10: "));
  }
}

TEST_CASE("several surfaces in a file are refused unless any number may be") {
  const std::string two = test::off_text(test::together(test::cube(), test::tetrahedron(), {3, 0, 0}));
  CHECK(test::message_of([&] {
          mesh_of({"two.off", two});
        }) ==
        "two.off:27: triangle 12 belongs to a separate surface (one closed surface is asked for) keep one of them");
  CHECK(mesh_of({"two.off", two}, {.components = Components::any}).mesh.triangle_count() == 16);
}
