#include "mppic/contact/static_friction.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>

namespace corral::mppic {

using fluid::Cell;
using fluid::Face;
using fluid::FaceKind;

namespace {

constexpr double told = 0.3; ///< share of a step's change that the gas is told of: more, and both answer each other
constexpr double firm = 0.1; ///< mobility from which on drag leaves so much of a push that the gas may hear of it at once

} // namespace

double StaticFriction::heeded(double mobility) { return std::min(1.0, mobility / firm); }

StaticFriction::StaticFriction(const fluid::Domain& domain, const Setup& setup)
    : domain_(domain), coefficient_(setup.solids.friction), most_(domain.grid().cells(), 0.0) {
  double square = 0;
  for (const double g : setup.gravity) square += g * g;
  weight_ = std::sqrt(square) * std::abs(1 - setup.gas.rho / setup.solids.rho);
}

void StaticFriction::hold(Cpu cpu, const fluid::FaceArrays& u_s, const fluid::FaceArrays& m, double dt,
                          fluid::FaceArrays& du, Flow& flow) {
  if (coefficient_ <= 0 || weight_ <= 0) return;
  fluid::for_each_cell(cpu, domain_.grid(), [&](const Cell& c) {
    double square = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      const double push = 0.5 * (du[d][c.low[d]] + du[d][c.high[d]]);
      square += push * push;
    }
    most_[c.index] = coefficient_ * std::min(std::sqrt(square), weight_ * dt);
  });
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    Array<double>& expected = *flow.friction_acceleration[i];
    fluid::for_each_face(cpu, domain_.grid(), d, [&, d, i](const Face& face) {
      const std::int64_t f = face.index;
      if (domain_.kind(d, f) != FaceKind::interior) return;
      const double most = 0.5 * (most_[face.below] + most_[face.above]), u = u_s[i][f] + du[i][f];
      const double held = most > 0 ? -std::clamp(2 - std::abs(u) / most, 0.0, 1.0) * u : 0;
      du[i][f] += held;
      expected[f] += told * heeded(m[i][f]) * (held / (m[i][f] * dt) - expected[f]);
    });
  }
}

} // namespace corral::mppic
