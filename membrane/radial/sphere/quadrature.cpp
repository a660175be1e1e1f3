#include "membrane/radial/sphere/quadrature.hpp"

#include <corral/for_each.hpp>

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace corral::membrane::radial {

namespace {

using Square = Eigen::MatrixXd;
using Eigen::Index;

constexpr Index tile = 192; ///< of the factorisation, one task each

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
    for_each_chunk(cpu, tiles * (tiles + 1) / 2, 1, [&](Index pair, Index) {
      Index row = 0; // pairs are counted along the rows of the lower triangle
      while ((row + 1) * (row + 2) / 2 <= pair) ++row;
      const Index column = pair - row * (row + 1) / 2, i = below + row * tile, j = below + column * tile;
      a.block(i, j, rows(row), rows(column)).noalias() -=
          a.block(i, k, rows(row), width) * a.block(j, k, rows(column), width).transpose();
    });
  }
}

} // namespace

Array<double> quadrature_weights(Cpu cpu, const Spiral& sites) {
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
  matrix.triangularView<Eigen::Lower>().solveInPlace(solved);
  matrix.triangularView<Eigen::Lower>().transpose().solveInPlace(solved);

  const double scale = 2 * std::numbers::pi / solved.sum();
  Array<double> weights(sites.count());
  for (Index i = 0; i < n; ++i)
    weights[i] = weights[sites.partner(i)] = scale * solved[i] * (i == sites.partner(i) ? 2 : 1);
  return weights;
}

} // namespace corral::membrane::radial
