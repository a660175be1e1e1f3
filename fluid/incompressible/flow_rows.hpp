#pragma once

#include "fluid/faces.hpp"
#include "fluid/incompressible/flow_layout.hpp"
#include "fluid/incompressible/momentum_rows.hpp"
#include "fluid/spectral/transformer.hpp"

#include <array>
#include <cstdint>

namespace corral::fluid {

/// The right-hand side of the momentum equation of component d, row by row: it is never in memory as a field.
class MomentumRows final : public spectral::RowSource {
public:
  struct Fields {
    ConstFacePointers start, carried; ///< what viscosity and what advection look at [m/s]
    const double* force;              ///< of component d [N/m3]
    const double* q = nullptr;        ///< pressure in cells [Pa]
    std::array<double, 2> walls{};    ///< velocity of the low and the high wall along d [m/s]
  };
  MomentumRows(const FlowLayout& layout, int d, const Fields& fields, const MomentumFactors& factors)
      : layout_(layout), d_(d), fields_(fields), factors_(factors) {}

  void read(std::int64_t plane, std::int64_t row, std::int64_t count, double* to, std::int64_t stride) const override;

private:
  /// Rows beyond a wall, low and high, where there is one beside.
  struct Beyond {
    const double *low = nullptr, *high = nullptr;
  };
  void read_row(std::int64_t j, std::int64_t k, const Beyond& beyond, double* to) const;
  RowsAround around(const double* u, std::int64_t j, std::int64_t k, const Beyond& beyond) const;
  const double* at(const ConstFacePointers& u, int d, std::int64_t j, std::int64_t k) const {
    return u[static_cast<std::size_t>(d)] + layout_.begin(d, j, k);
  }

  const FlowLayout& layout_;
  int d_;
  Fields fields_;
  MomentumFactors factors_;
};

/// Values of component d as they are, times a factor, plus numbers: everywhere, and beside the low and the high wall.
class FieldRows final : public spectral::RowSource {
public:
  FieldRows(const FlowLayout& layout, int d, const double* values, double factor, double more = 0,
            const std::array<double, 2>& beside_walls = {})
      : layout_(layout), d_(d), values_(values), factor_(factor), more_(more), beside_walls_(beside_walls) {}
  void read(std::int64_t plane, std::int64_t row, std::int64_t count, double* to, std::int64_t stride) const override;

private:
  const FlowLayout& layout_;
  int d_;
  const double* values_;
  double factor_, more_;
  std::array<double, 2> beside_walls_;
};

/// values = start + factor times what comes, of component d; nothing is added to where start is null.
class StoredRows final : public spectral::RowSink {
public:
  StoredRows(const FlowLayout& layout, int d, const double* start, double* values, double factor = 1)
      : layout_(layout), d_(d), start_(start), values_(values), factor_(factor) {}
  void write(std::int64_t plane, std::int64_t row, std::int64_t count, const double* from,
             std::int64_t stride) const override;

private:
  const FlowLayout& layout_;
  int d_;
  const double* start_;
  double* values_;
  double factor_;
};

} // namespace corral::fluid
