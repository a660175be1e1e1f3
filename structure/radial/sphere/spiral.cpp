#include "structure/radial/sphere/spiral.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace corral::structure::radial {

namespace {

/// Perpendicular to x, from the axis that is farthest from it, so that no site is special.
Frame frame_at(const Direction& x) {
  std::size_t axis = 0;
  for (std::size_t d = 1; d < 3; ++d)
    if (std::abs(x[d]) < std::abs(x[axis])) axis = d;
  Direction first{-x[axis] * x[0], -x[axis] * x[1], -x[axis] * x[2]};
  first[axis] += 1;
  const double length = std::hypot(first[0], first[1], first[2]);
  for (double& component : first) component /= length;
  return {first,
          {x[1] * first[2] - x[2] * first[1], x[2] * first[0] - x[0] * first[2], x[0] * first[1] - x[1] * first[0]}};
}

} // namespace

Spiral::Spiral(std::int64_t count) {
  if (count < 2) throw Error("a spiral of " + std::to_string(count) + " sites (at least 2 are needed)");
  points_.resize(static_cast<std::size_t>(count));
  const double n = static_cast<double>(count);
  for (std::int64_t i = 0; i < representatives(); ++i) {
    const double z = (2 * static_cast<double>(i) + 1 - n) / n;
    const double across = std::sqrt((1 - z) * (1 + z)), longitude = std::sqrt(std::numbers::pi * n) * std::asin(z);
    const Direction x{across * std::cos(longitude), across * std::sin(longitude), z};
    points_[static_cast<std::size_t>(partner(i))] = half_turn(x);
    points_[i] = x;
  }
}

Frame Spiral::frame(std::int64_t site) const {
  if (site < representatives()) return frame_at(point(site));
  const Frame frame = frame_at(point(partner(site)));
  return {half_turn(frame.first), half_turn(frame.second)};
}

namespace {

using Square = Eigen::MatrixXd;
using Eigen::Index;

constexpr Index tile = 192; ///< of the factorisation, one task each

/// Calls f(row, column) for the tiles of a lower triangle.
template <class F> void for_each_tile(Cpu cpu, Index tiles, F&& f) {
  for_each_chunk(cpu, tiles * (tiles + 1) / 2, 1, [&](Index pair, Index) {
    Index row = 0; // pairs are counted along the rows
    while ((row + 1) * (row + 2) / 2 <= pair) ++row;
    f(row, pair - row * (row + 1) / 2);
  });
}

/// Replaces the lower triangle of a symmetric positive matrix by its Cholesky factor: by blocks of columns, what stands
/// below and to the right of each in parallel, in tiles that depend on the size alone.
void factorise(Cpu cpu, Square& a) {
  const Index n = a.rows();
  for (Index k = 0; k < n; k += tile) {
    const Index width = std::min(tile, n - k), below = k + width, tiles = (n - below + tile - 1) / tile;
    Eigen::LLT<Square> diagonal(a.block(k, k, width, width));
    a.block(k, k, width, width) = diagonal.matrixL();
    const auto rows = [&](Index t) { return std::min(tile, n - below - t * tile); };
    for_each_chunk(cpu, tiles, 1, [&](Index t, Index) {
      auto panel = a.block(below + t * tile, k, rows(t), width);
      a.block(k, k, width, width).triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(panel);
    });
    for_each_tile(cpu, tiles, [&](Index row, Index column) {
      const Index i = below + row * tile, j = below + column * tile;
      a.block(i, j, rows(row), rows(column)).noalias() -=
          a.block(i, k, rows(row), width) * a.block(j, k, rows(column), width).transpose();
    });
  }
}

void solve_factorised(const Square& factor, Eigen::VectorXd& x) {
  factor.triangularView<Eigen::Lower>().solveInPlace(x);
  factor.triangularView<Eigen::Lower>().transpose().solveInPlace(x);
}

/// Real spherical harmonics that half a turn leaves as they are, up to a degree, with squares of mean 1; the constant
/// first.
class EvenHarmonics {
public:
  explicit EvenHarmonics(int degree) : degree_(degree), powers_(Index(degree) + 1, 2), legendre_(degree + 1, degree + 1) {}

  Index count() const {
    Index found = 0;
    each([&](int, int, int) { ++found; });
    return found;
  }
  /// Sets a row of values at a site.
  template <class Row> void fill(const Direction& x, Row&& row) {
    powers_.row(0) << 1, 0; // of x + i y
    legendre_.setZero();
    legendre_(0, 0) = 1;
    for (int m = 1; m <= degree_; ++m) {
      powers_.row(m) << x[0] * powers_(m - 1, 0) - x[1] * powers_(m - 1, 1),
          x[0] * powers_(m - 1, 1) + x[1] * powers_(m - 1, 0);
      legendre_(m, m) = legendre_(m - 1, m - 1) * std::sqrt((2.0 * m + 1) / (2.0 * m));
    }
    for (int m = 0; m < degree_; ++m)
      for (int l = m + 1; l <= degree_; ++l) {
        const double before = l - 2 < m ? 0 : legendre_(l - 2, m) / ratio(l - 1, m);
        legendre_(l, m) = ratio(l, m) * (x[2] * legendre_(l - 1, m) - before);
      }
    Index next = 0;
    each([&](int l, int m, int sine) {
      row[next++] = (m == 0 ? 1 : std::numbers::sqrt2) * legendre_(l, m) * powers_(m, sine);
    });
  }

private:
  static double ratio(int l, int m) { return std::sqrt((4.0 * l * l - 1) / (1.0 * l * l - 1.0 * m * m)); }
  template <class F> void each(F&& f) const {
    for (int l = 0; l <= degree_; ++l)
      for (int m = 0; m <= l; ++m)
        if (const int sine = (l + m) % 2; m > 0 || sine == 0) f(l, m, sine);
  }

  int degree_;
  Eigen::MatrixX2d powers_;
  Square legendre_; ///< by degree and order, without the power of the distance from the axis
};

/// a^T a, its lower triangle in tiles.
Square gram_matrix(Cpu cpu, const Square& a) {
  const Index n = a.cols(), tiles = (n + tile - 1) / tile;
  Square gram = Square::Zero(n, n);
  for_each_tile(cpu, tiles, [&](Index row, Index column) {
    const Index i = row * tile, j = column * tile, rows = std::min(tile, n - i), columns = std::min(tile, n - j);
    gram.block(i, j, rows, columns).noalias() = a.middleCols(i, rows).transpose() * a.middleCols(j, columns);
  });
  return gram;
}

} // namespace

Array<double> distance_weights(Cpu cpu, const Spiral& sites) {
  // The weights w of that rule solve sum_j r_ij w_j = const: the integral of r is the same about every site. 2 - r has
  // positive coefficients in Legendre's series, the mean of r being 4/3, so that its matrix is positive. Being even, the
  // weights solve a system of half the size, in which a site that is its own partner counts twice.
  const Index n = sites.representatives();
  Square matrix(n, n);
  for_each_chunk(cpu, n, 16, [&](Index begin, Index end) {
    for (Index j = begin; j < end; ++j)
      for (Index i = j; i < n; ++i) {
        const auto distance = [&](const Direction& x, const Direction& y) {
          const double d[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
          return std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        };
        const Direction& x = sites.point(i);
        matrix(i, j) = 4 - distance(x, sites.point(j)) - distance(x, sites.point(sites.partner(j)));
      }
  });
  factorise(cpu, matrix);
  Eigen::VectorXd solved = Eigen::VectorXd::Ones(n);
  solve_factorised(matrix, solved);

  const double scale = 2 * std::numbers::pi / solved.sum();
  Array<double> weights(sites.count());
  for (Index i = 0; i < n; ++i)
    weights[i] = weights[sites.partner(i)] = scale * solved[i] * (i == sites.partner(i) ? 2 : 1);
  return weights;
}

int exact_degree(std::int64_t sites) { return static_cast<int>(std::sqrt(static_cast<double>(sites)) / 2); }

void make_exact(Cpu cpu, const Spiral& sites, int degree, Array<double>& weights) {
  // Odd harmonics are integrated by symmetry. The least change of squares is a combination of harmonics itself; a row
  // stands for a site and its partner.
  const Index rows = sites.representatives(), count = EvenHarmonics(degree).count();
  Square values(rows, count);
  for_each_chunk(cpu, rows, 64, [&](Index begin, Index end) {
    EvenHarmonics harmonics(degree);
    for (Index i = begin; i < end; ++i) harmonics.fill(sites.point(i), values.row(i));
  });
  Eigen::VectorXd share(rows), now(rows);
  for (Index i = 0; i < rows; ++i) {
    share[i] = i == sites.partner(i) ? 1 : std::numbers::sqrt2; // its square: sites that the row stands for
    now[i] = weights[i] * share[i];
  }
  values = share.asDiagonal() * values;
  Eigen::VectorXd change = -values.transpose() * now;
  change[0] += 4 * std::numbers::pi;
  Square gram = gram_matrix(cpu, values);
  factorise(cpu, gram);
  solve_factorised(gram, change);
  now += values * change;
  for (Index i = 0; i < rows; ++i) weights[i] = weights[sites.partner(i)] = now[i] / share[i];
}

} // namespace corral::structure::radial
