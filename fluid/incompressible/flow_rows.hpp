#pragma once

#include "fluid/faces.hpp"
#include "fluid/spectral/box_layout.hpp"
#include "fluid/spectral/transformer.hpp"

#include <array>
#include <cstdint>

namespace corral::fluid {

/// What surrounds a row along x of one component of velocity: the row itself and those beside it, [0] along y, [1]
/// along z.
struct RowsAround {
  const double* centre;
  std::array<const double*, 2> low, high;
};

/// What the right-hand side of a row of component x takes from others: the components along y and z on the lower and on
/// the upper side of the row's control volumes.
struct CarriersOfX {
  std::array<const double*, 2> low, high;
};

/// The same of a row of component y or z, which is `normal`, 0 or 1. `back` is the row one cell back along the normal;
/// `beside_...` are of the third component, on the lower and upper side along its own axis.
struct CarriersOfOther {
  int normal;
  const double *x, *x_back;
  const double *beside_low, *beside_low_back, *beside_high, *beside_high_back;
};

/// What the terms of a row are multiplied by.
struct MomentumFactors {
  std::array<double, 3> advection{}; ///< along each axis, a quarter of what D_j[(2 A u_j)(2 A u_i)] h is
  std::array<double, 3> viscosity{};
  double force = 0, body = 0; ///< of the force on the faces; what is added everywhere
  double pressure = 0;        ///< of the difference of q across the face
};

/// Sets n values: viscosity of `start`, less advection of `carried`, plus force and body, less the difference of q.
/// Advection in flux form, F_high - F_low along each axis with F the product of two means: what leaves a control volume
/// enters the next, to the bit. The row wraps along x.
struct MomentumRow {
  std::int64_t n;
  RowsAround start, carried;
  const double* force;
  const double *q, *q_back; ///< null where there is none; along x `q_back` is not looked at
  MomentumFactors factors;
};
void momentum_row(const MomentumRow&, const CarriersOfX&, double* to);
void momentum_row(const MomentumRow&, const CarriersOfOther&, double* to);

/// to = 2 wall - inside: beyond a wall that moves at `wall`.
void mirror_row(std::int64_t n, double wall, const double* inside, double* to);

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
    return u[d] + layout_.begin(d, j, k);
  }

  const spectral::BoxLayout& layout_;
  int d_;
  Fields fields_;
  MomentumFactors factors_;
};

} // namespace corral::fluid
