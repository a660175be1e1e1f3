#include "structure/radial/sphere/sphere_sites.hpp"

#include "structure/radial/sphere/spiral.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <Eigen/LU>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>
#include <vector>

namespace corral::structure::radial {

namespace {

constexpr std::int64_t rows_of_task = 32;   ///< of a product that one task forms
constexpr std::int64_t terms_of_task = 512; ///< of a transposed one, whose tasks have sums of their own
constexpr std::int64_t terms_at_once = 32;  ///< of which whole rows stay in cache, so that memory is read in order

/// r^7 about site y, seen from a site x: with r^2/2 = 1 - x.y, derivatives are (1/r) d/dr of what stands before, times
/// derivatives of r^2/2.
SiteValues power7(const Direction& x, const Frame& frame, const Direction& y) {
  const double d[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
  const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], r = std::sqrt(square);
  const double cosine = 1 - square / 2, r3 = square * r, r5 = square * r3;
  const double a = frame.first[0] * y[0] + frame.first[1] * y[1] + frame.first[2] * y[2];
  const double b = frame.second[0] * y[0] + frame.second[1] * y[1] + frame.second[2] * y[2];
  return {square * r5,
          -7 * r5 * a,
          -7 * r5 * b,
          35 * r3 * a * a + 7 * r5 * cosine,
          35 * r3 * a * b,
          35 * r3 * b * b + 7 * r5 * cosine};
}

/// Places of the harmonics that belong to a part.
std::vector<std::size_t> harmonics_of(int part) {
  const auto even = even_harmonics();
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < even.size(); ++k)
    if (even[k] == (part == 0)) places.push_back(k);
  return places;
}

} // namespace

/// Unknowns of a part are the coefficients at representatives, which stand for their partners', too (half of it where a
/// site is its own partner: so the matrix is symmetric), and those of its harmonics.
struct SphereInterpolation::Part {
  Part(const Spiral& data, int which)
      : part(which), sites(which == 0 ? data.representatives() : data.pairs()), harmonic_places(harmonics_of(which)) {
    const Eigen::Index size = sites + static_cast<Eigen::Index>(harmonic_places.size());
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(size, size);
    std::vector<SiteValues> values(static_cast<std::size_t>(size));
    for (std::int64_t i = 0; i < sites; ++i) {
      fill(data, data.point(i), data.frame(i), values);
      for (Eigen::Index k = 0; k < size; ++k) matrix(i, k) = values[k][0];
      matrix.col(i).tail(size - sites) = matrix.row(i).tail(size - sites).transpose();
    }
    factors.compute(matrix);
  }

  /// What the part's functions are at a site.
  void fill(const Spiral& data, const Direction& x, const Frame& frame, std::vector<SiteValues>& values) const {
    for (std::int64_t j = 0; j < sites; ++j) {
      const SiteValues here = power7(x, frame, data.point(j)), there = power7(x, frame, data.point(data.partner(j)));
      for (std::size_t k = 0; k < here.size(); ++k)
        values[j][k] = part == 0 ? here[k] + there[k] : here[k] - there[k];
    }
    const auto all = harmonics(x, frame);
    for (std::size_t k = 0; k < harmonic_places.size(); ++k)
      values[static_cast<std::size_t>(sites) + k] = all[harmonic_places[k]];
  }

  int part;
  std::int64_t sites;
  std::vector<std::size_t> harmonic_places;
  Eigen::PartialPivLU<Eigen::MatrixXd> factors;
};

SphereInterpolation::SphereInterpolation(const Spiral& data) {
  // As many again, so that no harmonic vanishes at all sites.
  if (data.count() < 2 * harmonic_count)
    throw Error(std::to_string(data.count()) + " data sites (at least " + std::to_string(2 * harmonic_count) +
                " are needed for harmonics up to degree " + std::to_string(harmonic_degree) + ")");
  for (int part = 0; part < 2; ++part) parts_[part] = std::make_unique<Part>(data, part);
}
SphereInterpolation::~SphereInterpolation() = default;
SphereInterpolation::SphereInterpolation(SphereInterpolation&&) noexcept = default;
SphereInterpolation& SphereInterpolation::operator=(SphereInterpolation&&) noexcept = default;

SiteOperators::SiteOperators(Cpu cpu, const Spiral& data, const SphereInterpolation& interpolation, const Spiral& sites,
                             SurfaceDerivative first)
    : sites_(sites), width_{data.representatives(), data.pairs()} {
  for (int part = 0; part < 2; ++part) {
    for (int d = static_cast<int>(first); d < surface_derivatives; ++d)
      matrices_[d][part].resize(sites.representatives() * width_[part]);
    solve(cpu, data, *interpolation.parts_[part], part, static_cast<int>(first));
  }
}

void SiteOperators::solve(Cpu cpu, const Spiral& data, const SphereInterpolation::Part& part, int which, int first) {
  const std::int64_t width = part.sites, operators = surface_derivatives - first;
  for_each_chunk(cpu, sites_.representatives(), rows_of_task, [&](std::int64_t begin, std::int64_t end) {
    Eigen::MatrixXd rows(part.factors.rows(), (end - begin) * operators); // a column per site and operator
    std::vector<SiteValues> values(static_cast<std::size_t>(rows.rows()));
    for (std::int64_t i = begin; i < end; ++i) {
      part.fill(data, sites_.point(i), sites_.frame(i), values);
      for (std::int64_t d = 0; d < operators; ++d)
        for (Eigen::Index k = 0; k < rows.rows(); ++k)
          rows(k, (i - begin) * operators + d) = values[k][first + d];
    }
    const Eigen::MatrixXd solved = part.factors.solve(rows); // the matrix is symmetric
    for (std::int64_t i = begin; i < end; ++i)
      for (std::int64_t d = 0; d < operators; ++d) {
        Array<double>& matrix = matrices_[first + d][which];
        std::copy_n(solved.col((i - begin) * operators + d).data(), width, matrix.data() + i * width);
      }
  });
}

void SiteOperators::apply(Cpu cpu, SurfaceDerivative derivative, const HalvedTable& data, SiteTable& results) const {
  const std::int64_t columns = data.columns;
  assert(matrix(derivative, 0).size() > 0);
  results.resize(sites_.count(), columns);
  for_each_chunk(cpu, sites_.representatives(), rows_of_task, [&](std::int64_t begin, std::int64_t end) {
    const std::int64_t rows = end - begin;
    Array<double> even(rows * columns, 0.0), odd(rows * columns, 0.0);
    add_product(rows, width_[0], columns, {row(derivative, 0, begin), width_[0], 1}, data.even.data(), even.data());
    add_product(rows, width_[1], columns, {row(derivative, 1, begin), width_[1], 1}, data.odd.data(), odd.data());
    for (std::int64_t i = begin; i < end; ++i) {
      const double *e = even.data() + (i - begin) * columns, *o = odd.data() + (i - begin) * columns;
      double *here = results.at(i), *there = results.at(sites_.partner(i));
      for (std::int64_t c = 0; c < columns; ++c) there[c] = e[c] - o[c];
      for (std::int64_t c = 0; c < columns; ++c) here[c] = e[c] + o[c]; // what stays where both are one site
    }
  });
}

void SiteOperators::add_transposed(Cpu cpu, SurfaceDerivative derivative, const HalvedTable& weights,
                                   HalvedTable& data) const {
  const std::int64_t columns = weights.columns, rows = sites_.representatives();
  const std::int64_t even = width_[0] * columns, both = even + width_[1] * columns;
  assert(data.columns == columns && matrix(derivative, 0).size() > 0);
  const std::int64_t tasks = (rows + terms_of_task - 1) / terms_of_task;
  Array<double> sums(tasks * both, 0.0);
  for_each_chunk(cpu, rows, terms_of_task, [&](std::int64_t begin, std::int64_t end) {
    double* own = sums.data() + begin / terms_of_task * both;
    for (int part = 0; part < 2; ++part) {
      const std::int64_t width = width_[part];
      const double* from = (part == 0 ? weights.even : weights.odd).data();
      for (std::int64_t r = begin; r < end; r += terms_at_once)
        add_product(width, std::min(terms_at_once, end - r), columns, {row(derivative, part, r), 1, width},
                    from + r * columns, own + (part == 0 ? 0 : even));
    }
  });
  for_each(cpu, both, [&](std::int64_t k) {
    double& sum = k < even ? data.even[k] : data.odd[k - even];
    for (std::int64_t task = 0; task < tasks; ++task) sum += sums[task * both + k];
  });
}

namespace {

Array<double> exact_weights(Cpu cpu, const Spiral& samples) {
  Array<double> weights = distance_weights(cpu, samples);
  make_exact(cpu, samples, exact_degree(samples.count()), weights);
  return weights;
}

} // namespace

SphereSites::SphereSites(Cpu cpu, std::int64_t data_sites, std::int64_t sample_sites)
    : SphereSites(cpu, Spiral(data_sites), Spiral(sample_sites),
                  SphereInterpolation(Spiral(data_sites))) {}

SphereSites::SphereSites(Cpu cpu, const Spiral& data, const Spiral& samples, const SphereInterpolation& interpolation)
    : sample_weights_(exact_weights(cpu, samples)),
      at_data_(cpu, data, interpolation, data, SurfaceDerivative::first_1),
      at_samples_(cpu, data, interpolation, samples) {}

std::int64_t SphereSites::bytes_to_hold(std::int64_t data_sites, std::int64_t sample_sites) {
  // A number per site and partner, each operator in two halves of a quarter.
  return 8 * (data_sites * (surface_derivatives * sample_sites + (surface_derivatives - 1) * data_sites) / 2 + sample_sites);
}

std::int64_t SphereSites::bytes_to_make(std::int64_t data_sites, std::int64_t sample_sites) {
  // A symmetric matrix of half the samples, of which one half is touched, and the page at the end of each column's part.
  const std::int64_t half = sample_sites / 2, page = 4096;
  return std::max(bytes_to_hold(data_sites, sample_sites), 4 * half * half + page * half) +
         4 * data_sites * data_sites; // the factorised problem of the data sites
}

} // namespace corral::structure::radial
