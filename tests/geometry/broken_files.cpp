#include "geometry/files/read_mesh.hpp"
#include "tests/catch.hpp"
#include "tests/engine/message_of.hpp"
#include "tests/geometry/solids.hpp"
#include "tests/geometry/written.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace corral;
using namespace corral::geometry;

namespace {

struct BrokenFile {
  std::string bytes;
  std::string place;   ///< line or byte that is blamed, as the message begins
  std::string message; ///< part of what is said
};

// The tetrahedron: vertices in lines 3 to 6, faces in lines 7 to 10.
const std::string good_off =
    "OFF\n4 4 6\n0.0 0.0 0.0\n1.0 0.0 0.0\n0.0 1.0 0.0\n0.0 0.0 1.0\n3 0 2 1\n3 0 1 3\n3 0 3 2\n"
    "3 1 2 3\n";
// Header of 9 lines, vertices in lines 10 to 13, faces in lines 14 to 17.
const std::string good_ply =
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
    "element face 4\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n"
    "3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";

// With one line replaced, or with one more behind it.
std::string with_line(const std::string& text, int line, const std::string& replacement) {
  std::size_t begin = 0;
  for (int l = 1; l < line; ++l) begin = text.find('\n', begin) + 1;
  const std::size_t end = text.find('\n', begin);
  return text.substr(0, begin) + replacement + (end == text.npos ? "" : text.substr(end));
}
std::string off(int line, const std::string& replacement) { return with_line(good_off, line, replacement); }
std::string obj(int line, const std::string& replacement) {
  return with_line("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n", line, replacement);
}
std::string ply(int line, const std::string& replacement) { return with_line(good_ply, line, replacement); }
std::string stl(int line, const std::string& replacement) {
  return with_line(test::stl_text(test::tetrahedron()), line, replacement);
}

std::string with_bytes(std::string all, std::size_t at, const std::string& bytes) {
  return all.replace(at, bytes.size(), bytes);
}
std::string binary_stl(std::size_t at, const std::string& bytes) {
  return with_bytes(test::stl_bytes(test::tetrahedron()), at, bytes);
}
const std::string binary_header =
    "ply\nformat binary_little_endian 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
    "property float z\nelement face 4\nproperty list char int vertex_indices\nend_header\n";
std::string binary_ply() {
  std::string all = binary_header;
  const Surface s = test::tetrahedron();
  for (const Vector& x : s.points)
    for (const double v : x) all += test::bytes_of(static_cast<float>(v));
  for (const Triangle& t : s.triangles) {
    all += '\3';
    for (const std::int32_t p : t) all += test::bytes_of(p);
  }
  return all;
}
const std::size_t binary_points = binary_header.size(), binary_faces = binary_points + 48;
std::string at_byte(std::size_t byte) { return "byte " + std::to_string(byte); }

const std::string infinite = test::bytes_of(std::numeric_limits<float>::infinity());
const std::string not_a_number = test::bytes_of(std::numeric_limits<float>::quiet_NaN());

// Lines as they are, without what the caller may have lost at the end.
std::string cut(const std::string& bytes, std::size_t less) { return bytes.substr(0, bytes.size() - less); }

const std::vector<BrokenFile> broken_files{
    // No surface file at all
    {"", "1", "the file is empty (a surface in OFF, OBJ, STL or PLY is expected)"},
    {" \n\t\n\r\n", "3", "the file is empty"},
    {"hello\n", "1", "the file begins with 'hello' (surface files begin with OFF, ply, solid or a record of OBJ;"},
    {"\xFF\xFE"
     "O",
     "1", R"(the file begins with '\xff\xfeO')"},
    {std::string("\0\0\0", 3), "1", R"(the file begins with '\x00\x00\x00')"},
    {"<html>" + std::string(100, 'x'), "1", "the file begins with '<html>xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'"},
    {"w 0 0 0\nf 1 2 3\n", "1", "the file begins with 'w'"},
    // OFF: header
    {"OFF", "1", "the file ends here (how many vertices and faces there are is missing) it may have been cut off"},
    {"# nothing but comments\n", "1", "the file ends here (the word OFF is missing)"},
    {off(1, "OFFS"), "1", "the file begins with 'OFFS'"},
    {off(1, "4OFF"), "1", "the file is '4OFF' (vertices have three coordinates here)"},
    {off(1, "CnOFF"), "1", "the file is 'CnOFF'"},
    {off(1, "XOFF"), "1", "the file begins with 'XOFF' (an OFF file begins with OFF)"},
    {off(1, "OFF BINARY"), "1", "the file is binary (OFF is read as text)"},
    {off(2, "4"), "2", "the number of faces is missing (a whole number is expected)"},
    {off(2, "four 4 6"), "2", "the number of vertices is 'four' (a whole number is expected)"},
    {off(2, "4.0 4 6"), "2", "the number of vertices is '4.0' (a whole number is expected)"},
    {off(2, "-4 4 6"), "2", "-4 vertices and 4 faces (neither number is negative)"},
    {off(2, "4 99999999999999999999 6"), "2", "'99999999999999999999' (beyond the range of numbers)"},
    {off(2, "4 4 6 8"), "2", "the line goes on with '8' (it ends behind the number of edges)"},
    {off(2, "1000000000 4 6"), "2",
     "1000000000 vertices and 4 faces are announced (the 80 bytes that follow hold at most 13 vertices, or 10 faces)"},
    {off(2, "4 1000000000 6"), "2", "4 vertices and 1000000000 faces are announced"},
    {off(2, "9223372036854775807 9223372036854775807 6"), "2", "are announced"},
    {off(2, "0 0 0"), "3", "the file goes on (0 vertices and 0 faces are announced, and end before)"},
    {"OFF\n0 0 0\n", "1", "a surface of 0 triangles and 0 vertices"},
    // OFF: vertices
    {off(4, "1 0"), "4", "z is missing (a number is expected)"},
    {off(4, "1 0 0 0"), "4", "the line goes on with '0' (it ends behind the three coordinates of a vertex)"},
    {off(4, "1 O 0"), "4", "y is 'O' (a finite decimal number is expected)"},
    {off(4, "1 0 nan"), "4", "z is 'nan' (a finite decimal number is expected)"},
    {off(4, "inf 0 0"), "4", "x is 'inf' (a finite decimal number is expected)"},
    {off(4, "-Infinity 0 0"), "4", "x is '-Infinity' (a finite decimal number is expected)"},
    {off(4, "1e999 0 0"), "4", "x is '1e999' (beyond the range of numbers)"},
    {off(4, "1,5 0 0"), "4", "x is '1,5' (a finite decimal number is expected)"},
    {off(4, "0x10 0 0"), "4", "x is '0x10' (a finite decimal number is expected)"},
    {off(4, "+-1 0 0"), "4", "x is '+-1' (a finite decimal number is expected)"},
    {off(4, "1d0 0 0"), "4", "x is '1d0' (a finite decimal number is expected)"},
    {off(4, std::string("1 0\0 0", 6)), "4", R"(y is '0\x00' (a finite decimal number is expected))"},
    {off(4, "1e61 0 0"), "4", "vertex 1 lies at (1e+61, 0, 0) (coordinates are finite, and at most 1e60 m)"},
    // OFF: faces
    {off(7, "3 0 2"), "7", "a corner is missing (a whole number is expected)"},
    {off(7, "2 0 2"), "7", "face 0 has 2 corners (a polygon has three or more)"},
    {off(7, "-3 0 2 1"), "7", "face 0 has 0 corners"},
    {off(7, "999999999999 0 2 1"), "7", "a corner is missing"},
    {off(8, "3 0 1 4"), "8", "face 1 has vertex 4 as a corner (there are 4, numbered from 0)"},
    {off(8, "3 0 1 -1"), "8", "face 1 has vertex -1 as a corner"},
    {off(8, "3 0 1 4294967297"), "8", "face 1 has vertex 4294967297 as a corner"},
    {off(8, "3 0 1 1.5"), "8", "a corner is '1.5' (a whole number is expected)"},
    {cut(good_off, 8), "9", "the file ends here (face 3 of 4 is missing) it may have been cut off"},
    {good_off + "3 0 1 2\n", "11",
     "the file goes on (4 vertices and 4 faces are announced, and end before) correct the numbers"},
    // OBJ: vertices in lines 1 to 4, faces in lines 5 to 8
    {obj(2, "v 1 0"), "2", "z is missing (a number is expected)"},
    {obj(3, "v 0 one 0"), "3", "y is 'one' (a finite decimal number is expected)"},
    {obj(4, "v 0 0 inf"), "4", "z is 'inf' (a finite decimal number is expected)"},
    {obj(5, "f 1 3 2 4"), "5", "a face has 4 corners (triangles are read) cut polygons into triangles"},
    {obj(6, "f 1 2"), "6", "a face has 2 corners (triangles are read) complete it"},
    {obj(6, "f"), "6", "a face has 0 corners"},
    {obj(7, "f 0 4 3"), "7", "a corner is vertex 0 (before this line there are 4, numbered from 1, or backwards from -1)"},
    {obj(7, "f 1 5 3"), "7", "a corner is vertex 5 (before this line there are 4,"},
    {obj(7, "f 1 -5 3"), "7", "a corner is vertex -5 (before this line there are 4,"},
    {obj(7, "f 1 99999999999999999999 3"), "7", "a corner is '99999999999999999999' (the number of a vertex is expected"},
    {obj(7, "f 1 -9223372036854775808 3"), "7", "a corner is vertex -9223372036854775808"},
    {obj(7, "f 1 /4 3"), "7", "a corner is '/4' (the number of a vertex is expected, as in 5, 5/2, 5//3 or 5/2/3)"},
    {obj(7, "f 1 4.5 3"), "7", "a corner is '4.5'"},
    {obj(1, "f 1 2 3"), "1", "a corner is vertex 1 (before this line there are 0,"},
    {obj(4, "v 0 0 0"), "4", "vertex 4 lies where vertex 1 does"},
    {obj(8, "f 2 2 4"), "8", "triangle 3 has vertex 2 twice"},
    {"v 0 0 0\n", "1", "a surface of 0 triangles and 1 vertices"},

    // What only the surface has, with its line
    {off(2, "4 3 6").substr(0, good_off.size() - 8), "7",
     "edge 1-2 belongs to triangle 0 alone (the surface is open there)"},
    {off(8, "3 0 3 1"), "7", "triangles 0 and 1 run along edge 0-1 the same way"},
    {off(8, "3 0 1 1"), "8", "triangle 1 has vertex 1 twice"},
    {off(10, "3 1 0 2"), "10", "triangle 3 joins the same vertices as triangle 0"},
    {off(6, "0 0 0"), "6", "vertex 3 lies where vertex 0 does"},
    {off(6, ".5 .5 0"), "10", "triangle 3 has no area"},
    {off(6, ".2 .2 0"), "1", "the surface encloses no volume (4 triangles that lie flat)"},
    {with_line(off(2, "5 4 6"), 6, "0 0 1\n0 0 2"), "7", "vertex 4 belongs to no triangle"},
    // STL, text: lines 2 to 8 are the first facet
    {stl(1, "sold a name"), "1", "the file begins with 'sold'"},
    {stl(2, "faset normal 0 0 1"), "2", "'faset' where facet or endsolid is expected"},
    {stl(2, "facet norml 0 0 1"), "2", "'norml' where normal is expected"},
    {stl(3, "outer lop"), "3", "'lop' where loop is expected"},
    {stl(4, "vertx 0 0 0"), "4", "'vertx' where vertex is expected"},
    {stl(4, "vertex 0 zero 0"), "4", "y is 'zero' (a finite decimal number is expected)"},
    {stl(4, "vertex 0 0 inf"), "4", "z is 'inf' (a finite decimal number is expected)"},
    {stl(4, "vertex 0 0"), "5", "z is 'vertex' (a finite decimal number is expected)"},
    {stl(7, "vertex 0 0 0"), "7",
     "'vertex' where endloop is expected (a text STL file has triangles of three vertices)"},
    {stl(8, "facet"), "8", "'facet' where endfacet is expected"},
    {cut(test::stl_text(test::tetrahedron()), 16), "29",
     "the file ends here (facet or endsolid is missing) it may have been cut off"},
    {test::stl_text(test::tetrahedron()) + "more\n", "31", "'more' where solid is expected"},
    {"solid\nendsolid\n", "1", "a surface of 0 triangles"},
    {stl(5, "vertex 0 1.1 0"), "2", "edge (0, 0, 0)-(0, 1.1, 0) belongs to triangle 0 alone"},
    {stl(6, "vertex 0 1 0"), "2", "triangle 0 has vertex (0, 1, 0) twice"},
    // STL, binary: 84 bytes, then 50 for each of 4 triangles, of which the corners begin at 12
    {binary_stl(80, test::bytes_of(std::uint32_t{3})), at_byte(80),
     "3 triangles are announced (a binary STL file of as many has 234 bytes, this one has 284, and goes on behind "
     "them) correct the number, or cut the file"},
    {binary_stl(80, test::bytes_of(std::uint32_t{1'000'000'000})), at_byte(80), "1000000000 triangles are announced"},
    {cut(test::stl_bytes(test::tetrahedron()), 1), at_byte(80), "of as many has 284 bytes, this one has 283) it may have been cut off"},
    {test::stl_bytes(test::tetrahedron()) + "x", at_byte(80), "this one has 285, and goes on behind them) correct the number"},
    {test::stl_bytes(test::tetrahedron(), "no solid") + "x", at_byte(80), "4 triangles are announced"},
    {test::stl_bytes(Surface{}), at_byte(0), "a surface of 0 triangles"},
    {binary_stl(84 + 50 + 12 + 4, infinite), at_byte(150),
     "a coordinate of triangle 1 is infinite (coordinates are finite)"},
    {binary_stl(84 + 100 + 12 + 32, not_a_number), at_byte(228),
     "a coordinate of triangle 2 is not a number (coordinates are finite)"},
    {binary_stl(84 + 50 + 12 + 12, test::bytes_of(2.0F)), at_byte(84),
     "edge (0, 0, 0)-(1, 0, 0) belongs to triangle 0 alone"},
    // PLY: header
    {"ply", "1", "the file ends here (the format is missing)"},
    {"ply\nformat ascii 1.0\n", "2", "the file ends here (end_header is missing)"},
    {ply(1, "plyx"), "1", "the file begins with 'plyx'"},
    {ply(2, "fromat ascii 1.0"), "2", "'fromat' where format is expected"},
    {ply(2, "format acsii 1.0"), "2", "'acsii' is no format (ascii, binary_little_endian and binary_big_endian are)"},
    {ply(2, "format ascii 2.0"), "2", "version '2.0' (1.0 is read)"},
    {ply(2, "format ascii 1.0 x"), "2", "the line goes on with 'x' (it ends behind the version)"},
    {ply(3, "element"), "3", "an element without a name"},
    {ply(3, "element vertex"), "3", "how many there are of 'vertex' is missing"},
    {ply(3, "element vertex -4"), "3", "-4 of 'vertex' (a count is never negative)"},
    {ply(3, "element vertex 1000000000"), "3",
     "1000000000 of 'vertex' are announced (the 56 bytes behind the header have room for 9 at most) the file may have "
     "been cut off"},
    {ply(3, "element vertex 10"), "3", "10 of 'vertex' are announced (the 56 bytes behind the header have room for 9"},
    {ply(7, "element face 1000000000"), "7", "1000000000 of 'face' are announced"},
    {ply(3, "element vertices 4"), "1", "no element is called vertex (a surface has vertices)"},
    {ply(7, "element faces 4"), "1", "no element is called face"},
    {ply(7, "element vertex 4"), "7", "the element 'vertex' stands twice (first in line 3)"},
    {ply(3, "property float w\nelement vertex 4"), "3", "a property of no element"},
    {ply(4, "property real x"), "4", "'real' is no type of numbers"},
    {ply(4, "property float"), "4", "a property without a name"},
    {ply(4, "property float y"), "5", "the property 'y' of 'vertex' stands twice"},
    {ply(4, "property float w"), "3", "vertices without x (each has the properties x, y and z)"},
    {ply(4, "property list uchar float x"), "3", "the property x is a list (it is one number)"},
    {ply(8, "property list float int vertex_indices"), "8", "a list whose length is no whole number"},
    {ply(8, "property list uchar float vertex_indices"), "7",
     "the property vertex_indices is not a list of whole numbers"},
    {ply(8, "property int vertex_indices"), "7", "the property vertex_indices is not a list of whole numbers"},
    {ply(8, "property list uchar int corners"), "7",
     "faces without corners (the property vertex_indices, or vertex_index, lists them)"},
    {ply(9, "endheader"), "9",
     "'endheader' in a header (lines begin with comment, obj_info, element, property or end_header)"},
    {"ply\nformat ascii 1.0\nelement face 0\nelement vertex 0\nend_header\n", "3", "faces before vertices"},
    // PLY, text
    {ply(11, "1 0"), "11", "z is missing (a number is expected)"},
    {ply(11, "1 0 0 0"), "11", "the line goes on with '0' (it ends behind its last property)"},
    {ply(11, "1 0 nan"), "11", "z is 'nan' (a finite decimal number is expected)"},
    {ply(14, "3 0 2"), "14", "a corner is missing (a whole number is expected)"},
    {ply(14, "3 0 2 4"), "14", "face 0 has vertex 4 as a corner (there are 4, numbered from 0)"},
    {ply(14, "2 0 2"), "14", "face 0 has 2 corners (a polygon has three or more)"},
    {ply(14, "-1"), "14", "vertex_indices is a list of -1 numbers (a length is never negative)"},
    {cut(good_ply, 8), "16", "the file ends here (face 3 of 4 is missing) it may have been cut off"},
    {good_ply + "0\n", "18", "the file goes on (what the header announces ends before)"},
    {ply(15, "3 0 3 1"), "14", "triangles 0 and 1 run along edge 0-1 the same way"},
    // PLY, binary
    {cut(binary_ply(), 1), at_byte(binary_faces + 3 * 13 + 9),
     "the file ends here (a corner is missing) it may have been cut off"},
    {cut(binary_ply(), 49), "7", "4 of 'face' are announced (the 51 bytes behind the header have room for 3 at most)"},
    {binary_ply() + "\nx", at_byte(binary_faces + 52),
     "the file goes on for 2 bytes (what the header announces ends before)"},
    {with_bytes(binary_ply(), binary_points + 16, infinite), at_byte(binary_points + 16),
     "y is not finite (coordinates are)"},
    {with_bytes(binary_ply(), binary_faces + 13, "\xFF"), at_byte(binary_faces + 13),
     "vertex_indices is a list of -1 numbers"},
    {with_bytes(binary_ply(), binary_faces + 13, "\x7F"), at_byte(binary_faces + 13),
     "as a corner (there are 4, numbered from 0)"},
    {with_bytes(binary_ply(), binary_faces + 14, test::bytes_of(-2)), at_byte(binary_faces + 13),
     "face 1 has vertex -2 as a corner"},
    {with_bytes(binary_ply(), binary_points + 12, test::bytes_of(0.0F)), at_byte(binary_points + 12),
     "vertex 1 lies where vertex 0 does"},
};

} // namespace

TEST_CASE("what the broken files are made of is good") {
  CHECK(mesh_of({"good", good_off}).mesh.triangle_count() == 4);
  CHECK(mesh_of({"good", good_ply}).mesh.triangle_count() == 4);
  CHECK(mesh_of({"good", binary_ply()}).mesh.triangle_count() == 4);
  CHECK(mesh_of({"good", stl(1, "solid")}).mesh.triangle_count() == 4);
  CHECK(mesh_of({"good", binary_stl(0, "")}).mesh.triangle_count() == 4);
}

TEST_CASE("each broken file is refused with the place and the reason") {
  REQUIRE(broken_files.size() >= 60);
  for (const BrokenFile& broken : broken_files) {
    const std::string said = test::message_of([&] { mesh_of({"bad", broken.bytes}); });
    INFO("file: " << cited(broken.bytes) << " for " << broken.message << "\nsaid: " << said);
    CHECK(said.starts_with("bad:" + broken.place + ": "));
    CHECK(said.find(broken.message) != said.npos);
  }
}
