#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace corral::test {

/// Domains that are thick, thin along one axis or two, and so small that both neighbours are one.
struct Shape {
  std::array<std::int64_t, 3> cells;
  std::array<bool, 3> periodic;
};
inline const std::vector<Shape> shapes{{{6, 5, 4}, {false, false, false}}, {{6, 5, 4}, {true, true, true}},
                                       {{5, 4, 3}, {true, false, true}},   {{3, 3, 5}, {true, true, true}},
                                       {{2, 2, 2}, {true, true, true}},    {{2, 2, 2}, {false, false, false}},
                                       {{1, 5, 4}, {true, true, false}},   {{6, 1, 4}, {false, false, true}},
                                       {{1, 1, 7}, {true, false, true}},   {{6, 5, 1}, {true, false, true}},
                                       {{1, 1, 1}, {false, true, false}}};

} // namespace corral::test
