#include "structure/markers/point_band.hpp"

#include "engine/shared/support.hpp"

#include <corral/for_each.hpp>
#include <corral/kernel_weights.hpp>
#include <corral/kernels/shipped.hpp>
#include <corral/vector_loops.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace corral::structure {

namespace point_band {

constexpr std::int64_t bits = 64, near = 8;
constexpr std::int32_t outside = std::numeric_limits<std::int32_t>::min();

/// The components of a cell, which are computed with at once. Of any alignment, and another name of doubles.
using Cell = double __attribute__((vector_size(32), aligned(8), may_alias));

/// Bits [begin, begin + n) of a word, n at least 1.
constexpr std::uint64_t ones(int begin, int n) { return (~std::uint64_t{0} >> (bits - n)) << begin; }

/// What loops over points read.
struct Stencils {
  int support, deep;
  const double* weights;    ///< [point][axis][support]
  const std::int32_t* rows; ///< [point][deep][support]
  const std::int32_t* order; ///< of points; null: as they are numbered
  double* band;

  std::int64_t point(std::int64_t i) const { return order ? order[i] : i; }
};

/// Points of a stencil along x and y, and along z: as constants, or, N = 0, as they are found.
template <int N, int Z> struct Size {
  int of_support, of_deep;
  CORRAL_INLINED int across() const { return N > 0 ? N : of_support; }
  CORRAL_INLINED int deep() const { return N > 0 ? Z : of_deep; }
};

/// Asks for the rows of a point that comes soon.
constexpr std::int64_t soon = 8;
CORRAL_INLINED void ask_for_rows(const Stencils& s, std::int64_t i, std::int64_t end, int count) {
  if (i >= end) return;
  const std::int32_t* const rows = s.rows + s.point(i) * count;
  if (rows[0] < 0) return;
  for (int r = 0; r < count; ++r) __builtin_prefetch(reinterpret_cast<const Cell*>(s.band) + rows[r]);
}

/// Of the i-th point: its number, rows in the band, and weights along the axes.
struct Stencil {
  std::int64_t point;
  const std::int32_t* rows;
  const double *x, *y, *z;
};
CORRAL_INLINED Stencil stencil_of(const Stencils& s, std::int64_t i, int across, int deep) {
  const std::int64_t p = s.point(i);
  const double* const x = s.weights + 3 * across * p;
  return {p, s.rows + p * across * deep, x, x + across, x + 2 * across};
}

template <int N, int Z>
CORRAL_VECTOR_CLONES static void read(const Stencils s, std::int64_t begin, std::int64_t end, const Points values) {
  const Size<N, Z> size{s.support, s.deep};
  const int across = size.across(), deep = size.deep();
  for (std::int64_t i = begin; i < end; ++i) {
    ask_for_rows(s, i + soon, end, across * deep);
    const auto [p, rows, x, y, z] = stencil_of(s, i, across, deep);
    if (rows[0] < 0) continue;
    Cell sum{};
    for (int c = 0; c < deep; ++c)
      for (int b = 0; b < across; ++b) {
        const Cell* const row = reinterpret_cast<const Cell*>(s.band) + rows[c * across + b];
        Cell along = row[0] * x[0];
        for (int a = 1; a < across; ++a) along += row[a] * x[a];
        sum += along * (y[b] * z[c]);
      }
    for (int d = 0; d < 3; ++d) values[d][p] = sum[d];
  }
}

template <int N, int Z>
CORRAL_VECTOR_CLONES static void add(const Stencils s, std::int64_t begin, std::int64_t end, const ConstPoints values, double scale) {
  const Size<N, Z> size{s.support, s.deep};
  const int across = size.across(), deep = size.deep();
  for (std::int64_t i = begin; i < end; ++i) {
    ask_for_rows(s, i + soon, end, across * deep);
    const auto [p, rows, x, y, z] = stencil_of(s, i, across, deep);
    if (rows[0] < 0) continue;
    const Cell value{scale * values[0][p], scale * values[1][p], scale * values[2][p], 0};
    for (int c = 0; c < deep; ++c)
      for (int b = 0; b < across; ++b) {
        Cell* const row = reinterpret_cast<Cell*>(s.band) + rows[c * across + b];
        const Cell yz = value * (y[b] * z[c]);
        for (int a = 0; a < across; ++a) row[a] += yz * x[a];
      }
  }
}

/// f(constants N and Z of Size) for stencils of that size.
template <class F> void with_size(int support, int deep, const F& f) {
  const auto of = [&]<int N>() {
    if (deep == 1) f(std::integral_constant<int, N>{}, std::integral_constant<int, 1>{});
    else f(std::integral_constant<int, N>{}, std::integral_constant<int, N>{});
  };
  switch (support) {
  case 3: return of.template operator()<3>();
  case 4: return of.template operator()<4>();
  default: return of.template operator()<0>();
  }
}

/// Where each word of rows has its cells in the band.
struct Words {
  std::int64_t in_row;
  const BandWord* word;

  CORRAL_INLINED std::int32_t operator()(std::int64_t row, std::int64_t x) const {
    const BandWord& w = word[row * in_row + x / bits];
    return w.before + std::popcount(w.reached & ((std::uint64_t{1} << (x % bits)) - 1));
  }
};

/// What places along an axis stand for, from 0 on.
struct Folded {
  const std::int32_t* index;
  const std::int8_t* sign;
};
/// Of points [begin, end) whose rows along x lie in one piece and meet no wall.
template <int N, int Z>
CORRAL_VECTOR_CLONES static void find_rows(const Words words, const Folded y, const Folded z, std::int64_t nx, std::int64_t ny,
                                           const Size<N, Z> size, const std::int32_t* first, std::int32_t* rows, std::int64_t begin,
                                           std::int64_t end) {
  const int across = size.across(), deep = size.deep();
  for (std::int64_t p = begin; p < end; ++p) {
    const std::int32_t* const at = first + 3 * p;
    std::int32_t* const to = rows + p * across * deep;
    bool plain = at[0] >= 0 && at[0] + across <= nx;
    for (int b = 0; b < across; ++b) plain = plain && y.sign[at[1] + b] == 1;
    for (int c = 0; c < deep; ++c) plain = plain && z.sign[at[2] + c] == 1;
    if (!plain) {
      to[0] = -1;
      continue;
    }
    for (int c = 0; c < deep; ++c)
      for (int b = 0; b < across; ++b) to[c * across + b] = words(y.index[at[1] + b] + ny * z.index[at[2] + c], at[0]);
  }
}

/// Words of rows, by places along y and z.
struct Rows {
  std::int64_t words, ny; ///< words: of a row
  const std::int32_t *y, *z;
  BandWord* word;
};
/// Of a stencil that begins there, whose rows have a word each.
template <int N, int Z> CORRAL_INLINED void mark_stencil(const Rows& rows, const Size<N, Z> size, const std::int32_t* at) {
  const std::uint64_t here = ones(static_cast<int>(at[0] % bits), size.across());
  BandWord* const word = rows.word + at[0] / bits;
  for (int c = 0; c < size.deep(); ++c)
    for (int b = 0; b < size.across(); ++b) word[rows.words * (rows.y[at[1] + b] + rows.ny * rows.z[at[2] + c])].reached |= here;
}

} // namespace point_band

using namespace point_band;

bool PointBand::serves(const Grid& grid, const std::string& kernel) {
  bool plain = false;
  kernels::with_kernel(kernel, [&]<class K>(const K&) { plain = kernels::Kernel<K>; });
  return plain && !grid.axis(0).thin() && !grid.axis(1).thin();
}

PointBand::PointBand(const Grid& grid, const std::string& kernel)
    : grid_(grid), kernel_(kernel), words_((grid.axis(0).cells + bits - 1) / bits) {
  kernels::with_kernel(kernel_, [&](const auto& k) { support_ = KernelWeights<double>::of(k).support(false); });
  deep_ = grid.axis(2).thin() ? 1 : support_;
  for (std::size_t d = 0; d < 3; ++d) folds_[d] = folds_of(grid.axis(static_cast<int>(d)), support_);
  const std::int64_t words = words_ * grid.axis(1).cells * grid.axis(2).cells;
  band_words_.resize(static_cast<std::size_t>(words));
}

PointBand::Folds PointBand::folds_of(const Axis& axis, int support) {
  Folds folds{.reach = support + 1, .index = {}, .sign = {}, .drops = false};
  for (std::int64_t i = -folds.reach; i < axis.cells + folds.reach; ++i) {
    const shared::FoldedPoint f = shared::fold(axis, false, -1, i);
    folds.index.push_back(static_cast<std::int32_t>(f.index));
    folds.sign.push_back(static_cast<std::int8_t>(f.sign));
    folds.drops = folds.drops || f.sign == 0;
  }
  return folds;
}

namespace {

/// Of points along an axis, which are placed as CellOrder does it.
struct Along {
  double origin, inverse, cells; ///< inverse: of the spacing
  double offset;                 ///< of what a stencil begins with: half a cell where kernels have an even number of points
  double low, high;              ///< between these a point is inside; on the last face it is, which rounding may put beyond it,
  double last;                   ///< and in the last cell

  Along(const Axis& axis, int support)
      : origin(axis.origin), inverse(1 / axis.spacing), cells(static_cast<double>(axis.cells)), offset(support % 2 == 0 ? 0.5 : 0),
        low(axis.periodic() ? -farthest : 0), high(axis.periodic() ? farthest : cells * (1 + 1e-14)),
        last(axis.periodic() ? farthest : cells - 1) {}

  static constexpr double farthest = 1 << 30; ///< that cells can be counted to
};
constexpr int batch = 32;

/// Of `batch` points: the cells that stencils have in the middle, or below that, outside where there is none, and what kernels ask for.
CORRAL_VECTOR_CLONES void find_cells(const double* x, const Along a, std::int32_t* cell, double* r) {
  for (int i = 0; i < batch; ++i) {
    const double index = (x[i] - a.origin) * a.inverse, from = index - a.offset, whole = std::min(std::floor(from), a.last);
    const bool inside = index >= a.low && index <= a.high; // a NaN is not
    r[i] = inside ? from - whole - (0.5 - a.offset) : 0;
    cell[i] = static_cast<std::int32_t>(inside ? whole : static_cast<double>(outside));
  }
}

} // namespace

/// Stencils of points [begin, end).
void PointBand::place(const AxisKernel<double>& kernel, std::int64_t begin, std::int64_t end, const ConstPoints& x) {
  alignas(64) double r[batch], w[16 * batch], places[batch] = {};
  alignas(64) std::int32_t cell[batch];
  for (std::int64_t p = begin; p < end; p += batch) {
    const int n = static_cast<int>(std::min<std::int64_t>(batch, end - p));
    for (int d = 0; d < 3; ++d) {
      const Axis& axis = grid_.axis(d);
      const Along along(axis, support_);
      std::int32_t *const first = first_.data() + 3 * p + d, *const unwrapped = unwrapped_.data() + 3 * p + d;
      double* const weights = weights_.data() + (3 * p + d) * support_;
      std::copy_n(x[static_cast<std::size_t>(d)] + p, n, places);
      find_cells(places, along, cell, r);
      const int before = (support_ - 1) / 2;
      for (int i = 0; i < n; ++i) {
        const std::int64_t whole = cell[i];
        const bool wraps = axis.periodic() && (whole < 0 || whole >= axis.cells);
        unwrapped[3 * i] = static_cast<std::int32_t>(whole - before);
        first[3 * i] = cell[i] == outside ? outside
                       : wraps            ? static_cast<std::int32_t>((whole % axis.cells + axis.cells) % axis.cells - before)
                                          : unwrapped[3 * i];
      }
      if (axis.thin()) {
        for (int i = 0; i < n; ++i) weights[3 * i * support_] = 1, unwrapped[3 * i] = 0, first[3 * i] = first[3 * i] == outside ? outside : 0;
        continue;
      }
      kernel.evaluate(kernel.kernel, r, n, w, batch);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < support_; ++j) weights[3 * i * support_ + j] = w[j * batch + i];
    }
  }
}

std::int64_t PointBand::find(Cpu cpu, const ConstPoints& x, std::int64_t n) {
  points_ = n;
  first_.resize(3 * n);
  unwrapped_.resize(3 * n);
  weights_.resize(3 * n * support_);
  rows_.resize(n * support_ * deep_);
  kernels::with_kernel(kernel_, [&](const auto& k) {
    const AxisKernel<double> kernel = KernelWeights<double>::of(k).across;
    for_each_chunk(cpu, n, points_at_once, [&](std::int64_t begin, std::int64_t end) { place(kernel, begin, end, x); });
  });
  std::int64_t inside = 0;
  for (std::int64_t p = 0; p < n; ++p) {
    const std::int32_t* const at = first_.data() + 3 * p;
    inside += at[0] != outside && at[1] != outside && at[2] != outside ? 1 : 0;
  }
  if (inside < n) points_ = 0;
  mark();
  collect();
  if (points_ == 0) return inside;
  const auto folded = [this](std::size_t d) {
    return Folded{folds_[d].index.data() + folds_[d].reach, folds_[d].sign.data() + folds_[d].reach};
  };
  for_each_chunk(cpu, n, points_at_once, [&](std::int64_t begin, std::int64_t end) {
    with_size(support_, deep_, [&](auto across, auto deep) {
      find_rows({words_, band_words_.data()}, folded(1), folded(2), grid_.axis(0).cells, grid_.axis(1).cells,
                Size<across(), deep()>{support_, deep_}, first_.data(), rows_.data(), begin, end);
    });
  });
  share_out();
  return inside;
}

void PointBand::mark_row(std::int64_t row, std::int64_t x, std::int64_t n) {
  while (n > 0) {
    const std::int64_t begin = x % bits, here = std::min(n, bits - begin);
    band_words_[static_cast<std::size_t>(row * words_ + x / bits)].reached |= ones(static_cast<int>(begin), static_cast<int>(here));
    x += here, n -= here;
  }
}

/// f(y, z, sign along y, along z) of each row of the point's stencil that is not dropped, as numbers in it and in the grid.
template <class F> void PointBand::each_row_of(std::int64_t p, const F& f) const {
  const std::int32_t* const at = first_.data() + 3 * p;
  const Folds &y = folds_[1], &z = folds_[2];
  for (int c = 0; c < deep_; ++c) {
    const auto k = static_cast<std::size_t>(at[2] + c + z.reach);
    if (z.sign[k] == 0) continue;
    for (int b = 0; b < support_; ++b) {
      const auto j = static_cast<std::size_t>(at[1] + b + y.reach);
      if (y.sign[j] != 0) f(b, c, y.index[j] + grid_.axis(1).cells * z.index[k], y.sign[j], z.sign[k]);
    }
  }
}

void PointBand::mark() {
  for (const fluid::RowPart& part : parts_) { // of the last time
    BandWord* const row = band_words_.data() + part.row * words_;
    std::fill(row + part.begin / bits, row + (part.end + bits - 1) / bits, BandWord{});
  }
  const std::int64_t nx = grid_.axis(0).cells, ny = grid_.axis(1).cells;
  const Rows rows{words_, ny, folds_[1].index.data() + folds_[1].reach, folds_[2].index.data() + folds_[2].reach, band_words_.data()};
  const bool all = !folds_[1].drops && !folds_[2].drops;
  with_size(support_, deep_, [&](auto across, auto deep) {
    const Size<across(), deep()> size{support_, deep_};
    for (std::int64_t p = 0; p < points_; ++p) {
      const std::int32_t* const at = first_.data() + 3 * p;
      const bool inside = at[0] >= 0 && at[0] + support_ <= nx;
      if (all && inside && at[0] % bits + support_ <= bits) {
        mark_stencil(rows, size, at);
        continue;
      }
      each_row_of(p, [&](int, int, std::int64_t row, int, int) {
        if (inside) return mark_row(row, at[0], support_);
        for (int a = 0; a < support_; ++a) {
          const auto i = static_cast<std::size_t>(at[0] + a + folds_[0].reach);
          if (folds_[0].sign[i] != 0) mark_row(row, folds_[0].index[i], 1);
        }
      });
    }
  });
}

/// Runs of ones, with what lies between near ones.
void PointBand::collect() {
  const std::int64_t words = std::ssize(band_words_);
  parts_.clear();
  for (std::int64_t w = 0; w < words; ++w) {
    std::uint64_t left = band_words_[static_cast<std::size_t>(w)].reached;
    while (left != 0) {
      const std::int64_t row = w / words_;
      const int first = std::countr_zero(left), count = std::countr_one(left >> first);
      const std::int64_t begin = w % words_ * bits + first, end = begin + count;
      if (!parts_.empty() && parts_.back().row == row && begin - parts_.back().end < near) {
        mark_row(row, parts_.back().end, begin - parts_.back().end);
        parts_.back().end = end;
      } else parts_.push_back({row, begin, end});
      left = first + count == bits ? 0 : left >> (first + count) << (first + count);
    }
  }
  part_first_.resize(parts_.size());
  std::int64_t cells = 0, last = -1;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const fluid::RowPart& part = parts_[k];
    part_first_[k] = static_cast<std::int32_t>(cells);
    for (std::int64_t w = part.begin / bits; w <= (part.end - 1) / bits; ++w) {
      const std::int64_t word = part.row * words_ + w;
      if (word == last) continue;
      last = word;
      band_words_[static_cast<std::size_t>(word)].before = static_cast<std::int32_t>(cells + std::max<std::int64_t>(0, w * bits - part.begin));
    }
    cells += part.end - part.begin;
  }
  cells_ = cells;
  velocity_.resize(lanes * cells);
  forces_.resize(lanes * cells);
}

/// Points into slabs of planes that spread at once without meeting: every other one.
void PointBand::share_out() {
  const std::size_t axis = deep_ > 1 ? 2 : 1;
  const std::int64_t planes = grid_.axis(static_cast<int>(axis)).cells;
  const auto plane_of = [&](std::int64_t p) {
    return std::clamp<std::int64_t>(first_[3 * p + static_cast<std::int64_t>(axis)] + (support_ - 1) / 2, 0, planes - 1);
  };
  by_slab_.clear();
  slab_begin_ = {0, points_};
  constexpr std::int64_t enough_for_one = 512, most_slabs = 256; // the cuts depend on points and grid alone
  if (points_ < 2 * enough_for_one) return;
  std::vector<std::int64_t> before(static_cast<std::size_t>(planes) + 1, 0);
  for (std::int64_t p = 0; p < points_; ++p) ++before[static_cast<std::size_t>(plane_of(p)) + 1];
  for (std::size_t k = 1; k < before.size(); ++k) before[k] += before[k - 1];
  std::vector<std::int64_t> planes_of{0};
  const std::int64_t share = std::max(enough_for_one, points_ / most_slabs);
  for (std::int64_t k = support_; k <= planes - support_; ++k)
    if (const std::int64_t last = planes_of.back();
        k - last >= support_ && before[static_cast<std::size_t>(k)] - before[static_cast<std::size_t>(last)] >= share)
      planes_of.push_back(k);
  planes_of.push_back(planes);
  if (planes_of.size() > 2 && planes_of.size() % 2 == 0) planes_of.erase(planes_of.end() - 2); // an even number of slabs, or one
  slab_begin_.clear();
  for (const std::int64_t k : planes_of) slab_begin_.push_back(before[static_cast<std::size_t>(k)]);
  by_slab_.resize(static_cast<std::size_t>(points_));
  std::vector<std::int64_t> next = slab_begin_;
  std::vector<std::int32_t> slab(static_cast<std::size_t>(planes), 0);
  for (std::size_t s = 0; s + 1 < planes_of.size(); ++s)
    std::fill(slab.begin() + planes_of[s], slab.begin() + planes_of[s + 1], static_cast<std::int32_t>(s));
  for (std::int64_t p = 0; p < points_; ++p)
    by_slab_[static_cast<std::size_t>(next[static_cast<std::size_t>(slab[static_cast<std::size_t>(plane_of(p))])]++)] = static_cast<std::int32_t>(p);
}

/// f(place in the band, weight, by component) of each cell that a point reaches, one by one.
template <class F> void PointBand::each_cell_of(std::int64_t p, const Signs& signs, const F& f) const {
  const Words words{words_, band_words_.data()};
  const double *const x = weights_.data() + 3 * support_ * p, *const y = x + support_, *const z = y + support_;
  const auto turned = [&](std::size_t d, std::size_t axis, int sign) { return signs[d][axis] == Sign::minus ? sign : std::abs(sign); };
  each_row_of(p, [&](int b, int c, std::int64_t row, int sign_y, int sign_z) {
    for (int a = 0; a < support_; ++a) {
      const auto i = static_cast<std::size_t>(first_[3 * p] + a + folds_[0].reach);
      const int sign_x = folds_[0].sign[i];
      if (sign_x == 0) continue;
      const double weight = x[a] * y[b] * z[c];
      std::array<double, 3> w{};
      for (std::size_t d = 0; d < 3; ++d) w[d] = weight * turned(d, 0, sign_x) * turned(d, 1, sign_y) * turned(d, 2, sign_z);
      f(words(row, folds_[0].index[i]), w);
    }
  });
}

void PointBand::interpolate(Cpu cpu, const Signs& signs, const Points& values) const {
  const Stencils s{support_, deep_, weights_.data(), rows_.data(), nullptr, const_cast<double*>(velocity_.data())};
  for_each_chunk(cpu, points_, points_at_once, [&](std::int64_t begin, std::int64_t end) {
    with_size(support_, deep_, [&](auto across, auto deep) { read<across(), deep()>(s, begin, end, values); });
    for (std::int64_t p = begin; p < end; ++p) {
      if (rows_[p * support_ * deep_] >= 0) continue;
      std::array<double, 3> sum{};
      each_cell_of(p, signs, [&](std::int32_t cell, const std::array<double, 3>& w) {
        for (std::size_t d = 0; d < 3; ++d) sum[d] += w[d] * velocity_[lanes * std::int64_t{cell} + static_cast<std::int64_t>(d)];
      });
      for (std::size_t d = 0; d < 3; ++d) values[d][p] = sum[d];
    }
  });
}

void PointBand::clear_forces(Cpu cpu) {
  for_each_chunk(cpu, forces_.size(), chunk_size * lanes, [&](std::int64_t begin, std::int64_t end) {
    std::fill(forces_.data() + begin, forces_.data() + end, 0.0);
  });
}

void PointBand::spread(Cpu cpu, const ConstPoints& values, double scale, const Signs& signs) {
  const Stencils s{support_, deep_, weights_.data(), rows_.data(), by_slab_.empty() ? nullptr : by_slab_.data(), forces_.data()};
  const std::int64_t slabs = std::ssize(slab_begin_) - 1;
  for (std::int64_t colour = 0; colour < 2; ++colour)
    for_each_chunk(cpu, (slabs + 1 - colour) / 2, 1, [&](std::int64_t half, std::int64_t) {
      const auto slab = static_cast<std::size_t>(2 * half + colour);
      const std::int64_t begin = slab_begin_[slab], end = slab_begin_[slab + 1];
      with_size(support_, deep_, [&](auto across, auto deep) { add<across(), deep()>(s, begin, end, values, scale); });
      for (std::int64_t i = begin; i < end; ++i) {
        const std::int64_t p = s.point(i);
        if (rows_[p * support_ * deep_] >= 0) continue;
        each_cell_of(p, signs, [&](std::int32_t cell, const std::array<double, 3>& w) {
          for (std::size_t d = 0; d < 3; ++d) forces_[lanes * std::int64_t{cell} + static_cast<std::int64_t>(d)] += w[d] * (scale * values[d][p]);
        });
      }
    });
}

} // namespace corral::structure
