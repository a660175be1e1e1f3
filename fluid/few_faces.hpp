#pragma once

#include "fluid/faces.hpp"

#include <corral/execution.hpp>
#include <corral/grid.hpp>
#include <corral/staged.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace corral::fluid {

/// A number on a face with normal d.
struct FaceValue {
  int d;
  std::int64_t face;
  double value;
};

/// Calls f(Face) for the faces of a side of the box, one after the other.
template <class F> void for_each_face_of_side(const Grid& grid, int side, const F& f) {
  const int d = side / 2;
  std::array<std::int64_t, 3> begin{}, end{};
  for (int e = 0; e < 3; ++e) end[e] = grid.points(face(d), e);
  begin[d] = side % 2 == 0 ? 0 : end[d] - 1;
  end[d] = begin[d] + 1;
  for (std::int64_t k = begin[2]; k < end[2]; ++k)
    for (std::int64_t j = begin[1]; j < end[1]; ++j) {
      const FaceRow row(grid, d, j, k);
      for (std::int64_t i = begin[0]; i < end[0]; ++i) f(row[i]);
    }
}

/// Writes numbers that the host knows of a few faces, such as inlets', to fields of either processor. Of two on one face the
/// later stays.
class FewFaces {
public:
  void write(Cpu, const std::vector<FaceValue>& values, FaceArrays& to) {
    for (const FaceValue& v : values) to[static_cast<std::size_t>(v.d)][v.face] = v.value;
  }
  /// The stream has been waited for since the last call. That of few_faces.cuh.
  void write(Gpu, const std::vector<FaceValue>& values, FaceArrays& to);

private:
  Staged<FaceValue> staged_;
};

} // namespace corral::fluid
