#include "fluid/pressure/multigrid.hpp"

#include "fluid/pressure/multigrid_plan.t.hpp"
#include "fluid/pressure/pressure.hpp"

#include <corral/error.hpp>
#include <corral/vector_loops.hpp>

#include <algorithm>
#include <cmath>

namespace corral::fluid::multigrid {
namespace {

constexpr std::int64_t direct_cells = 256;  ///< where coarsening ended early, still solved directly up to here
constexpr int sweeps_beyond = 16;           ///< Gauss-Seidel sweeps in place of a larger direct solve
constexpr std::int64_t least_shared = 4096; ///< cells of a coarse grid whose work is worth sharing; more than direct_cells

CORRAL_VECTOR_CLONES void split(const double* from, std::int64_t n, double scale, float* even, float* odd) {
  CORRAL_INDEPENDENT_ITERATIONS
  for (std::int64_t m = 0; m < n / 2; ++m) {
    even[m] = static_cast<float>(from[2 * m] * scale);
    odd[m] = static_cast<float>(from[2 * m + 1] * scale);
  }
  if (n % 2 == 1) even[n / 2] = static_cast<float>(from[n - 1] * scale);
}

/// Several sums at once, so that they need not wait for each other.
CORRAL_VECTOR_CLONES void survey_row(const double* from, std::int64_t n, double& sum, double& max, bool& refused) {
  double sums[4] = {}, least[4] = {}, most[4] = {};
  for (std::int64_t i = 0; i + 4 <= n; i += 4)
    for (int l = 0; l < 4; ++l) {
      sums[l] += from[i + l];
      least[l] = from[i + l] < least[l] ? from[i + l] : least[l];
      most[l] = from[i + l] > most[l] ? from[i + l] : most[l];
    }
  for (std::int64_t i = n - n % 4; i < n; ++i) {
    sums[0] += from[i];
    least[0] = std::min(least[0], from[i]);
    most[0] = std::max(most[0], from[i]);
  }
  const double total = (sums[0] + sums[2]) + (sums[1] + sums[3]);
  sum += total;
  max = std::max({max, most[0], most[1], most[2], most[3]});
  refused = refused || !std::isfinite(total) || std::min({least[0], least[1], least[2], least[3]}) < 0;
}

} // namespace

/// Mean of b over the faces between cells; as far as boundary faces are few, those of an outlet don't matter.
std::array<double, 3> Survey::mean_couplings(const Level& l) const {
  std::array<double, 3> mean{};
  for (std::size_t d = 0; d < 3; ++d) {
    const std::int64_t inner = l.cells[d] - (l.periodic[d] ? 0 : 1);
    if (l.cells[d] > 1) mean[d] = sum[d] * static_cast<double>(l.cells[d]) / static_cast<double>(inner);
  }
  return mean;
}

double Survey::scale() const {
  if (refused) throw Error("pressure coefficients are negative or not finite (all must be at least 0)");
  return max > 0 && (max < smallest_max || max > largest_max) ? 1.0 / max : 1.0;
}

Hierarchy::Hierarchy(std::array<std::int64_t, 3> cells, std::array<bool, 3> periodic, Memory memory) : memory_(memory) {
  for (std::size_t d = 0; d < 3; ++d)
    if (cells[d] < 1) throw Error("pressure grid with " + std::to_string(cells[d]) + " cells along axis " +
                                  std::to_string(d) + " (one at least is needed)");
  levels_.emplace_back(cells, periodic, memory_);
}

/// A grid of so many cells: one that was in use before, if there is any.
Level Hierarchy::take_level(const std::array<std::int64_t, 3>& cells) {
  const auto found = std::find_if(spare_.begin(), spare_.end(), [&](const Level& level) { return level.cells == cells; });
  if (found == spare_.end()) return {cells, levels_[0].periodic, memory_};
  Level level = std::move(*found);
  spare_.erase(found);
  level.factor = {1, 1, 1};
  return level;
}

void Hierarchy::share(const Planes& planes, std::int64_t deepest) {
  if (levels_[0].cell_count() <= direct_cells) return;
  levels_[0].planes = planes;
  deepest_ = deepest;
}

/// Grids whose planes the cuts of the finest grid do not part, and that are worth it.
void Hierarchy::share_levels() {
  std::int64_t coarsening = 1;
  for (std::size_t l = 1; l < levels_.size(); ++l) {
    const Level& fine = levels_[l - 1];
    Level& coarse = levels_[l];
    coarsening *= fine.factor[2];
    const bool shared = fine.planes.shared() && coarsening <= deepest_ && coarse.cell_count() >= least_shared;
    coarse.planes = shared ? fine.planes.coarser(fine.factor[2]) : Planes(coarse.cells[2]);
  }
}

void Hierarchy::set_coefficients(Cpu cpu, const FaceCoefficients& a) {
  Level& finest = levels_[0];
  const Survey survey = load(cpu, a, 1.0);
  if (const double scale = survey.scale(); scale != 1.0) load(cpu, a, scale);
  finest.planes.fill(finest.face[2].data() + finest.plane_step(), finest.plane_step(), 2);
  complete(cpu, finest);
  plan(cpu, survey.mean_couplings(finest));
  share_levels();
  for (std::size_t l = 0; l + 1 < levels_.size(); ++l) coarsen(cpu, levels_[l], levels_[l + 1], buffers_.own);
  factorise();
}

Survey Hierarchy::load(Cpu cpu, const FaceCoefficients& a, double scale) {
  Level& fine = levels_[0];
  const std::int64_t nx = fine.cells[0], ny = fine.cells[1], nz = fine.cells[2];
  std::array<std::int64_t, 3> far{}; // faces beyond the cells' lower ones
  for (std::size_t d = 0; d < 3; ++d) far[d] = fine.periodic[d] ? 0 : 1;
  return sum_rows(cpu, fine.cells, fine.planes, surveys_, [&](std::int64_t j, std::int64_t k) {
    Survey s;
    auto take = [&](const double* from, std::int64_t n, float* to, double& sum) {
      survey_row(from, n, sum, s.max, s.refused);
      split(from, n, scale, to, to + fine.odd);
    };
    const std::int64_t row = fine.row(j, k), y = fine.row_step(), z = fine.plane_step();
    take(a.b[0] + (nx + far[0]) * (j + ny * k), nx + far[0], fine.face[0].data() + row, s.sum[0]);
    const double* by = a.b[1] + nx * (j + (ny + far[1]) * k);
    take(by, nx, fine.face[1].data() + row, s.sum[1]);
    if (j == ny - 1 && far[1] == 1) take(by + nx, nx, fine.face[1].data() + row + y, s.sum[1]);
    const double* bz = a.b[2] + nx * (j + ny * k);
    take(bz, nx, fine.face[2].data() + row, s.sum[2]);
    if (k == nz - 1 && far[2] == 1) take(bz + nx * ny, nx, fine.face[2].data() + row + z, s.sum[2]);
    float* reaction = fine.reaction.data() + row;
    double unused = 0;
    if (a.diagonal)
      take(a.diagonal + nx * (j + ny * k), nx, reaction, unused);
    else
      std::fill_n(reaction, fine.row_step(), 0.0f);
    return s;
  });
}

void Hierarchy::descend(Cpu cpu, std::size_t l) {
  if (l + 1 == levels_.size()) return solve_coarsest(cpu);
  Level& fine = levels_[l];
  Level& coarse = levels_[l + 1];
  smooth_from_zero(cpu, fine, Colour::red);
  smooth(cpu, fine, Colour::black);
  for (int s = 1; s < sweeps(l); ++s) {
    smooth(cpu, fine, Colour::red);
    smooth(cpu, fine, Colour::black);
  }
  restrict_residual(cpu, fine, coarse, buffers_);
  descend(cpu, l + 1);
  add_correction(cpu, fine, coarse, buffers_);
  for (int s = 0; s < sweeps(l); ++s) {
    smooth(cpu, fine, Colour::black);
    smooth(cpu, fine, Colour::red);
  }
}

/// Cholesky of the coarsest grid's matrix. Where a pivot vanishes it gives one solution of the singular system, and is
/// still a symmetric operator.
void Hierarchy::factorise() {
  const Level& l = levels_.back();
  const std::int64_t n = l.cell_count();
  cholesky_.resize(n <= direct_cells ? n * n : 0);
  if (cholesky_.empty()) return;
  cholesky_.fill(0.0);
  unknowns_.resize(n);
  const std::array<std::int64_t, 3> step{1, l.cells[0], l.cells[0] * l.cells[1]};
  for (std::int64_t c = 0; c < n; ++c) {
    const std::array<std::int64_t, 3> at{c % step[1], c / step[1] % l.cells[1], c / step[2]};
    const std::int64_t row = l.row(at[1], at[2]);
    double& diagonal = cholesky_[c * n + c];
    diagonal += static_cast<double>(l.reaction[row + l.place(at[0])]);
    for (std::size_t d = 0; d < 3; ++d) {
      const std::int64_t high_row = row + (d == 1 ? l.row_step() : d == 2 ? l.plane_step() : 0);
      const double low = static_cast<double>(l.face[d][row + l.place(at[0])]);
      const double high = static_cast<double>(l.face[d][high_row + l.place(at[0] + (d == 0 ? 1 : 0))]);
      diagonal += low + high;
      const std::int64_t wrap = l.cells[d] * step[d];
      const std::int64_t below = at[d] > 0 ? c - step[d] : l.periodic[d] ? c - step[d] + wrap : -1;
      const std::int64_t above = at[d] + 1 < l.cells[d] ? c + step[d] : l.periodic[d] ? c + step[d] - wrap : -1;
      if (below >= 0 && below < c) cholesky_[c * n + below] -= low;
      if (above >= 0 && above < c) cholesky_[c * n + above] -= high;
    }
  }
  for (std::int64_t i = 0; i < n; ++i) {
    double* row = cholesky_.data() + i * n;
    double pivot = row[i];
    for (std::int64_t j = 0; j < i; ++j) {
      const double* other = cholesky_.data() + j * n;
      double sum = row[j];
      for (std::int64_t m = 0; m < j; ++m) sum -= row[m] * other[m];
      row[j] = sum * other[j];
      pivot -= row[j] * row[j];
    }
    row[i] = pivot > vanishing * row[i] ? 1.0 / std::sqrt(pivot) : 0.0; // the factor's diagonal is kept inverted
  }
}

void Hierarchy::solve_coarsest(Cpu cpu) {
  Level& l = levels_.back();
  if (cholesky_.empty()) {
    smooth_from_zero(cpu, l, Colour::red);
    smooth(cpu, l, Colour::black);
    for (int s = 1; s < sweeps_beyond; ++s) {
      smooth(cpu, l, Colour::red);
      smooth(cpu, l, Colour::black);
    }
    for (int s = 0; s < sweeps_beyond; ++s) {
      smooth(cpu, l, Colour::black);
      smooth(cpu, l, Colour::red);
    }
    return;
  }
  const std::int64_t n = l.cell_count();
  const auto place = [&](std::int64_t c) {
    return l.row(c / l.cells[0] % l.cells[1], c / (l.cells[0] * l.cells[1])) + l.place(c % l.cells[0]);
  };
  double* u = unknowns_.data();
  for (std::int64_t i = 0; i < n; ++i) {
    const double* row = cholesky_.data() + i * n;
    double sum = static_cast<double>(l.b[place(i)]);
    for (std::int64_t j = 0; j < i; ++j) sum -= row[j] * u[j];
    u[i] = sum * row[i];
  }
  for (std::int64_t i = n - 1; i >= 0; --i) {
    const double* row = cholesky_.data() + i * n;
    u[i] *= row[i];
    for (std::int64_t j = 0; j < i; ++j) u[j] -= row[j] * u[i];
    l.x[place(i)] = static_cast<float>(u[i]);
  }
}

} // namespace corral::fluid::multigrid
