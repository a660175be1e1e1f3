#pragma once

#include "geometry/vector.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace corral::structure {

/// Who stands near whom in a box that may be periodic: by bins that are no narrower than those reach.
class Neighbours {
public:
  /// `period` [m]: of the box, 0 along axes with walls; `reach` [m]: how near to each other is near.
  Neighbours(const geometry::Vector& low, const geometry::Vector& size, const geometry::Vector& period, double reach)
      : low_(low), period_(period) {
    for (std::size_t d = 0; d < 3; ++d) {
      bins_[d] = std::clamp<std::int64_t>(static_cast<std::int64_t>(size[d] / reach), 1, most_bins);
      length_[d] = size[d] / static_cast<double>(bins_[d]);
    }
    in_bin_.resize(static_cast<std::size_t>(bins_[0] * bins_[1] * bins_[2]));
  }

  const geometry::Vector& period() const { return period_; }

  void clear() {
    for (std::vector<std::int32_t>& bin : in_bin_) bin.clear();
  }
  void add(std::size_t which, const geometry::Vector& x) {
    const auto [i, j, k] = bin(x);
    in_bin_[static_cast<std::size_t>(i + bins_[0] * (j + bins_[1] * k))].push_back(static_cast<std::int32_t>(which));
  }

  /// Calls visit(number) for those in the bins around a place, around the ends of periodic axes, each once, until it
  /// says false.
  template <class Visit> void for_each_near(const geometry::Vector& x, const Visit& visit) const {
    const std::array<std::int64_t, 3> at = bin(x);
    std::array<std::array<std::int64_t, 3>, 3> near{};
    std::array<std::size_t, 3> count{};
    for (std::size_t d = 0; d < 3; ++d)
      for (std::int64_t b = at[d] - 1; b <= at[d] + 1; ++b) {
        if ((b < 0 || b >= bins_[d]) && !(period_[d] > 0)) continue;
        const std::int64_t wrapped = (b + bins_[d]) % bins_[d];
        const auto end = near[d].begin() + static_cast<std::ptrdiff_t>(count[d]);
        if (std::find(near[d].begin(), end, wrapped) == end) near[d][count[d]++] = wrapped;
      }
    for (std::size_t k = 0; k < count[2]; ++k)
      for (std::size_t j = 0; j < count[1]; ++j)
        for (std::size_t i = 0; i < count[0]; ++i)
          for (const std::int32_t other :
               in_bin_[static_cast<std::size_t>(near[0][i] + bins_[0] * (near[1][j] + bins_[1] * near[2][k]))])
            if (!visit(static_cast<std::size_t>(other))) return;
  }

  /// Calls visit(x of an image) for those images of a place that stand nearer to another than `reach` [m], until it says
  /// false; of its `own` images, not for itself. Those around the nearest count where they may be as near.
  template <class Visit>
  void for_each_image(const geometry::Vector& x, const geometry::Vector& near, double reach, bool own,
                      const Visit& visit) const {
    geometry::Vector nearest = x;
    std::array<int, 3> beyond{};
    for (std::size_t d = 0; d < 3; ++d) {
      if (!(period_[d] > 0)) continue;
      nearest[d] += period_[d] * std::round((near[d] - x[d]) / period_[d]);
      beyond[d] = 2 * reach > period_[d] ? 1 : 0;
    }
    for (int i = -beyond[0]; i <= beyond[0]; ++i)
      for (int j = -beyond[1]; j <= beyond[1]; ++j)
        for (int k = -beyond[2]; k <= beyond[2]; ++k) {
          if (own && i == 0 && j == 0 && k == 0) continue;
          const geometry::Vector image{nearest[0] + i * period_[0], nearest[1] + j * period_[1],
                                       nearest[2] + k * period_[2]};
          double square = 0;
          for (std::size_t d = 0; d < 3; ++d) square += (image[d] - near[d]) * (image[d] - near[d]);
          if (square < reach * reach && !visit(image)) return;
        }
  }

private:
  static constexpr std::int64_t most_bins = 64; // along an axis

  std::array<std::int64_t, 3> bin(const geometry::Vector& x) const {
    std::array<std::int64_t, 3> at{};
    for (std::size_t d = 0; d < 3; ++d)
      at[d] = std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor((x[d] - low_[d]) / length_[d])), 0,
                                       bins_[d] - 1);
    return at;
  }

  geometry::Vector low_, period_;
  std::array<std::int64_t, 3> bins_{1, 1, 1};
  geometry::Vector length_{};
  std::vector<std::vector<std::int32_t>> in_bin_;
};

} // namespace corral::structure
