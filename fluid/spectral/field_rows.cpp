#include "fluid/spectral/field_rows.hpp"

namespace corral::fluid::spectral {

void FieldRows::read(std::int64_t plane, std::int64_t row, std::int64_t count, double* to, std::int64_t stride) const {
  double more = more_;
  if (layout_.walled && plane == 0) more += beside_walls_[0];
  if (layout_.walled && plane == layout_.shape.planes - 1) more += beside_walls_[1];
  for (std::int64_t r = 0; r < count; ++r) {
    const double* const from = values_ + layout_.begin(d_, layout_.j(plane, row + r), layout_.k(plane, row + r));
    for (std::int64_t i = 0; i < layout_.shape.nx; ++i) to[r * stride + i] = factor_ * from[i] + more;
  }
}

void StoredRows::write(std::int64_t plane, std::int64_t row, std::int64_t count, const double* from,
                       std::int64_t stride) const {
  for (std::int64_t r = 0; r < count; ++r) {
    const std::int64_t begin = layout_.begin(d_, layout_.j(plane, row + r), layout_.k(plane, row + r));
    const double* const come = from + r * stride;
    if (start_ == nullptr)
      for (std::int64_t i = 0; i < layout_.shape.nx; ++i) values_[begin + i] = factor_ * come[i];
    else
      for (std::int64_t i = 0; i < layout_.shape.nx; ++i) values_[begin + i] = start_[begin + i] + factor_ * come[i];
  }
}

} // namespace corral::fluid::spectral
