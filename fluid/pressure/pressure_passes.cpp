#include "fluid/pressure/pressure.hpp"
#include "fluid/pressure/pressure_rows.hpp"

#include <corral/vector_loops.hpp>

#include <algorithm>
#include <cmath>

/// The passes over all cells that pressure.cpp's iterations are made of.
namespace corral::fluid {
namespace {

/// The caller's arrays around one row of cells. `x_low` and `x_high` are the values beyond its ends.
struct RowArrays {
  const double *bx, *by_low, *by_high, *bz_low, *bz_high, *diagonal;
  const double *x, *y_low, *y_high, *z_low, *z_high;
  double x_low, x_high, bx_high;
};

/// Sums are carried in eight lanes, whatever the width of the vectors: the same bits on every machine.
double add_lanes(const double (&lane)[8]) {
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

[[gnu::always_inline]] inline double dot(const double* a, const double* b, std::int64_t n) {
  double lane[8] = {};
  std::int64_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (int l = 0; l < 8; ++l) lane[l] += a[i + l] * b[i + l];
  for (; i < n; ++i) lane[0] += a[i] * b[i];
  return add_lanes(lane);
}

/// y = A x over the row. Returns the sum of x y.
CORRAL_VECTOR_CLONES double multiply_row(const RowArrays& row, std::int64_t n, double* y) {
  const RowArrays r = row;
  auto at = [&](std::int64_t i, double b_high, double low, double high) {
    const double x = r.x[i];
    const double along = r.bx[i] * (x - low) + b_high * (x - high);
    const double y_part = r.by_low[i] * (x - r.y_low[i]) + r.by_high[i] * (x - r.y_high[i]);
    const double z_part = r.bz_low[i] * (x - r.z_low[i]) + r.bz_high[i] * (x - r.z_high[i]);
    return (along + y_part) + (z_part + r.diagonal[i] * x);
  };
  if (n == 1) {
    y[0] = at(0, r.bx_high, r.x_low, r.x_high);
  } else {
    y[0] = at(0, r.bx[1], r.x_low, r.x[1]);
    CORRAL_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 1; i < n - 1; ++i) y[i] = at(i, r.bx[i + 1], r.x[i - 1], r.x[i + 1]);
    y[n - 1] = at(n - 1, r.bx_high, r.x[n - 2], r.x_high);
  }
  return dot(r.x, y, n);
}

/// Sum of squares and largest magnitude of a row.
CORRAL_VECTOR_CLONES void measure_row(const double* r, std::int64_t n, double& square, double& max) {
  double lane[8] = {}, most[8] = {};
  std::int64_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (int l = 0; l < 8; ++l) {
      lane[l] += r[i + l] * r[i + l];
      most[l] = std::abs(r[i + l]) > most[l] ? std::abs(r[i + l]) : most[l];
    }
  for (; i < n; ++i) {
    lane[0] += r[i] * r[i];
    most[0] = std::max(most[0], std::abs(r[i]));
  }
  square = add_lanes(lane);
  max = *std::max_element(most, most + 8);
}

/// x += alpha p and r -= alpha q.
CORRAL_VECTOR_CLONES void advance_row(std::int64_t n, double alpha, const double* p, const double* q, double* x,
                                      double* r) {
  CORRAL_INDEPENDENT_ITERATIONS
  for (std::int64_t i = 0; i < n; ++i) {
    x[i] += alpha * p[i];
    r[i] -= alpha * q[i];
  }
}

CORRAL_VECTOR_CLONES void split_row(const double* r, std::int64_t n, double scale, float* even, float* odd) {
  CORRAL_INDEPENDENT_ITERATIONS
  for (std::int64_t m = 0; m < n / 2; ++m) {
    even[m] = static_cast<float>(scale * r[2 * m]);
    odd[m] = static_cast<float>(scale * r[2 * m + 1]);
  }
  if (n % 2 == 1) even[n / 2] = static_cast<float>(scale * r[n - 1]);
}

/// Sums of z q and of z over a row, where z comes as even and odd values.
CORRAL_VECTOR_CLONES void project_row(const float* even, const float* odd, std::int64_t n, const double* q,
                                      double& zq, double& sum) {
  double q_lane[8] = {}, z_lane[8] = {};
  std::int64_t m = 0;
  for (; m + 4 <= n / 2; m += 4)
    for (int l = 0; l < 4; ++l) {
      const double z_even = static_cast<double>(even[m + l]), z_odd = static_cast<double>(odd[m + l]);
      q_lane[2 * l] += z_even * q[2 * (m + l)];
      q_lane[2 * l + 1] += z_odd * q[2 * (m + l) + 1];
      z_lane[2 * l] += z_even;
      z_lane[2 * l + 1] += z_odd;
    }
  for (std::int64_t i = 2 * m; i < n; ++i) {
    const double z = static_cast<double>(i % 2 == 0 ? even[i / 2] : odd[i / 2]);
    q_lane[0] += z * q[i];
    z_lane[0] += z;
  }
  zq = add_lanes(q_lane);
  sum = add_lanes(z_lane);
}

/// p = z - mean + beta p, where z comes as even and odd values. Returns the sum of p r.
CORRAL_VECTOR_CLONES double turn_row(const float* even, const float* odd, std::int64_t n, double mean, double beta,
                                     const double* r, double* p) {
  CORRAL_INDEPENDENT_ITERATIONS
  for (std::int64_t m = 0; m < n / 2; ++m) {
    p[2 * m] = static_cast<double>(even[m]) - mean + beta * p[2 * m];
    p[2 * m + 1] = static_cast<double>(odd[m]) - mean + beta * p[2 * m + 1];
  }
  if (n % 2 == 1) p[n - 1] = static_cast<double>(even[n / 2]) - mean + beta * p[n - 1];
  return dot(p, r, n);
}

} // namespace

PressureSolver::Projection& PressureSolver::Projection::operator+=(const Projection& other) {
  zq += other.zq;
  sum += other.sum;
  return *this;
}

/// z = V-cycle of r. Returns its scalar product with q.
double PressureSolver::precondition(Cpu cpu) {
  work_->hierarchy_.cycle(cpu);
  const multigrid::Level& fine = work_->hierarchy_.finest();
  const Projection z = sum_rows(cpu, cells_, planes(), projections_, [&](std::int64_t j, std::int64_t k) {
    const float* x = fine.x.data() + fine.row(j, k);
    Projection row;
    project_row(x, x + fine.odd, cells_[0], work_->q_.data() + cells_[0] * (j + cells_[1] * k), row.zq, row.sum);
    return row;
  });
  z_mean_ = components_.whole() ? z.sum / static_cast<double>(work_->r_.size()) : 0.0;
  return z.zq;
}

PressureSolver::Norms PressureSolver::norms(Cpu cpu, const double* values) {
  return sum_rows(cpu, cells_, planes(), norms_, [&](std::int64_t j, std::int64_t k) {
    Norms n;
    measure_row(values + cells_[0] * (j + cells_[1] * k), cells_[0], n.square, n.max);
    return n;
  });
}

/// r = b - A x, free of the means that no x can change.
PressureSolver::Norms PressureSolver::residual(Cpu cpu, const double* b, double* x) {
  multiply(cpu, x, work_->q_.data());
  double *r = work_->r_.data(), *q = work_->q_.data();
  const std::int64_t first = first_cell();
  for_each(cpu, end_cell() - first, [=](std::int64_t k) { r[first + k] = b[first + k] - q[first + k]; });
  components_.remove_means(cpu, planes(), r);
  return norms(cpu, r);
}

/// y = A x, of which other ranks' planes are fetched. Returns the scalar product of x and y.
double PressureSolver::multiply(Cpu cpu, double* x, double* y) {
  const std::int64_t nx = cells_[0], ny = cells_[1], nz = cells_[2];
  const std::int64_t faces_x = nx + (periodic_[0] ? 0 : 1), faces_y = ny + (periodic_[1] ? 0 : 1);
  planes().fill(x, nx * ny);
  return sum_rows(cpu, cells_, planes(), sums_, [&](std::int64_t j, std::int64_t k) {
    const std::int64_t at = nx * (j + ny * k);
    auto cells = [&](std::int64_t row_j, std::int64_t row_k) { return x + nx * (row_j + ny * row_k); };
    const bool wrap_y = periodic_[1], wrap_z = periodic_[2], last_y = j == ny - 1, last_z = k == nz - 1;
    const double* by = a_.b[1] + nx * faces_y * k;
    RowArrays row{};
    row.bx = a_.b[0] + faces_x * (j + ny * k);
    row.by_low = by + nx * j;
    row.by_high = by + nx * (last_y && wrap_y ? 0 : j + 1);
    row.bz_low = a_.b[2] + at;
    row.bz_high = a_.b[2] + nx * (j + ny * (last_z && wrap_z ? 0 : k + 1));
    row.diagonal = a_.diagonal ? a_.diagonal + at : zeros_.data();
    row.x = x + at;
    row.y_low = j > 0 ? cells(j - 1, k) : wrap_y ? cells(ny - 1, k) : zeros_.data();
    row.y_high = !last_y ? cells(j + 1, k) : wrap_y ? cells(0, k) : zeros_.data();
    row.z_low = k > 0 ? cells(j, k - 1) : wrap_z ? cells(j, nz - 1) : zeros_.data();
    row.z_high = !last_z ? cells(j, k + 1) : wrap_z ? cells(j, 0) : zeros_.data();
    row.x_low = periodic_[0] ? row.x[nx - 1] : 0.0;
    row.x_high = periodic_[0] ? row.x[0] : 0.0;
    row.bx_high = row.bx[periodic_[0] ? 0 : nx];
    return multiply_row(row, nx, y + at);
  });
}

/// p = z + beta p. Returns the scalar product of p and r.
double PressureSolver::advance_direction(Cpu cpu, double beta) {
  const multigrid::Level& fine = work_->hierarchy_.finest();
  const double pr = sum_rows(cpu, cells_, planes(), sums_, [&](std::int64_t j, std::int64_t k) {
    const std::int64_t at = cells_[0] * (j + cells_[1] * k);
    const float* z = fine.x.data() + fine.row(j, k);
    return turn_row(z, z + fine.odd, cells_[0], z_mean_, beta, work_->r_.data() + at, work_->p_.data() + at);
  });
  // The V-cycle leaves constants free over unpinned parts. Piled up in p, they would drown A p in round-off.
  if (!components_.whole()) components_.remove_means(cpu, planes(), work_->p_.data());
  return pr;
}

/// x += alpha p, r -= alpha A p, and hands r to the preconditioner. Returns the norms of r.
PressureSolver::Norms PressureSolver::advance_solution(Cpu cpu, double alpha, double* x) {
  multigrid::Level& fine = work_->hierarchy_.finest();
  return sum_rows(cpu, cells_, planes(), norms_, [&](std::int64_t j, std::int64_t k) {
    const std::int64_t n = cells_[0], at = n * (j + cells_[1] * k);
    double* r = work_->r_.data() + at;
    advance_row(n, alpha, work_->p_.data() + at, work_->q_.data() + at, x + at, r);
    float* b = fine.b.data() + fine.row(j, k);
    split_row(r, n, scale_, b, b + fine.odd);
    Norms norms;
    measure_row(r, n, norms.square, norms.max);
    return norms;
  });
}

} // namespace corral::fluid
