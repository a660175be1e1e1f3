#include "geometry/files/read_mesh.hpp"

#include "geometry/shapes/shapes.hpp"
#include "tests/app/surroundings.hpp"
#include "tests/catch.hpp"
#include "tests/engine/message_of.hpp"
#include "tests/geometry/solids.hpp"
#include "tests/geometry/written.hpp"
#include "tests/sanitized.hpp"

#include <corral/execution.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace corral;
using namespace corral::geometry;

namespace {

/// While it lives, this process gets no more memory of its own than it has and `bytes` more.
class MemoryBound {
public:
  explicit MemoryBound(std::int64_t bytes) {
    REQUIRE(getrlimit(RLIMIT_DATA, &before_) == 0);
    std::ifstream status("/proc/self/status");
    std::string word;
    std::int64_t now = 0; // [KiB]
    while (status >> word && word != "VmData:") {
    }
    status >> now;
    REQUIRE(now > 0);
    rlimit lower = before_;
    lower.rlim_cur = static_cast<rlim_t>(now * 1024 + bytes);
    if (!test::sanitized) REQUIRE(setrlimit(RLIMIT_DATA, &lower) == 0); // their own memory exceeds any bound
  }
  MemoryBound(const MemoryBound&) = delete;
  MemoryBound& operator=(const MemoryBound&) = delete;
  ~MemoryBound() { setrlimit(RLIMIT_DATA, &before_); }

private:
  rlimit before_{};
};

std::string said_of(const std::string& bytes) {
  std::string said;
  run_with_threads(1, [&] { said = test::message_of([&] { mesh_of({"huge", bytes}); }); }); // others would take stacks
  return said;
}

// Polygons whose corners are numbered by two bytes each, in a fan that uses every point: nothing asks for more memory
// by a file of its size.
std::string fans(std::int64_t polygons) {
  constexpr std::uint16_t points = 65'535;
  std::string all =
      "ply\nformat binary_little_endian 1.0\nelement vertex 65535\nproperty char x\nproperty char y\nproperty char z\n"
      "element face " +
      std::to_string(polygons) + "\nproperty list ushort ushort vertex_index\nend_header\n";
  all += std::string(3 * points, '\1');
  for (std::int64_t i = 0; i < polygons; ++i) {
    all += test::bytes_of(points);
    for (std::uint16_t p = 0; p < points; ++p) all += test::bytes_of(p);
  }
  return all;
}

} // namespace

TEST_CASE("files that announce more than they hold are refused at once, with little memory") {
  const std::string billion = "1000000000";
  std::string stl(200, ' ');
  stl.replace(80, 4, test::bytes_of(std::uint32_t{1'000'000'000}));
  std::string ply =
      "ply\nformat binary_big_endian 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n";
  const MemoryBound bound(256'000'000);
  CHECK(said_of("OFF\n" + billion + " 1 0\n0 0 0\n")
            .starts_with("huge:2: 1000000000 vertices and 1 faces are announced"));
  CHECK(said_of("OFF\n1 " + billion + " 0\n0 0 0\n")
            .starts_with("huge:2: 1 vertices and 1000000000 faces are announced"));
  CHECK(said_of(stl).starts_with("huge:byte 80: 1000000000 triangles are announced"));
  CHECK(said_of(ply + "element face " + billion + "\nproperty list uchar int vertex_index\nend_header\n" +
                std::string(100, '\0'))
            .starts_with("huge:7: 1000000000 of 'face' are announced"));
  // A list that announces a billion corners, one of numbers that are skipped, and elements of which nothing is stored.
  const std::string corners = ply + "element face 1\nproperty list uint int vertex_index\nend_header\n" +
                              std::string(36, '\0') + test::bytes_of(std::uint32_t{1'000'000'000}, true) +
                              std::string(4, '\0');
  CHECK(said_of(corners).starts_with("huge:byte " + std::to_string(corners.size()) +
                                     ": the file ends here (a corner is missing)"));
  CHECK(said_of(ply +
                "element face 1\nproperty list uint double area\nproperty list char int vertex_index\nend_header\n" +
                std::string(36, '\0') + test::bytes_of(std::uint32_t{1'000'000'000}, true) + std::string(4, '\0'))
            .find("area lists 1000000000 numbers (the file ends before)") != std::string::npos);
  CHECK(said_of(
            ply +
            "element nothing 9223372036854775807\nelement face 0\nproperty list uchar int vertex_index\nend_header\n" +
            std::string(36, '\0'))
            .starts_with("huge:byte 0: a surface of 0 triangles"));
}

TEST_CASE("headers are bounded") {
  std::string elements = "ply\nformat ascii 1.0\n", properties = elements + "element vertex 0\n";
  for (int i = 0; i < 1001; ++i) {
    elements += "element e" + std::to_string(i) + " 0\n";
    properties += "property int p" + std::to_string(i) + "\n";
  }
  CHECK(said_of(elements + "end_header\n") == "huge:1003: more than 1000 elements (that is the limit)");
  CHECK(said_of(properties + "end_header\n") ==
        "huge:1004: more than 1000 properties of an element (that is the limit)");
}

TEST_CASE("reading takes a small multiple of the file's size, whatever the file is") {
  const Surface sphere = icosphere(60); // 72,000 triangles
  for (const std::string& bytes : {test::off_text(sphere), test::obj_text(sphere), test::stl_text(sphere), test::stl_bytes(sphere),
                                   test::ply(sphere, test::PlyNumbers::little_endian), fans(10)}) {
    INFO(cited(bytes));
    const MemoryBound bound(20 * static_cast<std::int64_t>(bytes.size()));
    CHECK(surface_of({"large", bytes}).surface.triangles.size() >= 72'000);
  }
  const std::string worst = fans(10);
  {
    const MemoryBound bound(40 * static_cast<std::int64_t>(worst.size()));
    CHECK(said_of(worst).starts_with("huge:byte ")); // that it is no surface, not that memory is short
  }
  for (const std::string& bytes : {test::off_text(sphere), test::obj_text(sphere), test::stl_text(sphere), test::stl_bytes(sphere)}) {
    const MemoryBound bound(8 * static_cast<std::int64_t>(bytes.size()));
    run_with_threads(1, [&] { CHECK(mesh_of({"large", bytes}).mesh.triangle_count() == 72'000); });
  }
}

TEST_CASE("few points join few triangles") {
  // One-byte numbers: 255 points in a polygon, and again.
  std::string all =
      "ply\nformat binary_little_endian 1.0\nelement vertex 300\nproperty char x\nproperty char y\nproperty char z\n"
      "element face 500\nproperty list uchar uchar vertex_index\nend_header\n" +
      std::string(900, '\1');
  for (int i = 0; i < 500; ++i) {
    all += '\xFF';
    for (int p = 0; p < 255; ++p) all += static_cast<char>(p);
  }
  CHECK(said_of(all).find("more than 100000 triangles of the first 255 vertices (two meet at an edge") !=
        std::string::npos);
}

TEST_CASE("what is no plain file is refused by its name") {
  const test::TemporaryDirectory directory;
  const auto said = [&](const std::filesystem::path& file) {
    const std::string all = test::message_of([&] { read_mesh(file); }), name = file.string() + ":1: ";
    REQUIRE(all.starts_with(name));
    return all.substr(name.size());
  };
  CHECK(said(directory / "none.off") == "does not exist (a surface file is expected)");
  CHECK(said(directory.path()) == "is a directory (a surface file is expected) name the file in it");
  CHECK(said("/dev/null") == "is not a plain file (a surface file is expected)");
  const std::filesystem::path pipe = directory / "pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(said(pipe) == "is not a plain file (a surface file is expected)"); // and nothing waits for a writer
  test::put(directory / "empty.stl", "");
  CHECK(said(directory / "empty.stl") == "the file is empty (a surface in OFF, OBJ, STL or PLY is expected)");
  test::put(directory / "cube.off", test::off_text(test::cube()));
  CHECK(read_mesh(directory / "cube.off").mesh.triangle_count() == 12);
  CHECK(said(directory / "cube.off" / "below") == "does not exist (a surface file is expected)");
  if (geteuid() != 0) { // who may read everything
    std::filesystem::permissions(directory / "cube.off", std::filesystem::perms::none);
    CHECK(said(directory / "cube.off") == "cannot be read (Permission denied)");
  }
  // A sparse file of 5 GB: refused before a byte of it is read.
  test::put(directory / "large.stl", "solid\n");
  std::filesystem::resize_file(directory / "large.stl", 5'000'000'000);
  CHECK(said(directory / "large.stl") ==
        "has 5000000000 bytes (at most 4294967294 are read) write a binary file, or fewer triangles");
}
