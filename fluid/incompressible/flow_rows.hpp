#pragma once

#include "fluid/faces.hpp"
#include "fluid/spectral/box_layout.hpp"
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
  MomentumRows(const spectral::BoxLayout& layout, int d, const Fields& fields, const MomentumFactors& factors)
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

  const spectral::BoxLayout& layout_;
  int d_;
  Fields fields_;
  MomentumFactors factors_;
};

} // namespace corral::fluid
