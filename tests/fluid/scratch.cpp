#include "fluid/scratch.hpp"

#include "tests/catch.hpp"
#include "tests/fluid/face_fields.hpp"

#include <cmath>

namespace corral::test {

using fluid::Scratch;

TEST_CASE("what is given back from scratch has its place taken by the next array, and no more is taken than is alive at once") {
  Scratch scratch;
  Array<double> a, b, c;
  const std::int64_t before = memory_use(Memory::host).held;
  for (int step = 0; step < 3; ++step) {
    scratch.take(1000, a);
    scratch.take(500, b);
    a.fill(1);
    b.fill(2);
    const double* const of_b = b.data();
    scratch.give_back(b);
    CHECK(b.empty());
    scratch.take(500, c);
    CHECK(c.size() == 500);
    if (step > 0) CHECK(c.data() == of_b); // the first time all have memory of their own
    c.fill(3);
    CHECK(a[999] == 1);
    scratch.give_back(a, c);
    CHECK(scratch.idle());
  }
  CHECK(memory_use(Memory::host).held - before == 8 * (1024 + 512));
  scratch.give_back(a); // of an empty one nothing
}

TEST_CASE("an array has room for more values, and keeps its place as they become so many") {
  Scratch scratch;
  Array<double> a, b;
  const double* place = nullptr;
  for (const std::int64_t size : {10, 50, 100}) {
    scratch.take(size, a, 100);
    scratch.take(10, b);
    if (size == 100) CHECK(b.data() == place);
    place = b.data();
    CHECK(a.size() == size);
    scratch.give_back(a, b);
  }
}

TEST_CASE("fields of a grid fit where others were, and thin axes cost no more") {
  for (const std::array<std::int64_t, 3> cells : {std::array<std::int64_t, 3>{9, 8, 10}, {1, 20, 30}}) {
    const Grid grid = fluid::Domain::make_grid(cells, {0, 0, 0}, {1, 1, 1}, {});
    Scratch scratch(grid);
    fluid::FaceArrays faces;
    Array<double> in_cells, others;
    for (int step = 0; step < 3; ++step) {
      scratch.take_cells(grid, in_cells);
      scratch.take_cells(grid, others);
      scratch.give_back(in_cells);
      scratch.take_faces(grid, faces); // one of them where cells were
      if (step > 1) CHECK((faces[0].data() < others.data() || faces[1].data() < others.data() || faces[2].data() < others.data()));
      scratch.give_back(others, faces);
    }
  }
}

TEST_CASE("poisoned scratch is full of NaN when it is taken, and after it was given back") {
  Scratch scratch;
  scratch.poison();
  Array<double> a;
  const double* kept = nullptr;
  for (int step = 0; step < 3; ++step) {
    scratch.take(100, a);
    for (const double value : a) CHECK(std::isnan(value));
    a.fill(1);
    kept = a.data();
    scratch.give_back(a);
    if (step > 0) CHECK(std::isnan(*kept)); // of the block, which is still there
  }
}

} // namespace corral::test
