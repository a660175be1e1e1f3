#include "mppic/contact/displacement.t.hpp"

namespace corral::mppic {

namespace {

constexpr double fraction_tolerance = 1e-5; ///< of the solids fraction

/// Room in a cell: how much its solids fraction may still rise; below 0, by how much it has to fall.
struct RoomLaw {
  const double* room;
  double give; ///< [1/m2] next to nothing, so that a box that is overfull everywhere has a solution, too
  Complementarity::Value at(std::int64_t c, double psi) const { return {room[c] + give * psi, give}; }
  double root(std::int64_t c, double a, double s) const { return std::max(0.0, (s - room[c]) / (a + give)); }
  double beyond(std::int64_t, double x, double e, double) const { return x + e; }
};

} // namespace

Displacement::Displacement(const fluid::Domain& domain, const Setup& setup, Memory memory)
    : domain_(domain), solids_(setup.solids), gravity_(setup.gravity), complementarity_(domain),
      budget_(domain, setup), b_(fluid::make_face_arrays(domain.grid(), 0, memory)), dx_(b_),
      spacing_(fluid::make_cell_arrays(domain.grid(), 0, memory)), room_(spacing_[0]), missed_(spacing_[0]) {
  double length2 = 0;
  for (int d = 0; d < 3; ++d) length2 += domain.grid().axis(d).length() * domain.grid().axis(d).length();
  give_ = 1e-4 * solids_.stress.theta_cp / length2;
  release_time_ = budget_.g() > 0 ? 0.005 * std::sqrt(budget_.height() / budget_.g()) : 0;
}

/// What the cells have room for, or too much of, flows off along -grad psi: psi >= 0 and
/// room - div(theta grad psi) >= 0, complementary.
void Displacement::solve(Cpu cpu, Flow& flow) {
  if (!solids_.packing) return;
  report_ = complementarity_.solve(cpu, b_, RoomLaw{room_.data(), give_}, flow.displacement_potential, fraction_tolerance);
}

std::int64_t Displacement::bytes() const {
  std::int64_t total = complementarity_.bytes() + room_.bytes() + missed_.bytes();
  for (std::size_t d = 0; d < 3; ++d) total += b_[d].bytes() + dx_[d].bytes() + spacing_[d].bytes();
  return total;
}

template void Displacement::foresee(Cpu, const FaceSums&, const Gas&, const Contact&, const fluid::FaceArrays&, double,
                                    Flow&, std::optional<double>);
template void Displacement::give_way(Cpu, const FaceSums&, const Contact&, const fluid::FaceArrays&, double, Flow&);

} // namespace corral::mppic
