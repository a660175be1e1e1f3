#pragma once

/// Numbers on a few faces of fields on a device.

#include "fluid/few_faces.hpp"

#include <corral/for_each.cuh>
#include <corral/staged.cuh>

#include <algorithm>
#include <tuple>

namespace corral::fluid {

struct WriteFace {
  const FaceValue* values;
  FacePointers to;
  CORRAL_HOST_DEVICE void operator()(std::int64_t k) const { to[values[k].d][values[k].face] = values[k].value; }
};

inline void FewFaces::write(Gpu gpu, const std::vector<FaceValue>& values, FaceArrays& to) {
  std::vector<FaceValue> sorted = values;
  const auto place = [](const FaceValue& v) { return std::tuple(v.d, v.face); };
  std::stable_sort(sorted.begin(), sorted.end(), [&](const auto& a, const auto& b) { return place(a) < place(b); });
  std::size_t kept = 0; // of each face the last
  for (std::size_t k = 0; k < sorted.size(); ++k)
    if (k + 1 == sorted.size() || place(sorted[k]) != place(sorted[k + 1])) sorted[kept++] = sorted[k];
  staged_.resize(static_cast<std::int64_t>(kept));
  std::copy_n(sorted.begin(), kept, staged_.here.begin());
  send(gpu, staged_);
  for_each(gpu, staged_.size(), WriteFace{staged_.there.data(), writable_pointers(to)});
}

} // namespace corral::fluid
