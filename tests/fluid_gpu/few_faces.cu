#include "fluid/domain.hpp"
#include "fluid/few_faces.cuh"
#include "tests/catch.hpp"

#include <vector>

/// Numbers that the host knows of a few faces, such as inlets'.
namespace corral::test {

TEST_CASE("of two numbers on one face the later stays, on either processor, and other faces stay as they are") {
  const Grid grid = fluid::Domain::make_grid({4, 3, 2}, {0, 0, 0}, {4, 3, 2}, {});
  const std::vector<fluid::FaceValue> values{{2, 5, 1.5}, {0, 3, 2}, {2, 5, -1}, {2, 0, 7}, {1, 5, 4}, {2, 5, 9}, {0, 3, -2}};
  fluid::FaceArrays here = fluid::make_face_arrays(grid, 0.25), there = fluid::make_face_arrays(grid, 0.25, Memory::device);
  fluid::FewFaces writer;
  writer.write(Cpu{}, values, here);
  writer.write(Gpu{}, values, there);
  CHECK(here[2][5] == 9);
  CHECK(here[0][3] == -2);
  CHECK(here[1][4] == 0.25);
  for (std::size_t d = 0; d < 3; ++d) CHECK(there[d].values() == here[d].values());
  writer.write(Gpu{}, {}, there);
  writer.write(Gpu{}, {{1, 0, 3}}, there); // fewer than before
  CHECK(there[1].values()[0] == 3);
  CHECK(there[2].values() == here[2].values());
}

} // namespace corral::test
