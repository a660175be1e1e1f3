#include "mppic/seeds/occupancy.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace corral::mppic {
namespace {

/// Collects what centred points of an axis get, folded at walls and wrapped on periodic axes.
class SlabSums {
public:
  SlabSums(const Axis& axis, double low, double high)
      : axis_(axis), begin_(index(low) - 1), sums_(static_cast<std::size_t>(index(high) + 2 - begin_), 0.0) {}

  /// The point left of x or at it, counted from the first cell's centre.
  std::int64_t index(double x) const { return static_cast<std::int64_t>(std::floor(axis_.index(x) - 0.5)); }
  std::int64_t begin() const { return begin_; }
  std::int64_t end() const { return begin_ + static_cast<std::int64_t>(sums_.size()); }
  void add(std::int64_t slab, double share) { sums_[slab - begin_] += share; }

  Shares folded() const {
    const std::int64_t n = axis_.cells;
    const bool wraps = axis_.periodic() && (begin_ < 0 || end() > n);
    Shares shares{wraps ? 0 : std::clamp<std::int64_t>(begin_, 0, n - 1), {}};
    const std::int64_t last = wraps ? n - 1 : std::clamp<std::int64_t>(end() - 1, 0, n - 1);
    shares.values.assign(static_cast<std::size_t>(last - shares.first + 1), 0.0);
    for (std::int64_t i = begin_; i < end(); ++i) {
      const std::int64_t slab = wraps ? ((i % n) + n) % n : std::clamp<std::int64_t>(i, 0, n - 1);
      shares.values[slab - shares.first] += sums_[i - begin_];
    }
    return shares;
  }

private:
  const Axis& axis_;
  std::int64_t begin_;
  std::vector<double> sums_;
};

/// Integral of the linear kernel from -1 to s.
double kernel_integral(double s) {
  s = std::clamp(s, -1.0, 1.0);
  return s < 0 ? 0.5 * (1 + s) * (1 + s) : 1 - 0.5 * (1 - s) * (1 - s);
}

Shares even_shares(const Axis& axis, double low, double high) {
  SlabSums sums(axis, low, high);
  const double from = axis.index(low) - 0.5, to = axis.index(high) - 0.5, length = to - from;
  for (std::int64_t i = sums.begin(); i < sums.end(); ++i) {
    const auto x = static_cast<double>(i);
    sums.add(i, (kernel_integral(to - x) - kernel_integral(from - x)) / length);
  }
  return sums.folded();
}

Shares lattice_shares(const Axis& axis, const LatticeLine& line) {
  SlabSums sums(axis, line.at(0), line.at(line.count - 1));
  const double each = 1 / static_cast<double>(line.count);
  for (std::int64_t k = 0; k < line.count; ++k) {
    const double x = axis.index(line.at(k)) - 0.5;
    const auto i = static_cast<std::int64_t>(std::floor(x));
    const double above = x - static_cast<double>(i);
    sums.add(i, (1 - above) * each);
    sums.add(i + 1, above * each);
  }
  return sums.folded();
}

/// Searches cells axis by axis, z first, for more than the best so far.
class Search {
public:
  explicit Search(const std::vector<ProductLayout>& layouts) : layouts_(layouts), peaks_(layouts.size()) {
    Parts all;
    for (std::size_t s = 0; s < layouts.size(); ++s) {
      if (layouts[s].amount > 0) all.emplace_back(s, layouts[s].amount);
      double peak = 1;
      for (std::size_t d = 0; d < 3; ++d) {
        peaks_[s][d] = peak; // of the axes before d together
        const auto& values = layouts[s].shares[d].values;
        peak *= values.empty() ? 0 : *std::max_element(values.begin(), values.end());
      }
    }
    along(2, all);
  }

  Fullest best;

private:
  /// Layouts by their number, each with its amount times its shares along the axes that are settled.
  using Parts = std::vector<std::pair<std::size_t, double>>;

  void along(int d, const Parts& parts) {
    std::int64_t begin = 0, end = 0;
    for (const auto& [s, part] : parts) {
      const Shares& shares = layouts_[s].shares[d];
      begin = end == 0 ? shares.first : std::min(begin, shares.first);
      end = std::max(end, shares.end());
    }
    Parts here, before;
    for (std::int64_t slab = begin; slab < end; ++slab) {
      here.clear();
      double most = 0; // that the slab's cells can hold
      for (const auto& [s, part] : parts) {
        const double now = part * layouts_[s].shares[d].at(slab);
        if (now <= 0) continue;
        here.emplace_back(s, now);
        most += now * peaks_[s][d];
      }
      if (most <= best.total * (1 + round_off) || same(here, before)) continue;
      cell_[d] = slab;
      if (d > 0) along(d - 1, here);
      else take(here, most);
      std::swap(before, here);
    }
  }

  void take(const Parts& parts, double total) {
    best = {total, cell_, {}};
    for (const auto& [s, part] : parts) best.layouts.push_back(s);
  }

  static bool same(const Parts& a, const Parts& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
      return x.first == y.first && std::abs(x.second - y.second) <= round_off * y.second;
    });
  }

  static constexpr double round_off = 1e-9; ///< of the shares, with something to spare
  const std::vector<ProductLayout>& layouts_;
  std::vector<std::array<double, 3>> peaks_;
  std::array<std::int64_t, 3> cell_{};
};

} // namespace

ProductLayout layout(const Grid& grid, const Seeding& seeding, const SizeDistribution& sizes, Placing placing) {
  const auto parcels = static_cast<double>(seed_count(grid, seeding));
  if (parcels == 0) return {};
  ProductLayout layout{parcels * parcel_volume(grid, seeding, sizes) / grid.cell_volume(), {}};
  const Box box = clipped(seeding.region, grid);
  std::optional<std::array<LatticeLine, 3>> lines;
  if (placing == Placing::as_placed && is_lattice(seeding)) lines = lattice_lines(grid, seeding);
  for (std::size_t d = 0; d < 3; ++d) {
    const Axis& axis = grid.axis(static_cast<int>(d));
    constexpr double dense = 100; // points per cell from which on a lattice is as good as even
    const bool pointwise = lines && (*lines)[d].pitch * dense > axis.spacing;
    layout.shares[d] = axis.thin()  ? Shares{0, {1.0}}
                       : pointwise ? lattice_shares(axis, (*lines)[d])
                                   : even_shares(axis, box.low[d], box.high[d]);
  }
  return layout;
}

Shares covered(const Axis& axis, double low, double high) {
  const double last = static_cast<double>(axis.cells) - 1;
  const double begin = axis.index(low), end = axis.index(high);
  Shares shares{static_cast<std::int64_t>(std::clamp(std::floor(begin), 0.0, last)), {}};
  const auto final = static_cast<std::int64_t>(std::clamp(std::floor(end), 0.0, last));
  for (std::int64_t i = shares.first; i <= final; ++i) {
    const auto x = static_cast<double>(i);
    shares.values.push_back(std::clamp(std::min(end, x + 1) - std::max(begin, x), 0.0, 1.0));
  }
  return shares;
}

Fullest fullest_cell(const std::vector<ProductLayout>& layouts) { return Search(layouts).best; }

} // namespace corral::mppic
