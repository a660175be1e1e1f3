#include "structure/markers/point_band.hpp"

#include <corral/for_each.hpp>
#include <corral/vector_loops.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <type_traits>

namespace corral::structure {

namespace point_band {

/// The components of a cell, which are computed with at once. Of any alignment, and another name of doubles.
using Cell = double __attribute__((vector_size(32), aligned(8), may_alias));

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

/// f(stencil, its points along x and y, along z) of points [begin, end) whose rows are known.
template <int N, int Z, class F> CORRAL_INLINED void each_stencil(const Stencils& s, std::int64_t begin, std::int64_t end, const F& f) {
  const Size<N, Z> size{s.support, s.deep};
  const int across = size.across(), deep = size.deep();
  for (std::int64_t i = begin; i < end; ++i) {
    ask_for_rows(s, i + soon, end, across * deep);
    if (const Stencil stencil = stencil_of(s, i, across, deep); stencil.rows[0] >= 0) f(stencil, across, deep);
  }
}

template <int N, int Z>
CORRAL_VECTOR_CLONES static void read(const Stencils s, std::int64_t begin, std::int64_t end, const Points values) {
  each_stencil<N, Z>(s, begin, end, [&](const Stencil& at, int across, int deep) __attribute__((always_inline)) {
    Cell sum{};
    for (int c = 0; c < deep; ++c)
      for (int b = 0; b < across; ++b) {
        const Cell* const row = reinterpret_cast<const Cell*>(s.band) + at.rows[c * across + b];
        Cell along = row[0] * at.x[0];
        for (int a = 1; a < across; ++a) along += row[a] * at.x[a];
        sum += along * (at.y[b] * at.z[c]);
      }
    for (int d = 0; d < 3; ++d) values[d][at.point] = sum[d];
  });
}

template <int N, int Z>
CORRAL_VECTOR_CLONES static void add(const Stencils s, std::int64_t begin, std::int64_t end, const ConstPoints values, double scale) {
  each_stencil<N, Z>(s, begin, end, [&](const Stencil& at, int across, int deep) __attribute__((always_inline)) {
    const Cell value{scale * values[0][at.point], scale * values[1][at.point], scale * values[2][at.point], 0};
    for (int c = 0; c < deep; ++c)
      for (int b = 0; b < across; ++b) {
        Cell* const row = reinterpret_cast<Cell*>(s.band) + at.rows[c * across + b];
        const Cell yz = value * (at.y[b] * at.z[c]);
        for (int a = 0; a < across; ++a) row[a] += yz * at.x[a];
      }
  });
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

/// Of points [begin, end) whose rows along x lie in one piece and meet no wall.
template <int N, int Z>
CORRAL_VECTOR_CLONES static void find_rows(const MarkedCells::Places places, const BandStencils::Folded y, const BandStencils::Folded z,
                                           std::int64_t nx, std::int64_t ny, const Size<N, Z> size, const std::int32_t* first, std::int32_t* rows, std::int64_t begin,
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
      for (int b = 0; b < across; ++b) to[c * across + b] = places(y.index[at[1] + b] + ny * z.index[at[2] + c], at[0]);
  }
}

/// Words of rows, by places along y and z.
struct Rows {
  std::int64_t words, ny; ///< words: of a row
  const std::int32_t *y, *z;
  MarkedCells::Word* word;
};
/// Of a stencil that begins there, whose rows have a word each.
template <int N, int Z> CORRAL_INLINED void mark_stencil(const Rows& rows, const Size<N, Z> size, const std::int32_t* at) {
  const std::uint64_t here = MarkedCells::ones(static_cast<int>(at[0] % MarkedCells::bits), size.across());
  MarkedCells::Word* const word = rows.word + at[0] / MarkedCells::bits;
  for (int c = 0; c < size.deep(); ++c)
    for (int b = 0; b < size.across(); ++b) word[rows.words * (rows.y[at[1] + b] + rows.ny * rows.z[at[2] + c])].marked |= here;
}

} // namespace point_band

using namespace point_band;

PointBand::PointBand(const Grid& grid, const std::string& kernel)
    : stencils_(grid, kernel), cells_(grid.axis(0).cells, grid.axis(1).cells * grid.axis(2).cells) {}

std::int64_t PointBand::find(Cpu cpu, const ConstPoints& x, std::int64_t n) {
  const std::int64_t inside = stencils_.find(cpu, x, n);
  points_ = inside == n ? n : 0;
  mark();
  cells_.collect();
  velocity_.resize(lanes * cells());
  forces_.resize(lanes * cells());
  if (points_ == 0) return inside;
  find_rows(cpu);
  share_out();
  return inside;
}

void PointBand::mark() {
  cells_.clear();
  const std::int64_t nx = stencils_.grid().axis(0).cells, ny = stencils_.grid().axis(1).cells;
  const int support = stencils_.support();
  const BandStencils::Folded x = stencils_.folded(0);
  const Rows rows{cells_.words_of_row(), ny, stencils_.folded(1).index, stencils_.folded(2).index, cells_.words()};
  const bool all = !stencils_.folds(1).drops && !stencils_.folds(2).drops;
  with_size(support, stencils_.deep(), [&](auto across, auto deep) {
    const Size<across(), deep()> size{support, stencils_.deep()};
    for (std::int64_t p = 0; p < points_; ++p) {
      const std::int32_t* const at = stencils_.first(p);
      const bool inside = at[0] >= 0 && at[0] + support <= nx;
      if (all && inside && at[0] % MarkedCells::bits + support <= MarkedCells::bits) {
        mark_stencil(rows, size, at);
        continue;
      }
      stencils_.each_row_of(p, [&](int, int, std::int64_t row, int, int) {
        if (inside) return cells_.mark(row, at[0], at[0] + support);
        for (int a = 0; a < support; ++a)
          if (x.sign[at[0] + a] != 0) cells_.mark(row, x.index[at[0] + a], x.index[at[0] + a] + 1);
      });
    }
  });
}

void PointBand::find_rows(Cpu cpu) {
  const int support = stencils_.support(), deep = stencils_.deep();
  rows_.resize(points_ * support * deep);
  for_each_chunk(cpu, points_, points_at_once, [&](std::int64_t begin, std::int64_t end) {
    with_size(support, deep, [&](auto across, auto of_deep) {
      point_band::find_rows(cells_.places(), stencils_.folded(1), stencils_.folded(2), stencils_.grid().axis(0).cells, stencils_.grid().axis(1).cells,
                            Size<across(), of_deep()>{support, deep}, stencils_.first(0), rows_.data(), begin, end);
    });
  });
}

/// Points into slabs of planes that spread at once without meeting: every other one.
void PointBand::share_out() {
  const int axis = stencils_.deep() > 1 ? 2 : 1, support = stencils_.support();
  const std::int64_t planes = stencils_.grid().axis(axis).cells;
  const auto plane_of = [&](std::int64_t p) {
    return std::clamp<std::int64_t>(stencils_.first(p)[axis] + (support - 1) / 2, 0, planes - 1);
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
  for (std::int64_t k = support; k <= planes - support; ++k)
    if (const std::int64_t last = planes_of.back();
        k - last >= support && before[static_cast<std::size_t>(k)] - before[static_cast<std::size_t>(last)] >= share)
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
  const MarkedCells::Places places = cells_.places();
  const int support = stencils_.support();
  const double *const x = stencils_.weights(p), *const y = x + support, *const z = y + support;
  const BandStencils::Folded along_x = stencils_.folded(0);
  const auto turned = [&](std::size_t d, std::size_t axis, int sign) { return signs[d][axis] == Sign::minus ? sign : std::abs(sign); };
  stencils_.each_row_of(p, [&](int b, int c, std::int64_t row, int sign_y, int sign_z) {
    for (int a = 0; a < support; ++a) {
      const std::int32_t i = stencils_.first(p)[0] + a;
      const int sign_x = along_x.sign[i];
      if (sign_x == 0) continue;
      const double weight = x[a] * y[b] * z[c];
      std::array<double, 3> w{};
      for (std::size_t d = 0; d < 3; ++d) w[d] = weight * turned(d, 0, sign_x) * turned(d, 1, sign_y) * turned(d, 2, sign_z);
      f(places(row, along_x.index[i]), w);
    }
  });
}

void PointBand::interpolate(Cpu cpu, const Signs& signs, const Points& values) const {
  const Stencils s{stencils_.support(), stencils_.deep(), stencils_.weights(0), rows_.data(), nullptr, const_cast<double*>(velocity_.data())};
  for_each_chunk(cpu, points_, points_at_once, [&](std::int64_t begin, std::int64_t end) {
    with_size(s.support, s.deep, [&](auto across, auto deep) { read<across(), deep()>(s, begin, end, values); });
    for (std::int64_t p = begin; p < end; ++p) {
      if (!looked_up(p)) continue;
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
  const Stencils s{stencils_.support(), stencils_.deep(), stencils_.weights(0), rows_.data(), by_slab_.empty() ? nullptr : by_slab_.data(), forces_.data()};
  const std::int64_t slabs = std::ssize(slab_begin_) - 1;
  for (std::int64_t colour = 0; colour < 2; ++colour)
    for_each_chunk(cpu, (slabs + 1 - colour) / 2, 1, [&](std::int64_t half, std::int64_t) {
      const auto slab = static_cast<std::size_t>(2 * half + colour);
      const std::int64_t begin = slab_begin_[slab], end = slab_begin_[slab + 1];
      with_size(s.support, s.deep, [&](auto across, auto deep) { add<across(), deep()>(s, begin, end, values, scale); });
      for (std::int64_t i = begin; i < end; ++i) {
        const std::int64_t p = s.point(i);
        if (!looked_up(p)) continue;
        each_cell_of(p, signs, [&](std::int32_t cell, const std::array<double, 3>& w) {
          for (std::size_t d = 0; d < 3; ++d) forces_[lanes * std::int64_t{cell} + static_cast<std::int64_t>(d)] += w[d] * (scale * values[d][p]);
        });
      }
    });
}

} // namespace corral::structure
