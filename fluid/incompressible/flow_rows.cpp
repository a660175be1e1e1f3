#include "fluid/incompressible/flow_rows.hpp"

#include <corral/array.hpp>

namespace corral::fluid {

void MomentumRows::read(std::int64_t plane, std::int64_t row, std::int64_t count, double* to,
                        std::int64_t stride) const {
  const std::int64_t n = layout_.shape.nx;
  const bool beside_walls = layout_.walled && d_ != 1;
  const bool low = beside_walls && plane == 0, high = beside_walls && plane == layout_.shape.planes - 1;
  Array<double> beyond(low || high ? 2 * n : 0);
  const double* const u = fields_.start[d_];
  for (std::int64_t r = 0; r < count; ++r) {
    const std::int64_t j = layout_.j(plane, row + r), k = layout_.k(plane, row + r);
    if (low) mirror_row(n, fields_.walls[0], u + layout_.begin(d_, j, k), beyond.data());
    if (high) mirror_row(n, fields_.walls[1], u + layout_.begin(d_, j, k), beyond.data() + n);
    read_row(j, k, {low ? beyond.data() : nullptr, high ? beyond.data() + n : nullptr}, to + r * stride);
  }
}

RowsAround MomentumRows::around(const double* u, std::int64_t j, std::int64_t k, const Beyond& beyond) const {
  const std::int64_t rows = layout_.grid.axis(1).cells, last_k = layout_.grid.axis(2).cells - 1;
  const auto row = [&](std::int64_t row_j, std::int64_t row_k) { return u + layout_.begin(d_, row_j, row_k); };
  const bool wraps = !layout_.walled;
  return {.centre = row(j, k),
          .low = {beyond.low != nullptr ? beyond.low : row(wraps && j == 0 ? rows - 1 : j - 1, k),
                  row(j, k == 0 ? last_k : k - 1)},
          .high = {beyond.high != nullptr ? beyond.high : row(wraps && j == rows - 1 ? 0 : j + 1, k),
                   row(j, k == last_k ? 0 : k + 1)}};
}

void MomentumRows::read_row(std::int64_t j, std::int64_t k, const Beyond& beyond, double* to) const {
  const ConstFacePointers& u = fields_.carried;
  const double* const own = u[d_];
  const std::int64_t rows = layout_.grid.axis(1).cells, last_k = layout_.grid.axis(2).cells - 1;
  const std::int64_t j_back = !layout_.walled && j == 0 ? rows - 1 : j - 1, k_back = k == 0 ? last_k : k - 1;
  const std::int64_t j_on = !layout_.walled && j == rows - 1 ? 0 : j + 1, k_on = k == last_k ? 0 : k + 1;
  const std::int64_t at_face = layout_.begin(d_, j, k);
  const double* const q = fields_.q != nullptr ? fields_.q + layout_.begin(0, j, k) : nullptr;
  const double* const q_back = fields_.q == nullptr || d_ == 0 ? nullptr
                               : d_ == 1                       ? fields_.q + layout_.begin(0, j_back, k)
                                                               : fields_.q + layout_.begin(0, j, k_back);
  const MomentumRow row{.n = layout_.shape.nx,
                        .start = around(fields_.start[d_], j, k, beyond),
                        .carried = around(own, j, k, beyond), // nothing comes through a wall, whatever stands beyond
                        .force = fields_.force + at_face,
                        .q = q,
                        .q_back = q_back,
                        .factors = factors_};
  if (d_ == 0)
    momentum_row(row, CarriersOfX{{at(u, 1, j, k), at(u, 2, j, k)}, {at(u, 1, j_on, k), at(u, 2, j, k_on)}}, to);
  else if (d_ == 1)
    momentum_row(row,
                 CarriersOfOther{0, at(u, 0, j, k), at(u, 0, j_back, k), at(u, 2, j, k), at(u, 2, j_back, k),
                                 at(u, 2, j, k_on), at(u, 2, j_back, k_on)},
                 to);
  else
    momentum_row(row,
                 CarriersOfOther{1, at(u, 0, j, k), at(u, 0, j, k_back), at(u, 1, j, k), at(u, 1, j, k_back),
                                 at(u, 1, j_on, k), at(u, 1, j_on, k_back)},
                 to);
}

} // namespace corral::fluid
