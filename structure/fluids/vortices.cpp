#include "structure/fluids/vortices.hpp"

#include <corral/for_each.hpp>

#include <cmath>
#include <numbers>

namespace corral::structure {
namespace {

class Waves {
public:
  explicit Waves(const fluid::Domain& domain)
      : domain_(domain), nx_(domain.grid().axis(0).cells), ny_(domain.grid().axis(1).cells) {}

  /// Phases at a place in a cell, in shares of it.
  double along_x(std::int64_t cell, double in) const { return phase(0, cell % nx_, in); }
  double along_y(std::int64_t cell, double in) const { return phase(1, cell / nx_ % ny_, in); }

private:
  static constexpr double turn = 2 * std::numbers::pi;

  double phase(int d, std::int64_t i, double in) const {
    return turn * (static_cast<double>(domain_.in_whole(d, i)) + in) / static_cast<double>(domain_.whole().axis(d).cells);
  }

  const fluid::Domain& domain_;
  std::int64_t nx_, ny_;
};

double k_over_l(const Grid& grid) { return grid.axis(1).length() / grid.axis(0).length(); }

} // namespace

void add_vortices(Cpu cpu, const fluid::Domain& domain, double speed, const std::array<Staggering, 3>& staggering,
                  const std::array<double*, 3>& velocity) {
  const Waves at(domain);
  const double at_u = staggering[0] == face(0) ? 0 : 0.5, at_v = staggering[1] == face(1) ? 0 : 0.5, ratio = k_over_l(domain.whole());
  for_each(cpu, domain.grid().cells(), [=](std::int64_t c) {
    velocity[0][c] += speed * std::cos(at.along_x(c, at_u)) * std::sin(at.along_y(c, 0.5));
    velocity[1][c] -= speed * ratio * std::sin(at.along_x(c, 0.5)) * std::cos(at.along_y(c, at_v));
  });
}

void set_pressure_of_vortices(Cpu cpu, const fluid::Domain& domain, double speed, double density, double* pressure) {
  const Waves at(domain);
  const double ratio = k_over_l(domain.whole()), unit = -0.25 * density * speed * speed;
  for_each(cpu, domain.grid().cells(), [=](std::int64_t c) {
    pressure[c] = unit * (std::cos(2 * at.along_x(c, 0.5)) + ratio * ratio * std::cos(2 * at.along_y(c, 0.5)));
  });
}

} // namespace corral::structure
