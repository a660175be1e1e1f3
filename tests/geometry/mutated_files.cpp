#include "geometry/files/read_mesh.hpp"
#include "geometry/soundness/faults.hpp"
#include "tests/catch.hpp"
#include "tests/engine/cases.hpp"
#include "tests/geometry/solids.hpp"
#include "tests/geometry/written.hpp"
#include "tests/sanitized.hpp"

#include <sstream>
#include <string>
#include <vector>

using namespace corral;
using namespace corral::geometry;

namespace {

const std::vector<std::string> words{"OFF",
                                     "ply",
                                     "v ",
                                     "f ",
                                     "/",
                                     "solid ",
                                     "endsolid",
                                     "facet",
                                     "vertex ",
                                     "end_header\n",
                                     "element face 4\n",
                                     "property list uchar int vertex_index\n",
                                     "property double x\n",
                                     "\n",
                                     "\r\n",
                                     " ",
                                     "#",
                                     "-",
                                     "+",
                                     "e",
                                     ".",
                                     "3 0 1 2\n",
                                     "0",
                                     "1e308",
                                     "1e-320",
                                     "nan",
                                     "inf",
                                     "4294967296",
                                     "99999999999999999999",
                                     "-1",
                                     "binary_big_endian",
                                     std::string(1, '\0'),
                                     "\xFF\xFF\xFF\xFF",
                                     "\x7F\x80\0\0",
                                     "\xEF\xBB\xBF"};

std::string mutated(std::string bytes, test::Random& random) {
  const auto below = [&](std::size_t n) {
    return static_cast<std::size_t>(random.below(static_cast<std::int64_t>(n)));
  };
  for (std::size_t times = random.below(3) == 0 ? 1 + below(5) : 1; times > 0; --times) {
    const std::size_t at = below(bytes.size() + 1);
    switch (random.below(6)) {
    case 0: bytes.insert(at, words[below(words.size())]); break;
    case 1: bytes.insert(at, 1, static_cast<char>(random.below(256))); break;
    case 2: bytes.erase(at, 1 + below(20)); break;
    case 3: bytes.insert(at, bytes.substr(below(bytes.size() + 1), below(60))); break;
    case 4: bytes.replace(at, below(8), words[below(words.size())]); break;
    default:
      if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
    }
  }
  return bytes;
}

// Either a mesh in which nothing is wrong, or an Error whose every line names a place; "" where that holds.
std::string judged(const std::string& bytes, int& accepted) {
  try {
    const MeshOfFile read = mesh_of({"file", bytes});
    ++accepted;
    return find_faults(read.mesh.surface(), Components::one).text();
  } catch (const Error& e) {
    std::istringstream lines(e.what());
    for (std::string line; std::getline(lines, line);) {
      const std::string_view place = std::string_view(line).substr(0, 5);
      if (place != "file:" && !line.starts_with("and ")) return "no place: " + line;
    }
    return std::string_view(e.what()).starts_with("file:") ? "" : "no message";
  } catch (const std::exception& e) {
    return std::string("another exception: ") + e.what();
  }
}

} // namespace

TEST_CASE("thousands of mutated files of each format give a mesh or a message, nothing else") {
  const Surface s = test::tetrahedron();
  const int rounds = test::sanitized ? 500 : 4000;
  for (const std::string& good :
       {test::off_text(s), test::obj_text(s), test::stl_text(s), test::stl_bytes(s), test::ply(s, test::PlyNumbers::text),
        test::ply(s, test::PlyNumbers::little_endian), test::ply(s, test::PlyNumbers::big_endian)}) {
    int accepted = 0;
    test::Random random(7);
    for (int n = 0; n < rounds; ++n) {
      const std::string bytes = mutated(good, random), wrong = judged(bytes, accepted);
      if (wrong.empty()) continue;
      INFO("mutation " << n << "\n" << bytes);
      FAIL(wrong);
    }
    INFO(cited(good) << ": " << accepted << " of " << rounds << " accepted");
    CHECK(accepted > rounds / 100); // what is skipped may be anything
    CHECK(accepted < rounds / 2);
  }
}
