#include "mppic/case/setup.hpp"

#include "mppic/case/case_reader.hpp"
#include "mppic/case/heat.hpp"
#include "mppic/laws/gas_laws.hpp"
#include "run/time_step.hpp"

#include <algorithm>

namespace corral::mppic {

Setup CaseReader::read() {
  const run::BoxState box = run::read_flow_box(s_, problems_, setup_);
  complained_ = box != run::BoxState::good;
  gas();
  drive();
  solids();
  sizes();
  if (box != run::BoxState::none)
    for (const std::string& block : s_.blocks("inlet")) inlet(block);
  outflow();
  if (!complained_) start();
  if (!complained_)
    for (const std::string& block : s_.blocks("seed")) seed(block);
  time();
  read_heat(s_, problems_, setup_);
  if (!complained_ && problems_.empty()) check_setup(setup_, s_, problems_);
  if (!problems_.empty()) return std::move(setup_);
  for (std::string& warning : warnings(setup_)) setup_.warnings.push_back(std::move(warning));
  warn_of_idle_keys();
  return std::move(setup_);
}

void CaseReader::gas() {
  GasModel& gas = setup_.gas;
  gas.rho = s_.real("gas", "density");
  gas.mu = s_.real("gas", "viscosity");
  read_gas_laws(s_, gas);
  gas.solved = s_.choice("gas", "motion") == "solved";
  gas.counterflow = s_.choice("gas", "start") == "counterflow";
  gas.velocity = s_.reals3("gas", "velocity");
  const std::string advection = s_.choice("gas", "advection");
  gas.advection = advection == "upwind"     ? fluid::Advection::upwind
                  : advection == "van_leer" ? fluid::Advection::van_leer
                                            : fluid::Advection::central;
  gas.momentum =
      s_.choice("gas", "momentum") == "conservative" ? MomentumForm::conservative : MomentumForm::advective;
  gas.viscous_force =
      s_.choice("gas", "viscous_force") == "stress" ? fluid::Viscosity::stress : fluid::Viscosity::laplacian;
  if (gas.viscous_force == fluid::Viscosity::stress && gas.momentum != MomentumForm::conservative)
    complain("gas", "viscous_force", "a viscous stress in the advective form of momentum (it keeps momentum only where "
                                     "advection does) set momentum = conservative");
  gas.smagorinsky = s_.choice("gas", "turbulence") == "smagorinsky" ? s_.real("gas", "smagorinsky_constant") : 0;
  if (gas.smagorinsky > 0 && gas.viscous_force != fluid::Viscosity::stress)
    complain("gas", "turbulence", "eddies' viscosity without a stress (it varies from place to place) set viscous_force = "
                                  "stress and momentum = conservative");
  gas.tolerance = s_.real("gas", "tolerance");
}

/// Where the box does not come back to itself walls and outlets say what the pressure is.
void CaseReader::drive() {
  setup_.drive = {s_.reals3("forces", "pressure_gradient"), s_.choice("forces", "weight") == "borne"};
  if (complained_) return; // perhaps of the sides
  bool falls = false;
  std::string held;
  for (int d = 0; d < 3; ++d) {
    const bool periodic = setup_.sides[2 * d] == fluid::SideKind::periodic;
    falls = falls || (periodic && setup_.gravity[d] != 0);
    if (setup_.drive.gradient[d] != 0 && !periodic) held += (held.empty() ? "" : ", ") + std::string(1, "xyz"[d]);
  }
  if (!held.empty())
    complain("forces", "pressure_gradient", "forces.pressure_gradient along " + held + ", where the box is not periodic (its "
                                            "sides say what the pressure is) make both sides periodic");
  if (setup_.drive.bears_weight && !falls)
    complain("forces", "weight", "forces.weight = borne, and gravity acts along no periodic axis (nothing falls for ever) leave "
                                 "it out");
}

void CaseReader::solids() {
  SolidsModel& solids = setup_.solids;
  materials();
  solids.packing = s_.choice("contact", "model") != "off";
  const bool said = s_.given("contact", "pressure");
  const double pressure = said ? s_.real("contact", "pressure") : usual_contact_pressure(solids.rho - setup_.gas.rho);
  if (said && !solids.packing && pressure != HarrisCrighton{}.ps) // which earlier versions wrote into every used.ini
    complain("contact", "pressure", "pressure with model = off (it is for harris_crighton) choose that, or leave it out");
  solids.stress = {pressure, s_.real("contact", "exponent"), s_.real("solids", "close_packing")};
  solids.friction = s_.real("contact", "friction");
  collisions();
  setup_.audit = s_.flag("output", "audit");
  solids.two_way = s_.choice("solids", "coupling") == "two_way";
  solids.frozen = s_.flag("solids", "frozen");
  solids.normal_restitution = s_.real("walls", "normal_restitution");
  solids.tangential_restitution = s_.real("walls", "tangential_restitution");
  if (!setup_.gas.solved && solids.two_way)
    complain("solids", "coupling", "a prescribed gas that feels the particles (its velocity cannot change) choose "
                                   "coupling = one_way, or motion = solved");
}

/// One solid by [solids] or its block, or several by their blocks.
void CaseReader::materials() {
  SolidsModel& solids = setup_.solids;
  const std::vector<std::string> blocks = s_.blocks("solid");
  solids.drag = {drag_law(s_.choice("solids", "drag")), setup_.gas.rho, setup_.gas.mu,
                 s_.real("solids", "drag_coefficient")};
  solids.restitution = s_.real("contact", "restitution");
  const bool given = s_.given("solids", "density");
  if (blocks.empty() && !given)
    return complain("solids", "density", "`density` is missing from [solids] (what the particles weigh) add it, or a block "
                                         "[solid.NAME] for each of several solids");
  if (!blocks.empty() && given)
    return complain("solids", "density", "a density in [solids] beside the blocks [solid.NAME] (each of them is a solid with "
                                         "its own) take it out of [solids]");
  if (given) solids.rho = s_.real("solids", "density");
  for (const std::string& block : blocks) {
    if (const std::string name = block.substr(6); name.starts_with("left_") || name == "left" || name == "entered")
      return complain(block, "density", "a solid named " + name + " (two columns of log.csv would have one name) choose another");
    SolidMaterial solid{block.substr(6), s_.real(block, "density"), solids.drag, solids.restitution};
    if (s_.given(block, "drag")) solid.drag.law = drag_law(s_.choice(block, "drag"));
    if (s_.given(block, "drag_coefficient")) solid.drag.cd = s_.real(block, "drag_coefficient");
    if (s_.given(block, "restitution")) solid.restitution = s_.real(block, "restitution");
    solids.rho = solids.several.empty() ? solid.rho : std::min(solids.rho, solid.rho);
    solids.several.push_back(std::move(solid));
  }
  if (solids.several.empty()) return;
  if (!solids.restitutions_differ()) solids.restitution = solids.several.front().restitution;
  if (solids.several.size() > 1) return;
  solids.drag = solids.several.front().drag;
  solids.several.clear();
}

std::optional<int> CaseReader::solid_of(const std::string& block) {
  const std::vector<std::string> blocks = s_.blocks("solid");
  if (!s_.given(block, "solid")) {
    if (blocks.size() < 2) return 0;
    complain(block, "solid", "[" + block + "] does not say which [solid.NAME] it means (there are " +
                                 std::to_string(blocks.size()) + ") add `solid = NAME`");
    return std::nullopt;
  }
  const auto found = std::find(blocks.begin(), blocks.end(), "solid." + s_.text(block, "solid"));
  if (found != blocks.end()) return static_cast<int>(found - blocks.begin());
  complain(block, "solid", "there is no [solid." + s_.text(block, "solid") + "] (solid names such a block)");
  return std::nullopt;
}

bool SolidsModel::drag_knows_mixture() const {
  return several.empty() ? knows_mixture(drag.law) : std::any_of(several.begin(), several.end(), [](const SolidMaterial& solid) {
    return knows_mixture(solid.drag.law);
  });
}

bool SolidsModel::densities_differ() const {
  return std::any_of(several.begin(), several.end(), [&](const SolidMaterial& solid) { return solid.rho != rho; });
}

double SolidsModel::density_range() const {
  double most = rho; // the lightest's
  for (const SolidMaterial& solid : several) most = std::max(most, solid.rho);
  return most - rho;
}

bool SolidsModel::restitutions_differ() const {
  return std::any_of(several.begin(), several.end(),
                     [&](const SolidMaterial& solid) { return solid.restitution != several.front().restitution; });
}

void CaseReader::collisions() {
  CollisionModel& model = setup_.collisions;
  model.damping = s_.choice("contact", "collisions") != "off";
  model.far = s_.choice("contact", "collision_rate") == "far_from_equilibrium";
  model.isotropy = s_.choice("contact", "isotropy") != "off";
  model.blended = s_.choice("contact", "acceleration") == "blended";
}

void CaseReader::outflow() {
  if (setup_.inlets.empty() || !setup_.gas.solved) return;
  for (const fluid::SideKind kind : setup_.sides)
    if (kind == fluid::SideKind::outlet) return;
  complain(s_.blocks("inlet").front(), "side",
           "gas enters but cannot leave (no side is an outlet) make one, for instance `z_high = outlet` in [sides]");
}

void CaseReader::time() {
  TimeStep& time = setup_.time;
  time = TimeStep(run::read_step_lengths(s_, problems_));
  time.gas_courant = s_.real("time", "gas_courant");
  time.parcel_courant = s_.real("time", "parcel_courant");
  time.outliers = s_.real("time", "outliers");
  time.unsafe = s_.flag("time", "unsafe");
  time.drag_number = s_.real("time", "drag_number");
  setup_.random_seed = static_cast<std::uint64_t>(s_.integer("random", "seed"));
}

/// What is asked for, and not by writing a default out as used.ini does, and changes nothing. Key::read_where refuses what
/// one other key leaves idle; here all blocks together do.
void CaseReader::warn_of_idle_keys() {
  const SolidsModel& solids = setup_.solids;
  const auto warn = [&](const std::string& section, const char* key, const std::string& why) {
    setup_.warnings.push_back(section + "." + key + " has no effect: " + why);
  };
  const std::vector<std::string> blocks = s_.blocks("solid");
  const auto all_give = [&](const char* key) {
    return !blocks.empty() && std::all_of(blocks.begin(), blocks.end(), [&](const std::string& b) { return s_.given(b, key); });
  };
  bool dragged = blocks.empty() && solids.drag.law == DragLaw::constant; // by the coefficient of [solids]
  for (const std::string& block : blocks) {
    const bool constant = s_.given(block, "drag") ? s_.choice(block, "drag") == "constant"
                                                  : s_.choice("solids", "drag") == "constant";
    dragged = dragged || (constant && !s_.given(block, "drag_coefficient"));
    if (!constant && s_.given(block, "drag_coefficient"))
      warn(block, "drag_coefficient", "its drag law is not `constant`");
  }
  if (!dragged && s_.changed("solids", "drag_coefficient"))
    warn("solids", "drag_coefficient", "no solid has the drag law `constant` without a coefficient of its own");
  if (all_give("restitution") && s_.changed("contact", "restitution"))
    warn("contact", "restitution", "every solid has its own");
  if (all_give("drag") && s_.changed("solids", "drag"))
    warn("solids", "drag", "every solid has its own");
}

double Setup::most_solids() const {
  return solids.packing && !solids.frozen ? solids.stress.theta_cp : 1 - eps_floor;
}

std::optional<Setup> read_setup(const run::Settings& settings, run::Problems& problems) { return read_setup_for(settings, problems, 1); }

std::optional<Setup> read_setup_for(const run::Settings& settings, run::Problems& problems, int ranks) {
  Setup setup = CaseReader(settings, problems, ranks).read();
  if (!problems.empty()) return std::nullopt;
  if (setup.make_grid().cells() >= ranks) return setup;
  problems.add(settings.where("grid", "cells"), std::to_string(ranks) + " ranks for " + std::to_string(setup.make_grid().cells()) +
                                                    " cells (each has parcels of one at least) take as many as there are cells at most");
  return std::nullopt;
}

} // namespace corral::mppic
