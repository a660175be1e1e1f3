#include "fluid/pressure/device/launch.cuh"
#include "fluid/pressure/device/levels.cuh"
#include "fluid/pressure/device/sums.cuh"
#include "fluid/pressure/multigrid_plan.t.hpp"

#include <cmath>

/// Coefficients of all grids on a device: the CPU's to the bit.
namespace corral::fluid::multigrid {
namespace {

/// Where the finest grid takes its coefficients from, and what they tell.
struct Loading {
  EquationView from;
  LevelView to;
  double scale;
  SurveyOfDevice* told; ///< null: nothing is
};

__device__ void look_at(double value, double* sum, Survey& s) {
  if (sum) *sum += value;
  s.max = s.max < value ? value : s.max;
  s.refused = s.refused || !(value >= 0) || !std::isfinite(value);
}

/// Faces of an axis: the lower one, and what else the first and last cell see to: face N, which a periodic axis has a
/// second time, and where a cell that is its own neighbour exchanges nothing.
__device__ void load_faces(const Loading& job, const CellOfEquation& c, int d, std::int32_t at, std::int32_t far,
                           float (&both)[2], SurveyOfDevice& s) {
  const std::uint32_t here = d == 0 ? c.i : d == 1 ? c.j : c.k, n = job.from.n[d];
  const bool wraps = job.from.wraps(static_cast<unsigned>(d)), thin = wraps && n == 1;
  const double low = job.from.b[d][c.face[2 * d]], high = job.from.b[d][c.face[2 * d + 1]];
  both[0] = thin ? 0.0f : static_cast<float>(low * job.scale);
  both[1] = thin ? 0.0f : static_cast<float>(high * job.scale);
  float* const face = job.to.face[d];
  face[at] = both[0];
  look_at(low, &s.survey.sum[static_cast<std::size_t>(d)], s.survey);
  if (here != n - 1) return;
  face[far] = both[1];
  if (!wraps) look_at(high, &s.survey.sum[static_cast<std::size_t>(d)], s.survey);
}

__device__ void load(const Loading& job, std::uint32_t cell, SurveyOfDevice& s) {
  const CellOfEquation c(job.from, cell);
  const LevelView& l = job.to;
  const auto i = static_cast<std::int32_t>(c.i);
  const std::int32_t row = l.row(static_cast<std::int32_t>(c.j), static_cast<std::int32_t>(c.k)), at = row + l.place(i);
  float x[2], y[2], z[2];
  load_faces(job, c, 0, at, row + l.place(i + 1), x, s);
  load_faces(job, c, 1, at, at + l.y, y, s);
  load_faces(job, c, 2, at, at + l.z, z, s);
  const double diagonal = job.from.diagonal ? job.from.diagonal[cell] : 0.0;
  look_at(diagonal, nullptr, s.survey);
  const auto reaction = static_cast<float>(diagonal * job.scale);
  l.reaction[at] = reaction;
  l.inverse[at] = inverse_of(x[0], x[1], y[0], y[1], z[0], z[1], reaction);
  s.pattern.add(cell, diagonal > 0, bits_of_faces(job.from, c));
}

__global__ void __launch_bounds__(sum_threads, blocks_that_sum) load_global(const Loading job, const SumView<SurveyOfDevice> sums) {
  sum_cells(sums, [&](std::uint32_t cell, SurveyOfDevice& s) { load(job, cell, s); },
            [&](const SurveyOfDevice& total) {
              if (!job.told) return;
              *job.told = total;
              for (const double sum : total.survey.sum) job.told->survey.refused = job.told->survey.refused || !std::isfinite(sum);
            });
}

/// Weights of the fine cells around coarse face `at` of an axis, along one line of them, and its conductance.
__device__ float couple(const LevelView& fine, int d, std::int32_t first, const Interface& s) {
  // Along an axis: the place of face or cell i of the line that begins at `first`.
  const auto place = [&](std::int64_t i) {
    const auto at = static_cast<std::int32_t>(i);
    return first + (d == 0 ? fine.place(at) : d == 1 ? at * fine.y : at * fine.z);
  };
  const float* const face = fine.face[d];
  const auto inner = [&](std::int64_t i) { return i < 0 ? 0.0f : face[place(i)]; };
  const Joint joint = join(face[place(s.face)], inner(s.low_inner), inner(s.high_inner));
  if (s.low_cell >= 0 && s.low_cell < fine.n[d]) fine.weight[d][place(s.low_cell)] = joint.weight_low;
  if (s.high_cell < fine.n[d]) fine.weight[d][place(s.high_cell)] = joint.weight_high;
  return joint.conductance;
}

/// Coefficient of coarse face `at[d]` of an axis: conductances of all its lines, those of a pair along x first.
__device__ float coarse_face(const LevelView& fine, const LevelView& coarse, int d, const std::int32_t (&at)[3]) {
  Interface s{at[d], 0, 0, 0, 0};
  if (fine.factor[d] == 2) s = interface_at(fine.n[d], coarse.n[d], fine.wraps(d), at[d]);
  const auto line = [&](std::int32_t i, std::int32_t j, std::int32_t k) {
    const std::int32_t first = fine.row(j, k) + (d == 0 ? 0 : fine.place(i));
    if (fine.factor[d] == 2) return couple(fine, d, first, s);
    return fine.face[d][first + (d == 0 ? fine.place(at[0]) : d == 1 ? at[1] * fine.y : at[2] * fine.z)];
  };
  const auto end = [&](int axis) {
    const std::int32_t w = fine.factor[axis], e = w * (at[axis] + 1);
    return axis == d ? w * at[axis] + 1 : e < fine.n[axis] ? e : fine.n[axis];
  };
  float sum = 0;
  for (std::int32_t k = fine.factor[2] * at[2]; k < end(2); ++k)
    for (std::int32_t j = fine.factor[1] * at[1]; j < end(1); ++j) {
      const std::int32_t i = fine.factor[0] * at[0], row_j = d == 1 ? 0 : j, row_k = d == 2 ? 0 : k;
      float value = line(i, row_j, row_k);
      if (d != 0 && i + 1 < end(0)) value += line(i + 1, row_j, row_k);
      sum += value;
    }
  return sum;
}

__device__ void coarsen_faces(const LevelView& fine, const LevelView& coarse, int d, std::int32_t (&at)[3]) {
  const auto place = [&] { return coarse.row(at[1], at[2]) + coarse.place(at[0]); };
  const std::int32_t here = at[d], n = coarse.n[d];
  const bool thin = coarse.wraps(d) && n == 1;
  float low = coarse_face(fine, coarse, d, at);
  if (thin) low = 0;
  coarse.face[d][place()] = low;
  if (coarse.wraps(d) ? here == 0 : here == n - 1) {
    at[d] = n;
    coarse.face[d][place()] = coarse.wraps(d) ? low : coarse_face(fine, coarse, d, at);
    at[d] = here;
  }
}

__device__ void coarsen_cell(const LevelView& fine, const LevelView& coarse, std::uint32_t t) {
  const std::uint32_t nx = static_cast<std::uint32_t>(coarse.n[0]), row = t / nx, ny = static_cast<std::uint32_t>(coarse.n[1]);
  std::int32_t at[3] = {static_cast<std::int32_t>(t - row * nx), static_cast<std::int32_t>(row % ny),
                        static_cast<std::int32_t>(row / ny)};
  coarsen_faces(fine, coarse, 0, at);
  coarsen_faces(fine, coarse, 1, at);
  coarsen_faces(fine, coarse, 2, at);
  float sum = 0;
  const std::int32_t i = fine.factor[0] * at[0], j = fine.factor[1] * at[1], k = fine.factor[2] * at[2];
  const bool pair = fine.factor[0] == 2 && i + 1 < fine.n[0];
  for (std::int32_t z = k; z < k + fine.factor[2] && z < fine.n[2]; ++z)
    for (std::int32_t y = j; y < j + fine.factor[1] && y < fine.n[1]; ++y) {
      const float* const r = fine.reaction + fine.row(y, z);
      sum += pair ? r[fine.place(i)] + r[fine.place(i + 1)] : r[fine.place(i)];
    }
  coarse.reaction[coarse.row(at[1], at[2]) + coarse.place(at[0])] = sum;
}

__device__ void invert_cell(const LevelView& l, std::uint32_t t) {
  const std::uint32_t nx = static_cast<std::uint32_t>(l.n[0]), row = t / nx, ny = static_cast<std::uint32_t>(l.n[1]);
  const auto i = static_cast<std::int32_t>(t - row * nx);
  const std::int32_t first = l.row(static_cast<std::int32_t>(row % ny), static_cast<std::int32_t>(row / ny));
  const std::int32_t at = first + l.place(i);
  l.inverse[at] = inverse_of(l.face[0][at], l.face[0][first + l.place(i + 1)], l.face[1][at], l.face[1][at + l.y],
                             l.face[2][at], l.face[2][at + l.z], l.reaction[at]);
}

__global__ void __launch_bounds__(cell_threads, 1) coarsen_global(const LevelView fine, const LevelView coarse) {
  by_grid(coarse.cells(), [&](std::uint32_t t) { coarsen_cell(fine, coarse, t); });
}

__global__ void __launch_bounds__(cell_threads, 1) invert_global(const LevelView l) {
  by_grid(l.cells(), [&](std::uint32_t t) { invert_cell(l, t); });
}

/// The matrix of a small grid, row by row.
__device__ void write_matrix(const LevelView& l, double* a) {
  const std::uint32_t n = l.cells();
  by_block(n * n, [&](std::uint32_t t) { a[t] = 0; });
  __syncthreads();
  by_block(n, [&](std::uint32_t c) {
    const std::int32_t nx = l.n[0], ny = l.n[1], cell = static_cast<std::int32_t>(c);
    const std::int32_t at[3] = {cell % nx, cell / nx % ny, cell / nx / ny}, step[3] = {1, nx, nx * ny};
    const std::int32_t row = l.row(at[1], at[2]), place = row + l.place(at[0]);
    double* const to = a + c * n;
    to[c] = static_cast<double>(l.reaction[place]);
    for (int d = 0; d < 3; ++d) {
      const std::int32_t upper = d == 0 ? row + l.place(at[0] + 1) : place + (d == 1 ? l.y : l.z), last = l.n[d] - 1;
      const double low = static_cast<double>(l.face[d][place]), high = static_cast<double>(l.face[d][upper]);
      to[c] += low + high;
      const std::int32_t below = at[d] > 0 ? cell - step[d] : l.wraps(d) ? cell + last * step[d] : cell;
      const std::int32_t above = at[d] < last ? cell + step[d] : l.wraps(d) ? cell - last * step[d] : cell;
      if (below != cell) to[below] -= low;
      if (above != cell) to[above] -= high;
    }
  });
  __syncthreads();
}

/// Its inverse in its place, unknown by unknown (the sweep operator of least squares): both triangles alike, so that it
/// stays symmetric to the bit. An unknown whose pivot vanishes is held at 0.
__device__ void invert_matrix(std::uint32_t n, double* a) {
  CORRAL_SHARED(double, row, [coarsest_cells]);
  CORRAL_SHARED(double, diagonal, [coarsest_cells]);
  CORRAL_SHARED(int, held, [coarsest_cells]);
  by_block(n, [&](std::uint32_t c) { diagonal[c] = a[c * n + c]; });
  __syncthreads();
  for (std::uint32_t p = 0; p < n; ++p) {
    by_block(n, [&](std::uint32_t c) { row[c] = a[p * n + c]; });
    __syncthreads();
    const bool counts = row[p] > vanishing * diagonal[p];
    const double factor = counts ? 1.0 / row[p] : 0.0;
    by_block(n * n, [&](std::uint32_t t) {
      const std::uint32_t i = t / n, j = t - i * n;
      if (!counts) return;
      if (i != p && j != p) a[t] -= row[i] * row[j] * factor;
      else a[t] = i == j ? -factor : row[i == p ? j : i] * factor;
    });
    if (threadIdx.x == 0) held[p] = counts ? 0 : 1;
    __syncthreads();
  }
  by_block(n * n, [&](std::uint32_t t) { a[t] = held[t / n] != 0 || held[t % n] != 0 ? 0.0 : -a[t]; });
}

__global__ void __launch_bounds__(block_threads, 1) coarsen_block_global(const __grid_constant__ LevelsOfBlock levels) {
  for (int l = 0; l + 1 < levels.count; ++l) {
    if (l > 0 || !levels.first_is_finest)
      by_block(levels.level[l].cells(), [&](std::uint32_t t) { invert_cell(levels.level[l], t); });
    by_block(levels.level[l + 1].cells(), [&](std::uint32_t t) { coarsen_cell(levels.level[l], levels.level[l + 1], t); });
    __syncthreads();
  }
  const LevelView& last = levels.level[levels.count - 1];
  write_matrix(last, levels.inverse);
  invert_matrix(last.cells(), levels.inverse);
}

} // namespace

void clear_weights(Gpu gpu, Level& level) {
  for (Array<float>& weight : level.weight)
    check(cudaMemsetAsync(weight.data(), 0, sizeof(float) * static_cast<std::size_t>(weight.size()), gpu.stream),
          "coarse grids of the pressure solver");
}

std::size_t Hierarchy::first_in_block() const {
  const std::size_t count = levels_.size();
  if (levels_.back().cell_count() > coarsest_cells) return count; // uncoupled: nothing is to be solved
  std::size_t first = count > most_levels_of_a_block ? count - most_levels_of_a_block : 0;
  while (levels_[first].cell_count() > cells_of_a_block) ++first;
  return first;
}

LevelsOfBlock Hierarchy::levels_of_block() {
  LevelsOfBlock block;
  const std::size_t first = first_in_block();
  for (std::size_t l = first; l < levels_.size(); ++l)
    block.level[block.count++] = view(levels_[l], l, l + 1 == levels_.size());
  block.first_is_finest = first == 0;
  block.residual = residual_.data();
  block.inverse = inverse_.data();
  return block;
}

void Hierarchy::load(Gpu gpu, const FaceCoefficients& a, double scale, SurveyOfDevice* told) {
  const Level& fine = levels_[0];
  Loading job{{fine.cells, fine.periodic, a}, view(levels_[0], 0, false), scale, told};
  constexpr std::size_t shared = sum_threads * sizeof(SurveyOfDevice);
  check(CORRAL_LAUNCH(load_global, survey_.blocks(), sum_threads, shared, gpu.stream, job, survey_.view()),
        "coefficients of the pressure solver");
}

PressurePattern Hierarchy::set_coefficients(Gpu gpu, const FaceCoefficients& a) {
  survey_.resize(levels_[0].cell_count(), most_blocks_that_sum());
  told_.resize(1);
  seen_.resize(1);
  residual_.resize(levels_[0].b.size());
  inverse_.resize(coarsest_cells * coarsest_cells);
  load(gpu, a, 1.0, told_.data());
  copy_and_wait(gpu, seen_.data(), told_.data(), sizeof(SurveyOfDevice), "coefficients of the pressure solver");
  const SurveyOfDevice& told = seen_[0];
  if (const double scale = told.survey.scale(); scale != 1.0) load(gpu, a, scale, nullptr);
  plan(gpu, told.survey.mean_couplings(levels_[0]));
  constexpr const char* what = "coarse grids of the pressure solver";
  const std::size_t in_block = first_in_block();
  for (std::size_t l = 0; l < std::min(in_block, levels_.size() - 1); ++l) {
    const LevelView fine = view(levels_[l], l, false), coarse = view(levels_[l + 1], l + 1, false);
    if (l > 0) check(CORRAL_LAUNCH(invert_global, blocks_of(fine.cells()), cell_threads, 0, gpu.stream, fine), what);
    check(CORRAL_LAUNCH(coarsen_global, blocks_of(coarse.cells()), cell_threads, 0, gpu.stream, fine, coarse), what);
  }
  if (in_block < levels_.size()) {
    const LevelsOfBlock block = levels_of_block();
    check(CORRAL_LAUNCH(coarsen_block_global, 1u, threads_of_block(block), 0, gpu.stream, block), what);
  }
  return told.pattern;
}

} // namespace corral::fluid::multigrid
