#pragma once

#include "fluid/spectral/box_layout.hpp"
#include "fluid/spectral/transformer.hpp"

#include <array>
#include <cstdint>

namespace corral::fluid::spectral {

/// Values of component d as they are, times a factor, plus numbers: everywhere, and beside the low and the high wall.
class FieldRows final : public RowSource {
public:
  FieldRows(const BoxLayout& layout, int d, const double* values, double factor, double more = 0,
            const std::array<double, 2>& beside_walls = {})
      : layout_(layout), d_(d), values_(values), factor_(factor), more_(more), beside_walls_(beside_walls) {}
  void read(std::int64_t plane, std::int64_t row, std::int64_t count, double* to, std::int64_t stride) const override;

private:
  const BoxLayout& layout_;
  int d_;
  const double* values_;
  double factor_, more_;
  std::array<double, 2> beside_walls_;
};

/// values = start + factor times what comes, of component d; nothing is added to where start is null.
class StoredRows final : public RowSink {
public:
  StoredRows(const BoxLayout& layout, int d, const double* start, double* values, double factor = 1)
      : layout_(layout), d_(d), start_(start), values_(values), factor_(factor) {}
  void write(std::int64_t plane, std::int64_t row, std::int64_t count, const double* from,
             std::int64_t stride) const override;

private:
  const BoxLayout& layout_;
  int d_;
  const double* start_;
  double* values_;
  double factor_;
};

} // namespace corral::fluid::spectral
