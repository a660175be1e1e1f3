#include "fluid/lattice/flow.hpp"

#include "fluid/lattice/populations.hpp"

#include <corral/error.hpp>

#include <cmath>
#include <limits>
#include <string>

namespace corral::fluid {

namespace lattice {

std::string_view name(Collision c) {
  switch (c) {
  case Collision::bgk: return "bgk";
  case Collision::trt: return "trt";
  case Collision::regularised: break;
  }
  return "regularised";
}

std::string_view name(VelocitySet s) {
  switch (s) {
  case VelocitySet::d2q9: return D2Q9::name;
  case VelocitySet::d3q19: return D3Q19::name;
  case VelocitySet::d3q27: break;
  }
  return D3Q27::name;
}

std::string_view name(Precision p) {
  switch (p) {
  case Precision::doubles: return "double";
  case Precision::floats: return "float";
  case Precision::floats_in_double: break;
  }
  return "float_in_double";
}

std::string_view name(Scheme s) { return s == Scheme::in_place ? "in_place" : "two_lattices"; }

namespace {

bool positive(double x) { return x > 0 && std::isfinite(x); }

void require_axes(const Grid& grid, VelocitySet set) {
  const bool flat = set == VelocitySet::d2q9;
  const Axis& x = grid.axis(0);
  for (int d = 0; d < 3; ++d) {
    const Axis& axis = grid.axis(d);
    const std::string which(1, "xyz"[d]);
    if (flat && d == 2) {
      if (!axis.thin() || !axis.periodic())
        throw Error("D2Q9 flows in the plane of x and y (z has " + std::to_string(axis.cells) +
                    " cells) give z one cell and periodic sides");
    } else if (axis.cells < 2) {
      throw Error("a lattice fluid needs two cells along " + which + " at least; in the plane of x and y D2Q9 flows");
    } else if (std::abs(axis.spacing - x.spacing) > 1e-9 * x.spacing) {
      throw Error("cells of a lattice fluid are cubes (" + std::to_string(axis.spacing / x.spacing) + " times as long along " +
                  which + " as along x) choose the cells so that they are");
    }
  }
}

void require_open(const Domain& domain) {
  for (std::int64_t c = 0; c < domain.grid().cells(); ++c)
    if (domain.volume_fraction(c) != 1) throw Error("a lattice fluid takes no blocked cells");
}

} // namespace

void require_suited(const Domain& domain, const LatticeProperties& p) {
  if (!positive(p.density) || !positive(p.viscosity) || !positive(p.dt))
    throw Error("density, viscosity and dt of a lattice fluid are positive, finite numbers");
  if (!(p.magic > 0) || !(p.smagorinsky >= 0)) throw Error("magic is positive, and smagorinsky not negative");
  require_axes(domain.grid(), p.set);
  require_open(domain);
}

} // namespace lattice

double relaxation_time(const LatticeProperties& p, double spacing) {
  return 0.5 + 3 * p.viscosity / p.density * p.dt / (spacing * spacing);
}

using namespace lattice;

class LatticeFlow::Parts {
public:
  Parts(const Domain& box, const LatticeProperties& p)
      : properties(checked(box, p)), units{box.grid().axis(0).spacing, p.dt, p.density}, domain(box),
        sides(box, units.speed()),
        populations(make_populations({units, properties, relaxation_time(p, units.length), box.own()}, sides)) {}

  const LatticeProperties properties;
  const Units units;
  const Domain& domain;
  Sides sides;
  std::unique_ptr<Populations> populations;

  /// By which that of the lattice is multiplied [kg m/s].
  double momentum_of_a_cell() const { return units.density * units.speed() * domain.grid().cell_volume(); }

private:
  static const LatticeProperties& checked(const Domain& domain, const LatticeProperties& p) {
    require_suited(domain, p);
    return p;
  }
};

LatticeFlow::LatticeFlow(const Domain& domain, const LatticeProperties& p) : parts_(std::make_unique<Parts>(domain, p)) {}
LatticeFlow::~LatticeFlow() = default;
LatticeFlow::LatticeFlow(LatticeFlow&&) noexcept = default;
LatticeFlow& LatticeFlow::operator=(LatticeFlow&&) noexcept = default;

namespace {

/// Differences of a velocity at the cells' centres: of the neighbours, or one-sided beside a side that does not wrap.
struct Differences {
  const Grid& grid;
  ConstFacePointers u;

  Populations::Gradient operator()(std::int64_t cell) const {
    Populations::Gradient rate{};
    std::array<std::int64_t, 3> n{}, at{};
    for (int d = 0; d < 3; ++d) n[d] = grid.axis(d).cells;
    at = {cell % n[0], cell / n[0] % n[1], cell / (n[0] * n[1])};
    std::int64_t stride = 1;
    for (int e = 0; e < 3; stride *= n[e], ++e) {
      if (n[e] < 2) continue;
      const bool wraps = grid.axis(e).periodic();
      const std::int64_t ahead = at[e] + 1 < n[e] ? at[e] + 1 : wraps ? 0 : at[e];
      const std::int64_t behind = at[e] > 0 ? at[e] - 1 : wraps ? n[e] - 1 : at[e];
      const double apart = (ahead != at[e] && behind != at[e] ? 2 : 1) * grid.axis(e).spacing;
      for (int d = 0; d < 3; ++d)
        rate[d][e] = (u[d][cell + (ahead - at[e]) * stride] - u[d][cell + (behind - at[e]) * stride]) / apart;
    }
    return rate;
  }
};

} // namespace

void LatticeFlow::start(Cpu cpu, const ConstFacePointers& velocity, const double* pressure) {
  parts_->sides.refresh();
  const Differences differences{parts_->domain.grid(), velocity};
  parts_->populations->start(cpu, {velocity, pressure,
                                   [](const void* of, std::int64_t cell) { return (*static_cast<const Differences*>(of))(cell); },
                                   &differences});
}

void LatticeFlow::step(Cpu cpu, const ConstFacePointers& force, const FacePointers& velocity) {
  parts_->sides.refresh();
  parts_->populations->step(cpu, nullptr, force, velocity);
}

void LatticeFlow::step_forced_in(Cpu cpu, RowParts forced, const ConstFacePointers& force, const FacePointers& velocity) {
  parts_->sides.refresh();
  parts_->populations->step(cpu, &forced, force, velocity);
}

void LatticeFlow::step_forced_in(Cpu cpu, const ConstBandField& force, const FacePointers& velocity) {
  parts_->sides.refresh();
  parts_->populations->step_in_band(cpu, force, velocity);
}

void LatticeFlow::begin_step(RowParts forced) {
  parts_->sides.refresh();
  parts_->populations->begin_step(forced);
}

void LatticeFlow::step_elsewhere(Cpu cpu, const FacePointers& velocity) { parts_->populations->step_elsewhere(cpu, velocity); }

std::array<double, 3> LatticeFlow::fastest() const {
  std::array<double, 3> u = parts_->populations->fastest;
  for (double& component : u) component *= parts_->units.speed();
  return u;
}

void LatticeFlow::find(Cpu cpu, const ConstFacePointers& force, const FacePointers& velocity, double* pressure) const {
  parts_->populations->find(cpu, nullptr, force, velocity, pressure);
}

void LatticeFlow::find_in(Cpu cpu, RowParts parts, const ConstFacePointers& force, const FacePointers& velocity,
                          double* pressure) const {
  parts_->populations->find(cpu, &parts, force, velocity, pressure);
}

void LatticeFlow::find_in(Cpu cpu, const double* forces, const BandField& velocity) const {
  parts_->populations->find_in_band(cpu, forces, velocity);
}

double LatticeFlow::excess_mass(Cpu cpu) const {
  return parts_->populations->totals(cpu).excess / static_cast<double>(parts_->domain.grid().cells());
}

std::array<double, 3> LatticeFlow::momentum(Cpu cpu) const {
  std::array<double, 3> total = parts_->populations->totals(cpu).momentum;
  for (double& component : total) component *= parts_->momentum_of_a_cell();
  return total;
}

std::array<double, 3> LatticeFlow::force_of_sides(Cpu cpu) const {
  bool any = false;
  for (int s = 0; s < 6; ++s) any = any || parts_->domain.side_kind(s) != SideKind::periodic;
  if (!any) return {};
  std::array<double, 3> force = parts_->populations->given_by_sides(cpu);
  for (double& component : force) component *= parts_->momentum_of_a_cell() / parts_->units.time;
  return force;
}

const LatticeProperties& LatticeFlow::properties() const { return parts_->properties; }
std::int64_t LatticeFlow::steps() const { return parts_->populations->steps; }

LatticeFlow::State LatticeFlow::state() {
  State state = parts_->populations->state();
  for (int s = 0; s < 6; ++s) {
    if (!parts_->sides.outlet(s)) continue;
    auto& [x, y, z] = parts_->sides.outlet_velocity(s);
    state.outlets.push_back({s, {&x, &y, &z}});
  }
  return state;
}

} // namespace corral::fluid
