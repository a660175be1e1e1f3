#include "stokes/near/krylov_root.hpp"

#include "stokes/sums/long_vectors.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <string>

namespace corral::stokes {
namespace {

/// The first column of the root of a symmetric matrix of three diagonals.
Eigen::VectorXd first_of_root(const std::vector<double>& diagonal, const std::vector<double>& beside) {
  const auto m = static_cast<Eigen::Index>(diagonal.size());
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(Eigen::Map<const Eigen::VectorXd>(diagonal.data(), m),
                                Eigen::Map<const Eigen::VectorXd>(beside.data(), m - 1));
  const Eigen::VectorXd roots = solver.eigenvalues().cwiseMax(0.0).cwiseSqrt();
  return solver.eigenvectors() * roots.cwiseProduct(solver.eigenvectors().row(0).transpose());
}

} // namespace

Array<double>& KrylovSpace::vector(std::size_t j, std::int64_t size) {
  if (space_.size() <= j) space_.resize(j + 1);
  space_[j].resize(size);
  return space_[j];
}

std::int64_t KrylovSpace::bytes() const {
  std::int64_t all = 0;
  for (const Array<double>& v : space_) all += v.bytes();
  return all;
}

void KrylovSpace::add_root(Cpu cpu, std::int64_t n, double tolerance, const NormalNumbers& numbers,
                           const Product& product, std::span<const Column<double>> to) {
  vectors_ = 0;
  if (n == 0) return;
  space_.reserve(most_vectors + 1); // references to vectors stay
  Array<double>& first = vector(0, 3 * n);
  for (int c = 0; c < 3; ++c)
    for_each_chunk(cpu, n, 1 << 12, [&](std::int64_t begin, std::int64_t end) {
      numbers.fill(3 + c, begin, {first.data() + c * n + begin, static_cast<std::size_t>(end - begin)});
    });
  const double size = std::sqrt(dot(cpu, first, first));
  scale(cpu, first, 1 / size);
  std::vector<double> diagonal, beside;
  Eigen::VectorXd coefficients;
  for (std::size_t j = 0;; ++j) {
    Array<double>&now = vector(j, 3 * n), &next = vector(j + 1, 3 * n);
    std::vector<Column<const double>> of;
    std::vector<Column<double>> into;
    for (std::int64_t c = 0; c < 3; ++c) {
      of.push_back({now.data() + c * n, n, 1});
      into.push_back({next.data() + c * n, n, 1});
    }
    next.fill(0.0);
    product(of, into);
    diagonal.push_back(dot(cpu, next, now));
    combine(cpu, 1, next, -diagonal.back(), now);
    if (j > 0) combine(cpu, 1, next, -beside.back(), space_[j - 1]);
    const double rest = std::sqrt(dot(cpu, next, next));
    Eigen::VectorXd before = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(j + 1));
    before.head(coefficients.size()) = coefficients;
    coefficients = first_of_root(diagonal, beside);
    vectors_ = static_cast<int>(j + 1);
    if ((coefficients - before).norm() <= tolerance * coefficients.norm() || rest <= 1e-14 * diagonal[0]) break;
    if (vectors_ == most_vectors)
      throw Error("random velocities did not come to a tolerance of " + std::to_string(tolerance) + " in " +
                  std::to_string(most_vectors) + " products (a larger tolerance needs fewer, and so does a larger cut-off of a grid)");
    scale(cpu, next, 1 / rest);
    beside.push_back(rest);
  }
  for (std::size_t c = 0; c < 3; ++c)
    for_each(cpu, n, [&, column = to[c], at = static_cast<std::int64_t>(c) * n](std::int64_t i) {
      double sum = 0;
      for (int j = 0; j < vectors_; ++j) sum += coefficients[j] * space_[static_cast<std::size_t>(j)][at + i];
      column[i] += size * sum;
    });
}

} // namespace corral::stokes
